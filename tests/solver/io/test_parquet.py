"""Parquet files that no writer of ours makes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from solver.io.columns import LARGEST, arrow_schema
from solver.io.parquet import read_rows, read_table
from solver.io.sources import InputError, open_input


def test_columns_of_the_same_name_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "twice.parquet"
    table = pa.table({"id": [1], "head": [2]})
    pq.write_table(table.append_column("id", pa.array([3])), path)
    with pytest.raises(InputError, match="found 2 columns id"):
        read_table(path)
    with open_input(path) as source, pytest.raises(InputError, match="found 2 columns id"):
        list(read_rows(source, lambda names: names))


def test_damage_in_a_column_that_is_not_used_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "damaged.parquet"
    table = pa.table({"id": [1, 2], "other": ["some text" * 40, "more text" * 40]})
    pq.write_table(table, path, compression="none", use_dictionary=False)
    data = bytearray(path.read_bytes())
    begin = pq.ParquetFile(path).metadata.row_group(0).column(1).data_page_offset
    data[begin : begin + 16] = b"\xff" * 16
    path.write_bytes(data)
    with pytest.raises(InputError, match="damaged Parquet"):
        read_table(path, ["id"])
    with open_input(path) as source, pytest.raises(InputError, match="damaged Parquet"):
        list(read_rows(source, lambda _: ["id"]))


class Inner(msgspec.Struct):
    """An object within a row."""

    size: int
    right: bool


class Outer(msgspec.Struct):
    """A row with a column of each type."""

    id: str
    small: Annotated[int, msgspec.Meta(le=LARGEST)]
    large: Annotated[int, msgspec.Meta(le=LARGEST + 1)]
    numbers: list[Annotated[int, msgspec.Meta(le=LARGEST)]]
    names: tuple[str, ...]
    fact: tuple[str, str, str]
    inner: Inner
    inners: list[Inner]
    right: bool
    often: int | None = None
    word: str | None = None
    always: str = ""


def test_columns_have_the_types_of_their_declaration() -> None:
    inner = pa.struct([("size", pa.int64()), ("right", pa.bool_())])
    expected = {
        "id": pa.string(),
        "small": pa.int32(),
        "large": pa.int64(),
        "numbers": pa.list_(pa.int32()),
        "names": pa.list_(pa.string()),
        "fact": pa.list_(pa.string()),
        "inner": inner,
        "inners": pa.list_(inner),
        "right": pa.bool_(),
        "often": pa.int64(),
        "word": pa.string(),
        "always": pa.string(),
    }
    found = arrow_schema(Outer, "always")
    assert dict(zip(found.names, found.types, strict=True)) == expected
    assert [field.name for field in found if field.nullable] == ["often", "word"]
