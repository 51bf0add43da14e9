"""Parquet: fields as in ``named``, one item per row, read in batches of rows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from solver.eventhop import records as named
from solver.eventhop.records import BrokenRecord, Place, ReadRecord
from solver.io.sources import LINE_LIMIT, FieldError, InputError, RowError

_BATCH = 256
# Pages are read on demand: with pre-buffering, Arrow would keep the whole file in memory.
_FLAT = {"pre_buffer": False, "buffer_size": 1 << 20, "page_checksum_verification": True}
_NAMES = named.FIELDS + named.OTHER_NAMES
# Errors that damaged files raise: Arrow's own, from the system, and from values out of range.
_FAILURES = (pa.ArrowException, OSError, ValueError, OverflowError)


def read_parquet(path: Path, file: str) -> Iterator[ReadRecord]:
    """Read the records of a file.

    Raises:
        InputError: the file is damaged, or has no column of premises or of claims.
    """
    row = 0
    try:
        with pq.ParquetFile(path, **_FLAT) as table:
            columns = _columns(table.schema_arrow, file)
            for batch in table.iter_batches(_BATCH, columns=columns, use_threads=False):
                for values in batch.to_pylist():
                    row += 1
                    yield _record(values, Place(file=file, line=row))
    except _FAILURES as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        message = f"damaged Parquet data ({reason[:120]}), expected a whole Parquet file"
        hint = "write or fetch the file again"
        raise InputError(message, where=f"{file}:{row + 1}:1", hint=hint) from None


def _columns(schema: pa.Schema, file: str) -> list[str]:
    columns = [name for name in _NAMES if name in schema.names]
    for name, other in (("premise", "premise"), ("claim", "hypothesis")):
        if name not in columns and other not in columns:
            message = f"found no column {name}, expected premise, claim and, if known, label"
            raise InputError(message, where=f"{file}:1:1", hint="rename the file's columns")
    return columns


def _record(values: dict[str, object], place: Place) -> ReadRecord:
    try:
        size = sum(len(value) for value in values.values() if isinstance(value, str))
        if size > LINE_LIMIT:
            message = f"found a row of {size:,} characters, expected at most {LINE_LIMIT:,}"
            raise RowError(message, where=place.at(1), hint="split it")
        return named.record(values, place)
    except FieldError as error:
        broken = RowError(str(error), where=place.at(_column(values, error)), hint=error.hint)
    except RowError as error:
        broken = error
    return BrokenRecord(id=str(values.get("id", place.line)), place=place, error=broken)


def _column(values: dict[str, object], error: FieldError) -> int:
    """Position of the column among those that are read, from 1."""
    return list(values).index(error.field) + 1 if error.field in values else 1
