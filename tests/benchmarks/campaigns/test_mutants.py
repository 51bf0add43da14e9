"""The campaign of planted faults: what it plants, and what is noticed."""

from __future__ import annotations

import ast

import pytest

from benchmarks.campaigns import mutants

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
        ("solver.eventhop.crosscheck", "if undecidable:", "condition"),
    ],
)
def test_a_fault_that_all_engines_share_is_noticed(module: str, line: str, kind: str) -> None:
    rows = mutants.corpus(0, 6)
    sound = mutants.run(None, rows)
    assert sound is not None
    assert [None] not in sound
    assert mutants.outcome(sound, mutants.run(fault(module, line, kind), rows)) == "noticed"
