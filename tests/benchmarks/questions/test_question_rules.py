"""What rules answer, against one query at a time and sums by hand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from math import exp, prod
from typing import Any

import numpy as np
import pytest

from benchmarks.questions.answerers import ENDS, PARTIES, RATE, RuleForecaster
from benchmarks.questions.inputs import Batch, batches
from benchmarks.questions.past import ContributionScorer, PastFacts
from benchmarks.questions.run import Basis
from solver.graph.model import Quadruples, Split, Vocabulary
from solver.graph.queries import Queries
from solver.rules.application import Application, Settings
from solver.rules.model import Rule, RuleTable

MakeWorld = Callable[[int], Any]


class Slow:
    """Asks one query after the other."""

    def __init__(self, world: Any, top_k: int = 20) -> None:
        self.facts = {tuple(row) for row in world.dataset.facts().rows().tolist()}
        self.relations = world.dataset.vocabulary.relations
        self.facts |= {(o, r + self.relations, s, t) for s, r, o, t in self.facts}
        settings = Settings(top_k=top_k)
        words = world.dataset.vocabulary
        self.rules = Application(world.rules, world.dataset.facts(), words, settings=settings)

    def candidates(self, head: int, relation: int, time: int) -> list[tuple[int, float]]:
        found = self.rules.candidates(Queries.single(head, relation, time))
        if not found.ruled[0]:
            return []
        return list(zip(found.entity.tolist(), found.score.tolist(), strict=True))

    def inverse(self, relation: int) -> int:
        return relation + self.relations if relation < self.relations else relation - self.relations


@pytest.fixture(scope="module", params=range(2))
def asked(
    request: pytest.FixtureRequest, world: MakeWorld
) -> tuple[Any, RuleForecaster, list[Batch]]:
    made = world(request.param)
    answerer = made.means(Basis.RULES).answerer()
    return made, answerer, list(batches(made.asked(), made.dataset.vocabulary.relations))


ParsedQuestion = tuple[Any, RuleForecaster, list[Batch]]


def test_1_hop_answers_are_the_candidates_and_then_the_frequent(asked: ParsedQuestion) -> None:
    made, answerer, parts = asked
    slow = Slow(made)
    past = PastFacts(made.dataset.facts(), made.dataset.vocabulary)
    for one_hop in (part.one_hop for part in parts):
        rows = zip(
            one_hop.head.tolist(), one_hop.relation.tolist(), one_hop.time.tolist(), strict=True
        )
        for (head, relation, time), found in zip(rows, answerer.one_hop(one_hop), strict=True):
            ruled = [entity for entity, _ in slow.candidates(head, relation, time)]
            often = [value for value in past.often(relation, time).tolist() if value not in ruled]
            assert found.tolist() == ruled + often


def two_hop(slow: Slow, head: int, given: int, asked: int, time: int) -> dict[int, float]:
    doubts: dict[int, list[float]] = defaultdict(list)
    for party, first in slow.candidates(head, given, time)[:PARTIES]:
        for end, second in slow.candidates(party, asked, time)[:ENDS]:
            if len({head, party, end}) == 3:
                doubts[end].append(1 - first * second)
    scores = {end: 1 - prod(factors) for end, factors in doubts.items()}
    before: dict[int, float] = defaultdict(float)
    for start, value, party, day in slow.facts:
        if (start, value) == (head, given) and day < time:
            for middle, two, end, other in slow.facts:
                if (middle, two, other) == (party, asked, day) and len({head, party, end}) == 3:
                    before[end] += exp(-RATE * (time - day))
    for end, faded in before.items():
        scores[end] = scores.get(end, 0.0) + faded / (1 + faded)
    return scores


def test_2_hop_answers_stand_by_forecasts_and_earlier_joins(asked: ParsedQuestion) -> None:
    made, answerer, parts = asked
    slow, compare = Slow(made), 0
    for two in (part.two_hop for part in parts):
        columns = (two.head, two.given, two.asked, two.time)
        rows = list(zip(*(column.tolist() for column in columns), strict=True))[:8]
        for row, found in zip(rows, answerer.two_hop(two), strict=False):
            scores = two_hop(slow, *row)
            given = [scores[entity] for entity in found.tolist()[: len(scores)]]
            assert given == pytest.approx(sorted(scores.values(), reverse=True), abs=1e-6)
            assert set(found.tolist()[: len(scores)]) == set(scores)
            compare += len(scores) > 1
    assert compare > 5


def test_a_fact_is_as_sure_as_both_its_ends_and_more_if_it_was_before(
    asked: ParsedQuestion,
) -> None:
    made, answerer, parts = asked
    slow, before = Slow(made, top_k=0), 0
    # Facts of the graph, as no triple of a question held before.
    for facts in (made.dataset.facts(Split.TEST), *(part.yes_unknown for part in parts)):
        for row, sure in zip(facts.rows().tolist(), answerer.fact_confidence(facts), strict=True):
            s, r, o, t = row
            ends = (
                dict(slow.candidates(s, r, t)).get(o, 0),
                dict(slow.candidates(o, slow.inverse(r), t)).get(s, 0),
            )
            again = any((s, r, o, day) in slow.facts for day in range(t))
            before += again
            assert sure == pytest.approx(sum(ends) / 2 + again, abs=1e-6)
    assert before


def ruled(rows: list[tuple[int, int, int, int]], rules: list[Rule]) -> RuleForecaster:
    words = Vocabulary(entities=40, relations=2, times=50)
    facts, table = Quadruples.of(np.array(rows)), RuleTable.of(rules)
    contributing = ContributionScorer(facts, table, words)
    return RuleForecaster(PastFacts(facts, words), table, contributing, most=10)


def test_where_no_rule_applies_what_is_later_is_no_answer() -> None:
    answerer = ruled([(0, 0, 1, 5), (0, 0, 2, 9)], [])
    assert [array.tolist() for array in answerer.one_hop(Queries.single(0, 0, 3))] == [[]]
    assert [array.tolist() for array in answerer.one_hop(Queries.single(0, 0, 7))] == [[1]]


def test_who_comes_after_many_candidates_is_as_sure_as_rules_say() -> None:
    rules = [
        Rule(head=0, body=(1,), rule_support=9, body_support=10),
        Rule(head=0, body=(0,), rule_support=1, body_support=10),
    ]
    rows = [(0, 1, entity, entity) for entity in range(1, 31)]
    answerer = ruled([*rows, (0, 0, 35, 1)], rules)
    other = ruled([(0, 0, 35, 1)], rules)
    asked = Quadruples.of(np.array([(0, 0, 35, 40)]))
    assert answerer.fact_confidence(asked).tolist() == pytest.approx(
        other.fact_confidence(asked).tolist()
    )
    assert answerer.fact_confidence(asked)[0] > 1
