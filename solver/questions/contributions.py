"""How much each earlier fact speaks for a fact: a rule's confidence, times how recent it is.

All in whole numbers, so that logic and arithmetic agree to the last digit. Source: fact-reasoning
questions of ForecastTKGQuestions (Ding et al., ISWC 2023), section 3.2; there a trained model says
how much, here the rules of TLogic do; docs/verify-questions.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.rules.table import RuleTable
from solver.tkg.dataset import Vocabulary
from solver.tkg.index import expand, pack
from solver.tkg.quadruples import Ids, Quadruples

LEAST_CONFIDENCE = 100
"""Of a rule that counts, in ten-thousandths."""

LEAST_SUPPORT = 2
"""Groundings of the body of a rule that counts."""

CHOICES = 4

_RATE = 0.1
_CONFIDENT = 10_000
_RECENT = 100_000
_SCALE = 100
_ROWS = 1 << 21
"""Pairs of a question and an earlier fact that are held at a time."""

Mask: TypeAlias = NDArray[np.bool_]


def decay(lags: Ids) -> Ids:
    """How recent a fact is, in 1/100,000: ``exp(-0.1 lag)``, rounded down; 0 from some lag on."""
    recent: Ids = np.floor(_RECENT * np.exp(-_RATE * lags)).astype(np.int64)
    return recent


HORIZON = int(np.flatnonzero(decay(np.arange(200)) == 0)[0])
"""The shortest lag at which a fact says nothing any more."""


def confidence(rules: RuleTable) -> Ids:
    """The confidence of rules, in ten-thousandths, rounded down."""
    # As Python's integers: supports times ten thousand may not fit 63 bits.
    pairs = zip(rules.rule_support.tolist(), rules.body_support.tolist(), strict=True)
    parts = [_CONFIDENT * held // body if body else 0 for held, body in pairs]
    return np.array(parts, dtype=np.int64)


def places(number: int) -> tuple[int, int, int, int]:
    """Which of so many contributions, sorted, are chosen: most, second, median, least."""
    return 0, 1, number // 2, number - 1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Contributions:
    """The facts that speak for each of some facts, by how much: most first.

    Those that contribute the same are sorted by time, the latest first, then by the fact.

    Attributes:
        offsets: those for asked fact ``k`` are rows ``offsets[k]`` to ``offsets[k + 1]``.
        facts: as the graph holds them.
        weight: how much, from 1 to 9,048,300.
        rule: by which rule, as its row in the table.
    """

    offsets: Ids
    facts: Quadruples
    weight: Ids
    rule: Ids

    @property
    def counts(self) -> Ids:
        """How many facts speak for each."""
        return np.diff(self.offsets)

    def chosen(self) -> Ids:
        """The rows of the four choices of each asked fact, shape (n, 4); -1 for fewer than four."""
        first, counts = self.offsets[:-1], self.counts
        at = np.stack(
            [np.zeros_like(counts), np.ones_like(counts), counts // 2, counts - 1], axis=1
        )
        return np.where(counts[:, None] >= CHOICES, first[:, None] + at, -1)

    def tell_apart(self) -> Mask:
        """Whether an asked fact has four choices, each contributing less than the one before."""
        rows = self.chosen()
        if not len(self.weight):
            return np.zeros(len(rows), dtype=np.bool_)
        weights = self.weight[np.maximum(rows, 0)]
        apart: Mask = (rows[:, 0] >= 0) & (np.diff(weights, axis=1) < 0).all(axis=1)
        return apart


class Contributors:
    """The facts of a graph, and the rules by which they speak for later ones.

    Args:
        graph: all facts; each counts once.
        rules: in any order; those with a body of one fact count that are confident and supported
            enough. Of two that say the same the one that gives more counts, then the first.
        vocabulary: of both.

    Raises:
        OverflowError: the graph is too large for keys of 63 bits.
    """

    def __init__(self, graph: Quadruples, rules: RuleTable, vocabulary: Vocabulary) -> None:
        self._size = vocabulary
        facts = graph.distinct()
        facts = facts.take(facts.head != facts.tail)
        both = facts.both_ways(vocabulary.relations)
        keys = self._keys(both.head, both.tail, both.time)
        order = np.argsort(keys, kind="stable")
        self._both, self._times = both.take(order), keys[order]
        self._rows, self._confidence = _counting(rules, vocabulary)
        self._rule_keys = self._rule_key(rules.head[self._rows], rules.body[self._rows, 0])

    def _keys(self, heads: Ids, tails: Ids, times: Ids) -> Ids:
        size = self._size
        return pack((heads, tails, times), (size.entities, size.entities, size.times + 1))

    def _rule_key(self, heads: Ids, bodies: Ids) -> Ids:
        return heads * (2 * self._size.relations) + bodies

    def contributions(self, asked: Quadruples) -> Contributions:
        """What speaks for facts, which need not be in the graph, of what came before each.

        Args:
            asked: of relations that are no inverses; nothing speaks for ``(s, r, s, t)``.
        """
        early = np.maximum(asked.time - HORIZON + 1, 0)
        begins = np.searchsorted(self._times, self._keys(asked.head, asked.tail, early))
        ends = np.searchsorted(self._times, self._keys(asked.head, asked.tail, asked.time))
        ends = np.where(asked.head == asked.tail, begins, ends)
        sums = np.cumsum(ends - begins)
        parts: list[tuple[Ids, Ids, Ids, Ids]] = []
        first = 0
        while first < len(asked):
            done = int(sums[first - 1]) if first else 0
            last = max(int(np.searchsorted(sums, done + _ROWS, side="right")), first + 1)
            parts.append(self._speaking(asked, begins, ends, slice(first, last)))
            first = last
        nothing = (np.empty(0, np.int64),) * 4
        asker, fact, weight, rule = (
            np.concatenate(columns) for columns in zip(nothing, *parts, strict=True)
        )
        own = self._own(fact)
        order = np.lexsort((own.tail, own.relation, own.head, -own.time, -weight, asker))
        counts = np.bincount(asker, minlength=len(asked))
        return Contributions(
            offsets=np.append(0, np.cumsum(counts)).astype(np.int64),
            facts=own.take(order),
            weight=weight[order],
            rule=rule[order],
        )

    def _speaking(
        self, asked: Quadruples, begins: Ids, ends: Ids, some: slice
    ) -> tuple[Ids, Ids, Ids, Ids]:
        """Asker, row of the fact, weight and rule of what speaks for some of the asked facts."""
        asker, fact = expand(begins[some], ends[some])
        asker += some.start
        key = self._rule_key(asked.relation[asker], self._both.relation[fact])
        place = np.searchsorted(self._rule_keys, key)
        held = place < len(self._rule_keys)
        held[held] = self._rule_keys[place[held]] == key[held]
        asker, fact, place = asker[held], fact[held], place[held]
        recent = decay(asked.time[asker] - self._both.time[fact])
        weight = self._confidence[place] * recent // _SCALE
        some_of = weight > 0
        return asker[some_of], fact[some_of], weight[some_of], self._rows[place[some_of]]

    def _own(self, rows: Ids) -> Quadruples:
        """Facts in the direction in which the graph holds them."""
        both, relations = self._both.take(rows), self._size.relations
        turned = both.inverted(relations)
        back = both.relation >= relations
        return Quadruples(
            head=np.where(back, turned.head, both.head),
            relation=np.where(back, turned.relation, both.relation),
            tail=np.where(back, turned.tail, both.tail),
            time=both.time,
        )


def _counting(rules: RuleTable, vocabulary: Vocabulary) -> tuple[Ids, Ids]:
    """The rows of the rules that count, sorted by head and body, and their confidence."""
    parts = confidence(rules)
    good = (rules.length == 1) & (rules.same == 0) & (rules.head < vocabulary.relations)
    good &= (parts >= LEAST_CONFIDENCE) & (rules.body_support >= LEAST_SUPPORT)
    rows = np.flatnonzero(good)
    order = np.lexsort((rows, -parts[rows], rules.body[rows, 0], rules.head[rows]))
    rows = rows[order]
    keys = np.stack((rules.head[rows], rules.body[rows, 0]), axis=1)
    first = np.ones(len(rows), dtype=np.bool_)
    first[1:] = (keys[1:] != keys[:-1]).any(axis=1)
    return rows[first], parts[rows[first]]
