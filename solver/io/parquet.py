"""Parquet: the fields of JSON Lines, in row groups of bounded size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from solver.eventhop.records import Record
from solver.eventhop.writing import fields

GROUP = 4_096
"""Rows per row group: what a writer or a reader keeps in memory at a time."""

_SCHEMA = pa.schema(
    [
        pa.field("id", pa.string(), nullable=False),
        pa.field("premise", pa.string(), nullable=False),
        pa.field("claim", pa.string(), nullable=False),
        ("label", pa.string()),
        ("declared", pa.string()),
        ("forced", pa.bool_()),
        ("relation", pa.string()),
        ("events", pa.int32()),
        ("relations", pa.int32()),
        ("event_distance", pa.int32()),
        ("hops", pa.int32()),
    ]
)


def write_table(file: BinaryIO, records: Iterable[Record]) -> None:
    """Write the records to an open file in row groups, with page checksums."""
    with pq.ParquetWriter(file, _SCHEMA, compression="zstd", write_page_checksum=True) as writer:
        for group in _groups(records):
            writer.write_table(pa.Table.from_pylist(group, schema=_SCHEMA))


def _groups(records: Iterable[Record]) -> Iterator[list[dict[str, str | int | bool | None]]]:
    rows = map(fields, records)
    while group := list(islice(rows, GROUP)):
        yield group
