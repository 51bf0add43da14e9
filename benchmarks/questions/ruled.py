"""The rule baseline: applies temporal rules to earlier facts, as TLogic does."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.questions.asked import TwoHops
from benchmarks.questions.contributing import ContributionScorer
from benchmarks.questions.counted import best
from benchmarks.questions.past import PastFacts, grouped
from solver.rules.application import Application, Settings
from solver.rules.queries import Queries
from solver.rules.scores import Scores, noisy_or
from solver.rules.table import RuleTable
from solver.tkg.index import expand
from solver.tkg.quadruples import Ids, Quadruples

PARTIES = 10
"""Beam width: candidates for the party of a 2-hop question."""

ENDS = 50
"""Candidates for the answer per candidate for the party."""

RATE = 0.1
"""Decay rate of earlier paths per unit of time, the same as for rules."""

_SUREST = 1 - 1e-9


class RuleForecaster:
    """Forecasts by rules over the facts before the query time.

    Its constants were tuned on the validation split of ICEWS14.

    Args:
        past: facts available to questions.
        rules: rules to forecast with.
        contributing: scorer of choices.
        most: answers per question.
    """

    def __init__(
        self, past: PastFacts, rules: RuleTable, contributing: ContributionScorer, *, most: int
    ) -> None:
        self._past = past
        self._most = most
        self._contributing = contributing
        known = past.facts.take(past.facts.relation < past.vocabulary.relations)
        self._ranking = Application(rules, known, past.vocabulary)
        # No early stopping: the queried fact may rank low among the candidates.
        settings = Settings(top_k=0)
        self._weighing = Application(rules, known, past.vocabulary, settings=settings)

    def one_hop(self, asked: Queries) -> Sequence[Ids]:
        """Candidates derived by rules, then frequent ends of the relation."""
        number, entity, score = self._candidates(asked.head, asked.relation, asked.time)
        lists = best(len(asked), number, entity, score)
        return self._past.completed(lists, asked.relation, asked.time, self._most)

    def two_hop(self, asked: TwoHops) -> Sequence[Ids]:
        """Forecast both facts, the second one from the best candidates for the party.

        An answer scores ``1 - prod (1 - p q)`` over the parties that lead to it, with p and q the
        scores of both forecasts, plus ``d / (1 + d)``, with d the sum of ``exp(-RATE * lag)`` over
        earlier paths to it.
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

    def fact_confidence(self, facts: Quadruples) -> Scores:
        """Mean rule score of object and subject, plus 1 if the triple held before; in [0, 2].

        A triple that held before ranks above every triple that never did.
        """
        backwards = facts.inverted(self._past.vocabulary.relations)
        number, _ = self._past.again(facts)
        before = np.bincount(number, minlength=len(facts)) > 0
        return (self._given(facts) + self._given(backwards)) / 2 + before

    def support(self, facts: Quadruples, choices: Quadruples) -> Scores:
        """Contribution of each choice."""
        return self._contributing.support(facts, choices)

    def _candidates(
        self, heads: Ids, relations: Ids, times: Ids, most: int | None = None
    ) -> tuple[Ids, Ids, Scores]:
        """Query number, candidate and score of the best candidates; equal queries are shared."""
        rows = np.stack((times, heads, relations), axis=1)
        each, numbers = np.unique(rows, axis=0, return_inverse=True)
        if not len(each):
            return heads, heads, np.empty(0)
        asked = Queries(head=each[:, 1], relation=each[:, 2], time=each[:, 0])
        found = self._ranking.candidates(asked)
        begins, ends = found.offsets[:-1], found.offsets[1:]
        # Where no rule applies, candidates are the relation's objects at any time.
        ends = np.where(found.ruled, ends, begins)
        if most is not None:
            ends = np.minimum(ends, begins + most)
        numbers = numbers.reshape(-1)
        number, place = expand(begins[numbers], ends[numbers])
        return number, found.entity[place], found.score[place]

    def _joins(self, asked: TwoHops) -> tuple[Ids, Ids, Scores]:
        """Query number, end and decayed sum of earlier paths."""
        facts = self._past.facts
        number, _, row = self._past.joins(asked)
        group, entity, place = grouped(number, self._past.vocabulary.entities, facts.tail[row])
        faded = np.exp(-RATE * (asked.time[number] - facts.time[row]))
        return group, entity, summed(place, faded, len(group))

    def _given(self, facts: Quadruples) -> Scores:
        """Rule score of each fact's object, 0 if not derived."""
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
    """Sum of the values of each group."""
    return np.bincount(groups, weights=values, minlength=size).astype(np.float64)
