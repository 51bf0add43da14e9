"""Every encoding runs alone in clingo without warnings."""

from __future__ import annotations

from pathlib import Path

import clingo
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


def run(path: Path, facts: str = "") -> tuple[list[str], bool | None]:
    """What clingo warns of, and whether there is a model."""
    warnings: list[str] = []
    control = clingo.Control(["--warn=all"], logger=lambda _, message: warnings.append(message))
    control.load(str(path))
    control.add("base", [], facts)
    control.ground([("base", [])])
    return warnings, control.solve().satisfiable


def test_there_are_encodings() -> None:
    assert {"claims.lp", "order.lp", "consistency.lp", "allen.lp", "timeline.lp"} <= {
        path.name for path in FILES
    }


@every_encoding
@pytest.mark.parametrize("facts", ["", INSTANCE], ids=["nothing", "an instance"])
def test_clingo_has_no_warnings(path: Path, facts: str) -> None:
    assert run(path, facts) == ([], True)


def test_warnings_are_detected(tmp_path: Path) -> None:
    (tmp_path / "broken.lp").write_text("a(X) :- b(X).", encoding="utf-8")
    (warning,) = run(tmp_path / "broken.lp")[0]
    assert "atom does not occur" in warning
