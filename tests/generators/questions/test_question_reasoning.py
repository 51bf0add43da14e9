"""Fact reasoning: contributions, ranks and choices, worked out fact by fact."""

from __future__ import annotations

import math

import numpy as np
import pytest

from generators.questions.reasoning import FEW, PREDICTABLE, fitted_rules, rules_of_one_fact
from grammar.questions.model import QuestionKind
from solver.graph.model import Quadruples, Split, Vocabulary
from solver.graph.queries import Queries
from solver.questions.contributions import between_two
from solver.questions.model import LETTERS, Fact
from solver.rules.application import Application, ranked_first
from solver.rules.model import Rule, RuleTable

from .conftest import RELATIONS, MakeWorld, World

KIND = QuestionKind.FACT_REASONING
DAY = "2030-01-"


def contributing(world: World, rules: RuleTable, asked: Fact) -> list[tuple[int, int, Fact]]:
    """Value, rule and fact of all contributions to a fact, greatest first."""
    subject, relation, target, time = asked
    bodies = {
        rule.body[0]: (10_000 * rule.rule_support // rule.body_support, row)
        for row, rule in enumerate(rules)
        if rule.head == RELATIONS.index(relation)
        and rule.confidence >= 0.01
        and rule.body_support >= 2
    }
    found = []
    for fact in world.facts:
        lag = int(time.removeprefix(DAY)) - int(fact[3].removeprefix(DAY))
        ways = {(subject, target): 0, (target, subject): len(RELATIONS)}
        way = ways.get((fact[0], fact[2]))
        if lag <= 0 or way is None or subject == target:
            continue
        confidence, row = bodies.get(RELATIONS.index(fact[1]) + way, (0, -1))
        value = confidence * math.floor(100_000 * math.exp(-0.1 * lag)) // 100
        if value:
            found.append((value, row, fact))
    return sorted(found, key=lambda found_row: -found_row[0])


def first_alone(world: World, rules: RuleTable, asked: Fact) -> bool:
    words = world.graph.vocabulary
    names = words.entity_names
    query = Queries.single(
        names.index(asked[0]), RELATIONS.index(asked[1]), words.time_names.index(asked[3])
    )
    found = Application(rules, world.graph.facts, words).candidates(query)
    best = [names[value] for value in found.entity[found.score == found.score.max(initial=0)]]
    return bool(found.ruled[0]) and best == [asked[2]]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("split", Split)
def test_choices_contribute_by_the_rules_of_their_time(
    world: MakeWorld, seed: int, split: Split
) -> None:
    drawn_world = world(seed, 700)
    made = drawn_world.made(kinds=(KIND,))
    assert made.rules is not None
    rules, days = made.rules.all, drawn_world.graph.vocabulary.time_names
    questions = list(made.questions(split))
    assert questions
    for question in questions:
        asked = (*question.query[0], question.time)
        assert asked in drawn_world.asked(split)
        day = days.index(question.time)
        (fold,) = (f for f in made.rules.folds if f.begin <= day <= f.end)
        rows = range(fold.first, fold.first + fold.rules)
        own_table = rules.take(np.array(rows))
        assert first_alone(drawn_world, own_table, asked)
        every = contributing(drawn_world, own_table, asked)
        places = [LETTERS.index(letter) for letter in question.order]
        values = [question.certificate.contributions[place] for place in places]
        assert values == sorted(set(values), reverse=True)
        assert 5 * values[1] <= 3 * values[0]
        assert question.answers == (question.order[0],)
        assert len({choice.fact[3] for choice in question.choices}) == 4
        assert len({choice.fact[1] for choice in question.choices}) == 4
        for place, choice in enumerate(question.choices):
            row = question.certificate.rules[place] - fold.first
            assert (question.certificate.contributions[place], row, choice.fact) in every
            assert choice.fact[3] < question.time
            assert choice.fact[1] != question.query[0][1]


def test_rules_of_a_part_of_train_are_mined_from_the_others(world: MakeWorld) -> None:
    graph = world(2, 500).graph
    relations = graph.vocabulary.relations
    fitted = fitted_rules(graph.splits, relations)
    assert list(fitted.rules) == list(rules_of_one_fact(graph.splits[Split.TRAIN], relations))
    train = graph.splits[Split.TRAIN]
    for fold in fitted.folds:
        found = list(fitted.all.take(slice(fold.first, fold.first + fold.rules)))
        outside = train.take((train.time < fold.begin) | (train.time > fold.end))
        assert found == list(rules_of_one_fact(outside, relations))
    times = {time for facts in graph.splits.values() for time in facts.time.tolist()}
    assert all(sum(f.begin <= time <= f.end for f in fitted.folds) == 1 for time in times)


def test_answers_stand_at_every_letter(world: MakeWorld) -> None:
    made = world(1, 700).made(kinds=(KIND,))
    letters = {question.answers[0] for split in Split for question in made.questions(split)}
    assert letters == set(LETTERS)


def test_reasons_count_what_is_left_out(world: MakeWorld) -> None:
    drawn_world = world(0, 700)
    made = drawn_world.made(kinds=(KIND,))
    for split in Split:
        asked = len(drawn_world.graph.rows[split])
        reasons = made.left_out[KIND, split]
        assert sum(reasons.values()) + made.size(split) == asked
    for reason in (FEW, PREDICTABLE):
        assert sum(made.left_out[KIND, split][reason] for split in Split) > 0


def test_only_rules_of_one_fact_between_two_entities_count() -> None:
    rules = [
        Rule(head=0, body=(1,), rule_support=1, body_support=2),
        Rule(head=0, body=(1, 2), rule_support=1, body_support=2),
        Rule(head=0, body=(1,), same=((0, 1),), rule_support=1, body_support=2),
    ]
    assert list(between_two(RuleTable.of(rules))) == rules[:1]


@pytest.mark.parametrize(("further", "first"), [([], False), ([(0, 0, 1, 2)], True)])
def test_an_answer_beside_another_is_not_first(
    further: list[tuple[int, int, int, int]], first: bool
) -> None:
    """A rule leads to 1 and to 2 alike, unless it led to 1 once more."""
    rules = RuleTable.of([Rule(head=0, body=(0,), rule_support=4, body_support=5)])
    graph = Quadruples.of(np.array([(0, 0, 1, 1), (0, 0, 2, 1), *further]))
    asked = Quadruples.of(np.array([(0, 0, 1, 5)]))
    words = Vocabulary(entities=3, relations=1, times=9)
    assert ranked_first(Application(rules, graph, words), asked).tolist() == [first]


def test_without_rules_nothing_is_ranked(world: MakeWorld) -> None:
    graph = world(0).graph
    facts = graph.facts.take(graph.rows[Split.TEST])
    application = Application(RuleTable.of([]), graph.facts, graph.vocabulary)
    first = ranked_first(application, facts)
    assert len(first) == len(facts) > 0
    assert not first.any()
