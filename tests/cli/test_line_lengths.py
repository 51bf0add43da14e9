"""What ``verify`` prints about findings fits a terminal: no line is over 200 characters."""

from __future__ import annotations

from pathlib import Path

import pytest

from grammar.errors import ExitStatus
from solver.cli import run
from solver.io.terminal import LONGEST, SafeConsole, folded, print_last

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


def test_other_commands_print_no_long_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    asked, answers = tmp_path / "asked", tmp_path / "answers.jsonl"
    graph, reasoners = EXAMPLES / "questions" / "graph", EXAMPLES / "reasoners"
    for command in (
        ["explain", "--puzzle", EXAMPLES / "puzzles" / "boats.txt"],
        ["diagnose", reasoners / "answers.jsonl", "--data", reasoners / "items.tsv"],
        ["generate", "questions", graph, "--out", asked],
        ["verify", "--kind", "questions", asked, "--data", graph],
        ["answer", asked, "--data", graph, "--observe", "past", "--out", answers],
        ["score", "questions", answers, "--questions", asked],
    ):
        assert run(list(map(str, command))) == ExitStatus.OK
        lines = capsys.readouterr().out.splitlines()
        # In a pipe the last line of `verify` is one line, for scripts.
        lines = lines[:-1] if command[0] == "verify" else lines
        assert max(map(len, lines), default=0) <= LONGEST, command


def test_the_last_line_is_folded_on_a_terminal_alone(capsys: pytest.CaptureFixture[str]) -> None:
    text = "; ".join(f"split-{n}.jsonl and split-{n}.parquet equal" for n in range(20))
    console = SafeConsole()
    print_last(console, text)
    assert capsys.readouterr().out == f"{text}\n"
    console._force_terminal = True
    print_last(console, text)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 1
    assert max(map(len, lines)) <= LONGEST


@pytest.mark.parametrize("length", [1, 199, 200, 201, 999])
def test_folded_lines_have_every_word(length: int) -> None:
    text = ("one-two " * 200)[: length - 1] + "."
    lines = folded(text, "  ")
    assert max(map(len, lines)) <= LONGEST
    assert " ".join(line.strip() for line in lines) == " ".join(text.split())
    assert folded("x" * 300) == ["x" * 200, f"  {'x' * 100}"]


def test_long_evidence_is_printed_whole(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(EXAMPLES / "puzzles" / "flawed.jsonl")]) == ExitStatus.VIOLATIONS
    printed = " ".join(capsys.readouterr().out.split())
    assert "Clue 3: Bo is immediately to the left of Ada." in printed
    assert "What position is Ada at?" in printed
