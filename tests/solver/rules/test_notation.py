"""Rules and names as users write them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.graph.model import UnknownNameError, Vocabulary, entity_id, relation_id, time_id
from solver.rules.model import Rule
from solver.rules.notation import RuleTextError, fact_text, read_rule, rule_text

SIZE = Vocabulary(
    entities=3,
    relations=3,
    times=4,
    entity_names=("Ada", "Bo", "7"),
    relation_names=("visits", "Threaten,_(with) force", "signs"),
    time_names=("2030-01-01", "2030-01-02"),
    time_step=2,
)


@st.composite
def rules(draw: st.DrawFn) -> Rule:
    body = draw(st.lists(st.integers(0, 5), min_size=1, max_size=4))
    entities = [0]
    for _ in body:
        # A fact from an entity to itself reads the same both ways.
        entities.append(
            draw(st.sampled_from([k for k in range(max(entities) + 2) if k != entities[-1]]))
        )
    places = [
        tuple(p for p, entity in enumerate(entities) if entity == k)
        for k in dict.fromkeys(entities)
    ]
    return Rule(
        head=draw(st.integers(0, 5)),
        body=tuple(body),
        same=tuple(group for group in places if len(group) > 1),
        rule_support=0,
        body_support=0,
    )


@given(rules())
def test_formatted_rules_are_parsed(rule: Rule) -> None:
    read = read_rule(rule_text(rule, SIZE), SIZE)
    if (0, rule.length) in {(group[0], group[-1]) for group in rule.same}:
        # A head from an entity to itself reads the same both ways.
        assert {(other_rule.head % 3, other_rule.body, other_rule.same) for other_rule in read} == {
            (rule.head % 3, rule.body, rule.same)
        }
    else:
        assert rule in read


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("visits(A, B)", "found no <-"),
        ("visits(A, B), signs(A, B) <- visits(A, B)", "found 2 facts before <-"),
        ("visits(A, B) <- visits(A B)", "expected a fact of two letters"),
        ("visits(A, B) <- visits(A, C)", "does not lead"),
        ("visits(A, B) <- ", "does not lead"),
        ("visits(A, B) <- visits(A, C), signs(D, B)", "does not lead"),
    ],
)
def test_invalid_rules_are_refused(text: str, message: str) -> None:
    with pytest.raises(RuleTextError, match=re.escape(message)):
        read_rule(text, SIZE)


def test_names_come_before_ids() -> None:
    assert entity_id(SIZE, "Bo") == 1
    assert entity_id(SIZE, "7") == 2
    assert entity_id(SIZE, "0") == 0
    assert relation_id(SIZE, "signs^-1") == 5
    assert relation_id(SIZE, "4") == 4
    assert time_id(SIZE, "2030-01-02") == 2
    assert time_id(SIZE, "4") == 4


@pytest.mark.parametrize(
    ("ask", "text", "output"),
    [
        (entity_id, "Adda", "near: Ada"),
        (relation_id, "visit^-1", "near: visits"),
        (relation_id, "6", "found relation 6, expected 0 to 5"),
        (entity_id, "-1", "found no entity '-1'"),
        (time_id, "2030-01-32", "near: 2030-01-02"),
        (time_id, "2030-02-02", "2030-02-02, after the last day of the graph, 2030-01-02"),
        (time_id, "2029-12-31", "2029-12-31, before the first day of the graph, 2030-01-01"),
        (time_id, "5", "found time 5, expected 0 to 4"),
    ],
)
def test_unknown_names_suggest_similar_ones(ask, text: str, output: str) -> None:  # noqa: ANN001
    with pytest.raises(UnknownNameError, match=re.escape(output)):
        ask(SIZE, text)


def test_inverse_facts_are_read_forwards() -> None:
    assert fact_text((0, 2, 1, 0), SIZE) == "signs(Ada, Bo)"
    assert fact_text((0, 5, 1, 0), SIZE) == "signs(Bo, Ada)"
    assert fact_text((0, 5, -1, 0), SIZE) == "signs(?, Ada)"
