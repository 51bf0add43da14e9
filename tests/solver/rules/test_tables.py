from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from solver.rules.model import MOST_FACTS, Rule, RuleTable, code_of, groups_of


@st.composite
def rules(draw: st.DrawFn) -> Rule:
    body = draw(st.lists(st.integers(0, 9), min_size=1, max_size=4))
    firsts = [draw(st.integers(0, place)) for place in range(len(body) + 1)]
    groups: dict[int, list[int]] = {}
    for place, first in enumerate(firsts):
        groups.setdefault(first, []).append(place)
    return Rule(
        head=draw(st.integers(0, 9)),
        body=tuple(body),
        same=tuple(tuple(group) for _, group in sorted(groups.items()) if len(group) > 1),
        rule_support=draw(st.integers(0, 5)),
        body_support=draw(st.integers(5, 9)),
    )


@given(st.lists(rules()))
def test_rules_come_back_from_columns(listed: list[Rule]) -> None:
    assert list(RuleTable.of(listed)) == listed


@given(st.lists(rules()), st.lists(rules()))
def test_tables_join_in_their_order(first: list[Rule], second: list[Rule]) -> None:
    joined = RuleTable.joined(RuleTable.of(first), RuleTable.of(second))
    assert list(joined) == first + second
    assert joined.length.tolist() == [rule.length for rule in first + second]
    assert joined.confidence.tolist() == [rule.confidence for rule in first + second]


@given(st.lists(rules()))
def test_sort_order(listed: list[Rule]) -> None:
    def order(rule: Rule) -> tuple[object, ...]:
        return (
            rule.head,
            -rule.confidence,
            -rule.rule_support,
            rule.length,
            rule.body,
            code_of(rule.same),
        )

    found = list(RuleTable.of(listed).sorted())
    assert [order(rule) for rule in found] == sorted(map(order, listed))


def test_chosen_by_confidence_and_support() -> None:
    table = RuleTable.of(
        Rule(head=0, body=(body,), rule_support=rule, body_support=support)
        for body, rule, support in ((1, 1, 2), (2, 1, 4), (3, 2, 2), (4, 0, 0))
    )
    assert table.confidence.tolist() == [0.5, 0.25, 1.0, 0.0]
    assert table.at_least(confidence=0.5).body[:, 0].tolist() == [1, 3]
    assert table.at_least(body_support=3).body[:, 0].tolist() == [2]


def test_codes_of_groups() -> None:
    assert code_of(()) == 0
    assert groups_of(code_of(((0, 2), (1, 3)))) == ((0, 2), (1, 3))
    everything = (tuple(range(MOST_FACTS + 1)),)
    assert groups_of(code_of(everything)) == everything
    assert code_of(everything) < 2**63
