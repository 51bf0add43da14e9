"""Exact rule mining: counts all body groundings of a length in the whole graph.

Source: TLogic, with all groundings in place of samples. A body grounding is a walk through the
graph whose times do not decrease; rule support counts the groundings followed by a head fact that
is strictly later and between the same ends, once per relation of such facts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from solver.processes import parallel_map
from solver.rules.counts import Counts
from solver.rules.graph import RuleGraph
from solver.rules.mined import MiningResult
from solver.rules.repeated import Groups, constraints, satisfies
from solver.rules.table import RuleTable, code_of
from solver.rules.walks import Walks, walks
from solver.tkg.index import Index, expand
from solver.tkg.quadruples import Ids

_BLOCK = 1 << 18
"""Maximum number of keys of a block of first relations."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactMining:
    """Settings of exact mining.

    Attributes:
        lengths: body lengths.
        repeated: also mine rules with entity equality constraints; a grounding counts for each
            rule whose constraints it satisfies.
        confidence: minimum confidence.
        body_support: minimum body support; rule support is always positive.
    """

    lengths: tuple[int, ...] = (1, 2)
    repeated: bool = False
    confidence: float = 0.0
    body_support: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Bodies of one length with first relations from ``begin`` to ``end``, exclusive."""

    length: int
    begin: int
    end: int


def mine_exact(
    graph: RuleGraph,
    mining: ExactMining,
    *,
    jobs: int = 1,
    progress: Callable[[int], object] | None = None,
) -> tuple[MiningResult, ...]:
    """Mine rules, sorted as by ``RuleTable.sorted``.

    Args:
        graph: the graph.
        mining: the settings.
        jobs: number of worker processes.
        progress: called with 1 after each block; see ``blocks``.

    Returns:
        One result per length, in the order of ``mining.lengths``.
    """
    parts = blocks(graph, mining.lengths)
    found: dict[int, list[MiningResult]] = {length: [] for length in mining.lengths}
    counted = partial(_block, graph, Index.of(graph.facts.relation), mining)
    for part, mined in zip(parts, parallel_map(counted, parts, jobs), strict=True):
        found[part.length].append(mined)
        if progress is not None:
            progress(1)
    return tuple(MiningResult.joined(found[length]) for length in mining.lengths)


def blocks(graph: RuleGraph, lengths: tuple[int, ...]) -> list[Block]:
    """Divide the work into blocks."""
    found = []
    for length in lengths:
        size = max(_BLOCK // graph.relations**length, 1)
        for begin in range(0, graph.relations, size):
            end = min(begin + size, graph.relations)
            found.append(Block(length=length, begin=begin, end=end))
    return found


def _block(graph: RuleGraph, by_relation: Index, mining: ExactMining, block: Block) -> MiningResult:
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
    return MiningResult(rules=kept, walks=groundings)


class _Tally:
    """Counts the bodies of a block whose entities are equal within given groups of positions."""

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
        """Count walks and the heads that follow them."""
        graph, start, last, body = self._graph, some.entities[0], some.last, some.body
        if self._groups:
            kept = np.flatnonzero(satisfies(self._groups, some.entities))
            if not len(kept):
                return
            start, last, body = start[kept], last[kept], body[kept]
        body = body - self._first
        self._bodies.add(body)
        begin, end = graph.heads_after(start, graph.facts.tail[last], graph.facts.time[last])
        walk, place = expand(begin, end)
        self._followed.add(body[walk] * graph.relations + graph.head_relation[place])

    def rules(self) -> RuleTable:
        """The rules with positive support, sorted by body."""
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
