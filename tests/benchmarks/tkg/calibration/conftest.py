"""A small graph of our own and searches for its config."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.tkg.calibration.objective import Figures, measure_graph
from benchmarks.tkg.calibration.trial import Problem, problem_of
from generators.tkg.config import Config
from generators.tkg.run import generate
from solver.cli import run
from solver.graph.model import Quadruples

SMALL = Config(entities=25, relations=6, steps=30, patterns=(2, 2, 1), probability=0.3)


@pytest.fixture(scope="session")
def facts() -> Quadruples:
    return generate(SMALL, 99).facts


@pytest.fixture(scope="session")
def reference(facts: Quadruples) -> Figures:
    return measure_graph(facts)


@pytest.fixture(scope="session")
def problem(facts: Quadruples) -> Problem:
    return problem_of(facts, seed=3)


@pytest.fixture
def calibrate(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Calls the command line; returns exit status, stdout and stderr."""

    def call(*arguments: object) -> tuple[int, str, str]:
        status = run(["calibrate", *map(str, arguments)])
        captured = capsys.readouterr()
        return int(status), captured.out, captured.err

    return call


@pytest.fixture(scope="session")
def examples() -> Path:
    return Path(__file__).resolve().parents[4] / "examples"
