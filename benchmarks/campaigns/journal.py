"""The shards of a campaign: each runs in a process of its own and adds a line to a journal."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from solver.io.json_lines import JsonDecoder
from solver.io.sources import open_input
from solver.io.writing import line, make_folder

JOURNAL = "journal.jsonl"


def shards(size: int, items: int) -> Iterator[tuple[int, int]]:
    """First number and number of items of each shard."""
    for first in range(0, items, size):
        yield first, min(size, items - first)


def campaign(
    module: str, folder: Path, key: Mapping[str, Any], size: int, items: int, *arguments: str
) -> list[dict[str, Any]]:
    """Run the shards that the journal does not hold, and return the lines of all.

    Args:
        module: called as ``python -m MODULE --shard FIRST COUNT``; prints one JSON object.
        folder: folder of the journal.
        key: what the campaign is about; lines of other campaigns are left alone.
        size: items in a shard.
        items: items in all.
        arguments: further arguments of the module.

    Raises:
        subprocess.CalledProcessError: a shard failed; the journal holds those before it.
    """
    journal = make_folder(folder) / JOURNAL
    done = {(one["first"], one["count"]): one for one in _lines(journal, key)}
    for first, count in shards(size, items):
        if (first, count) in done:
            continue
        found = _shard(module, first, count, arguments)
        row = {**found, **key, "first": first, "count": count}
        with journal.open("ab") as file:
            file.write(line(row))
        done[first, count] = row
        sys.stderr.write(f"{first + count:,} of {items:,}\n")
    return [done[one] for one in shards(size, items)]


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
