"""The random baseline."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from benchmarks.questions.inputs import TwoHops
from benchmarks.questions.past import ContributionScorer, PastFacts, grouped
from solver.graph.model import Ids, Index, Quadruples, Vocabulary, expand, pack
from solver.graph.queries import Queries
from solver.rules.application import Application, Settings
from solver.rules.model import RuleTable
from solver.rules.ranks import Scores, noisy_or
from solver.seeding import seed_of


class RandomBaseline:
    """Draws entities and choices uniformly, and answers unknown, the majority label.

    The draws for a question do not depend on the other questions.

    Args:
        entities: number of entities.
        most: answers per question.
        seed: random seed.
    """

    def __init__(self, entities: int, *, most: int, seed: int) -> None:
        self._entities = entities
        self._most = min(most, entities)
        self._seed = seed

    def one_hop(self, asked: Queries) -> Sequence[Ids]:
        """Random entities."""
        return self._drawn(np.stack((asked.head, asked.relation, asked.time), axis=1))

    def two_hop(self, asked: TwoHops) -> Sequence[Ids]:
        """Random entities, possibly including the named one."""
        return self._drawn(np.stack((asked.head, asked.given, asked.asked, asked.time), axis=1))

    def fact_confidence(self, facts: Quadruples) -> Scores:
        """0 for all facts."""
        return np.zeros(len(facts))

    def support(self, facts: Quadruples, choices: Quadruples) -> Scores:  # noqa: ARG002
        """Random numbers."""
        drawn = [self._source(row).random(4) for row in facts.rows().tolist()]
        return np.array(drawn).reshape(-1, 4)

    def _drawn(self, rows: Ids) -> list[Ids]:
        return [
            self._source(row).choice(self._entities, self._most, replace=False)
            for row in rows.tolist()
        ]

    def _source(self, row: list[int]) -> np.random.Generator:
        return np.random.Generator(
            np.random.PCG64(seed_of(self._seed, "questions", "chance", *row))
        )


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
