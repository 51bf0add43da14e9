"""Derived order of the claimed points: tables of program, instance, atoms."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Solve = Callable[..., list[str]]
Given = Callable[..., str]

PROGRAM = ("temporal/order.lp",)

# Premise, claimed points, derived order; `p < q` by a strict walk, `p <= q` by a loose one.
DERIVED = [
    ("a- = a-", ["a-"], ["a- < a+", "a- <= a-"]),
    ("a+ < b-", ["a+"], ["a+ < b+", "a+ < b-", "a+ <= a+"]),
    ("b- > a+", ["a+"], ["a+ < b+", "a+ < b-", "a+ <= a+"]),
    ("a+ > b-", ["a+"], ["a+ <= a+"]),
    ("a+ = b-", ["a+"], ["a+ < b+", "a+ <= a+", "a+ <= b-"]),
    ("a+ = b-", ["b-"], ["b- < b+", "b- <= a+", "b- <= b-"]),
    # The strict step may be the first of a walk, the last, or between.
    ("a+ < b-, b- = c-", ["a+"], ["a+ < b+", "a+ < b-", "a+ < c+", "a+ < c-", "a+ <= a+"]),
    ("a+ = b+, b+ < c+", ["a+"], ["a+ < c+", "a+ <= a+", "a+ <= b+"]),
    ("a+ = b+, c+ = b+", ["c+"], ["c+ <= a+", "c+ <= b+", "c+ <= c+"]),
    # Of two points on a cycle each comes before the other, and before itself.
    ("a+ < b+, b+ < a+", ["a+"], ["a+ < a+", "a+ < b+", "a+ <= a+"]),
    ("a+ = b+, a+ < b+", ["b+"], ["b+ < a+", "b+ < b+", "b+ <= a+", "b+ <= b+"]),
    ("a+ < a-", ["a-"], ["a- < a+", "a- < a-", "a- <= a-"]),
    ("a+ = a-", ["a+"], ["a+ < a+", "a+ < a-", "a+ <= a+", "a+ <= a-"]),
    ("a+ < a+", ["a+"], ["a+ < a+", "a+ <= a+"]),
    # Only walks from claimed points are followed.
    ("a+ < b-", [], []),
    ("a+ < b-, c+ < d-", ["d+"], ["d+ <= d+"]),
    ("a+ < b-", ["a+", "b+"], ["a+ < b+", "a+ < b-", "a+ <= a+", "b+ <= b+"]),
]


def claimed(points: list[str]) -> str:
    bounds = {"-": "start", "+": "end"}
    return "\n".join(f"claimed_point(0,at({p[:-1]},{bounds[p[-1]]}))." for p in points)


@pytest.mark.parametrize(("premise", "points", "expected"), DERIVED)
def test_derivation(
    solve: Solve, given: Given, premise: str, points: list[str], expected: list[str]
) -> None:
    signs = {"<": "strict", "<=": "loose"}
    atoms = [
        f"reaches(0,{p},{q},{signs[sign]})" for p, sign, q in (text.split() for text in expected)
    ]
    facts = given(premise) + "\n" + claimed(points)
    assert solve(PROGRAM, facts, "reaches") == sorted(atoms)


def test_items_of_a_batch_do_not_mix(solve: Solve, given: Given) -> None:
    facts = [given("a+ < b-"), given("b+ < c-", item=1), "claimed_point(0,at(a,end))."]
    found = solve(PROGRAM, "\n".join(facts), "reaches")
    assert found == ["reaches(0,a+,a+,loose)", "reaches(0,a+,b+,strict)", "reaches(0,a+,b-,strict)"]
