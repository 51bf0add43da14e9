"""A slice of the campaigns about chains of thought."""

from __future__ import annotations

from grammar.traces.model import PointOrder
from tests.campaigns.traces import (
    all_walks,
    differences,
    forgeries,
    overpaid,
    shown,
    twins,
    weak_orders,
)


def test_enumeration_has_every_weak_order_of_intervals() -> None:
    # OEIS A055203: 1, 1, 13, 409, 23917 ways to arrange intervals of positive length.
    assert [len(weak_orders(events)) for events in range(5)] == [1, 1, 13, 409, 23917]


def test_walks_are_composed() -> None:
    walks = all_walks((PointOrder(1, "=", 2), PointOrder(3, "<=", 4)), 6)
    assert shown(walks, PointOrder(0, "<", 4))
    assert shown(walks, PointOrder(1, "=", 2))
    assert not shown(walks, PointOrder(3, "<", 4))
    assert not shown(walks, PointOrder(3, "=", 4))


def test_no_verdict_differs_from_the_specification() -> None:
    assert list(differences(seed=11, items=150)) == []


def test_no_verdict_on_a_generated_twin_differs() -> None:
    assert twins(seed=14, items=90) == []


def test_certificates_are_accepted_and_exchanged_verdicts_rejected() -> None:
    number, faults = forgeries(seed=12, items=1_500)
    assert number >= 1_500
    assert faults == []


def test_no_completion_crashes_the_reward_or_is_paid_more_without_statements() -> None:
    paid, faults = overpaid(seed=13, items=1_200)
    assert paid > 20
    assert faults == []
