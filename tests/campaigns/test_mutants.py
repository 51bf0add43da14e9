"""The campaign of planted faults: what it plants, and what is noticed."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path

import pytest

from tests.campaigns import mutants

PROGRAM = """
def first(values, limit=3):
    found = tuple(value for value in values if value < limit and not value == 1)
    found.sort()
    return found if True else None
"""


def test_each_fault_changes_the_program_once() -> None:
    count = mutants.faults(PROGRAM)
    planted = [mutants.plant(PROGRAM, number) for number in range(count)]
    texts = {ast.unparse(tree) for tree, _ in planted}
    assert len(texts) == count
    assert ast.unparse(ast.parse(PROGRAM)) not in texts
    kinds = {where.partition(": ")[2] for _, where in planted}
    assert kinds >= {"comparison", "connective", "negation", "number", "last element", "statement"}
    with pytest.raises(IndexError):
        mutants.plant(PROGRAM, count)


ENCODING = """% Why not 1.
a(X,Y) :- b(X,Y), not c(X), X < Y.  % not here
d(X,strict) :-
    a(X,1).
"""
GRAMMAR = """// A comment | with a bar
claim: A DOT? | B
A: "x" | "y"
B: "z"
"""


@pytest.mark.parametrize(
    ("name", "source", "kinds"),
    [
        ("a.lp", ENCODING, {"negation", "comparison", "number", "kind", "arguments", "rule"}),
        ("a.lark", GRAMMAR, {"alternative", "quantifier", "phrases"}),
    ],
)
def test_each_fault_changes_a_text_once(name: str, source: str, kinds: set[str]) -> None:
    made = mutants.text_mutants(name, source)
    assert len({text for _, text in made} | {source}) == len(made) + 1
    assert {where.partition(": ")[2] for where, _ in made} == kinds
    assert all(text.splitlines()[0] == source.splitlines()[0] for _, text in made)
    if name == "a.lp":
        assert (source.replace(", not c", ", c", 1)) in [text for _, text in made]
    else:
        exchanged = 'A: "z"\nB: "x" | "y"\n'
        assert any(text.endswith(exchanged) for _, text in made)


def test_grammars_and_encodings_are_on_the_way_to_the_label() -> None:
    files = mutants.text_files()
    assert {mutants.ENTRY, "encodings/temporal/steps.lp"} <= set(files)
    assert sum(file.endswith(".lark") for file in files) == 3
    assert all((mutants.ROOT / file).is_file() for file in files)
    assert {name for name, _ in mutants.all_mutants(0, "texts")} > set(files[-3:])


def test_a_fault_in_a_grammar_is_noticed(tmp_path: Path) -> None:
    """All engines read the same wrong item: the second reader does not."""
    for name in mutants.COPIED:
        shutil.copytree(
            mutants.ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("results")
        )
    name = "grammar/eventhop/temporal.lark"
    source = (mutants.ROOT / name).read_text(encoding="utf-8")
    places = [where for where, _ in mutants.text_mutants(name, source)]
    rows = mutants.corpus(0, 3)
    found = mutants.run((name, places.index("BEFORE: phrases")), rows, tmp_path)
    assert mutants.outcome(mutants.run(None, rows) or [], found) == "noticed"
    assert (tmp_path / name).read_text(encoding="utf-8") == source


def test_outcomes_are_told_apart() -> None:
    sound: list[list[object]] = [["entailed", "true", True, 1], ["unknown", "false", True, None]]
    assert mutants.outcome(sound, None) == "noticed"
    assert mutants.outcome(sound, [*sound]) == "harmless"
    assert mutants.outcome(sound, [[None], sound[1]]) == "noticed"
    assert mutants.outcome(sound, [["refuted", "false", True, 1], sound[1]]) == "unnoticed"


def fault(module: str, line: str, kind: str) -> tuple[str, int]:
    """The mutant whose fault is on a line of a module."""
    source = mutants.path(module).read_text(encoding="utf-8")
    place = source[: source.index(line)].count("\n") + 1
    for number in range(mutants.faults(source)):
        if mutants.plant(source, number)[1] == f"line {place}: {kind}":
            return module, number
    raise AssertionError(line)


@pytest.mark.parametrize(
    ("module", "line", "kind"),
    [
        # Both engines and the maker of certificates see one sentence less.
        ("grammar.eventhop.parser", 'return tuple(cast("list[Relation]"', "last element"),
        ("solver.eventhop.engines", "if undecidable:", "condition"),
    ],
)
def test_a_fault_that_all_engines_share_is_noticed(module: str, line: str, kind: str) -> None:
    rows = mutants.corpus(0, 6)
    sound = mutants.run(None, rows)
    assert sound is not None
    assert [None] not in sound
    assert mutants.outcome(sound, mutants.run(fault(module, line, kind), rows)) == "noticed"
