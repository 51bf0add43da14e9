"""Enumerates walks with non-decreasing times, in batches of bounded size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from solver.rules.graph import RuleGraph
from solver.tkg.index import expand
from solver.tkg.quadruples import Ids

AT_ONCE = 1 << 18
"""Batch size, unless one fact has more continuations; columns of this size stay in the cache."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Walks:
    """Walks of one length, one per row.

    Attributes:
        body: packed relations.
        entities: shape (positions, walks); only the first position unless all were requested.
        last: row of the last fact of each walk.
    """

    body: Ids
    entities: tuple[Ids, ...]
    last: Ids

    def __len__(self) -> int:
        return len(self.last)


def walks(graph: RuleGraph, rows: Ids, length: int, *, every: bool = False) -> Iterator[Walks]:
    """Yield all walks of a length that begin with given facts; times do not decrease.

    Args:
        graph: the graph.
        rows: rows of the first facts.
        length: number of facts of a walk.
        every: whether to return all entities on the walk, or only the first.
    """
    entities = (graph.facts.head[rows],) + ((graph.facts.tail[rows],) if every else ())
    begun = Walks(body=graph.facts.relation[rows], entities=entities, last=rows)
    yield from _longer(graph, begun, length - 1)


def count_walks(graph: RuleGraph, length: int) -> float:
    """Count the walks of a length without enumerating them; exact up to 2**53."""
    ways = np.ones(len(graph.facts))
    for _ in range(length - 1):
        reached = np.concatenate([[0.0], np.cumsum(ways)])
        ways = reached[graph.next_end] - reached[graph.next_begin]
    return float(ways.sum())


def _longer(graph: RuleGraph, walks: Walks, steps: int) -> Iterator[Walks]:
    if not steps:
        for start in range(0, len(walks), AT_ONCE):
            yield _some(walks, slice(start, start + AT_ONCE))
        return
    begin, end = graph.next_begin[walks.last], graph.next_end[walks.last]
    ways = np.concatenate([[0], np.cumsum(end - begin)])
    place = 0
    while place < len(walks):
        enough = int(np.searchsorted(ways, ways[place] + AT_ONCE, side="right")) - 1
        piece = slice(place, max(enough, place + 1))
        longer = _step(graph, _some(walks, piece), begin[piece], end[piece])
        yield from _longer(graph, longer, steps - 1)
        place = piece.stop


def _step(graph: RuleGraph, walks: Walks, begin: Ids, end: Ids) -> Walks:
    asker, row = expand(begin, end)
    entities = tuple(column[asker] for column in walks.entities)
    if len(entities) > 1:
        entities += (graph.facts.tail[row],)
    body = walks.body[asker] * graph.relations + graph.facts.relation[row]
    return Walks(body=body, entities=entities, last=row)


def _some(walks: Walks, piece: slice) -> Walks:
    return Walks(
        body=walks.body[piece],
        entities=tuple(column[piece] for column in walks.entities),
        last=walks.last[piece],
    )
