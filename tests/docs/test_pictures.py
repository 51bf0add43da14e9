"""Pictures in pages are those that their commands draw."""

from __future__ import annotations

from pathlib import Path

import pytest

from solver.cli import run

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.pinned("matplotlib")
def test_the_explained_item_is_drawn_as_shown(tmp_path: Path) -> None:
    drawn = tmp_path / "explained.svg"
    right = str(ROOT / "examples" / "right.tsv")
    assert run(["explain", right, "--id", "11", "--svg", str(drawn)]) == 0
    assert drawn.read_bytes() == (ROOT / "docs" / "images" / "explained.svg").read_bytes()
