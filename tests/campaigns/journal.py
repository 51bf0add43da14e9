"""The shards of a campaign: each runs in a process of its own and adds a line to a journal."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from solver.io.json_lines import JsonDecoder
from solver.io.sources import open_input
from solver.io.writing import line, make_folder

JOURNAL = "journal.jsonl"


def shards(size: int, items: int, start: int = 0) -> Iterator[tuple[int, int]]:
    """First number and number of items of each shard; shards begin at multiples of the size."""
    while start < items:
        count = min(size - start % size, items - start)
        yield start, count
        start += count


def campaign(
    module: str,
    folder: Path,
    key: Mapping[str, Any],
    size: int,
    items: int,
    *arguments: str,
    start: int = 0,
) -> Iterator[dict[str, Any]]:
    """Run the shards that the journal does not hold, and yield the lines of all, in order.

    Args:
        module: called as ``python -m MODULE --shard FIRST COUNT``; prints one JSON object.
        folder: folder of the journal.
        key: what the campaign is about; lines of other campaigns are left alone.
        size: items in a shard.
        items: items in all.
        arguments: further arguments of the module.
        start: number of the first item.

    Raises:
        subprocess.CalledProcessError: a shard failed; the journal holds those before it.
        SystemExit: SIGINT or SIGTERM arrived; the shard under way is ended.
    """
    journal = make_folder(folder) / JOURNAL
    done = {(record["first"], record["count"]): record for record in _lines(journal, key)}
    with _stoppable():
        for first, count in shards(size, items, start):
            row = done.get((first, count))
            if row is None:
                row = {**_shard(module, first, count, arguments), **key}
                row |= {"first": first, "count": count}
                with journal.open("ab") as file:
                    file.write(line(row))
                sys.stderr.write(f"{first + count:,} of {items:,}\n")
            yield row


@contextmanager
def _stoppable() -> Iterator[None]:
    """End by an exception, which also ends the shard under way, on SIGINT and SIGTERM."""
    signals = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(signal_number, _exit) for signal_number in signals]
    try:
        yield
    finally:
        for signal_number, handler in zip(signals, before, strict=True):
            signal.signal(signal_number, handler)


def _exit(number: int, _frame: object) -> None:
    sys.exit(128 + number)


def _shard(module: str, first: int, count: int, arguments: Sequence[str]) -> dict[str, Any]:
    command = [sys.executable, "-m", module, "--shard", str(first), str(count), *arguments]
    ran = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    found: dict[str, Any] = msgspec.json.decode(ran.stdout)
    return found


def _lines(journal: Path, key: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    if not journal.exists():
        return
    with open_input(journal) as source:
        for row in JsonDecoder(dict[str, Any]).sound_rows(source):
            if key.items() <= row.value.items():
                yield row.value
