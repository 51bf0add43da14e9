"""The incremental coherency check agrees with the encoding after any history."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from generators.facts.gate import Coherency
from solver.facts.encode import UNVERIFIABLE, findings
from solver.facts.intervals import Naming
from solver.facts.model import DatedFact, build_case
from solver.facts.role_rules import relation_kinds
from solver.facts.verify import EXCLUSIVE
from solver.graph.model import Vocabulary

RELATIONS = ("endSpouse", "meets", "startSpouse")
WORDS = Vocabulary(entities=3, relations=3, times=9, relation_names=RELATIONS)
FACTS = st.tuples(st.integers(0, 1), st.integers(0, 2), st.integers(1, 2))


def dated(fact: tuple[int, int, int], day: int) -> DatedFact:
    written = RELATIONS[fact[1]]
    relation, bound = Naming.of(None).read(written)
    return DatedFact(
        subject=f"entity {fact[0]}",
        relation=relation,
        object=f"entity {fact[2]}",
        bound=bound,
        day=day,
        written=written,
    )


def refusals(history: list[tuple[int, int, int]], fact: tuple[int, int, int]) -> set[str]:
    """The violations that the encoding finds for a fact after a history."""
    past = [dated(row, day) for day, row in enumerate(history, start=1)]
    case = build_case([dated(fact, len(history) + 1)], history=past)
    return {finding.code for finding in findings(case)}


@settings(max_examples=20)
@given(history=st.lists(FACTS, max_size=6))
def test_agreement_with_the_encoding(history: list[tuple[int, int, int]]) -> None:
    refused = {fact: refusals(history, fact) for fact in product((0, 1), (0, 1, 2), (1, 2))}
    for exclusive, unknown in product((False, True), repeat=2):
        coherency = Coherency(
            kinds=relation_kinds(WORDS, None), entities=3, exclusive=exclusive, unknown=unknown
        )
        for row in history:
            coherency.add(*row)
        passed = set() if exclusive else set(EXCLUSIVE)
        passed |= {UNVERIFIABLE} if unknown else set()
        for fact, codes in refused.items():
            assert coherency.allows(*fact) == (not codes - passed), fact
            if coherency.allows(*fact):
                assert coherency.subjects(fact[1])[fact[0]], (
                    "a subject that may have an object is drawn"
                )


def test_only_what_is_open_ends() -> None:
    coherency = Coherency(kinds=relation_kinds(WORDS, None), entities=3)
    assert not coherency.subjects(0).any()
    coherency.add(0, 2, 1)
    assert coherency.subjects(0).tolist() == [True, False, False]
    coherency.add(0, 0, 1)
    assert not coherency.subjects(0).any()
    assert not coherency.allows(0, 0, 1)
