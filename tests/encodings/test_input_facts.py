"""Each input predicate that Python writes has a class, and each class is an input of its theory."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from itertools import chain
from pathlib import Path
from random import Random

import pytest

from benchmarks.reproduction.encoding_index import Signature, header
from solver.asp import AspError, Program
from solver.encodings import (
    ENCODINGS,
    Atom,
    AtomError,
    Compound,
    Fact,
    FactTable,
    ViolationAtom,
    arguments,
    written,
)

PACKAGES = ("solver", "generators", "benchmarks")
RULES = ("solver.rules.encode", "solver.graph.model")
QUESTIONS = ("solver.questions.encode", *RULES)
POSITIONS = ("solver.positions.encode",)
ENTRIES = {
    "temporal/claims.lp": ("solver.eventhop.engines.asp",),
    "temporal/cyclic_constraints.lp": ("solver.eventhop.engines.asp",),
    "temporal/cycles.lp": ("solver.eventhop.engines.asp",),
    "temporal/feasible.lp": ("solver.eventhop.engines.asp",),
    "temporal/search.lp": ("solver.eventhop.engines.asp",),
    "facts/coherency.lp": ("solver.facts.encode",),
    "facts/schema.lp": ("solver.facts.encode",),
    "links/consistency.lp": ("solver.links.encode",),
    "links/witness.lp": ("solver.links.encode",),
    "links/repair.lp": ("solver.links.encode",),
    "calendar/problems.lp": ("solver.calendar.encode",),
    "family/family.lp": ("solver.family.decide",),
    "patterns/classification.lp": ("solver.patterns.engine",),
    "patterns/selection.lp": ("solver.patterns.engine",),
    "patterns/enumeration.lp": ("solver.patterns.engine",),
    "texts/references.lp": ("solver.texts.references",),
    "tkg/proof.lp": ("solver.tkg.encode",),
    "rules/groundings.lp": RULES,
    "rules/strikingness.lp": ("benchmarks.rules.strikingness.explanation", *RULES),
    "rules/candidates.lp": RULES,
    "questions/questions.lp": QUESTIONS,
    "traces/verdicts.lp": ("solver.traces.encode", "solver.eventhop.engines.asp"),
    "questions/contributions.lp": QUESTIONS,
    "positions/grid.lp": POSITIONS,
    "positions/routes.lp": POSITIONS,
    "positions/visits.lp": POSITIONS,
    "assignments/puzzle.lp": ("solver.assignments.encode",),
} | {
    path.relative_to(ENCODINGS).as_posix(): ("solver.eventhop.engines.asp",)
    for path in sorted((ENCODINGS / "temporal/ablations").iterdir())
}
"""The encodings that Python runs, and the modules with the classes of their inputs."""


def inputs(encoding: str) -> dict[Signature, str]:
    """The input predicates of a header, as written there."""
    entries = header((ENCODINGS / encoding).read_text(encoding="utf-8")).inputs
    return {signature: entry.written for signature, entry in entries.items()}


def classes(module: str) -> Iterator[type[Fact]]:
    """The classes of facts that a module defines."""
    for value in vars(import_module(module)).values():
        if isinstance(value, type) and issubclass(value, Fact) and value.__module__ == module:
            yield value


def signature(fact_class: type[Fact]) -> Signature:
    return Signature(name=fact_class.predicate, arity=len(arguments(fact_class)))


@pytest.mark.parametrize("encoding", ENTRIES)
def test_each_input_has_a_class(encoding: str) -> None:
    known = {signature(class_) for module in ENTRIES[encoding] for class_ in classes(module)}
    assert set(inputs(encoding)) <= known


@pytest.mark.parametrize("module", sorted({name for each in ENTRIES.values() for name in each}))
def test_each_class_is_an_input(module: str) -> None:
    files = [name for name, modules in ENTRIES.items() if module in modules]
    headers: dict[Signature, str] = {}
    for file in files:
        headers = inputs(file) | headers
    found = list(classes(module))
    assert found
    assert {signature(value) for value in found} <= set(headers)
    for text in found:
        names = arguments(text)
        if len(names) > 3:
            # Full-word variables have the names of the fields.
            words = headers[signature(text)].rstrip(")").partition("(")[2].split(",")
            assert [word.lower() for word in words] == [name.replace("_", "") for name in names]


def test_all_programs_are_listed() -> None:
    """Each encoding that a module names is an entry, or has a parent that is one."""
    root, named = ENCODINGS.parent, set()
    files = [path.relative_to(ENCODINGS).as_posix() for path in ENCODINGS.rglob("*.lp")]
    for path in chain.from_iterable((root / package).rglob("*.py") for package in PACKAGES):
        text = path.read_text(encoding="utf-8")
        if "Program(" in text:
            named |= {
                file for file in files if f'encodings=("{file}",)' in text or f'= "{file}"' in text
            }
    assert named <= set(ENTRIES)
    assert len(named) > 10


class Pair(Compound, predicate="pair"):
    left: int
    right: str


class Held(Fact, predicate="held"):
    item: int
    pair: Pair


def test_facts_are_written_as_terms() -> None:
    held = Held(item=-3, pair=Pair(left=0, right="none"))
    assert list(written([held])) == ["held(-3,pair(0,none))."]
    assert list(Held.rows([(1, "x"), (2, Pair(left=4, right="y"))])) == [
        "held(1,x).",
        "held(2,pair(4,y)).",
    ]


@pytest.mark.parametrize(
    ("atom", "found"),
    [
        ("violation(reopened(3,1))", ViolationAtom(code="reopened", numbers=(3, 1))),
        ("violation(alone(3))", ViolationAtom(code="alone", numbers=(3,))),
        (
            "violation(roles(7,(range,2),(domain,1)))",
            ViolationAtom(code="roles", numbers=(7, 1, 2, 0, 1)),
        ),
        ("untyped(4)", ViolationAtom(code="untyped", numbers=(4,))),
    ],
)
def test_findings_are_decoded(atom: str, found: ViolationAtom) -> None:
    (decoded,) = Program(encodings=()).unique_model(f"{atom}.")
    assert ViolationAtom.of(decoded, ("domain", "range")) == found


@pytest.mark.parametrize(
    "terms", [(3,), (("reopened", (3,)), 1), ("reopened",), (("reopened", ("elsewhere",)),)]
)
def test_other_forms_are_refused(terms: tuple[object, ...]) -> None:
    with pytest.raises(AtomError, match="expected"):
        ViolationAtom.of(Atom(name="violation", arguments=terms))  # type: ignore[arg-type]


class NumberFact(Fact, predicate="number"):
    value: int


class PairFact(Fact, predicate="pair"):
    left: str
    right: str


def test_a_table_states_the_same_facts_as_its_text(tmp_path: Path) -> None:
    encoding = tmp_path / "all.lp"
    encoding.write_text("#show number/1. #show pair/2. #defined number/1. #defined pair/2.")
    program = Program(encodings=(str(encoding),))
    terms = ["0", "-7", "a", "f(a,2)", "(a,b)", '"x. y"', "f((a,),-1)"]
    generator = Random(5)
    for _ in range(200):
        table = FactTable(
            rows={
                NumberFact: [generator.choice(terms) for _ in range(generator.randrange(4))],
                PairFact: [
                    ",".join(generator.choices(terms, k=2)) for _ in range(generator.randrange(4))
                ],
            }
        )
        found = sorted(program.unique_model(table), key=str)
        assert found == sorted(program.unique_model(str(table)), key=str)
        assert len(found) == sum(len(set(rows)) for rows in table.rows.values())


@pytest.mark.parametrize("row", ["1", "1,2,3", "1,", "1,(", ""])
def test_a_row_of_another_form_is_an_error(tmp_path: Path, row: str) -> None:
    encoding = tmp_path / "all.lp"
    encoding.write_text("#show pair/2. #defined pair/2.")
    with pytest.raises(AspError):
        Program(encodings=(str(encoding),)).unique_model(FactTable(rows={PairFact: [row]}))
