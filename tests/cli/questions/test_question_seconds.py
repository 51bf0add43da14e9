"""Questions over a graph whose times are seconds: there are more of them than memory holds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from grammar.errors import ExitStatus

Solver = Callable[..., Any]


def graph(path: Path, begin: int) -> Path:
    path.mkdir()
    for number, split in enumerate(("train", "valid", "test")):
        times = [begin + 86_400 * (5 * number + day) for day in range(5)]
        lines = [f"{time % 3}\t0\t{time % 7 % 2}\t{time}" for time in times]
        (path / f"{split}.txt").write_text("\n".join(lines) + "\n")
    return path


def test_questions_of_seconds_are_proved(solver: Solver, tmp_path: Path) -> None:
    data, made = graph(tmp_path / "graph", 1_388_534_400), tmp_path / "asked"
    assert solver("generate", "questions", data, "--out", made).status == ExitStatus.OK
    ran = solver("verify", "--kind", "questions", made, "--data", data)
    assert (ran.status, ran.err) == (ExitStatus.OK, "")
    assert "right: each answer follows" in ran.out
