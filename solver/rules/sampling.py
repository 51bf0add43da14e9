"""A graph's facts in the orders that random walks draw them from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solver.rules.graph import RuleGraph
from solver.tkg.index import Index, pack
from solver.tkg.quadruples import Ids


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sampling:
    """Orders of the rows of a graph.

    Attributes:
        graph: its facts are sorted by head and time.
        mirror: of each fact the row of the same fact read backwards.
        by_relation: rows by relation.
        by_head: keys (head, time); in the order of the rows.
        by_ends: keys (head, tail, time).
        place_by_ends: where each row stands in ``by_ends``.
        by_way: keys (head, relation, time).
        way_end: of each place in ``by_way``, where those of its head and relation end.
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
        """Sort a graph's facts."""
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
