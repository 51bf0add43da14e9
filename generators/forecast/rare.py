"""Removes entities with a single fact from the known facts, recursively."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from generators.forecast.dated import DatedGraph, ForecastError
from generators.forecast.kinds import RelationKinds
from solver.temporal_facts.degrees import without_rare


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class _Lasting:
    """A fact without time: the start and the end of a fact count once."""

    subject: int
    relation: int
    object: int


def without_rare_entities(graph: DatedGraph, kinds: RelationKinds) -> DatedGraph:
    """Return the facts that remain once no entity has a single fact.

    Raises:
        ForecastError: none remains.
    """
    facts = graph.facts
    relation = np.array(kinds.relation, dtype=np.int64)[facts.relation]
    rows = [
        _Lasting(subject=head, relation=name, object=tail)
        for head, name, tail in zip(
            facts.head.tolist(), relation.tolist(), facts.tail.tolist(), strict=True
        )
    ]
    left = set(without_rare(sorted(set(rows))))
    if not left:
        raise ForecastError(
            "removing rare entities leaves no facts, expected at least one",
            hint="omit --without-rare",
        )
    kept = np.array([row in left for row in rows], dtype=np.bool_)
    return replace(graph, facts=facts.take(kept))
