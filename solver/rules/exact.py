"""Exact rule mining: counts all body groundings of a length in the whole graph.

Source: TLogic, with all groundings in place of samples. A body grounding is a walk through the
graph whose times do not decrease; rule support counts the groundings followed by a head fact that
is strictly later and between the same ends, once per relation of such facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from solver.graph.model import Ids, Index, expand
from solver.processes import parallel_map
from solver.rules.graph import RuleGraph
from solver.rules.model import MiningResult, MiningSettings, RuleTable, code_of

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
    for piece in _pieces(begin, end):
        longer = _step(graph, _some(walks, piece), begin[piece], end[piece])
        yield from _longer(graph, longer, steps - 1)


def _pieces(begin: Ids, end: Ids) -> Iterator[slice]:
    """Consecutive ranges with so many places together, or of one range with more."""
    ways = np.concatenate([[0], np.cumsum(end - begin)])
    place = 0
    while place < len(begin):
        enough = int(np.searchsorted(ways, ways[place] + AT_ONCE, side="right")) - 1
        piece = slice(place, max(enough, place + 1))
        yield piece
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


DENSE = 1 << 20
"""Largest key range that is counted in an array, which then stays in the cache."""

MOST_PENDING = 1 << 22
"""Number of buffered keys at which they are sorted and merged."""


class Counts:
    """A growing multiset of keys in [0, size)."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._dense = np.zeros(size if size <= DENSE else 0, dtype=np.int64)
        self._buffer: list[Ids] = []
        self._buffered = 0
        self._keys = np.empty(0, dtype=np.int64)
        self._counts = np.empty(0, dtype=np.int64)

    def add(self, keys: Ids) -> None:
        """Count keys."""
        if self._size <= DENSE:
            self._dense += np.bincount(keys, minlength=self._size)
            return
        self._buffer.append(keys)
        self._buffered += len(keys)
        if self._buffered >= MOST_PENDING:
            self._merge()

    def items(self) -> tuple[Ids, Ids]:
        """The distinct keys in ascending order, and their counts."""
        if self._size <= DENSE:
            keys = np.flatnonzero(self._dense)
            return keys, self._dense[keys]
        self._merge()
        return self._keys, self._counts

    def _merge(self) -> None:
        """Sort the buffered keys and add their counts."""
        if not self._buffer:
            return
        new, counts = np.unique(np.concatenate(self._buffer), return_counts=True)
        self._buffer, self._buffered = [], 0
        keys, places = np.unique(np.concatenate([self._keys, new]), return_inverse=True)
        every = np.zeros(len(keys), dtype=np.int64)
        every[places[: len(self._keys)]] = self._counts
        every[places[len(self._keys) :]] += counts
        self._keys, self._counts = keys, every


Groups = tuple[tuple[int, ...], ...]


@cache
def constraints(length: int) -> tuple[Groups, ...]:
    """All sets of equality constraints on a body of this length; the empty one first."""
    return tuple(sorted(_partitions(length + 1), key=code_of))


def satisfies(groups: Groups, entities: tuple[Ids, ...]) -> NDArray[np.bool_]:
    """Mask of the walks whose entities are equal within each group.

    Args:
        groups: groups of positions.
        entities: shape (positions, walks).
    """
    kept = np.ones(len(entities[0]), dtype=np.bool_)
    for group in groups:
        for position in group[1:]:
            kept &= entities[group[0]] == entities[position]
    return kept


def codes(entities: tuple[Ids, ...]) -> Ids:
    """The code of all repeated entities of each walk; see ``solver.rules.model.code_of``."""
    code = np.zeros(len(entities[0]), dtype=np.int64)
    for position in range(1, len(entities)):
        open_ = np.ones(len(code), dtype=np.bool_)
        for first in range(position):
            again = open_ & (entities[first] == entities[position])
            code[again] += code_of(((first, position),))
            open_ &= ~again
    return code


def _partitions(positions: int) -> Iterator[Groups]:
    """All ways to group positions; only groups of two or more are listed."""

    def placed(position: int, groups: list[list[int]]) -> Iterator[Groups]:
        if position == positions:
            yield tuple(tuple(group) for group in groups if len(group) > 1)
            return
        for group in groups:
            group.append(position)
            yield from placed(position + 1, groups)
            group.pop()
        yield from placed(position + 1, [*groups, [position]])

    yield from placed(0, [])


_BLOCK = 1 << 18
"""Maximum number of keys of a block of first relations."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Rules of one length whose bodies begin, or whose heads are, relations of a range.

    The range is from ``begin`` to ``end``, exclusive.
    """

    length: int
    begin: int
    end: int


def mine_exact(
    graph: RuleGraph,
    mining: MiningSettings,
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
    counted = partial(_block, graph, Index.of(graph.facts.relation), mining)
    return mined_blocks(counted, blocks(graph, mining.lengths), mining.lengths, jobs, progress)


def mined_blocks(
    mine: Callable[[Block], MiningResult],
    work: Sequence[Block],
    lengths: Sequence[int],
    jobs: int,
    progress: Callable[[int], object] | None,
) -> tuple[MiningResult, ...]:
    """Mine the rules of blocks; one result per length."""
    found: dict[int, list[MiningResult]] = {length: [] for length in lengths}
    for block, mined in zip(work, parallel_map(mine, work, jobs), strict=True):
        found[block.length].append(mined)
        if progress is not None:
            progress(1)
    return tuple(MiningResult.joined(found[length]) for length in lengths)


def blocks(graph: RuleGraph, lengths: tuple[int, ...]) -> list[Block]:
    """Divide the work into blocks."""
    found = []
    for length in lengths:
        size = max(_BLOCK // graph.relations**length, 1)
        for begin in range(0, graph.relations, size):
            end = min(begin + size, graph.relations)
            found.append(Block(length=length, begin=begin, end=end))
    return found


def _block(
    graph: RuleGraph, by_relation: Index, mining: MiningSettings, block: Block
) -> MiningResult:
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
        for piece in _pieces(begin, end):
            walk, place = expand(begin[piece], end[piece])
            self._followed.add(body[piece][walk] * graph.relations + graph.head_relation[place])

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
