"""Intervals are refused by every reader of graphs: their ends would be lost."""

from __future__ import annotations

from pathlib import Path

import pytest

import hopcheck as hc
from solver.graph.io import read_dataset
from solver.io.sources import InputError

DATED = "Ada\tleads\tBo\t2031-01-01\t2031-02-01\n"
NUMBERED = "Ada\tleads\tBo\t3\t7\n"
INTERVALS = {
    "names and dates": ("facts.txt", DATED, ":1:1: found '2031-02-01' after the time '2031-01-01'"),
    "names and numbers": ("facts.txt", NUMBERED, ":1:1: found '7' after the time '3'"),
    "ids": ("facts.txt", "0 0 1 0 -1\n0 0 1 3 7\n", ":2:1: found '7' after the time '3'"),
    "a header": (
        "facts.tsv",
        "subject\trelation\tobject\tsince\tuntil\nAda\tleads\tBo\t2031-01-01\t\n",
        ":1:1: found the column 'until'",
    ),
    "events": (
        "events.tsv",
        "Event Date\tEnd Date\tSource Name\tEvent Text\tTarget Name\n"
        "2031-01-01\t2031-01-02\tAda\tleads\tBo\n",
        ":1:1: found the column 'End Date'",
    ),
}


@pytest.mark.parametrize("fault", INTERVALS)
@pytest.mark.parametrize("whole", [True, False], ids=["folder", "file"])
def test_an_interval_is_refused(tmp_path: Path, fault: str, *, whole: bool) -> None:
    name, text, message = INTERVALS[fault]
    name = "train.txt" if whole and fault != "events" else name
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError) as found:
        read_dataset(tmp_path if whole and fault != "events" else tmp_path / name)
    assert f"{name}{message}, the end of an interval, expected facts" in str(found.value)
    assert "\n" not in str(found.value)


def test_a_table_with_ends_is_refused(parquet: None, tmp_path: Path) -> None:  # noqa: ARG001
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {"head": ["Ada"], "relation": ["leads"], "tail": ["Bo"], "time": [3], "until": [7]}
    path = tmp_path / "facts.parquet"
    pq.write_table(pa.table(columns), path)
    message = "found the column 'until', the end of an interval"
    with pytest.raises(InputError, match=message):
        read_dataset(path)
    with pytest.raises(InputError, match=f"row 1: {message}"):
        hc.load_graph([{name: value[0] for name, value in columns.items()}])


@pytest.mark.parametrize(
    "text",
    ["0 0 1 3 -1\n", "0 0 1 3 0\n", "Ada\tleads\tBo\t2031-01-01\t0.5\n", "Ada\tleads\tBo\t3\tx\n"],
)
def test_other_further_columns_are_ignored(tmp_path: Path, text: str) -> None:
    (tmp_path / "facts.txt").write_text(text)
    assert len(read_dataset(tmp_path / "facts.txt").facts()) == 1
