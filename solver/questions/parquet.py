"""Questions in Parquet: the same fields as JSON Lines, one row per question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from solver.eventhop.records import Place
from solver.io.sources import FieldError, InputError, RowError
from solver.questions.io import BrokenQuestion, PlacedQuestion, fields
from solver.questions.linking import require_shape
from solver.questions.model import Question

GROUP = 4_096
"""Rows per row group, which writers and readers hold in memory at once."""

_BATCH = 256
_FLAT = {"pre_buffer": False, "buffer_size": 1 << 20, "page_checksum_verification": True}
_FAILURES = (pa.ArrowException, OSError, ValueError, OverflowError)
_NAMES = pa.list_(pa.string())
_SCHEMA = pa.schema(
    [
        *(pa.field(name, pa.string(), nullable=False) for name in ("id", "kind", "split")),
        *(pa.field(name, pa.string(), nullable=False) for name in ("time", "text")),
        pa.field("query", pa.list_(_NAMES), nullable=False),
        pa.field("answers", _NAMES, nullable=False),
        ("choices", pa.list_(pa.struct([("text", pa.string()), ("fact", _NAMES)]))),
        ("order", pa.string()),
        ("rule", pa.int32()),
        (
            "certificate",
            pa.struct(
                [
                    ("facts", pa.list_(_NAMES)),
                    ("source", _NAMES),
                    ("contributions", pa.list_(pa.int64())),
                    ("rules", pa.list_(pa.int64())),
                ]
            ),
        ),
    ]
)


def write_table(file: BinaryIO, questions: Iterable[Question]) -> None:
    """Write questions to an open file, one row group at a time."""
    rows = map(fields, questions)
    with pq.ParquetWriter(file, _SCHEMA, compression="zstd", write_page_checksum=True) as writer:
        while group := list(islice(rows, GROUP)):
            writer.write_table(pa.Table.from_pylist(group, schema=_SCHEMA))


def read_table(path: Path, file: str) -> Iterator[PlacedQuestion]:
    """Read the questions of a file.

    Raises:
        InputError: the file is damaged, has no rows, or lacks a column.
    """
    row = 0
    try:
        with pq.ParquetFile(path, **_FLAT) as table:
            present = table.schema_arrow.names
            missing = [one.name for one in _SCHEMA if not one.nullable and one.name not in present]
            if missing:
                message = f"found no column {missing[0]}, expected those of questions"
                raise InputError(message, where=f"{file}:1:1")
            columns = [name for name in _SCHEMA.names if name in present]
            for batch in table.iter_batches(_BATCH, columns=columns, use_threads=False):
                for values in batch.to_pylist():
                    row += 1
                    yield _placed(values, Place(file=file, line=row))
    except _FAILURES as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        message = f"damaged Parquet data ({reason[:120]}), expected a whole Parquet file"
        hint = "write or fetch the file again"
        raise InputError(message, where=f"{file}:{row + 1}:1", hint=hint) from None
    if not row:
        raise InputError("found nothing, expected questions, one a row", where=f"{file}:1:1")


def _placed(values: Mapping[str, Any], place: Place) -> PlacedQuestion:
    try:
        question = msgspec.convert(_present(values), Question)
        require_shape(question)
    except (msgspec.ValidationError, FieldError) as error:
        hint = error.hint if isinstance(error, FieldError) else ""
        broken = RowError(f"found no question ({error})", where=place.at(), hint=hint)
        return PlacedQuestion(place=place, read=BrokenQuestion(error=broken))
    return PlacedQuestion(place=place, read=question)


def _present(values: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that are not null."""
    return {
        name: _present(value) if isinstance(value, Mapping) else value
        for name, value in values.items()
        if value is not None
    }
