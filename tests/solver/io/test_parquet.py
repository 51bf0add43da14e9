"""Parquet files that no writer of ours makes."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

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
