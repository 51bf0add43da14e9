"""Answers of entity questions and of yes-unknown ones, against a look at every fact."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from generators.questions.graph import Arcs
from generators.questions.two_hop import mine
from generators.questions.whole_facts import Changes
from grammar.questions.model import Arc, QuestionKind, Role
from solver.graph.model import Quadruples, Split
from solver.questions.model import ASKED, PARTY, UNKNOWN, YES, Fact, Triple

from .conftest import ENTITIES, SUITABLE, MakeWorld, World

SEEDS = range(4)
every_split = pytest.mark.parametrize("split", Split)
ARCS = [Arc(relation=relation, shared=role) for relation in SUITABLE for role in Role]


def filled(triple: Triple, **entities: str) -> Triple:
    subject, relation, target = triple
    return entities.get(subject[1:], subject), relation, entities.get(target[1:], target)


def triple(arc: Arc, other: str, party: str = PARTY) -> Triple:
    parts = (party, arc.relation, other)
    return parts if arc.shared is Role.SUBJECT else (other, arc.relation, party)


def joined(facts: set[Fact], given: Arc, asked: Arc, time: str) -> set[tuple[str, str, str]]:
    """Named entity, answer and party, by trying all."""
    return {
        (entity, answer, party)
        for entity, answer, party in product(ENTITIES, repeat=3)
        if len({entity, answer, party}) == 3
        and (*triple(given, entity, party), time) in facts
        and (*triple(asked, answer, party), time) in facts
    }


def mined(world: World, least: int) -> dict[tuple[Arc, Arc], tuple[int, int, int]]:
    """Days, support and body of each rule that holds on some day of training."""
    facts, found = world.asked(Split.TRAIN), {}
    for given, asked in product(ARCS, repeat=2):
        days = supports = bodies = 0
        for time in sorted({one[3] for one in facts}):
            pairs = {
                (party, entity)
                for party, entity in product(ENTITIES, repeat=2)
                if party != entity and (*triple(given, entity, party), time) in facts
            }
            answered = {(party, entity) for entity, _, party in joined(facts, given, asked, time)}
            days += 2 * len(answered) > len(pairs) and len(answered) >= least
            supports, bodies = supports + len(answered), bodies + len(pairs)
        if days and given != asked:
            found[given, asked] = (days, supports, bodies)
    return found


@every_split
@pytest.mark.parametrize("seed", SEEDS)
def test_one_hop_asks_both_ways_for_all_there_is(world: MakeWorld, seed: int, split: Split) -> None:
    one = world(seed)
    expected: dict[tuple[Triple, str], set[str]] = {}
    for subject, relation, target, time in one.asked(split):
        expected.setdefault(((subject, relation, ASKED), time), set()).add(target)
        expected.setdefault(((ASKED, relation, target), time), set()).add(subject)
    questions = one.questions(QuestionKind.ONE_HOP, split)
    assert {(q.query[0], q.time): set(q.answers) for q in questions} == expected
    assert len(questions) == len(expected)
    for question in questions:
        shown = [(*filled(question.query[0], answer=a), question.time) for a in question.answers]
        assert list(question.certificate.facts) == shown
        assert list(question.answers) == sorted(set(question.answers))


@pytest.mark.parametrize("least", [1, 2])
@pytest.mark.parametrize("seed", SEEDS)
def test_two_hop_rules_are_those_that_hold_on_a_day(
    world: MakeWorld, seed: int, least: int
) -> None:
    one = world(seed)
    arcs = Arcs.of(one.graph.asked[Split.TRAIN], one.graph.vocabulary.relations)
    rules = mine(arcs, one.graph.vocabulary, least)
    found = {(r.given, r.asked): (r.days, r.rule_support, r.body_support) for r in rules}
    assert found == mined(one, least)
    assert len(found) == len(rules) > 0
    assert all(rule.use for rule in rules)
    supports = [rule.rule_support for rule in rules]
    assert supports == sorted(supports, reverse=True)


@every_split
@pytest.mark.parametrize("seed", SEEDS)
def test_two_hop_asks_for_the_whole_join(world: MakeWorld, seed: int, split: Split) -> None:
    one = world(seed)
    made = one.made(kinds=(QuestionKind.TWO_HOP,))
    facts = one.asked(split)
    expected: dict[tuple[int, str, str], set[str]] = {}
    assert made.two_hop
    for row, rule in enumerate(made.two_hop):
        for time in {fact[3] for fact in facts}:
            for entity, answer, _ in joined(facts, rule.given, rule.asked, time):
                expected.setdefault((row, entity, time), set()).add(answer)
    found = {}
    for question in made.questions(split):
        assert question.rule is not None
        rule = made.two_hop[question.rule]
        entity = next(end for end in question.query[0][::2] if end != PARTY)
        assert question.query == (triple(rule.given, entity), triple(rule.asked, ASKED))
        found[question.rule, entity, question.time] = set(question.answers)
        shown = question.certificate.facts
        assert set(shown) <= facts
        assert len(shown) == 2 * len(question.answers)
        for place, answer in enumerate(question.answers):
            first, second = shown[2 * place : 2 * place + 2]
            party = first[2 * (rule.given.shared is Role.OBJECT)]
            assert first == (*triple(rule.given, entity, party), question.time)
            assert second == (*triple(rule.asked, answer, party), question.time)
            assert len({party, entity, answer}) == 3
    assert found == expected
    assert found


@pytest.mark.parametrize("seed", SEEDS)
def test_the_cap_chooses_for_each_rule(world: MakeWorld, seed: int) -> None:
    one, split, cap = world(seed), Split.TRAIN, 3
    every = one.questions(QuestionKind.TWO_HOP, split)
    some = one.questions(QuestionKind.TWO_HOP, split, cap=cap)
    assert {(q.query, q.time, q.text, q.answers) for q in some} < {
        (q.query, q.time, q.text, q.answers) for q in every
    }
    for rule in {question.rule for question in every}:
        there = sum(question.rule == rule for question in every)
        assert sum(question.rule == rule for question in some) == min(there, cap)
    other = one.questions(QuestionKind.TWO_HOP, split, cap=cap, seed=1)
    assert {q.query for q in some} != {q.query for q in other}


@every_split
@pytest.mark.parametrize("seed", SEEDS)
def test_one_in_four_is_true_and_the_others_are_unknown(
    world: MakeWorld, seed: int, split: Split
) -> None:
    one = world(seed)
    questions = one.questions(QuestionKind.YES_UNKNOWN, split)
    triples = {fact[:3] for fact in one.facts}
    asked = one.asked(split)
    assert len({(q.query, q.time) for q in questions}) == len(questions) == len(asked)
    assert sum(q.answers == (YES,) for q in questions) == round(len(asked) / 4)
    sources = []
    for question in questions:
        fact = (*question.query[0], question.time)
        if question.answers == (YES,):
            assert question.certificate.facts == (fact,)
            sources.append(fact)
            continue
        assert question.answers == (UNKNOWN,)
        assert question.query[0] not in triples
        assert question.query[0][1] in SUITABLE
        source = question.certificate.source
        assert source is not None
        assert sum(a != b for a, b in zip(source, fact, strict=True)) == 1
        sources.append(source)
    assert set(sources) == asked
    assert len(sources) == len(asked)


def test_changes_are_of_all_three_parts_and_of_any_entity() -> None:
    """Each part as often as the others; rare entities as often as frequent ones."""
    draw = np.random.default_rng(5)
    ends = (draw.random((2, 3_000)) ** 3 * 300).astype(np.int64)
    kinds, days = draw.integers(9, size=3_000), draw.integers(50, size=3_000)
    graph = Quadruples(head=ends[0], relation=kinds, tail=ends[1], time=days).distinct()
    suits = np.arange(9) < 8
    facts = graph.take(suits[graph.relation])
    changed, found = Changes(graph, suits).drawn(facts, draw)
    assert found.all()
    assert suits[changed.relation].all()
    rows = changed.rows()
    for place in range(3):
        assert (rows[:, place] != facts.rows()[:, place]).mean() > 0.3
    new = changed.head[changed.head != facts.head]
    known = np.unique(np.concatenate((graph.head, graph.tail)))
    assert np.isin(new, known).all()
    # Half of the entities have a small share of the facts, and half of what is drawn.
    rare = known[len(known) // 2 :]
    assert np.isin(facts.head, rare).mean() < 0.25
    assert 0.42 < np.isin(new, rare).mean() < 0.58
