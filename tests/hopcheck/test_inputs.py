"""Inputs: paths, lists of dicts, and tables of other libraries."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

import hopcheck as hc
from hopcheck.inputs import ArgumentError, as_file, rows_of

FACTS = [
    {"head": "Ada", "relation": "visits", "tail": "Rome", "time": "2031-05-10"},
    {"head": "Ada", "relation": "leaves", "tail": "Rome", "time": "2031-05-12"},
]


class Frame:
    """The part of a pandas data frame that is used."""

    columns = ("head", "relation", "tail", "time")

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self.rows = rows

    def to_dict(self, orient: str) -> list[dict[str, Any]]:
        assert orient == "records"
        return self.rows


class Arrow:
    """The part of a pyarrow table that is used."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self.rows = rows

    def to_pylist(self) -> list[dict[str, Any]]:
        return self.rows


@pytest.mark.parametrize("table", [list, iter, tuple, Frame, Arrow])
def test_tables_have_the_same_rows(table: Callable[[list[dict[str, Any]]], Any]) -> None:
    assert rows_of(table(FACTS)) == FACTS
    assert hc.load_graph(table(FACTS)).vocabulary.entity_names == ("Ada", "Rome")


def test_a_pyarrow_table_is_read(parquet: None) -> None:  # noqa: ARG001
    import pyarrow as pa

    assert rows_of(pa.Table.from_pylist(FACTS)) == FACTS


def test_a_pandas_frame_is_read(notebook: None) -> None:  # noqa: ARG001
    import pandas as pd

    frame = pd.DataFrame(FACTS)
    assert rows_of(frame) == FACTS
    frame["time"] = pd.to_datetime(frame["time"])
    assert rows_of(frame) == FACTS
    frame.loc[0, "time"] = pd.NaT
    assert rows_of(frame)[0]["time"] is None


def test_a_datasets_table_is_read(hf: None) -> None:  # noqa: ARG001
    from datasets import Dataset

    assert rows_of(Dataset.from_list(FACTS)) == FACTS


def test_cells_become_json_values() -> None:
    import numpy as np

    row = {
        "missing": float("nan"),
        "number": np.int64(3),
        "array": np.array([1, 2]),
        "day": date(2031, 5, 10),
        "midnight": datetime(2031, 5, 10),
        "noon": datetime(2031, 5, 10, 12),
    }
    assert rows_of([row]) == [
        {
            "missing": None,
            "number": 3,
            "array": [1, 2],
            "day": "2031-05-10",
            "midnight": "2031-05-10",
            "noon": "2031-05-10T12:00:00",
        }
    ]


@pytest.mark.parametrize("source", [3, ["x"], [FACTS], {"head": 1}.items()], ids=repr)
def test_other_inputs_are_argument_errors(source: Any) -> None:
    with pytest.raises(hc.ArgumentError, match="expected a dict"):
        rows_of(source)


def test_positions_in_errors_do_not_name_a_temporary_file() -> None:
    rows = [FACTS[0], FACTS[1] | {"time": "soon"}]
    with pytest.raises(hc.HopcheckError) as failure:
        hc.load_graph(rows)
    assert failure.value.where.startswith(f"facts{'/'}train.txt:2")


def test_a_path_is_not_copied(tmp_path: Path) -> None:
    with as_file(tmp_path / "x") as path:
        assert path == tmp_path / "x"


@pytest.mark.parametrize("empty", [[], (), iter(())])
def test_no_rows_are_refused(empty: Iterable[Any]) -> None:
    with pytest.raises(ArgumentError, match="found no rows, expected at least one"):
        hc.verify(empty)
