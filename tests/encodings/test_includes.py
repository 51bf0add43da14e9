"""Includes resolve to our encodings, whatever is in the working directory."""

from __future__ import annotations

from pathlib import Path

import pytest

from solver.asp import AspError, Program, mentions
from solver.encodings import ENCODINGS

FILES = [path.relative_to(ENCODINGS).as_posix() for path in sorted(ENCODINGS.rglob("*.lp"))]


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with an invalid file of the name of each encoding."""
    for name in FILES:
        home = tmp_path / "here" / Path(name).name
        home.parent.mkdir(exist_ok=True)
        home.write_text("this is no program", encoding="utf-8")
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("name", FILES)
def test_a_file_of_the_same_name_is_ignored(name: str) -> None:
    Program(encodings=(name,)).unique_model("")


@pytest.mark.usefixtures("elsewhere")
def test_the_index_ignores_it_too() -> None:
    assert {mention.name for mention in mentions("rules/groundings.lp")} == {"grounding"}


def test_a_shared_include_is_loaded_once() -> None:
    both = Program(encodings=("rules/groundings.lp", "rules/candidates.lp"))
    facts = "relations(1). fact(3,0,4,1). query(0,3,0,2). rule(0,0). body(0,1,0)."
    assert {atom.name for atom in both.unique_model(facts)} == {"grounding", "latest"}


def test_a_number_that_clingo_would_take_for_another_is_refused() -> None:
    """clingo has 32 bits, and reads 4294967297 as 1."""
    with pytest.raises(AspError, match="found the number 4294967297, expected"):
        Program(encodings=()).unique_model("relations(4294967297).")
    with pytest.raises(AspError, match=r"found the number 9{40}, expected"):
        Program(encodings=()).unique_model(f"relations({'9' * 5_000}).")
    allowed = (
        'name("call 4294967297"). name("a \\"4294967297\\" b"). n(2147483647). x4294967297(1).'
    )
    assert len(Program(encodings=()).unique_model(allowed)) == 4
