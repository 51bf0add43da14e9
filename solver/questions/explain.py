"""Explains the answers of a question: derivations of entities, contributions of choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from grammar.questions.model import QuestionKind
from solver.asp import Program
from solver.graph.model import Quadruples
from solver.questions.contributions import Contributions
from solver.questions.encode import CONTRIBUTIONS, AspEngine
from solver.questions.linking import ASKED_ID, PARTY_ID, LinkedFact, LinkedQuestion
from solver.questions.world import World
from solver.rules.model import Rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """The contribution of a choice of fact reasoning.

    Attributes:
        letter: index of the choice, from 0; place: its rank among all contributing facts.
        weight: contribution, 0 for none; row and rule: the contributing rule.
        lag: time between the choice and the question.
        proved: whether clingo derives the same contribution.
    """

    letter: int
    fact: LinkedFact
    weight: int
    lag: int
    place: int | None = None
    row: int | None = None
    rule: Rule | None = None
    proved: bool = False


def derivations(
    question: LinkedQuestion, world: World, answer: int
) -> list[tuple[LinkedFact, ...]]:
    """All derivations of an answer: one fact per hop, one derivation per party."""
    time = question.query.time
    facts = world.facts.take(world.facts.time == time)
    day = set(map(tuple, facts.rows().tolist()))
    filled = [
        (answer if s == ASKED_ID else s, r, answer if o == ASKED_ID else o)
        for s, r, o in question.query.triples
    ]
    if question.query.kind is QuestionKind.ONE_HOP:
        return [fact for (s, r, o) in filled if (fact := ((s, r, o, time),))[0] in day]
    named = next(one for one in filled[0][::2] if one != PARTY_ID)
    found = []
    for party in sorted({*facts.head.tolist(), *facts.tail.tolist()} - {named, answer}):
        pair = tuple(
            (party if s == PARTY_ID else s, r, party if o == PARTY_ID else o, time)
            for s, r, o in filled
        )
        if day.issuperset(pair):
            found.append(pair)
    return found


def contributions_to(question: LinkedQuestion, world: World) -> Contributions:
    """All contributions to the fact that a question is about."""
    row = (*question.query.triples[0], question.query.time)
    return world.contributors.contributions(Quadruples.of(np.array([row], dtype=np.int64)))


def times(question: LinkedQuestion, world: World) -> list[int]:
    """All times of the queried triple in the graph."""
    head, relation, tail = question.query.triples[0]
    facts = world.facts
    same = (facts.head == head) & (facts.relation == relation) & (facts.tail == tail)
    found: list[int] = facts.time[same].tolist()
    return found


def supports(question: LinkedQuestion, world: World) -> tuple[Support, ...]:
    """The contribution of each choice, in the declared order."""
    given = contributions_to(question, world)
    places = {tuple(fact): place for place, fact in enumerate(given.facts.rows().tolist())}
    proved = _proved(question, world)
    found = []
    for letter in question.order:
        fact = question.choices[letter]
        lag = question.query.time - fact[3]
        place = places.get(fact)
        if place is None:
            found.append(Support(letter=letter, fact=fact, weight=0, lag=lag))
            continue
        weight, number = int(given.weight[place]), int(given.rule[place])
        found.append(
            Support(
                letter=letter,
                fact=fact,
                weight=weight,
                lag=lag,
                place=place,
                row=number,
                rule=world.rules.rule(number),
                proved=(fact, weight, number) in proved,
            )
        )
    return tuple(found)


def _proved(question: LinkedQuestion, world: World) -> set[tuple[LinkedFact, int, int]]:
    """Fact, weight and rule of all contributions, as derived by clingo."""
    program = AspEngine(world).program((question,))
    found = set()
    for atom in Program(encodings=(CONTRIBUTIONS,)).unique_model(program):
        match atom.name, atom.arguments:
            case "contribution", (_, (_, fact), int(weight), int(row)):
                found.add((_integers(fact), weight, row))
    return found


def _integers(terms: Sequence[object]) -> LinkedFact:
    head, relation, tail, time = (term for term in terms if isinstance(term, int))
    return head, relation, tail, time
