"""Random items of up to 40 events and 80 relations: all engines agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from grammar.eventhop.model import Item, Label, Policy, Status
from solver.eventhop.crosscheck import engine
from solver.eventhop.engines import EngineName

RandomItems = Callable[[int, int], list[Item]]
SEED = 20240229


def assert_agreement(
    items: list[Item], engine_name: EngineName, other: EngineName, policy: Policy
) -> None:
    verdicts = zip(
        items,
        engine(engine_name, policy).decide(items),
        engine(other, policy).decide(items),
        strict=True,
    )
    for item, expected, found in verdicts:
        assert found == expected, f"{other} differs from {engine_name} on item {item.id}"


def test_random_items_have_every_status_and_label(random_items: RandomItems) -> None:
    items = random_items(SEED, 2000)
    assert max(len(item.premise) for item in items) == 80
    verdicts = engine(EngineName.GRAPH, Policy.GLOBAL).decide(items)
    # Rare verdicts would hardly be tested.
    statuses = Counter((verdict.status, verdict.consistent) for verdict in verdicts)
    assert min(statuses.values()) >= 20
    assert {status for status, _ in statuses} == set(Status)
    assert len(statuses) == 2 * len(Status) - 1
    assert {verdict.label for verdict in verdicts} == set(Label)


@pytest.mark.parametrize("count", [600, pytest.param(2000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("policy", [Policy.LOCAL, Policy.GLOBAL])
def test_asp_agrees_with_graph(random_items: RandomItems, policy: Policy, count: int) -> None:
    assert_agreement(random_items(SEED, count), EngineName.GRAPH, EngineName.ASP, policy)


@pytest.mark.parametrize("policy", [Policy.LOCAL, Policy.GLOBAL])
def test_smt_agrees_with_graph(random_items: RandomItems, policy: Policy) -> None:
    assert_agreement(random_items(SEED, 200), EngineName.GRAPH, EngineName.SMT, policy)


@pytest.mark.slow
def test_asp_agrees_with_graph_on_twenty_thousand(random_items: RandomItems) -> None:
    items = random_items(SEED + 1, 20_000)
    assert_agreement(items, EngineName.GRAPH, EngineName.ASP, Policy.LOCAL)


@pytest.mark.slow
def test_smt_agrees_with_graph_on_two_thousand(random_items: RandomItems) -> None:
    items = random_items(SEED + 1, 2000)
    assert_agreement(items, EngineName.GRAPH, EngineName.SMT, Policy.LOCAL)
