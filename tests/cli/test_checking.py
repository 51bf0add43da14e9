"""Output and exit status of ``verify``, for every kind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grammar.errors import ExitStatus
from solver.cli.verify import finish
from solver.verification.report import Finding, Findings, Kind, Unreadable, VerifyReport

OPTIONS: dict[str, Any] = {"report": None, "show": 2, "as_json": False}


def violation(number: int) -> Finding:
    return Finding(
        code="odd" if number % 2 else "even",
        where=f"list.txt:{number}",
        message=f"number {number} <b>should</b> not be here",
        certificate={"seen_in": ["a", number]},
    )


def checked(flaws: int = 0, unreadable: int = 0) -> VerifyReport:
    return VerifyReport(
        kind=Kind.TKG,
        noun="numbers",
        rows=1234,
        passed="all numbers are as declared",
        files=("list.txt",),
        findings=Findings(map(violation, range(flaws))),
        metrics={"whole_numbers": 1200, "by_digit": {"0": 4}},
        unreadable=tuple(Unreadable.of(f"list.txt:{n}: no number") for n in range(unreadable)),
        engines=("asp", "join"),
        seconds=1.23456,
        config={"strict": True},
        encodings=("tkg/proof.lp",),
    )


def finished(verified: VerifyReport, **options: object) -> ExitStatus:
    return finish(verified, **(OPTIONS | options))


@pytest.mark.parametrize(
    ("flaws", "unreadable", "status"),
    [
        (0, 0, ExitStatus.OK),
        (3, 0, ExitStatus.VIOLATIONS),
        (0, 1, ExitStatus.UNREADABLE),
        (3, 1, ExitStatus.UNREADABLE),
    ],
)
@pytest.mark.parametrize("as_json", [True, False])
def test_the_status(flaws: int, unreadable: int, status: ExitStatus, as_json: bool) -> None:
    assert finished(checked(flaws, unreadable), as_json=as_json) is status


def test_a_correct_file_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    finished(checked())
    captured = capsys.readouterr()
    assert captured.out.splitlines() == [
        "list.txt: 1,234 numbers, engines asp and join agree",
        "whole numbers: 1,200",
        "",
        "right: all numbers are as declared",
    ]
    assert captured.err == ""


def test_some_violations_are_shown_and_all_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    finished(checked(5, 1))
    captured = capsys.readouterr()
    assert (
        "list.txt:1: odd\n  number 1 <b>should</b> not be here\n  seen in: ['a', 1]" in captured.out
    )
    assert "list.txt:2" not in captured.out
    assert "flawed: 3 even, 2 odd\n--report DIR shows all of them" in captured.out
    assert "right" not in captured.out
    assert captured.err == "list.txt:0: no number\n"


def test_many_unreadable_rows_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    finished(checked(unreadable=25))
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 21
    assert lines[-1] == "and 5 more"


def test_json_is_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    finished(checked(3), as_json=True)
    assert json.loads(capsys.readouterr().out) == {
        "kind": "tkg",
        "files": ["list.txt"],
        "numbers": 1234,
        "unreadable": 0,
        "engines": ["asp", "join"],
        "violations": {"even": 2, "odd": 1},
        "figures": {"whole_numbers": 1200, "by_digit": {"0": 4}},
        "seconds": 1.235,
    }


def test_the_report_holds_all_and_is_the_same_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "two"):
        finished(checked(250), report=tmp_path / name)
    assert f"report: {tmp_path / 'two' / 'report.html'}" in capsys.readouterr().err
    rows = (tmp_path / "one" / "violations.jsonl").read_text().splitlines()
    assert json.loads(rows[249]) == violation(249).as_json()
    assert len(rows) == 250
    page = (tmp_path / "one" / "report.html").read_text()
    assert "1,234 numbers: 125 even, 125 odd" in page
    assert page.count(r"\u003cb>should\u003c/b>") == 250
    assert "<b>should</b>" not in page
    manifest = json.loads((tmp_path / "one" / "manifest.json").read_text())
    assert manifest["config"] == {"kind": "tkg", "strict": True}
    # Included files count, too.
    assert {"tkg/proof.lp", "tkg/instances.lp"} <= set(manifest["encodings"])
    for name in ("violations.jsonl", "report.html", "manifest.json", "summary.json"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_a_violation_without_a_certificate_omits_it() -> None:
    bare = Finding(code="odd", where="x:1", message="wrong")
    assert bare.as_json() == {"code": "odd", "where": "x:1", "message": "wrong"}
