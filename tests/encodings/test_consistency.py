"""Consistency of premises: tables of program, instance, atoms."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Solve = Callable[..., list[str]]
Given = Callable[..., str]

PROGRAM = ("temporal/order.lp", "temporal/consistency.lp")

CONSISTENT = [
    "a+ < b-",
    "a+ = b-",
    "a- = a-",
    "a- = b-, a+ = b+",
    "a- < b-, b- < c-, a- < c-",
    # A large class of simultaneous points with several local minima.
    "d- = b-, c- = a-, c- = b-, e- = d-",
    "a- = d-, b- = d-, c- = d-, a+ < e-",
    "b- = c-, c- = a-, a+ = d+, d+ = e-, b+ < e+",
]
INCONSISTENT = [
    "a+ < a-",
    "a+ = a-",
    "a- < a-",
    "a- > a-",
    "a- < b-, b- < a-",
    "a- < b-, a- > b-",
    "a- = b-, a- < b-",
    "a+ < b-, b+ < c-, c+ < a-",
    "a+ = b-, b+ = c-, c+ = a-",
    "a- = b-, c- = d-, b- < c-, d- < a-",
    "d- = b-, c- = a-, c- = b-, e- = d-, a- < e-",
    # The cycle is apart from the first points, or after them.
    "a+ < b-, c- < d-, d- < c-",
    "c- < d-, d- < c-, d+ < a-, a+ < b-",
]


@pytest.mark.parametrize("premise", CONSISTENT)
def test_consistent_premises_are_fully_placed(solve: Solve, given: Given, premise: str) -> None:
    assert solve(PROGRAM, given(premise) + "examined(0).", "unplaced") == []


@pytest.mark.parametrize("premise", INCONSISTENT)
def test_premises_with_a_cycle_are_inconsistent(solve: Solve, given: Given, premise: str) -> None:
    assert solve(PROGRAM, given(premise) + "examined(0).", "unplaced") == ["unplaced(0)"]


def test_only_examined_items_are_checked(solve: Solve, given: Given) -> None:
    assert solve(PROGRAM, given("a+ < a-"), "unplaced", "placed", "representative") == []


def test_points_after_a_cycle_are_unplaced(solve: Solve, given: Given) -> None:
    facts = given("a+ < b-, b+ < c-, c+ < b+, c+ < d-") + "examined(0)."
    # Points that no cycle can pass are left out: a-, a+, d- and d+.
    assert solve(PROGRAM, facts, "placed") == ["placed(0,b-)"]


def test_a_class_is_represented_by_its_least_point(solve: Solve, given: Given) -> None:
    facts = given("d- = b-, c- = a-, c- = b-") + "examined(0)."
    led = [f"representative(0,{p},a-)" for p in ("a-", "b-", "c-", "d-")]
    assert solve(PROGRAM, facts, "representative") == led


def test_items_of_a_batch_do_not_mix(solve: Solve, given: Given) -> None:
    facts = [given("a- < b-"), given("b- < a-", item=1), given("a+ < a-", item=2)]
    facts += ["examined(0..2)."]
    assert solve(PROGRAM, "\n".join(facts), "unplaced") == ["unplaced(2)"]
