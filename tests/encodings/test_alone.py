"""Every encoding runs alone in clingo without warnings."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ENCODINGS = Path(__file__).resolve().parents[2] / "encodings"
FILES = sorted(ENCODINGS.rglob("*.lp"))

INSTANCE = """
event(0,a). event(0,b). event(0,c).
relation(0,0,at(a,end),before,at(b,start)). relation(0,1,at(c,start),simultaneous,at(b,end)).
claim(0,before,a,c). query(0,a,c).
"""

every_encoding = pytest.mark.parametrize(
    "path", FILES, ids=lambda path: path.relative_to(ENCODINGS).as_posix()
)


def clingo(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "clingo", "--warn=all", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_there_are_encodings() -> None:
    assert {"claims.lp", "order.lp", "consistency.lp", "allen.lp", "timeline.lp"} <= {
        path.name for path in FILES
    }


@every_encoding
@pytest.mark.parametrize("facts", ["", INSTANCE], ids=["nothing", "an instance"])
def test_clingo_has_no_warnings(path: Path, facts: str, tmp_path: Path) -> None:
    (tmp_path / "facts.lp").write_text(facts, encoding="utf-8")
    done = clingo(str(path), "facts.lp", folder=tmp_path)
    assert done.stderr == ""
    assert "\nSATISFIABLE" in done.stdout
    assert "info" not in done.stdout


def test_warnings_are_detected(tmp_path: Path) -> None:
    (tmp_path / "broken.lp").write_text("a(X) :- b(X).", encoding="utf-8")
    assert "atom does not occur" in clingo("broken.lp", folder=tmp_path).stderr
