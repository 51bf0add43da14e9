"""The page about training with rewards: its commands and its scripted policy give what it shows."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from solver.cli import run

PAGE = Path(__file__).resolve().parents[2] / "docs" / "traces-train.md"


def test_the_scripted_policy_has_the_curve_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = PAGE.read_text(encoding="utf-8")
    commands = re.findall(r"^hopcheck (.*)$", text, re.MULTILINE)
    assert [command.split()[0] for command in commands] == ["generate", "export"]
    script, shown = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", text, re.DOTALL)[0]
    monkeypatch.chdir(tmp_path)
    for command in commands:
        assert run(shlex.split(command), program="hopcheck") == 0
    capsys.readouterr()
    exec(compile(script, str(PAGE), "exec"), {})
    assert capsys.readouterr().out == shown
    means = [float(line.split()[1]) for line in shown.splitlines()]
    assert means[-1] > means[0]
    assert means[-1] > 0.9
