"""The picture of the page on patterns is the one its command draws."""

from __future__ import annotations

from pathlib import Path

import pytest

from solver.cli import run

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.pinned("matplotlib")
def test_the_closure_is_drawn_as_shown(tmp_path: Path) -> None:
    drawn = tmp_path / "pattern.svg"
    text = "1 -1-> 2, 2 -2-> 3 => 1 -3-> 3"
    assert run(["explain", "--pattern", text, "--svg", str(drawn)]) == 0
    assert drawn.read_bytes() == (ROOT / "docs" / "images" / "pattern.svg").read_bytes()
