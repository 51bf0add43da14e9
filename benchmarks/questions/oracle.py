"""Answers by looking at the day that is asked about: right by what the graph holds then."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from benchmarks.questions.asked import TwoHops
from benchmarks.questions.contributing import Contributing
from solver.rules.queries import Queries
from solver.rules.scores import Scores
from solver.tkg.dataset import Vocabulary
from solver.tkg.index import Index, expand, pack
from solver.tkg.quadruples import Ids, Quadruples


class Oracle:
    """Looks up the facts of the question's own time, and joins them.

    Args:
        facts: of the whole graph.
        vocabulary: of it.
        contributing: what choices contribute.
        most: answers to give to a question.
    """

    def __init__(
        self, facts: Quadruples, vocabulary: Vocabulary, contributing: Contributing, *, most: int
    ) -> None:
        self._size = vocabulary
        self._most = most
        self._facts = facts.distinct().both_ways(vocabulary.relations)
        self._index = Index.of(self._key(self._facts.head, self._facts.relation, self._facts.time))
        self._contributing = contributing

    def reached(self, asked: Queries) -> Sequence[Ids]:
        """Every end of a fact of that day, in the order of ids."""
        number, row = self._rows(asked.head, asked.relation, asked.time)
        return self._listed(len(asked), number, self._facts.tail[row])

    def joined(self, asked: TwoHops) -> Sequence[Ids]:
        """Every end of a join of two facts of that day; party, answer and entity differ."""
        number, row = self._rows(asked.head, asked.given, asked.time)
        party = self._facts.tail[row]
        step, row = self._rows(party, asked.asked[number], asked.time[number])
        number, party, end = number[step], party[step], self._facts.tail[row]
        head = asked.head[number]
        apart = (head != party) & (head != end) & (party != end)
        return self._listed(len(asked), number[apart], end[apart])

    def surely(self, facts: Quadruples) -> Scores:
        """1 for a fact of the graph, else 0."""
        number, row = self._rows(facts.head, facts.relation, facts.time)
        held = np.zeros(len(facts))
        held[number[self._facts.tail[row] == facts.tail[number]]] = 1
        return held

    def support(self, facts: Quadruples, choices: Quadruples) -> Scores:
        """What each choice contributes."""
        return self._contributing.support(facts, choices)

    def _rows(self, heads: Ids, relations: Ids, times: Ids) -> tuple[Ids, Ids]:
        number, place = expand(*self._index.ranges(self._key(heads, relations, times)))
        return number, self._index.order[place]

    def _key(self, heads: Ids, relations: Ids, times: Ids) -> Ids:
        size = self._size
        return pack((heads, relations, times), (size.entities, 2 * size.relations, size.times))

    def _listed(self, size: int, number: Ids, entity: Ids) -> list[Ids]:
        rows = np.unique(np.stack((number, entity), axis=1), axis=0)
        ends = np.searchsorted(rows[:, 0], np.arange(size + 1))
        return [rows[begin:end, 1][: self._most] for begin, end in pairwise(ends.tolist())]
