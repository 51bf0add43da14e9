"""What the playground is built from."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.reproduction.playground.export import inlined, tables
from solver.encodings import INCLUDE

ROOT = Path(__file__).resolve().parents[3]


def test_the_same_sources_give_the_same_bytes(tmp_path: Path) -> None:
    """Whatever the order of sets."""
    written = []
    for seed in ("1", "2"):
        path = tmp_path / f"{seed}.json"
        subprocess.run(
            [sys.executable, "-m", "benchmarks.reproduction.playground.export", str(path)],
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": seed},
            check=True,
        )
        written.append(path.read_bytes())
    assert written[0] == written[1]


@pytest.mark.parametrize("domain", ["temporal", "spatial", "logical"])
def test_every_state_is_numbered_once(domain: str) -> None:
    parser = tables()["domains"][domain]["parser"]
    states, lexers = parser["states"], parser["lexers"]
    assert len(states) == len(lexers) > 50
    for row, allowed in zip(states, lexers, strict=True):
        assert all(-len(parser["rules"]) <= value < len(states) for value in row.values())
        # What the state accepts, its lexer finds.
        assert set(allowed) == {name for name in row if name.isupper() and name != "$END"}


def test_an_encoding_with_its_includes() -> None:
    text = inlined("temporal/claims.lp")
    assert not INCLUDE.search(text)
    assert text.count("#const policy = local.") == 1
    assert "reaches(Item,Left,Left,loose) :- claimed_point(Item,Left)." in text
