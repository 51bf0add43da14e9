"""``verify --kind facts`` on the command line: output, files and exit status."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grammar.errors import ExitStatus
from solver.facts import verify as facts

Solver = Callable[..., Any]


@pytest.fixture
def folder(examples: Path) -> Path:
    return examples / "facts"


def verify(solver: Solver, path: object, *options: object) -> Any:
    return solver("verify", "--kind", "facts", path, *options)


def codes(solver: Solver, path: object, *options: object) -> Any:
    return verify(solver, path, "--json", *options).json["violations"]


def test_valid_facts(solver: Solver, folder: Path) -> None:
    schema = ("--schema", folder / "schema")
    ran = verify(solver, folder / "right.tsv", *schema, "--exclusive", "--require-types")
    assert ran.status == ExitStatus.OK
    assert "8 facts, engines asp and sweep agree" in ran.out
    assert "right: no fact starts what is open" in ran.out


def test_every_violation_with_its_witness(solver: Solver, folder: Path, tmp_path: Path) -> None:
    report = tmp_path / "report"
    window = ("--window", "2026-01-01", "2026-12-31", "--exclusive", "--report", report)
    history = ("--history", folder / "right.tsv", "--schema", folder / "schema", *window)
    ran = verify(solver, folder / "flawed.references.txt", *history, "--json")
    assert ran.status == ExitStatus.VIOLATIONS
    assert ran.json["violations"] == {
        "empty-subject": 1,
        "outside-window": 1,
        "reclosed": 1,
        "reopened": 2,
        "second-open": 2,
        "unknown-relation": 1,
        "wrong-domain": 1,
    }
    violations = [
        json.loads(line) for line in (report / "violations.jsonl").read_text().splitlines()
    ]
    by_code = {violation["code"]: violation for violation in violations}
    clash = by_code["reclosed"]["certificate"]
    assert clash["first"].startswith("(Ada Brandt, endMemberOf, Fjord Ensemble, 2026-08-01) at ")
    assert clash["second"].endswith("flawed.references.txt:6")
    assert by_code["wrong-domain"]["certificate"] == {
        "classes": ["City < Place < Thing"],
        "asked": ["Organization", "Person"],
    }
    assert "ends what is not known to have started" in (report / "report.html").read_text()
    manifest = json.loads((report / "manifest.json").read_text())
    assert {"facts/coherency.lp", "facts/schema.lp"} <= set(manifest["encodings"])


def test_the_exclusive_level_is_noted_by_default(solver: Solver, folder: Path) -> None:
    path = folder / "flawed.references.txt"
    plain = verify(solver, path, "--json").json
    assert plain["figures"]["exclusive"]["second_open"] == 1
    assert "second-open" not in plain["violations"]
    assert codes(solver, path, "--exclusive")["second-open"] == 1


def test_history_and_its_end(solver: Solver, tmp_path: Path) -> None:
    path = tmp_path / "facts.tsv"
    path.write_text("Ada\tendSpouse\tBen\t2026-01-01\n")
    ran = verify(solver, path, "--json")
    assert (ran.status, ran.json["figures"]["unverifiable"]) == (ExitStatus.OK, 1)
    assert codes(solver, path, "--whole-history") == {"never-opened": 1}
    history = tmp_path / "history.jsonl"
    history.write_text(
        '{"subject":"Ada","relation":"spouse","object":"Ben","start":"2020-02-02"}\n'
    )
    assert codes(solver, path, "--whole-history", "--history", history) == {}


def test_untyped_entities(solver: Solver, folder: Path, tmp_path: Path) -> None:
    types = tmp_path / "types.tsv"
    types.write_text("Ada Brandt\tMusician\n")
    options = ("--schema", folder / "schema", "--types", types)
    ran = verify(solver, folder / "right.tsv", *options, "--json")
    assert (ran.status, ran.json["figures"]["untyped"]) == (ExitStatus.OK, 5)
    assert codes(solver, folder / "right.tsv", *options, "--require-types") == {"untyped": 5}


def test_disjoint_roles_and_types(solver: Solver, folder: Path, tmp_path: Path) -> None:
    path, types = tmp_path / "facts.tsv", tmp_path / "types.tsv"
    path.write_text("Ada\tstartSpouse\tBen\t2026-01-01\nClub\tstartLocation\tAda\t2026-02-01\n")
    types.write_text("Ben\tPerson|City\n")
    ran = verify(solver, path, "--schema", folder / "schema", "--types", types)
    assert "'Ben' is in City and Person, which are disjoint" in ran.out
    assert f"{path}:2: disjoint-roles" in ran.out
    assert "(Ada, startSpouse, Ben, 2026-01-01)" in ran.out
    assert "requires Person as its domain" in ran.out
    assert "requires Place as its range" in ran.out


ROW = "Ada Brandt\tmemberOf\tFjord Ensemble\t2024-03-01\t2025-06-30"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        (ROW, f"{ROW}\n{ROW}", "duplicate"),
        ("2025-06-30", "2024-02-28", "end-before-start"),
        ("2025-06-30", "", "reopened"),
        ("2023-09-09\t\n", "2023-09-09\t2024-01-01\n", "cannot-end"),
        ("Fjord Ensemble\tlocation", "Bela Kos\tlocation", "wrong-domain"),
        ("\tBela Kos", "\tOldport", "wrong-range"),
        ("\tBela Kos", "\tunknown", "placeholder-object"),
        ("\tBela Kos", "\t ", "empty-object"),
        ("\tspouse", "\tspouses", "unknown-relation"),
        ("2025-05-10", "1999-05-10", "outside-window"),
    ],
)
def test_damage_is_found(
    solver: Solver, folder: Path, tmp_path: Path, old: str, new: str, code: str
) -> None:
    path = tmp_path / "facts.tsv"
    text = (folder / "right.tsv").read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    options = ("--schema", folder / "schema", "--window", "2020-01-01", "2026-12-31")
    assert code in codes(solver, path, *options)


def test_unreadable_rows(solver: Solver, tmp_path: Path) -> None:
    path = tmp_path / "facts.references.txt"
    path.write_text(
        "[['A', 'startSpouse', 'B', '2026-01-01']]\nno literal\n[['A', 'r', 'B']]\n"
        "[['A', 'r', 'B', '2026-01-01', 'x'], ['A', 'r', 'B', '2026-02-29']]\n"
    )
    ran = verify(solver, path, "--json")
    assert ran.status == ExitStatus.UNREADABLE
    assert (ran.json["facts"], ran.json["unreadable"]) == (1, 4)
    places = [line.partition(": ")[0] for line in ran.err.splitlines()]
    assert places == [f"{path}:{number}" for number in (2, 3, 4, 4)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--window", "2026-02-02", "2026-01-01"), "the window ends before it begins"),
        (("--window", "2026-02-30", "2026-03-01"), "does not match the format"),
        (("--schema", "missing"), "no such file"),
        (("--history", "missing"), "no such file"),
    ],
)
def test_bad_usage(solver: Solver, folder: Path, options: tuple[str, ...], message: str) -> None:
    ran = verify(solver, folder / "right.tsv", *options)
    assert ran.status == ExitStatus.UNREADABLE
    assert message in ran.err
    assert "Traceback" not in ran.err


def test_engine_disagreement(
    solver: Solver, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(facts, "sweep", lambda _: [])
    monkeypatch.chdir(tmp_path)
    ran = verify(solver, folder / "flawed.references.txt")
    assert ran.status == ExitStatus.DISAGREEMENT
    assert "engines disagree" in ran.err
