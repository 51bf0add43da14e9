"""Questions about the example graph."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.reproduction import ROOT
from solver.cli import run


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Questions about the example graph."""
    home = tmp_path_factory.mktemp("questions")
    graph = ROOT / "examples" / "questions" / "graph"
    assert run(["generate", "questions", str(graph), "--out", str(home)]) == 0
    return home
