"""Frequency and recency baselines."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.questions.asked import TwoHops
from benchmarks.questions.past import PastFacts, grouped
from solver.rules.queries import Queries
from solver.rules.scores import Scores
from solver.tkg.quadruples import Ids, Quadruples

NEVER = -1.0
"""Time of an event that never happened."""


class HistoryBaseline:
    """Ranks answers by frequency or recency before the query time.

    Earlier answers come first; the ranking is filled up with the most frequent ends of the queried
    relation.

    Args:
        past: facts available to questions.
        most: answers per question.
        recent: rank by latest time instead of frequency.
    """

    def __init__(self, past: PastFacts, *, most: int, recent: bool) -> None:
        self._past = past
        self._most = most
        self._recent = recent

    def one_hop(self, asked: Queries) -> Sequence[Ids]:
        """Ends of earlier facts with the query's entity and relation."""
        number, row = self._past.before(asked)
        return self._ranked(number, row, asked.relation, asked.time)

    def two_hop(self, asked: TwoHops) -> Sequence[Ids]:
        """Ends of earlier instances of the path: pairs of facts of one day."""
        number, _, row = self._past.joins(asked)
        return self._ranked(number, row, asked.asked, asked.time, asked.head)

    def _ranked(
        self, number: Ids, row: Ids, relation: Ids, time: Ids, named: Ids | None = None
    ) -> Sequence[Ids]:
        facts = self._past.facts
        size = self._past.vocabulary.entities
        group, entity, place = grouped(number, size, facts.tail[row])
        scores = self._scores(place, facts.time[row], len(group))
        lists = best(len(relation), group, entity, scores)
        return self._past.completed(lists, relation, time, self._most, named)

    def fact_confidence(self, facts: Quadruples) -> Scores:
        """Frequency of each fact's triple, or ``1 / lag`` of its latest time; 0 if never."""
        number, row = self._past.again(facts)
        times = self._past.facts.time[row]
        if not self._recent:
            return self._scores(number, times, len(facts))
        sure = np.zeros(len(facts))
        np.maximum.at(sure, number, 1 / (facts.time[number] - times))
        return sure

    def support(self, facts: Quadruples, choices: Quadruples) -> Scores:
        """Frequency of each choice's triple before the query time, or its own time."""
        if self._recent:
            return choices.time.astype(np.float64).reshape(-1, 4)
        asked = Quadruples(
            head=choices.head,
            relation=choices.relation,
            tail=choices.tail,
            time=np.repeat(facts.time, 4),
        )
        number, row = self._past.again(asked)
        return self._scores(number, self._past.facts.time[row], len(asked)).reshape(-1, 4)

    def _scores(self, numbers: Ids, times: Ids, size: int) -> Scores:
        if not self._recent:
            return np.bincount(numbers, minlength=size).astype(np.float64)
        latest = np.full(size, NEVER)
        np.maximum.at(latest, numbers, times.astype(np.float64))
        return latest


def best(size: int, group: Ids, entity: Ids, scores: Scores) -> list[Ids]:
    """The entities of each group by descending score, ties by id."""
    order = np.lexsort((entity, -scores, group))
    bounds = np.searchsorted(group[order], np.arange(1, size))
    return np.split(entity[order], bounds) if size else []
