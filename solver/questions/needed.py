"""Relevance filter: the facts of a graph on which a batch of questions can depend."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from grammar.question import QuestionKind
from solver.questions.contributions import HORIZON
from solver.questions.linking import LinkedFact, LinkedQuestion
from solver.tkg.index import Index, expand, pack
from solver.tkg.quadruples import Ids, Quadruples

_WHO = (QuestionKind.ONE_HOP, QuestionKind.TWO_HOP)


class RelevantFacts:
    """Indexes of a graph for the three kinds of lookup that questions need.

    Args:
        facts: facts without duplicates.
        sizes: numbers of entities, relations and times.
    """

    def __init__(self, facts: Quadruples, sizes: tuple[int, int, int]) -> None:
        self._facts = facts
        self._entities, self._relations, self._times = sizes
        self._by_day = Index.of(facts.time)
        self._by_triple = Index.of(self._triples(facts.head, facts.relation, facts.tail))
        self._by_pair = Index.of(self._pairs(facts.head, facts.tail, facts.time))

    def facts(self, questions: Sequence[LinkedQuestion]) -> Quadruples:
        """Facts on which the answers and choices of some questions depend, sorted, each once.

        Entity questions: facts of their relations at the query time. Yes-unknown: facts of the
        triple at any time. Fact reasoning: the choices, and facts between the two entities within
        the decay horizon.
        """
        rows = [*self._of_days(questions), *self._of_triples(questions), *self._between(questions)]
        found = np.unique(np.concatenate([np.empty(0, np.int64), *rows]))
        return self._facts.take(found)

    def _of_days(self, questions: Sequence[LinkedQuestion]) -> Iterable[Ids]:
        who = [one.query for one in questions if one.query.kind in _WHO]
        relations = np.unique([triple[1] for query in who for triple in query.triples])
        for day in sorted({query.time for query in who}):
            rows = self._by_day.rows(day)
            yield rows[np.isin(self._facts.relation[rows], relations)]

    def _of_triples(self, questions: Sequence[LinkedQuestion]) -> Iterable[Ids]:
        asked = [
            one.query.triples[0] for one in questions if one.query.kind is QuestionKind.YES_UNKNOWN
        ]
        asked += [choice[:3] for one in questions for choice in one.choices]
        if asked:
            columns = np.array(asked, dtype=np.int64).T
            _, places = expand(*self._by_triple.ranges(self._triples(*columns)))
            rows = self._by_triple.order[places]
            yield rows

    def _between(self, questions: Sequence[LinkedQuestion]) -> Iterable[Ids]:
        asked: list[LinkedFact] = [
            (*one.query.triples[0], one.query.time)
            for one in questions
            if one.query.kind is QuestionKind.FACT_REASONING
        ]
        if not asked:
            return
        head, _, tail, time = np.array(asked, dtype=np.int64).T
        early = np.maximum(time - HORIZON, 0)
        for one, other in ((head, tail), (tail, head)):
            begins = np.searchsorted(self._by_pair.keys, self._pairs(one, other, early))
            ends = np.searchsorted(self._by_pair.keys, self._pairs(one, other, time))
            _, places = expand(begins, ends)
            yield self._by_pair.order[places]

    def _triples(self, heads: Ids, relations: Ids, tails: Ids) -> Ids:
        return pack((heads, relations, tails), (self._entities, self._relations, self._entities))

    def _pairs(self, heads: Ids, tails: Ids, times: Ids) -> Ids:
        return pack((heads, tails, times), (self._entities, self._entities, self._times + 1))
