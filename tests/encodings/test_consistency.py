"""Whether all points of a premise can be put on a line: tables of program, instance, atoms."""

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
    # One place for many points, named in no order, several of them least among their neighbours.
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
    # The cycle lies away from what comes first, or behind it.
    "a+ < b-, c- < d-, d- < c-",
    "c- < d-, d- < c-, d+ < a-, a+ < b-",
]


@pytest.mark.parametrize("premise", CONSISTENT)
def test_every_point_has_its_place(solve: Solve, given: Given, premise: str) -> None:
    assert solve(PROGRAM, given(premise) + "examined(0).", "misplaced") == []


@pytest.mark.parametrize("premise", INCONSISTENT)
def test_no_line_holds_a_cycle(solve: Solve, given: Given, premise: str) -> None:
    assert solve(PROGRAM, given(premise) + "examined(0).", "misplaced") == ["misplaced(0)"]


def test_only_what_is_to_be_examined_is(solve: Solve, given: Given) -> None:
    assert solve(PROGRAM, given("a+ < a-"), "misplaced", "placed", "led_by") == []


def test_a_cycle_leaves_unplaced_what_comes_after_it(solve: Solve, given: Given) -> None:
    facts = given("a+ < b-, b+ < c-, c+ < b+, c+ < d-") + "examined(0)."
    placed = ["placed(0,a+)", "placed(0,a-)", "placed(0,b-)"]
    assert solve(PROGRAM, facts, "placed") == placed


def test_a_place_is_named_by_the_least_of_its_points(solve: Solve, given: Given) -> None:
    facts = given("d- = b-, c- = a-, c- = b-") + "examined(0)."
    led = {f"led_by(0,{p},a-)" for p in ("a-", "b-", "c-", "d-")}
    assert led <= set(solve(PROGRAM, facts, "led_by"))
    assert len(solve(PROGRAM, facts, "led_by")) == 8


def test_items_of_a_batch_do_not_mix(solve: Solve, given: Given) -> None:
    facts = [given("a- < b-"), given("b- < a-", item=1), given("a+ < a-", item=2)]
    facts += ["examined(0..2)."]
    assert solve(PROGRAM, "\n".join(facts), "misplaced") == ["misplaced(2)"]
