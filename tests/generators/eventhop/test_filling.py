"""Contradictions away from the claim: planted, or left to chance where relations are many."""

from __future__ import annotations

from random import Random

import pytest

from generators.eventhop.config import Cell, Shape
from generators.eventhop.filling import fill
from generators.eventhop.skeleton import CLAIMED, Draft, MisfitError, draw, skeleton
from grammar.eventhop.model import ClaimRelation, Status
from solver.eventhop.engines.graph import PremiseGraph


def graph(draft: Draft) -> PremiseGraph:
    strict = [0 if point & 1 else 2 << point for point in range(2 * draft.events)]
    loose = [0] * len(strict)
    for earlier, later, is_strict in draft.edges:
        if is_strict:
            strict[earlier] |= 1 << later
        else:
            loose[earlier] |= 1 << later
            loose[later] |= 1 << earlier
    return PremiseGraph(strict=strict, loose=loose)


@pytest.mark.parametrize("cycles", [True, False], ids=["cycles", "no cycles"])
@pytest.mark.parametrize("claim", [ClaimRelation.BEFORE, ClaimRelation.OVERLAPS])
@pytest.mark.parametrize("status", [Status.ENTAILED, Status.REFUTED, Status.UNKNOWN])
def test_cycles_close_only_where_they_may(
    cycles: bool, claim: ClaimRelation, status: Status
) -> None:
    random = Random(f"{cycles} {claim} {status}")
    cell = Cell(
        shape=Shape(events=8, relations=16),
        claim=claim,
        status=status,
        contradiction=cycles,
        hops=None if status is Status.UNKNOWN else 2,
    )
    filled = 0
    while filled < 40:
        bag = draw(random, 16, equal=True)
        try:
            draft = skeleton(random, bag, cell)
            fill(random, bag, [draft], 8, cycles=cycles)
        except MisfitError:
            continue
        filled += 1
        found = graph(draft)
        assert found.acyclic() is not cycles
        after = [found.descendants(point).strict for point in CLAIMED]
        assert not any(after[p] >> q & 1 and after[q] >> p & 1 for p in CLAIMED for q in range(p))
