"""Runs the commands that the functions are compared with."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from solver.cli import run

Command = Callable[..., str]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    """Call the command line and return its output: ``command("mine", path)``."""

    def call(*arguments: object) -> str:
        status = run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        # Wrong answers are violations, missing ones are unreadable.
        assert status in (0, 1, 2), captured.err
        assert captured.out, captured.err
        return captured.out

    return call
