"""Cyclic temporal random walks that propose rules.

Source: TLogic (Liu et al., AAAI 2022), section 4.1. A walk starts with a head fact and continues
from its tail with earlier facts: the first is strictly earlier, no step traverses the previous fact
backwards, and the last step returns to the start. The reversed walk is a rule body.
"""

from __future__ import annotations

import numpy as np

from solver.rules.repeated import codes
from solver.rules.sampling import Sampling
from solver.rules.transition import Continuations, Transition, taken
from solver.tkg.quadruples import Ids


def cyclic_walks(
    sampling: Sampling,
    head: int,
    length: int,
    *,
    walks: int,
    transition: Transition,
    draw: np.random.Generator,
) -> Ids:
    """Sample cyclic walks.

    Args:
        sampling: index of the graph.
        head: relation of the first fact; the graph has at least one such fact.
        length: number of facts after the first.
        walks: number of walks to start.
        transition: distribution of the next step.
        draw: random generator.

    Returns:
        Rows of the facts of the walks that returned, shape (length + 1, returned walks).
    """
    rows = sampling.by_relation.rows(head)
    path = rows[draw.integers(len(rows), size=walks)][np.newaxis]
    for step in range(1, length + 1):
        ways = _back(sampling, path) if step == length else _onwards(sampling, path)
        place = taken(ways, transition, draw.random((path.shape[1],)))
        found = place >= 0
        row = ways.index.order[place[found]]
        path = np.concatenate([path[:, found], row[np.newaxis]])
    return path


def bodies(sampling: Sampling, path: Ids) -> tuple[Ids, Ids]:
    """The distinct rule bodies of some walks.

    Returns:
        Relations, shape (rules, length), and codes of the positions with equal entities.
    """
    facts = sampling.graph.facts
    back = sampling.mirror[path[:0:-1]]
    entities = (facts.head[back[0]], *(facts.tail[row] for row in back))
    every = np.concatenate([facts.relation[back], codes(entities)[np.newaxis]])
    distinct = np.unique(every, axis=1)
    return distinct[:-1].T, distinct[-1]


def _onwards(sampling: Sampling, path: Ids) -> Continuations:
    facts, last = sampling.graph.facts, path[-1]
    return Continuations(
        index=sampling.by_head,
        times=facts.time,
        base=facts.tail[last] * sampling.graph.times,
        limit=_limit(sampling, path),
        barred=_barred(sampling, path),
        now=facts.time[last],
    )


def _back(sampling: Sampling, path: Ids) -> Continuations:
    facts, last = sampling.graph.facts, path[-1]
    barred = _barred(sampling, path)
    ends = facts.tail[last] * sampling.graph.entities + facts.head[path[0]]
    return Continuations(
        index=sampling.by_ends,
        times=facts.time[sampling.by_ends.order],
        base=ends * sampling.graph.times,
        limit=_limit(sampling, path),
        barred=np.where(barred < 0, -1, sampling.place_by_ends[barred]),
        now=facts.time[last],
    )


def _limit(sampling: Sampling, path: Ids) -> Ids:
    """Times below which the next fact is: strictly before the head, not after other facts."""
    now: Ids = sampling.graph.facts.time[path[-1]]
    return now if len(path) == 1 else now + 1


def _barred(sampling: Sampling, path: Ids) -> Ids:
    return np.full(path.shape[1], -1) if len(path) == 1 else sampling.mirror[path[-1]]
