"""Distances to the past and their floors, against enumeration of all forecasts."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from generators.facts.figures import least_variation
from generators.facts.oracle import KnownPairs, new_pairs
from generators.facts.reference import total_variation
from solver.graph.model import Quadruples


def compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in compositions(total - first, parts - 1):
            yield (first, *rest)


@pytest.mark.parametrize("seed", range(40))
def test_no_forecast_is_below_the_floor(seed: int) -> None:
    """Two relations with start and end, and a point: every forecast that is possible."""
    draw = random.Random(seed)
    total = 12
    past = np.array([draw.randrange(6) for _ in range(5)]) + (np.arange(5) == 4)
    able = np.array([draw.random() < 0.7 for _ in range(4)] + [True])
    opened = [draw.randrange(5), draw.randrange(5)]
    shares = past / past.sum()
    possible = [
        made
        for made in compositions(total, 5)
        if not any(number and not can for number, can in zip(made, able, strict=True))
        and made[1] <= opened[0] + made[0]
        and made[3] <= opened[1] + made[2]
    ]
    floor = least_variation(
        shares,
        able=able,
        partner=np.array([-1, 0, -1, 2, -1]),
        openings=np.array([np.inf, opened[0] / total, np.inf, opened[1] / total, np.inf]),
    )
    least = min(total_variation(np.array(made), shares) for made in possible)
    assert floor <= least + 1e-9
    # Whole facts: at most one too many or too few of each relation.
    assert least <= floor + 5 / total


@pytest.mark.parametrize("seed", range(40))
def test_pairs_are_new_on_the_first_day_of_a_fact(seed: int) -> None:
    draw = random.Random(seed)
    rows = sorted(
        [
            (draw.randrange(4), draw.randrange(2), draw.randrange(4), draw.randrange(6))
            for _ in range(9)
        ],
        key=lambda row: row[3],
    )
    expected = [
        not any({s, o} == {a, b} and day < time for a, _, b, day in rows) for s, _, o, time in rows
    ]
    facts = Quadruples.of(np.array(rows))
    assert new_pairs(facts, 4).tolist() == expected
    early = Quadruples.of(np.array([row for row in rows if row[3] < 3] or [(0, 0, 0, 0)]))
    known = KnownPairs(early, 4)
    pairs = {frozenset((s, o)) for s, _, o, _ in early.rows().tolist()}
    assert all(
        ((s, o) in known) == (frozenset((s, o)) in pairs) for s in range(4) for o in range(4)
    )
