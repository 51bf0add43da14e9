"""Indexes of a graph for sampling random walks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solver.rules.graph import RuleGraph
from solver.tkg.index import Index, pack
from solver.tkg.quadruples import Ids


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sampling:
    """Indexes over the rows of a graph.

    Attributes:
        graph: the graph; its facts are sorted by head and time.
        mirror: for each fact, the row of its inverse.
        by_relation: rows by relation.
        by_head: keys (head, time), in row order.
        by_ends: keys (head, tail, time).
        place_by_ends: position of each row in ``by_ends``.
        by_way: keys (head, relation, time).
        way_end: for each position in ``by_way``, the end of its (head, relation).
    """

    graph: RuleGraph
    mirror: Ids
    by_relation: Index
    by_head: Index
    by_ends: Index
    place_by_ends: Ids
    by_way: Index
    way_end: Ids

    @classmethod
    def of(cls, graph: RuleGraph) -> Sampling:
        """Index a graph."""
        facts, entities, times = graph.facts, graph.entities, graph.times
        sizes = (entities, times, graph.relations, entities)
        own = pack((facts.head, facts.time, facts.relation, facts.tail), sizes)
        back = facts.inverted(graph.relations // 2)
        mirrored = pack((back.head, back.time, back.relation, back.tail), sizes)
        ends = Index.of(pack((facts.head, facts.tail, facts.time), (entities, entities, times)))
        way_sizes = (entities, graph.relations, times)
        ways = Index.of(pack((facts.head, facts.relation, facts.time), way_sizes))
        way = ways.keys // times
        return cls(
            graph=graph,
            mirror=np.searchsorted(own, mirrored),
            by_relation=Index.of(facts.relation),
            by_head=Index.of(pack((facts.head, facts.time), (entities, times))),
            by_ends=ends,
            place_by_ends=np.argsort(ends.order),
            by_way=ways,
            way_end=np.searchsorted(way, way, side="right"),
        )
