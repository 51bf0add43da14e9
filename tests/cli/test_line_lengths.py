"""What ``verify`` prints about findings fits a terminal: no line is over 200 characters."""

from __future__ import annotations

from pathlib import Path

import pytest

from grammar.errors import ExitStatus
from solver.cli import run
from solver.cli.verify import LONGEST

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.mark.parametrize(
    "name",
    [
        *("flawed.tsv", "links/harbour.tml", "calendar/flawed.jsonl", "puzzles/flawed.jsonl"),
        *("positions/flawed.jsonl", "traces/flawed.jsonl"),
    ],
)
def test_no_line_is_too_long(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(EXAMPLES / name)]) == ExitStatus.VIOLATIONS
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= LONGEST


def test_long_evidence_is_printed_whole(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(EXAMPLES / "puzzles" / "flawed.jsonl")]) == ExitStatus.VIOLATIONS
    printed = " ".join(capsys.readouterr().out.split())
    assert "Clue 3: Bo is immediately to the left of Ada." in printed
    assert "What position is Ada at?" in printed
