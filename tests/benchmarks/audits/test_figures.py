"""``check`` of the folder of an audit: figures, manifest and order repeat what the lines state."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from solver.cli import run

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
Renew = Callable[[Path], None]


@pytest.fixture
def report(tmp_path: Path) -> Path:
    folder, file = tmp_path / "report", EXAMPLES / "audits" / "stepgame.json"
    assert run(["audit", "stepgame", str(file), "--report", str(folder)]) == 1
    return folder


def checked(capsys: pytest.CaptureFixture[str], folder: Path) -> tuple[int, dict[str, Any]]:
    capsys.readouterr()
    status = run(["check", str(folder), "--json"])
    return status, json.loads(capsys.readouterr().out)


def lines(change: Callable[[list[dict[str, Any]]], object]) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        path = folder / "items.jsonl"
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        change(rows)
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")

    return spoil


def entry(name: str, change: Callable[[dict[str, Any]], object]) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        value = json.loads((folder / name).read_text(encoding="utf-8"))
        change(value)
        (folder / name).write_text(json.dumps(value), encoding="utf-8")

    return spoil


def unread(rows: list[dict[str, Any]]) -> None:
    rows[2] |= {"verdict": "unread", "gold": None, "certificate": {}, "readings": {}}


SPOILS = {
    "a line is missing": (lines(lambda rows: rows.pop()), "items: found '4', expected '3'"),
    "lines are moved": (lines(lambda rows: rows.insert(0, rows.pop())), "found the id 3"),
    "no answer": (lines(lambda rows: rows[3].pop("decided")), "found no decided"),
    "as if unread": (lines(unread), "coverage: found '1.0', expected '0.75'"),
    "another task": (lines(lambda rows: rows[0].update(task="qa14")), "task: found 'stepgame'"),
    "other verdicts": (
        entry("summary.json", lambda made: made["verdicts"].update(right=2)),
        "right: found '2', expected '1'",
    ),
    "verdicts of a file": (
        entry("summary.json", lambda made: made["files"][0]["verdicts"].update(wrong=0)),
        "verdicts of file 0: found '0', expected '1'",
    ),
    "another reading": (
        entry("summary.json", lambda made: made["files"][0]["readings"].reverse()),
        "readings of file 0",
    ),
    "another input": (
        entry("manifest.json", lambda made: made["inputs"][0].update(sha256="0" * 64)),
        "inputs: found",
    ),
    "another seed": (entry("manifest.json", lambda made: made.update(seed=1)), "seed: found '1'"),
    "no figures": (lambda folder: (folder / "summary.json").unlink(), "expected the figures"),
}


def test_an_untouched_folder_lists_what_is_open(
    report: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, counts = checked(capsys, report)
    assert (status, counts["proved"], counts["rejected"]) == (0, 4, 0)
    assert counts["undecidable"][:2] == ["certificate", "proof"]
    assert run(["check", str(report)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("not decidable: certificate, proof")


@pytest.mark.parametrize(("spoil", "expected"), SPOILS.values(), ids=SPOILS)
def test_what_contradicts_the_lines_is_rejected(
    report: Path,
    renew: Renew,
    capsys: pytest.CaptureFixture[str],
    spoil: Callable[[Path], object],
    expected: str,
) -> None:
    spoil(report)
    renew(report)
    status, counts = checked(capsys, report)
    assert status == 1
    assert any(expected in reason for reason in counts["reasons"]["figures"])


def test_reports_of_the_calendar_are_counted(
    tmp_path: Path, renew: Renew, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "report"
    problems = str(EXAMPLES / "calendar" / "flawed.jsonl")
    assert run(["verify", problems, "--report", str(folder)]) == 1
    assert checked(capsys, folder)[0] == 0
    lines(lambda rows: rows.pop())(folder)
    renew(folder)
    status, counts = checked(capsys, folder)
    assert status == 1
    assert "found 6 problems, expected 5" in counts["reasons"]["figures"][0]


@pytest.mark.parametrize(
    ("name", "file"), [("bbh", "date_understanding.json"), ("reasoning-gym", "family.jsonl")]
)
@pytest.mark.parametrize("fields", [{"verdict": "unread"}, {"gold": None, "verdict": "unread"}])
def test_a_line_with_a_certificate_is_not_unread(
    name: str,
    file: str,
    fields: dict[str, Any],
    tmp_path: Path,
    renew: Renew,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = tmp_path / "report"
    run(["audit", name, str(EXAMPLES / "audits" / file), "--report", str(folder)])
    lines(lambda rows: rows[0].update(fields))(folder)
    renew(folder)
    status, counts = checked(capsys, folder)
    assert status == 1
    assert any("not unread" in reason for reason in counts["reasons"]["0"])


@pytest.mark.parametrize("part", ["gold", "kind"])
def test_certificates_are_of_their_lines(
    part: str, tmp_path: Path, renew: Renew, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "report"
    file = str(EXAMPLES / "audits" / "date_understanding.json")
    run(["audit", "bbh", file, "--report", str(folder)])
    lines(lambda rows: rows[0]["certificate"].update({part: "other"}))(folder)
    renew(folder)
    status, counts = checked(capsys, folder)
    assert status == 1
    assert "the certificate is" in counts["reasons"]["0"][0]
