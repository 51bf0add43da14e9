"""Writes item files and reports atomically; the same values give the same bytes."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from pathlib import Path

from solver.eventhop.records import Record
from solver.io.writing import OutputError, atomic, line, packed

_DECLARED = {True: "possible", False: "impossible", None: None}


def fields(record: Record) -> dict[str, str | int | bool | None]:
    """All fields, named as ``solver.eventhop.records`` reads them; None if unknown."""
    return {
        "id": record.id,
        "premise": record.premise,
        "claim": record.claim,
        "label": record.gold,
        "declared": _DECLARED[record.declared],
        "forced": record.forced,
        "relation": record.sampled,
        "events": record.events,
        "relations": record.relations,
        "event_distance": record.event_distance,
        "hops": record.hops,
    }


_DECLARED_TSV = {True: "possible", False: "impossible", None: ""}
_FORCED = {True: "true", False: "false", None: ""}


def tsv_lines(records: Iterable[Record], *, forced: bool = True) -> Iterator[bytes]:
    """Encode one row per item; without ``forced``, in the older format of 9 columns.

    Raises:
        OutputError: an item has no label, which this format requires.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter="\t")
    for record in records:
        if record.gold is None:
            raise OutputError(
                f"item {record.id} has no label, expected one on each row of a TSV",
                where=record.place.at(),
                hint="write JSON Lines or Parquet, where a label may be absent",
            )
        # csv writes None as an empty cell.
        writer.writerow(
            [
                record.id,
                _DECLARED_TSV[record.declared],
                *([_FORCED[record.forced]] if forced else []),
                record.sampled,
                record.events,
                record.relations,
                record.event_distance,
                record.premise,
                record.claim,
                record.gold,
            ]
        )
        yield text.getvalue().encode()
        text.seek(0)
        text.truncate()


def write_tsv(path: str | Path, records: Iterable[Record], *, forced: bool = True) -> None:
    """Write the published format; gzip if the path ends in ``.gz``.

    Args:
        path: output file.
        records: labelled items; fields without a column in this format (``hops``) are omitted.
        forced: include the column ``forced``; without it, the older format of 9 columns.

    Raises:
        OutputError: an item has no label, or writing fails.
    """
    with packed(path) as file:
        file.writelines(tsv_lines(records, forced=forced))


def write_jsonl(path: str | Path, records: Iterable[Record]) -> None:
    """Write JSON Lines without fields that are None; gzip if the path ends in ``.gz``."""
    with packed(path) as file:
        for record in records:
            known = {name: value for name, value in fields(record).items() if value is not None}
            file.write(line(known))


def write_parquet(path: str | Path, records: Iterable[Record]) -> None:
    """Write Parquet."""
    from solver.extras import require

    require("Parquet", "pyarrow")
    from solver.io.parquet import write_table

    with atomic(path) as file:
        write_table(file, records)
