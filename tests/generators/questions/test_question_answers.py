"""Answers of entity questions and of yes-unknown ones, against a look at every fact."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest

from generators.questions.graph import Settings
from generators.questions.two_hop import mine
from generators.questions.yes_unknown import KEPT, Changes
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
        for time in sorted({fact[3] for fact in facts}):
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


Ends = tuple[frozenset[str], str]


def ends(fact: Fact) -> Ends:
    """The two entities of a fact and its day, which questions use together."""
    return frozenset((fact[0], fact[2])), fact[3]


@every_split
@pytest.mark.parametrize("seed", SEEDS)
def test_one_hop_asks_for_all_there_is(world: MakeWorld, seed: int, split: Split) -> None:
    drawn_world = world(seed)
    facts, used = drawn_world.asked(split), set[Ends]()
    questions = drawn_world.questions(QuestionKind.ONE_HOP, split)
    for question in questions:
        shown = [(*filled(question.query[0], answer=a), question.time) for a in question.answers]
        assert list(question.certificate.facts) == shown
        assert list(question.answers) == sorted(set(question.answers))
        every = [(*filled(question.query[0], answer=a), question.time) for a in ENTITIES]
        assert set(shown) == facts.intersection(every)
        groups = set(map(ends, shown))
        assert not groups & used
        used |= groups
    # A question that is not asked has a fact that is used.
    for subject, relation, target, time in facts:
        for query in ((subject, relation, ASKED), (ASKED, relation, target)):
            every = {(*filled(query, answer=a), time) for a in ENTITIES}
            assert any(ends(fact) in used for fact in every & facts)


@pytest.mark.parametrize("seed", SEEDS)
def test_no_fact_is_used_twice(world: MakeWorld, seed: int) -> None:
    """2-hop questions share facts for the same hop only; fact reasoning may state a fact again."""
    made = world(seed, 500).made()
    hops: dict[Ends, set[int]] = {}
    used: dict[Ends, str] = {}
    stated: set[Ends] = set()
    for split in Split:
        for question in made.questions(split):
            match question.kind:
                case QuestionKind.FACT_REASONING:
                    stated.add(ends((*question.query[0], question.time)))
                    stated |= {ends(choice.fact) for choice in question.choices}
                case QuestionKind.TWO_HOP:
                    for place, fact in enumerate(question.certificate.facts):
                        hops.setdefault(ends(fact), set()).add(place % 2)
                case _:
                    source = question.certificate.source
                    facts = question.certificate.facts or ((source,) if source else ())
                    for group in set(map(ends, facts)):
                        assert group not in used
                        used[group] = question.id
    assert stated
    assert hops
    assert used
    assert not stated & hops.keys()
    assert not (stated | hops.keys()) & used.keys()
    assert all(len(places) == 1 for places in hops.values())


@pytest.mark.parametrize("least", [1, 2])
@pytest.mark.parametrize("seed", SEEDS)
def test_two_hop_rules_are_those_that_hold_on_a_day(
    world: MakeWorld, seed: int, least: int
) -> None:
    drawn_world = world(seed)
    facts = drawn_world.graph.training_facts(suitable=True)
    settings = Settings(min_support=least, min_days=1, min_confidence=0)
    rules = mine(facts, drawn_world.graph.vocabulary, settings)
    found = {(r.given, r.asked): (r.days, r.rule_support, r.body_support) for r in rules}
    assert found == mined(drawn_world, least)
    assert len(found) == len(rules) > 0
    assert any(rule.use for rule in rules)
    supports = [rule.rule_support for rule in rules]
    assert supports == sorted(supports, reverse=True)


@every_split
@pytest.mark.parametrize("seed", SEEDS)
def test_two_hop_asks_for_the_whole_join(world: MakeWorld, seed: int, split: Split) -> None:
    drawn_world = world(seed)
    made = drawn_world.made(kinds=(QuestionKind.TWO_HOP,))
    facts = drawn_world.asked(split)
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
    # Some are not asked, as another question uses a fact for the other hop.
    assert found.items() <= expected.items()
    assert found


@pytest.mark.parametrize("seed", SEEDS)
def test_the_cap_bounds_each_rule(world: MakeWorld, seed: int) -> None:
    drawn_world, split, cap = world(seed, 300), Split.TRAIN, 3
    some = drawn_world.questions(QuestionKind.TWO_HOP, split, cap=cap)
    counts = Counter(question.rule for question in some)
    assert max(counts.values()) == cap
    other = drawn_world.questions(QuestionKind.TWO_HOP, split, cap=cap, seed=1)
    assert {q.query for q in some} != {q.query for q in other}


@pytest.mark.parametrize("seed", SEEDS)
def test_one_in_four_is_true_and_the_others_are_unknown(world: MakeWorld, seed: int) -> None:
    drawn_world, split = world(seed, 300), Split.TRAIN
    questions = drawn_world.questions(QuestionKind.YES_UNKNOWN, split)
    triples = {fact[:3] for fact in drawn_world.facts}
    asked = drawn_world.asked(split)
    assert len(questions) > 3
    assert sum(q.answers == (YES,) for q in questions) == round(len(questions) / 4)
    sources: set[Fact] = set()
    pairs = set()
    for question in questions:
        fact = (*question.query[0], question.time)
        assert ends(fact) not in pairs
        pairs.add(ends(fact))
        if question.answers == (YES,):
            source: Fact | None = fact
            assert question.certificate.facts == (fact,)
        else:
            assert question.answers == (UNKNOWN,)
            assert question.query[0] not in triples
            assert question.query[0][1] in SUITABLE
            source = question.certificate.source
            assert source is not None
            assert sum(a != b for a, b in zip(source, fact, strict=True)) == 1
        assert source in asked - sources
        sources.add(source)
        first = min(day for *known, day in drawn_world.facts if tuple(known) == source[:3])
        assert first == source[3], "a triple that held before is always a yes"
        met = {f for f in drawn_world.facts if ends(f)[0] == ends(fact)[0] and f[3] < fact[3]}
        before = {
            f for f in drawn_world.facts if ends(f)[0] == ends(source)[0] and f[3] < source[3]
        }
        assert bool(met) == bool(before)


def test_changes_are_of_all_three_parts_and_look_alike() -> None:
    """Entities of few facts are replaced by others of few facts."""
    draw = np.random.default_rng(5)
    ends = (draw.random((2, 6_000)) ** 3 * 300).astype(np.int64)
    kinds, days = draw.integers(9, size=6_000), draw.integers(50, size=6_000)
    graph = Quadruples(head=ends[0], relation=kinds, tail=ends[1], time=days).distinct()
    suits = np.arange(9) < 8
    changes = Changes(graph, suits)
    asked = np.flatnonzero(suits[graph.relation])
    facts = graph.take(changes.suitable(asked))
    evening = changes.evening([asked], draw)
    assert evening is not None
    meetings = changes.meetings(facts)
    changed, kept = changes.drawn(facts, meetings, evening, draw)
    assert abs(len(kept) - KEPT * len(facts)) < 0.1 * len(facts)
    assert kept.tolist() == sorted(set(kept.tolist()))
    assert suits[changed.relation].all()
    rows, old = changed.rows(), facts.rows()[kept]
    assert ((rows != old).sum(axis=1) == 1).all()
    true = set(map(tuple, graph.rows()[:, :3].tolist()))
    assert true.isdisjoint(map(tuple, rows[:, :3].tolist()))
    moved = changes.meetings(changed)[rows[:, 1] == old[:, 1]].tolist()
    assert len(set(moved)) == len(moved)
    assert set(moved).isdisjoint(meetings.tolist())
    for place in range(3):
        assert (rows[:, place] != old[:, place]).mean() > 0.1
    degrees = np.bincount(np.concatenate((graph.head, graph.tail)), minlength=300)
    for place in (0, 2):
        some = rows[:, place] != old[:, place]
        new, before = (np.log2(degrees[array[some, place]] + 1) for array in (rows, old))
        assert abs(new.mean() - before.mean()) < 0.3, "a uniform draw is 2 lower"


@pytest.mark.parametrize("part", [0, 1, 2])
def test_candidates_are_of_earlier_facts_of_the_entities_that_stay(part: int) -> None:
    draw = np.random.default_rng(part)
    columns = [draw.integers(size, size=60) for size in (6, 3, 6, 5)]
    graph = Quadruples.of(np.stack(columns, axis=1)).distinct()
    found = Changes(graph, np.ones(3, dtype=np.bool_))._of_history(graph.rows(), part, draw)
    facts = graph.rows().tolist()
    several = 0
    for fact, drawn in zip(facts, found.reshape(len(facts), -1, 20).tolist(), strict=True):
        for stays, some in zip([place for place in (0, 2) if place != part], drawn, strict=True):
            earlier = {
                relation if part == 1 else other
                for head, relation, tail, time in facts
                for end, other in ((head, tail), (tail, head))
                if end == fact[stays] and time < fact[3]
            }
            assert set(some) <= (earlier or {-1})
            several += len(set(some)) > 1
    assert several > len(facts) / 3
