"""Intervals are refused by every reader of graphs: their ends would be lost."""

from __future__ import annotations

from pathlib import Path

import pytest

import hopcheck as hc
from solver.cli import run
from solver.graph.io import read_dataset
from solver.graph.io.intervals import read_intervals
from solver.graph.io.named import Granularity
from solver.graph.model import Split
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


def facts(path: Path, granularity: Granularity | None = None) -> list[tuple[str, ...]]:
    read = read_intervals(path, granularity)
    return [read.vocabulary.fact(fact) for fact in read.splits[Split.TRAIN].rows().tolist()]


ENDS = [
    ("Ada", "leads:since", "Bo", "2031-01-01"),
    ("Ada", "leads:until", "Bo", "2031-02-01"),
    ("Bo", "meets:since", "Cy", "2031-01-05"),
]


@pytest.mark.parametrize(
    "text",
    [
        f"{DATED}Bo\tmeets\tCy\t2031-01-05\t-\n",
        "subject\trelation\tobject\tsince\tuntil\n" + DATED + "Bo\tmeets\tCy\t2031-01-05\t\n",
        "head;relation;tail;until;start date;note\nAda;leads;Bo;2031-02-01;2031-01-01;x\n"
        "Bo;meets;Cy;;2031-01-05;y\n",
        'Ada\tleads\tBo\t<occursSince>\t"2031-01-01"^^xsd:date\n'
        "Ada\tleads\tBo\t<occursUntil>\t2031-02-01\nBo\tmeets\tCy\t<occursSince>\t2031-01-05\n",
    ],
    ids=["rows", "header", "semicolons", "yago"],
)
def test_both_ends_of_an_interval_are_kept(tmp_path: Path, text: str) -> None:
    path = tmp_path / "facts.txt"
    path.write_text(text)
    assert sorted(facts(path)) == ENDS
    assert run(["import", "graph", str(path), "--intervals", "--out", str(tmp_path / "out")]) == 0
    again = read_dataset(tmp_path / "out")
    assert sum(len(split) for split in again.splits.values()) == 3
    assert again.vocabulary.relation_names == ("leads:since", "leads:until", "meets:since")


def test_dates_known_in_part_need_years(tmp_path: Path) -> None:
    path = tmp_path / "train.txt"
    path.write_text(
        "Ada\tleads\tBo\t<occursSince>\t1881-##-##\nAda\tleads\tBo\t<occursUntil>\t1890-05-##\n"
        "Bo\tmeets\tCy\nBo\tmeets\tAda\t####-##-##\t####-##-##\n"
    )
    with pytest.raises(InputError, match=r"'1881-##-##', which is known in part only.*year"):
        facts(path)
    assert facts(tmp_path, Granularity.YEAR) == [
        ("Ada", "leads:since", "Bo", "1881"),
        ("Ada", "leads:until", "Bo", "1890"),
    ]
    assert read_intervals(tmp_path, Granularity.YEAR).left_out == {"without a time": 2}


@pytest.mark.parametrize(
    ("since", "until", "kept"),
    [
        ("2001", "2003", True),
        ("2003", "2001", False),
        ("2003", "2003", True),
        ("9", "10", True),
        ("10", "9", False),
        ("2031-01-05", "2031-01-04", False),
        ("2031-01-05", "2031-01-05", True),
        ("2031-01-05", "-", True),
    ],
)
def test_an_interval_that_ends_before_it_starts_is_left_out(
    tmp_path: Path, since: str, until: str, kept: bool
) -> None:
    dated = "-01-" in since
    other = "2030-01-01\t2030-01-02" if dated else "1\t2"
    (tmp_path / "train.txt").write_text(
        f"Bo\tmeets\tCy\t{other}\nAda\tleads\tBo\t{since}\t{until}\n"
    )
    left_out = read_intervals(tmp_path).left_out
    assert left_out == ({} if kept else {"ends before it starts": 1})
    assert len(facts(tmp_path)) == 2 + (2 - (until == "-") if kept else 0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Ada\tleads\tBo\t2031-01-01\n", "found 4 columns"),
        ("Ada\tleads\tBo\tsoon\tlater\n", "found time 'soon'"),
        ("\tleads\tBo\t2031-01-01\t2031-01-02\n", "found an empty name"),
        ("head,relation,tail,since,until\na,b\n", "found 2 columns"),
    ],
)
def test_rows_that_are_no_intervals_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "facts.txt"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        facts(path)
