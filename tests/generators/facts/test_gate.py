"""The fact filter agrees with the schema encoding, for any known facts."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from generators.facts.gate import FactConstraints, FactFilter
from generators.facts.model import DatedGraph
from solver.facts.encode import findings
from solver.facts.model import Bound, DatedFact, build_case
from solver.facts.role_rules import relation_kinds
from solver.facts.schema import Hierarchy, Relation, Schema, Signature
from solver.graph.model import Quadruples, Vocabulary

ENTITIES = 4
NAMES = ("leads", "meets", "owns", "unheard")
WORDS = Vocabulary(
    entities=ENTITIES,
    relations=len(NAMES),
    times=9,
    relation_names=NAMES,
    entity_names=tuple(f"entity {number}" for number in range(ENTITIES)),
)
CLASSES = {"Thing": (), "Person": ("Thing",), "Club": ("Thing",), "Team": ("Club",)}
SOME_CLASSES = st.lists(st.sampled_from(sorted(CLASSES)), unique=True, max_size=2).map(tuple)
SIGNATURES = st.lists(
    st.builds(lambda d, r: Signature(domain=d, range=r), SOME_CLASSES, SOME_CLASSES),
    min_size=1,
    max_size=2,
).map(tuple)
TYPES = st.lists(SOME_CLASSES, min_size=ENTITIES, max_size=ENTITIES).map(
    lambda names: {
        name: words for name, words in zip(WORDS.entity_names, names, strict=True) if words
    }
)
FACTS = st.tuples(
    st.integers(0, ENTITIES - 1), st.integers(0, len(NAMES) - 1), st.integers(0, ENTITIES - 1)
)


def dated(fact: tuple[int, int, int], day: int) -> DatedFact:
    return DatedFact(
        subject=WORDS.entity(fact[0]),
        relation=NAMES[fact[1]],
        object=WORDS.entity(fact[2]),
        bound=Bound.POINT,
        day=day,
        written=NAMES[fact[1]],
    )


def schema_of(signatures: list[tuple[Signature, ...]]) -> Schema:
    relations = {
        name: Relation(name=name, start=name, end=None, signatures=signature)
        for name, signature in zip(NAMES[:-1], signatures, strict=True)
    }
    hierarchy = Hierarchy(parents=CLASSES, disjoint=frozenset({("Club", "Person")}))
    return Schema(relations=relations, hierarchy=hierarchy)


def graph_of(history: list[tuple[int, int, int]]) -> DatedGraph:
    rows = np.array([(*row, 0) for row in history], dtype=np.int64)
    return DatedGraph(facts=Quadruples.of(rows), vocabulary=WORDS, first=1, later=0)


@settings(max_examples=12)
@example(
    # An entity of two probes once filled disjoint roles.
    signatures=[(Signature(domain=(), range=(name,)),) for name in ("Club", "Thing", "Person")],
    types={"entity 3": ("Club",)},
    history=[(0, 1, 0)],
)
@given(
    signatures=st.lists(SIGNATURES, min_size=3, max_size=3),
    types=TYPES,
    history=st.lists(FACTS, max_size=5),
)
def test_agreement_with_the_encoding(
    signatures: list[tuple[Signature, ...]],
    types: dict[str, tuple[str, ...]],
    history: list[tuple[int, int, int]],
) -> None:
    schema = schema_of(signatures)
    fact_filter = FactFilter(
        graph_of(history),
        relation_kinds(WORDS, schema),
        FactConstraints(schema=schema, types=types),
    )
    past = [dated(row, 1) for row in history]
    for fact in product(range(ENTITIES), range(len(NAMES)), range(ENTITIES)):
        if (fact[0] + fact[1] + 2 * fact[2]) % 5:
            continue
        case = build_case([dated(fact, 2)], history=past, schema=schema, types=types)
        ends = {WORDS.entity(fact[0]), WORDS.entity(fact[2])}
        wrong = {
            finding.code
            for finding in findings(case)
            if finding.code != "untyped"
            # Findings about the classes of other entities do not concern this fact.
            and not (
                finding.code == "disjoint_types" and case.entities[finding.numbers[0]] not in ends
            )
        }
        assert fact_filter.allows(*fact) == (not wrong), (fact, wrong)
        if fact_filter.allows(*fact):
            assert fact[0] in fact_filter.subjects(fact[1])


def test_a_filled_role_excludes_disjoint_ones() -> None:
    person, club = (Signature(domain=(value,), range=()) for value in ("Person", "Club"))
    schema = schema_of([(person,), (club,), (person,)])
    fact_filter = FactFilter(
        graph_of([(3, 1, 2)]),
        relation_kinds(WORDS, schema),
        FactConstraints(schema=schema, types={}),
    )
    assert fact_filter.allows(0, 1, 2)
    assert not fact_filter.allows(3, 0, 2)
    fact_filter.add(0, 0, 2)
    assert not fact_filter.allows(0, 1, 2)
    assert fact_filter.allows(0, 2, 2)
    assert 0 not in fact_filter.subjects(1)


def test_no_duplicates_within_a_day() -> None:
    fact_filter = FactFilter(graph_of([]), relation_kinds(WORDS, None), FactConstraints(types={}))
    fact_filter.add(0, 1, 2)
    assert not fact_filter.allows(0, 1, 2)
    fact_filter.begin_day(5, Quadruples.of(np.array([(0, 1, 2, 4)])))
    assert fact_filter.allows(0, 1, 2)


def test_entities_without_a_name_are_excluded() -> None:
    graph = graph_of([])
    words = replace(WORDS, entity_names=("Ada", "unknown", "Ben", "Cleo"))
    fact_filter = FactFilter(
        replace(graph, vocabulary=words), relation_kinds(words, None), FactConstraints(types={})
    )
    assert fact_filter.subjects(0).tolist() == [0, 2, 3]
    assert not fact_filter.allows(0, 0, 1)
