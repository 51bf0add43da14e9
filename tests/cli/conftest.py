"""Runs the command line inside the test process."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from solver.cli import run

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, kw_only=True)
class Ran:
    """Output and exit status of a command."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.out)
        return value


Solver = Callable[..., Ran]


@pytest.fixture
def solver(capsys: pytest.CaptureFixture[str]) -> Solver:
    """Call the command line: ``solver("verify", path, "--json")``."""

    def call(*arguments: object) -> Ran:
        status = run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Ran(status=int(status), out=captured.out, err=captured.err)

    return call


@pytest.fixture(scope="session")
def examples() -> Path:
    """The folder of examples."""
    return ROOT / "examples"
