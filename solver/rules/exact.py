"""Exact mining: every body of a length, counted over the whole graph.

Source: TLogic's rules, with all bodies in place of samples. A body grounding is a walk through the
graph whose times do not decrease; rule support counts those that a head fact follows, strictly
later and between the same ends, each once for every relation of such a fact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from solver.processes import mapped
from solver.rules.counts import Counts
from solver.rules.graph import RuleGraph
from solver.rules.mined import Mined
from solver.rules.repeated import Groups, constraints, held
from solver.rules.table import RuleTable, code_of
from solver.rules.walks import Walks, walks
from solver.tkg.index import Index, expand
from solver.tkg.quadruples import Ids

_BLOCK = 1 << 18
"""Keys that first relations counted together may have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactMining:
    """What is mined.

    Attributes:
        lengths: of bodies.
        repeated: also count bodies that hold an entity more than once as rules of their own, which
            say so. A body counts for each such rule that it satisfies.
        confidence: the least that is kept.
        body_support: the least that is kept; rule support is always positive.
    """

    lengths: tuple[int, ...] = (1, 2)
    repeated: bool = False
    confidence: float = 0.0
    body_support: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """First relations ``begin`` to ``end``, exclusive, of bodies of one length."""

    length: int
    begin: int
    end: int


def mine_exact(
    graph: RuleGraph,
    mining: ExactMining,
    *,
    jobs: int = 1,
    progress: Callable[[int], object] | None = None,
) -> tuple[Mined, ...]:
    """Mine rules, sorted as ``RuleTable.sorted`` says.

    Args:
        graph: where to count.
        mining: what to mine.
        jobs: processes.
        progress: told of each block of first relations that is done; see ``blocks``.

    Returns:
        One a length, in the order of ``mining.lengths``.
    """
    parts = blocks(graph, mining.lengths)
    found: dict[int, list[Mined]] = {length: [] for length in mining.lengths}
    counted = partial(_block, graph, Index.of(graph.facts.relation), mining)
    for part, mined in zip(parts, mapped(counted, parts, jobs), strict=True):
        found[part.length].append(mined)
        if progress is not None:
            progress(1)
    return tuple(Mined.joined(found[length]) for length in mining.lengths)


def blocks(graph: RuleGraph, lengths: tuple[int, ...]) -> list[Block]:
    """The parts of the work."""
    found = []
    for length in lengths:
        size = max(_BLOCK // graph.relations**length, 1)
        for begin in range(0, graph.relations, size):
            end = min(begin + size, graph.relations)
            found.append(Block(length=length, begin=begin, end=end))
    return found


def _block(graph: RuleGraph, by_relation: Index, mining: ExactMining, block: Block) -> Mined:
    begin, end = np.searchsorted(by_relation.keys, (block.begin, block.end))
    tallies = [
        _Tally(graph, block, groups)
        for groups in (constraints(block.length) if mining.repeated else constraints(0))
    ]
    groundings = 0
    for some in walks(graph, by_relation.order[begin:end], block.length, every=mining.repeated):
        groundings += len(some)
        for tally in tallies:
            tally.add(some)
    rules = RuleTable.joined(*(tally.rules() for tally in tallies))
    kept = rules.at_least(confidence=mining.confidence, body_support=mining.body_support)
    return Mined(rules=kept, walks=groundings)


class _Tally:
    """Counts the bodies of a block that hold one entity in each of some groups of positions."""

    def __init__(self, graph: RuleGraph, block: Block, groups: Groups) -> None:
        self._graph = graph
        self._block = block
        self._groups = groups
        rest = graph.relations ** (block.length - 1)
        self._first = block.begin * rest
        bodies = (block.end - block.begin) * rest
        self._bodies = Counts(bodies)
        self._followed = Counts(bodies * graph.relations)

    def add(self, some: Walks) -> None:
        """Count walks, and the heads that follow them."""
        graph, start, last, body = self._graph, some.entities[0], some.last, some.body
        if self._groups:
            kept = np.flatnonzero(held(self._groups, some.entities))
            if not len(kept):
                return
            start, last, body = start[kept], last[kept], body[kept]
        body = body - self._first
        self._bodies.add(body)
        begin, end = graph.heads_after(start, graph.facts.tail[last], graph.facts.time[last])
        walk, place = expand(begin, end)
        self._followed.add(body[walk] * graph.relations + graph.head_relation[place])

    def rules(self) -> RuleTable:
        """The rules that any body supports, by their bodies."""
        keys, followed = self._followed.items()
        body, head = np.divmod(keys, self._graph.relations)
        bodies, counts = self._bodies.items()
        return RuleTable(
            head=head,
            body=_unpacked(body + self._first, self._graph.relations, self._block.length),
            same=np.full(len(keys), code_of(self._groups), dtype=np.int64),
            rule_support=followed,
            body_support=counts[np.searchsorted(bodies, body)],
        )


def _unpacked(body: Ids, relations: int, length: int) -> Ids:
    columns = np.empty((len(body), length), dtype=np.int64)
    for place in range(length - 1, -1, -1):
        body, columns[:, place] = np.divmod(body, relations)
    return columns
