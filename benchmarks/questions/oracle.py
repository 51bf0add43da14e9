"""The oracle: answers from the facts of the query time itself."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from benchmarks.questions.asked import TwoHops
from benchmarks.questions.contributing import ContributionScorer
from solver.rules.queries import Queries
from solver.rules.scores import Scores
from solver.tkg.dataset import Vocabulary
from solver.tkg.index import Index, expand, pack
from solver.tkg.quadruples import Ids, Quadruples


class Oracle:
    """Looks up and joins the facts of the query time.

    Args:
        facts: facts of the whole graph.
        vocabulary: vocabulary of the graph.
        contributing: scorer of choices.
        most: answers per question.
    """

    def __init__(
        self,
        facts: Quadruples,
        vocabulary: Vocabulary,
        contributing: ContributionScorer,
        *,
        most: int,
    ) -> None:
        self._size = vocabulary
        self._most = most
        self._facts = facts.distinct().both_ways(vocabulary.relations)
        self._index = Index.of(self._key(self._facts.head, self._facts.relation, self._facts.time))
        self._contributing = contributing

    def one_hop(self, asked: Queries) -> Sequence[Ids]:
        """All ends of matching facts of that day, by id."""
        number, row = self._rows(asked.head, asked.relation, asked.time)
        return self._listed(len(asked), number, self._facts.tail[row])

    def two_hop(self, asked: TwoHops) -> Sequence[Ids]:
        """All ends of the path by facts of that day; party, answer and entity are distinct."""
        number, row = self._rows(asked.head, asked.given, asked.time)
        party = self._facts.tail[row]
        step, row = self._rows(party, asked.asked[number], asked.time[number])
        number, party, end = number[step], party[step], self._facts.tail[row]
        head = asked.head[number]
        apart = (head != party) & (head != end) & (party != end)
        return self._listed(len(asked), number[apart], end[apart])

    def fact_confidence(self, facts: Quadruples) -> Scores:
        """1 for a fact of the graph, else 0."""
        number, row = self._rows(facts.head, facts.relation, facts.time)
        present = np.zeros(len(facts))
        present[number[self._facts.tail[row] == facts.tail[number]]] = 1
        return present

    def support(self, facts: Quadruples, choices: Quadruples) -> Scores:
        """Contribution of each choice."""
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
