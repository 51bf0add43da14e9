"""Matches antecedents of all patterns at once by joins over sorted indexes.

Distinct placeholders are distinct entities (ALLDIFFERENT of Algorithm 6). A search starts at one
antecedent and extends the match forwards and then backwards in time, so that matches with a new
fact are found without enumerating the others (semi-naive evaluation).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generators.tkg.plan import STEPS, Guard, Plan, Space
from solver.graph.model import Ids, Index, Quadruples, expand, pack

_PIECE = 200_000
"""Maximum number of rows of a join in memory at once."""

_UNBOUND = -1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Matches:
    """Complete or partial matches of antecedents.

    Attributes:
        pattern: shape (n,).
        fact: shape (n, STEPS): row of the fact of each matched antecedent; undefined elsewhere.
        bound: shape (n, placeholders): entities, -1 if unbound.
    """

    pattern: Ids
    fact: Ids
    bound: Ids

    def __len__(self) -> int:
        return len(self.pattern)

    def take(self, chosen: Ids | NDArray[np.bool_] | slice) -> Matches:
        """Select rows."""
        return Matches(
            pattern=self.pattern[chosen], fact=self.fact[chosen], bound=self.bound[chosen]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _JoinStep:
    """The antecedent to match next, and the matched neighbour that bounds its time, if any."""

    step: int
    neighbour: int | None


class Search:
    """Searches matches over one state of a graph.

    Args:
        plan: the patterns.
        facts: facts of the graph.
        fresh: mask of the new facts; every match contains at least one.
        space: sizes of the graph.
        guard: limit on matches.
        injective: whether distinct placeholders are distinct entities, as in derivations. Planted
            instances need not be.
    """

    def __init__(
        self,
        plan: Plan,
        facts: Quadruples,
        fresh: NDArray[np.bool_],
        space: Space,
        guard: Guard,
        *,
        injective: bool = True,
    ) -> None:
        self._plan = plan
        self._facts = facts
        self._fresh = fresh
        self._space = space
        self._guard = guard
        self._injective = injective
        self._new = np.flatnonzero(fresh)
        self._indexes: dict[int, Index] = {}
        # One segment per index, filled on first use, and one for the new facts by relation.
        self._order = np.empty(4 * len(facts) + len(self._new), np.int64)
        self._begun = Index.of(facts.relation[self._new])
        self._order[4 * len(facts) :] = self._new[self._begun.order]

    def matches(self) -> Iterator[Matches]:
        """Yield all matches of closed patterns with a new fact, each once, in batches."""
        plan = self._plan
        for hops in sorted(set(plan.hops[plan.closed].tolist())):
            pattern = np.flatnonzero(plan.closed & (plan.hops == hops))
            for begin in range(1 if self._fresh.all() else hops):
                later = [_JoinStep(step=n, neighbour=n - 1) for n in range(begin + 1, hops)]
                earlier = [_JoinStep(step=n, neighbour=n + 1) for n in range(begin - 1, -1, -1)]
                empty = Matches(
                    pattern=pattern,
                    fact=np.zeros((len(pattern), STEPS), np.int64),
                    bound=np.full((len(pattern), plan.placeholders), _UNBOUND, np.int64),
                )
                first = _JoinStep(step=begin, neighbour=None)
                yield from self._grown(empty, [first, *later, *earlier], begin)

    def _grown(self, rows: Matches, moves: Sequence[_JoinStep], begin: int) -> Iterator[Matches]:
        if not moves:
            yield rows
            return
        move, rest = moves[0], moves[1:]
        begins, ends = self._candidates(rows, move)
        counts = np.maximum(ends - begins, 0)
        self._guard.count_matches(rows.pattern, counts)
        for piece in _pieces(counts):
            joined = self._joined(rows.take(piece), begins[piece], ends[piece], move.step)
            # The search starts at the first step that is a new fact, so each match occurs once.
            if move.step < begin:
                joined = joined.take(~self._fresh[joined.fact[:, move.step]])
            if len(joined):
                yield from self._grown(joined, rest, begin)

    def _candidates(self, rows: Matches, move: _JoinStep) -> tuple[Ids, Ids]:
        """Ranges in ``_order`` of the candidate facts for the next antecedent of each row."""
        relation = self._plan.relation[rows.pattern, move.step]
        if move.neighbour is None:
            begins, ends = self._begun.ranges(relation)
            return begins + 4 * len(self._facts), ends + 4 * len(self._facts)
        first, last = self._window(rows, move.step, move.neighbour)
        head = _taken(rows.bound, self._plan.head[rows.pattern, move.step])
        tail = _taken(rows.bound, self._plan.tail[rows.pattern, move.step])
        kind = (head != _UNBOUND) * 2 + (tail != _UNBOUND)
        begins, ends = np.zeros(len(rows), np.int64), np.zeros(len(rows), np.int64)
        for code in range(4):
            asked = np.flatnonzero(kind == code)
            if not len(asked):
                continue
            known = [relation[asked], *(one[asked] for one in _chosen(code, head, tail))]
            index, offset = self._index(code), code * len(self._facts)
            low, high = (_keys([*known, time[asked]], self._space) for time in (first, last))
            begins[asked] = np.searchsorted(index.keys, low, side="left") + offset
            ends[asked] = np.searchsorted(index.keys, high, side="right") + offset
        return begins, np.where(first <= last, ends, begins)

    def _window(self, rows: Matches, step: int, neighbour: int) -> tuple[Ids, Ids]:
        """First and last possible time of an antecedent, given its matched neighbour."""
        time = self._facts.time[rows.fact[:, neighbour]]
        lag = min(step, neighbour)
        low, high = self._plan.low[rows.pattern, lag], self._plan.high[rows.pattern, lag]
        if step < neighbour:
            low, high = -high, -low
        return np.maximum(time + low, 0), np.minimum(time + high, self._space.steps - 1)

    def _index(self, code: int) -> Index:
        """Index of facts by relation, bound entities and time."""
        if code not in self._indexes:
            facts = self._facts
            columns = [facts.relation, *_chosen(code, facts.head, facts.tail), facts.time]
            index = self._indexes[code] = Index.of(_keys(columns, self._space))
            self._order[code * len(facts) : (code + 1) * len(facts)] = index.order
        return self._indexes[code]

    def _joined(self, rows: Matches, begins: Ids, ends: Ids, step: int) -> Matches:
        """Join each row with its candidates that keep placeholders distinct."""
        row, place = expand(begins, ends)
        fact = self._order[place]
        pattern = rows.pattern[row]
        bound = rows.bound[row]
        kept = np.ones(len(row), dtype=np.bool_)
        for placeholders, column in (
            (self._plan.head[pattern, step], self._facts.head[fact]),
            (self._plan.tail[pattern, step], self._facts.tail[fact]),
        ):
            known = _taken(bound, placeholders)
            elsewhere = self._injective & (bound == column[:, None]).any(axis=1)
            kept &= (known == column) | ((known == _UNBOUND) & ~elsewhere)
            bound[np.arange(len(row)), placeholders] = column
        facts = rows.fact[row]
        facts[:, step] = fact
        return Matches(pattern=pattern, fact=facts, bound=bound).take(kept)


def _chosen(code: int, head: Ids, tail: Ids) -> tuple[Ids, ...]:
    """None, the tail, the head or both: 0 to 3."""
    return (*((head,) if code & 2 else ()), *((tail,) if code & 1 else ()))


def _keys(columns: Sequence[Ids], space: Space) -> Ids:
    """Keys of a relation, up to two entities, and a time."""
    sizes = (space.relations, *[space.entities] * (len(columns) - 2), space.steps)
    return pack(columns, sizes)


def _taken(bound: Ids, placeholders: Ids) -> Ids:
    found: Ids = bound[np.arange(len(bound)), placeholders]
    return found


def _pieces(counts: Ids) -> Iterator[slice]:
    """Divide the rows into slices of at most ``_PIECE`` joined rows, or single rows."""
    summed = np.cumsum(counts)
    begin = 0
    while begin < len(counts):
        before = summed[begin - 1] if begin else 0
        end = max(int(np.searchsorted(summed, before + _PIECE, side="right")), begin + 1)
        if summed[end - 1] > before:
            yield slice(begin, end)
        begin = end
