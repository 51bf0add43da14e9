"""Answers by temporal rules: what earlier facts lead to, as TLogic applies rules."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.questions.asked import TwoHops
from benchmarks.questions.contributing import Contributing
from benchmarks.questions.counted import best
from benchmarks.questions.past import Past, grouped
from solver.rules.application import Application, Settings
from solver.rules.queries import Queries
from solver.rules.scores import Scores, noisy_or
from solver.rules.table import RuleTable
from solver.tkg.index import expand
from solver.tkg.quadruples import Ids, Quadruples

PARTIES = 10
"""How many candidates for the party of a 2-hop question are followed further."""

ENDS = 50
"""How many candidates for its answer are taken from each of them."""

RATE = 0.1
"""How fast an earlier join fades, a unit of time: that of the rules."""

_SUREST = 1 - 1e-9


class Ruled:
    """Forecasts facts by rules over those before a question's time.

    What is chosen here was chosen by the validation split of ICEWS14.

    Args:
        past: what questions may look back on.
        rules: to forecast by.
        contributing: what choices contribute.
        most: answers to give to a question.
    """

    def __init__(
        self, past: Past, rules: RuleTable, contributing: Contributing, *, most: int
    ) -> None:
        self._past = past
        self._most = most
        self._contributing = contributing
        known = past.facts.take(past.facts.relation < past.vocabulary.relations)
        self._ranking = Application(rules, known, past.vocabulary)
        # Rules are not stopped early here: the fact asked about may come late among candidates.
        settings = Settings(top_k=0)
        self._weighing = Application(rules, known, past.vocabulary, settings=settings)

    def reached(self, asked: Queries) -> Sequence[Ids]:
        """The candidates that rules give, then frequent ends of the relation."""
        number, entity, score = self._candidates(asked.head, asked.relation, asked.time)
        lists = best(len(asked), number, entity, score)
        return self._past.completed(lists, asked.relation, asked.time, self._most)

    def joined(self, asked: TwoHops) -> Sequence[Ids]:
        """Both facts are forecast, the second one from the best candidates for the party.

        An answer scores ``1 - prod (1 - p q)`` over the parties that lead to it, p and q the scores
        of both forecasts; and with earlier joins to it ``d / (1 + d)`` more, d the sum of
        ``exp(-RATE * lag)`` over them.
        """
        size = self._past.vocabulary.entities
        over, party, first = self._candidates(asked.head, asked.given, asked.time, PARTIES)
        step, end, second = self._candidates(party, asked.asked[over], asked.time[over], ENDS)
        number, party, both = over[step], party[step], first[step] * second
        head = asked.head[number]
        apart = (head != party) & (head != end) & (party != end)
        group, entity, place = grouped(number[apart], size, end[apart])
        doubts = np.log1p(-np.minimum(both[apart], _SUREST))
        score = 1 - np.exp(summed(place, doubts, len(group)))
        before, was, faded = self._joins(asked)
        group, entity, place = grouped(
            np.concatenate([group, before]), size, np.concatenate([entity, was])
        )
        parts = np.concatenate([score, faded / (1 + faded)])
        lists = best(len(asked), group, entity, summed(place, parts, len(group)))
        return self._past.completed(lists, asked.asked, asked.time, self._most, asked.head)

    def surely(self, facts: Quadruples) -> Scores:
        """The mean of what rules give to the object and to the subject; 1 more if it was before.

        A triple that held before is surer than any that never did: nobody has to forecast that it
        can hold at all. In [0, 2].
        """
        backwards = facts.inverted(self._past.vocabulary.relations)
        number, _ = self._past.again(facts)
        before = np.bincount(number, minlength=len(facts)) > 0
        return (self._given(facts) + self._given(backwards)) / 2 + before

    def support(self, facts: Quadruples, choices: Quadruples) -> Scores:
        """What each choice contributes."""
        return self._contributing.support(facts, choices)

    def _candidates(
        self, heads: Ids, relations: Ids, times: Ids, most: int | None = None
    ) -> tuple[Ids, Ids, Scores]:
        """Number, candidate and score of the best that rules give; each query is asked once."""
        rows = np.stack((times, heads, relations), axis=1)
        each, numbers = np.unique(rows, axis=0, return_inverse=True)
        if not len(each):
            return heads, heads, np.empty(0)
        asked = Queries(head=each[:, 1], relation=each[:, 2], time=each[:, 0])
        found = self._ranking.candidates(asked)
        begins, ends = found.offsets[:-1], found.offsets[1:]
        # Where no rule speaks, candidates are the relation's objects at whatever time.
        ends = np.where(found.ruled, ends, begins)
        if most is not None:
            ends = np.minimum(ends, begins + most)
        numbers = numbers.reshape(-1)
        number, place = expand(begins[numbers], ends[numbers])
        return number, found.entity[place], found.score[place]

    def _joins(self, asked: TwoHops) -> tuple[Ids, Ids, Scores]:
        """Number, end and faded sum of earlier joins."""
        facts = self._past.facts
        number, _, row = self._past.joins(asked)
        group, entity, place = grouped(number, self._past.vocabulary.entities, facts.tail[row])
        faded = np.exp(-RATE * (asked.time[number] - facts.time[row]))
        return group, entity, summed(place, faded, len(group))

    def _given(self, facts: Quadruples) -> Scores:
        """What rules give to each fact's object, 0 if they do not lead to it."""
        given = np.zeros(len(facts))
        queries, numbers = Queries.of(facts)
        size = self._past.vocabulary.entities
        for _, asked in queries.by_time():
            events = self._weighing.events(queries.take(asked))
            keys, scores = noisy_or(events.query * size + events.entity, events.score)
            if not len(keys):
                continue
            rows = np.flatnonzero(np.isin(numbers, asked))
            wanted = np.searchsorted(asked, numbers[rows]) * size + facts.tail[rows]
            places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
            given[rows] = np.where(keys[places] == wanted, scores[places], 0)
        return given


def summed(groups: Ids, values: Scores, size: int) -> Scores:
    """The sum of the values of each group."""
    return np.bincount(groups, weights=values, minlength=size).astype(np.float64)
