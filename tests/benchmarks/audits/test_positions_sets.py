"""Audits of StepGame, bAbI and puzzles: small files, corrections, and the published files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from benchmarks.audits.run import audit
from solver.cli import run

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def counts(verdicts: Mapping[str, int]) -> dict[str, int]:
    return {name: number for name, number in verdicts.items() if number}


def test_verdicts_of_stories(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, report = EXAMPLES / "audits" / "stepgame.json", tmp_path / "report"
    assert run(["audit", "stepgame", str(file), "--json", "--report", str(report)]) == 1
    found = json.loads(capsys.readouterr().out)
    assert counts(found["verdicts"]) == {
        "right": 1, "right-under": 1, "wrong": 1, "unanswerable": 1
    }  # fmt: skip
    (of_file,) = found["files"]
    assert of_file["templates"][0] == {
        "template": "{A} is placed at the bottom of {B}.", "uses": 1, "wrong": 1
    }  # fmt: skip
    assert run(["check", str(report)]) == 0
    rows = lines(report / "items.jsonl")
    rows[0]["gold"] = rows[0]["certificate"]["gold"] = "left"
    (report / "items.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert run(["check", "--unsealed", str(report)]) == 1


def test_a_reading_is_fixed() -> None:
    file = EXAMPLES / "audits" / "stepgame.json"
    unit = audit("stepgame", [file], reading={"steps": "unit", "front": "upper"})
    assert counts(unit.verdicts) == {"right": 3, "wrong": 1}
    rooms = audit("babi", [EXAMPLES / "audits" / "rooms.txt"])
    assert counts(rooms.verdicts) == {"right-under": 1, "wrong": 1}


def test_a_corrected_story_file(tmp_path: Path) -> None:
    """Only the wrong label changes; the file of plain text keeps all other bytes."""
    file = EXAMPLES / "audits" / "rooms.txt"
    assert run(["audit", "babi", str(file), "--patch", str(tmp_path / "patch")]) == 1
    corrected = (tmp_path / "patch" / "rooms.txt").read_bytes()
    assert corrected == file.read_bytes().replace(b"\te,n\t", b"\te,n,w\t")


def test_unread_is_never_right(tmp_path: Path) -> None:
    rows = json.loads((EXAMPLES / "audits" / "stepgame.json").read_text(encoding="utf-8"))
    rows["0"]["story"][0] = "P is not above Q."
    rows["1"]["label"] = "north"
    rows["2"]["question"] = "What is the relation of P?"
    file = tmp_path / "stories.json"
    file.write_text(json.dumps(rows), encoding="utf-8")
    report = audit("stepgame", [file])
    assert counts(report.verdicts) == {"unread": 3, "unanswerable": 1}
    assert report.exit_status == 3


def test_verdicts_of_a_puzzle(tmp_path: Path) -> None:
    text = (EXAMPLES / "puzzles" / "boats.txt").read_text(encoding="utf-8")
    file = tmp_path / "zebra.json"
    examples = [{"input": text, "target": target} for target in ("2", "3")]
    file.write_text(json.dumps({"examples": examples}), encoding="utf-8")
    report = tmp_path / "report"
    assert run(["audit", "bbeh", str(file), "--report", str(report)]) == 1
    assert [row["verdict"] for row in lines(report / "items.jsonl")] == ["right", "wrong"]
    assert run(["check", str(report)]) == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "path", "verdicts"),
    [
        (
            "stepgame",
            "stepgame/clean-qa3_test.json.gz",
            {"right": 6_579, "right-under": 2_666, "wrong": 607, "unanswerable": 148},
        ),
        ("babi", "babi/qa14_time-reasoning_test.txt.gz", {"right": 882, "right-under": 118}),
        ("babi", "babi/qa17_positional-reasoning_test.txt.gz", {"right": 245, "right-under": 755}),
        ("babi", "babi/qa19_path-finding_test.txt.gz", {"right": 931, "right-under": 69}),
        ("bbh", "bbh/logical_deduction_three_objects.json.gz", {"right": 250}),
        ("bbeh", "bbeh/bbeh_zebra_puzzles.json.gz", {"right": 195, "right-under": 5}),
    ],
)
def test_published_files(shared: Path, name: str, path: str, verdicts: Mapping[str, int]) -> None:
    file = shared / "data" / "audits" / path
    assert counts(audit(name, [file], jobs=2).verdicts) == verdicts


@pytest.mark.slow
def test_the_faulty_wordings_of_stepgame(shared: Path) -> None:
    """Six wordings are wrong in every use, and no other wording about two objects is."""
    file = shared / "data" / "audits" / "stepgame" / "clean-qa1_test.json.gz"
    (of_file,) = audit("stepgame", [file], jobs=2).files
    uses = [use for use in of_file.templates() if use.uses == use.wrong]
    wrong = [use for use in uses if "front" not in use.template and "{B}" in use.template]
    assert (len(wrong), sum(use.wrong for use in wrong)) == (6, 318)
