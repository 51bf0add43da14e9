"""The command ``ablate``: its table, its JSON, its report, its refusals."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.eventhop.ablations.reasoners import REASONERS, answer, reasoner
from benchmarks.eventhop.ablations.report import table
from benchmarks.eventhop.cases import Dimension, groups, read_cases
from grammar.errors import ExitStatus
from solver.cli import run


def figures(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert run(["ablate", *arguments, "--json"]) == ExitStatus.OK
    output: dict[str, object] = json.loads(capsys.readouterr().out)
    return output


def test_all_reasoners_are_listed(capsys: pytest.CaptureFixture[str], right_file: Path) -> None:
    output = figures(capsys, str(right_file))
    reasoners = output["reasoners"]
    assert isinstance(reasoners, list)
    assert [record["name"] for record in reasoners] == [
        each_reasoner.name for each_reasoner in REASONERS
    ]
    full, *lacking = reasoners
    assert full["macro_f1"] == full["accuracy"] == 1.0
    assert all(record["macro_f1"] == 1.0 for by in full["by"].values() for record in by.values())
    assert sum(record["macro_f1"] < 1.0 for record in lacking) > len(lacking) / 2
    assert output["policy"] == "local"


def test_groups_hold_each_item_once(right_file: Path) -> None:
    cases = read_cases([str(right_file)]).cases
    every = groups(cases, tuple(Dimension))
    for dimension in Dimension:
        members = [m for group in every if group.dimension is dimension for m in group.members]
        assert sorted(members) == list(range(len(cases)))


def test_chains_that_are_too_long_are_the_only_loss_of_a_bound(right_file: Path) -> None:
    cases = read_cases([str(right_file)])
    answers = answer([case.item for case in cases.cases], cases.decided)
    rows = {row.reasoner: row for row in table(answers, cases.decided, groups(cases.cases))}
    by_hops = rows["hops-2"].by_group[Dimension.HOPS]
    assert (by_hops["1"].macro_f1, by_hops["2"].macro_f1) == (1.0, 1.0)
    assert by_hops["3"].macro_f1 < 1.0
    simultaneity = rows["no-simultaneity"].by_group[Dimension.SIMULTANEITY]
    assert simultaneity["with ="].macro_f1 < simultaneity["without ="].macro_f1 == 1.0


def test_a_table_is_shown(capsys: pytest.CaptureFixture[str], right_file: Path) -> None:
    assert run(["ablate", str(right_file), "--by", "status"]) == ExitStatus.OK
    shown = capsys.readouterr().out
    for word in ("no-simultaneity", "entailed", "contradictory", "items", "after-not-inverted"):
        assert word in shown


def test_reports_are_the_same_bytes_each_time(
    repeated: Callable[[Callable[[Path], object]], Path], right_file: Path
) -> None:
    def write(folder: Path) -> None:
        assert run(["ablate", str(right_file), "--report", str(folder)]) == ExitStatus.OK

    names = {path.name for path in repeated(write).iterdir()}
    assert {"ablations.json", "ablations.md", "manifest.json", "by-hops.svg"} <= names


def test_rows_that_do_not_parse_are_reported_and_counted(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    broken = tmp_path / "broken.jsonl"
    row = {"id": "x", "premise": "Nothing of the kind.", "claim": "A happens before B"}
    good = {"id": "y", "premise": "", "claim": "Fair happens before Regatta"}
    broken.write_text("\n".join(map(json.dumps, (row, good))), encoding="utf-8")
    assert run(["ablate", str(broken), "--json"]) == ExitStatus.UNREADABLE
    captured = capsys.readouterr()
    assert "unparsed" in captured.err
    assert json.loads(captured.out)["unparsed"] == 1


def test_a_file_without_items_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text('{"premise": "No.", "claim": "No."}\n', encoding="utf-8")
    assert run(["ablate", str(empty)]) == ExitStatus.UNREADABLE
    assert "none of the rows can be parsed as an item" in capsys.readouterr().err


def test_the_trends_of_the_paper_on_its_own_items(shared: Path, tmp_path: Path) -> None:
    """Bounded chains fall with hops; without simultaneity only premises with ties are lost."""
    with gzip.open(shared / "data" / "eventhop" / "temporal_test.tsv.gz") as file:
        (tmp_path / "temporal_test.tsv").write_bytes(b"".join(file.readlines()[::8]))
    cases = read_cases([str(tmp_path / "temporal_test.tsv")])
    some, decided = cases.cases, cases.decided
    assert len(some) == 300
    asked = [reasoner(name) for name in ("hops-1", "hops-3", "hops-8", "no-simultaneity")]
    answers = answer([case.item for case in some], decided, reasoners=asked)
    rows = {row.reasoner: row for row in table(answers, decided, groups(some))}
    overall = {name: row.overall.macro_f1 for name, row in rows.items()}
    assert overall["hops-1"] < overall["hops-3"] < overall["hops-8"] < 1.0
    by_hops = rows["hops-3"].by_group[Dimension.HOPS]
    assert [by_hops[str(n)].macro_f1 for n in (1, 2, 3)] == [1.0, 1.0, 1.0]
    assert all(by_hops[str(n)].macro_f1 < 0.7 for n in (4, 5, 6, 7, 8))
    simultaneity = rows["no-simultaneity"].by_group[Dimension.SIMULTANEITY]
    assert simultaneity["without ="].macro_f1 == 1.0
    assert simultaneity["with ="].macro_f1 < 0.5
