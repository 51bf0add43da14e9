"""Small worlds with an exhaustive reference implementation of all answers."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from math import exp

import numpy as np
import pytest

from grammar.questions.model import Arc, QuestionKind, Role
from solver.encodings import ViolationAtom
from solver.graph.model import Dataset, Quadruples, Split, Vocabulary
from solver.questions.contributions import Fold
from solver.questions.linking import ASKED_ID, PARTY_ID, LinkedQuery, LinkedQuestion
from solver.questions.model import TwoHopRule
from solver.questions.world import World
from solver.rules.model import Rule, RuleTable

Fact = tuple[int, int, int, int]

ENTITIES, RELATIONS = range(3), range(2)
# The last time is so late that facts of the first ones have decayed.
TIMES = (0, 1, 2, 3, 4, 5, 119)
SPLITS = {Split.TRAIN: (0, 1), Split.VALID: (1, 2), Split.TEST: (3, 4, 5, 119)}
ARCS = tuple(product(RELATIONS, Role))


class Small:
    """A world of few facts, with exhaustive reference answers."""

    def __init__(self, chance: random.Random) -> None:
        every = list(product(ENTITIES, RELATIONS, ENTITIES, TIMES))
        self.facts = chance.sample(every, chance.randrange(5, 110))
        self.rules = [
            Rule(
                head=chance.randrange(4),
                body=tuple(chance.randrange(4) for _ in range(chance.choice((1, 1, 1, 1, 2)))),
                same=chance.choice(((), (), (), ((0, 1),))),
                rule_support=support - chance.randrange(support),
                body_support=support,
            )
            for support in chance.choices((1, 4, 9, 400), k=25)
        ]
        # Some times have rules of their own, some have none.
        begin, end = sorted(chance.sample(range(26), 2))
        self.folds = (
            Fold(begin=1, end=3, first=begin, rules=end - begin),
            Fold(begin=4, end=200, first=0, rules=25),
        )
        self.two_hop = [(*pair, chance.random() < 0.7) for pair in product(ARCS, ARCS)]
        chance.shuffle(self.two_hop)

    def world(self) -> World:
        columns: dict[Split, list[Fact]] = {split: [] for split in Split}
        for fact in self.facts:
            for split, times in SPLITS.items():
                if fact[3] in times:
                    columns[split].append(fact)
        splits = {
            split: Quadruples.of(np.array(rows, dtype=np.int64).reshape(-1, 4))
            for split, rows in columns.items()
        }
        names = Vocabulary(entities=3, relations=2, times=120)
        rules = [
            TwoHopRule(
                given=Arc(relation=str(r), shared=p),
                asked=Arc(relation=str(q), shared=v),
                rule_support=1,
                body_support=1,
                use=use,
            )
            for (r, p), (q, v), use in self.two_hop
        ]
        dataset = Dataset(name="small", vocabulary=names, splits=splits)
        return World.of(dataset, rules=RuleTable.of(self.rules), folds=self.folds, two_hop=rules)

    def answers(self, query: LinkedQuery) -> set[int]:
        """The answers to a question about entities."""
        found = set()
        for party, answer in product(ENTITIES, ENTITIES):
            marks = {ASKED_ID: answer, PARTY_ID: party}
            filled = [
                (marks.get(s, s), r, marks.get(o, o), query.time) for s, r, o in query.triples
            ]
            if query.kind is QuestionKind.TWO_HOP:
                named = next(number for number in query.triples[0][::2] if number != PARTY_ID)
                if len({named, party, answer}) < 3:
                    continue
            if all(fact in self.facts for fact in filled):
                found.add(answer)
        return found

    def worth(self, query: LinkedQuery, fact: Fact) -> int:
        """Contribution of a fact to the queried one."""
        head, relation, tail = query.triples[0]
        s, r, o, time = fact
        lag = query.time - time
        if fact not in self.facts or lag <= 0 or head == tail:
            return 0
        ways = [r] * ((s, o) == (head, tail)) + [r + 2] * ((o, s) == (head, tail))
        best = 0
        folds = [fold for fold in self.folds if fold.begin <= query.time <= fold.end]
        rules = [
            rule for fold in folds for rule in self.rules[fold.first : fold.first + fold.rules]
        ]
        for rule, way in product(rules, ways):
            sure = 10_000 * rule.rule_support // rule.body_support
            if rule.same or rule.body != (way,) or rule.head != relation:
                continue
            if sure >= 100 and rule.body_support >= 2:
                best = max(best, sure * int(100_000 * exp(-lag / 10)) // 100)
        return best

    def wrong(self, questions: Sequence[LinkedQuestion]) -> set[ViolationAtom]:
        found = set()
        for number, question in enumerate(questions):
            for code, *numbers in (*self._what(question), *self._when(question)):
                found.add(ViolationAtom(code=code, numbers=(number, *numbers)))
            same = [other for other in range(number) if questions[other].query == question.query]
            if same:
                found.add(ViolationAtom(code="repeated_question", numbers=(number, same[0])))
        return found

    def _what(self, question: LinkedQuestion) -> Iterator[tuple]:  # type: ignore[type-arg]
        query = question.query
        match query.kind:
            case QuestionKind.YES_UNKNOWN:
                times = [time for time in TIMES if (*query.triples[0], time) in self.facts]
                if query.time in times:
                    if question.answers == (0,):
                        yield ("unknown_for_a_present_fact",)
                elif times:
                    yield ("known_at_another_time",)
                elif question.answers == (1,):
                    yield ("yes_for_an_absent_fact",)
            case QuestionKind.FACT_REASONING:
                yield from self._why(question)
            case _:
                right = self.answers(query)
                for answer in set(question.answers) - right:
                    yield "wrong_answer", answer
                for answer in right - set(question.answers):
                    yield "missing_answer", answer
                if not right and not question.answers:
                    yield ("no_answer",)
        if query.kind is QuestionKind.TWO_HOP:
            arcs = tuple(
                (r, Role.SUBJECT if s == PARTY_ID else Role.OBJECT) for s, r, _ in query.triples
            )
            assert question.rule is not None
            if question.rule >= len(self.two_hop) or self.two_hop[question.rule] != (*arcs, True):
                yield "rule_refused", question.rule

    def _why(self, question: LinkedQuestion) -> Iterator[tuple]:  # type: ignore[type-arg]
        query, choices = question.query, question.choices
        for place, choice in enumerate(choices):
            if choice[3] >= query.time:
                yield "late_choice", place
            if choice not in self.facts:
                yield "absent_choice", place
        for a, b in combinations(range(4), 2):
            if choices[a] == choices[b]:
                yield "equal_choices", a, b
            ends = [({row[0], row[2]}, row[3]) for row in (choices[a], choices[b])]
            if ends[0] == ends[1]:
                yield "twin_choices", a, b
        worth = [self.worth(query, choice) for choice in choices]
        declared = [worth[place] for place in question.order]
        for place in range(3):
            if declared[place] <= declared[place + 1]:
                yield "choices_out_of_order", place
        for place in range(4):
            if not worth[place]:
                yield "no_contribution", place
        if 3 * declared[0] < 5 * declared[1]:
            yield ("narrow_margin",)
        (answer,) = question.answers
        if worth[answer] < max(worth):
            yield "wrong_answer", answer
        for place, choice in enumerate(choices):
            if choice[:3] == query.triples[0]:
                yield "choice_repeats_the_question", place

    def _when(self, question: LinkedQuestion) -> Iterator[tuple]:  # type: ignore[type-arg]
        nonempty = {split: any(f[3] == question.query.time for f in self.facts) for split in SPLITS}
        inside = {
            split
            for split, times in SPLITS.items()
            if question.query.time in times and nonempty[split]
        }
        if question.split not in inside:
            yield ("outside_its_split",)
        else:
            for split in inside - {question.split}:
                yield "splits_overlap", list(Split).index(split)


def triple(number: int, relation: int, other: int, *, first: bool) -> tuple[int, int, int]:
    return (number, relation, other) if first else (other, relation, number)


def queries() -> Iterator[LinkedQuery]:
    """All that can be asked."""
    for time, entity, (relation, role) in product(TIMES, ENTITIES, ARCS):
        known = (
            (entity, relation, ASKED_ID) if role is Role.OBJECT else (ASKED_ID, relation, entity)
        )
        yield LinkedQuery(kind=QuestionKind.ONE_HOP, time=time, triples=(known,))
        for other, place in ARCS:
            triples = (
                (PARTY_ID, relation, entity)
                if role is Role.SUBJECT
                else (entity, relation, PARTY_ID),
                (PARTY_ID, other, ASKED_ID)
                if place is Role.SUBJECT
                else (ASKED_ID, other, PARTY_ID),
            )
            yield LinkedQuery(kind=QuestionKind.TWO_HOP, time=time, triples=triples)
        for end in ENTITIES:
            whole = ((entity, relation, end),)
            yield LinkedQuery(kind=QuestionKind.YES_UNKNOWN, time=time, triples=whole)
            yield LinkedQuery(kind=QuestionKind.FACT_REASONING, time=time, triples=whole)


def asked(small: Small, query: LinkedQuery, chance: random.Random) -> LinkedQuestion:
    """A question with right answers, or with others."""
    split = chance.choice([s for s, times in SPLITS.items() if query.time in times] + list(Split))
    if query.kind is QuestionKind.YES_UNKNOWN:
        answer = int((*query.triples[0], query.time) in small.facts)
        answers = (answer if chance.random() < 0.7 else 1 - answer,)
        return LinkedQuestion(query=query, split=split, answers=answers)
    if query.kind is QuestionKind.FACT_REASONING:
        return _reasoning(small, query, split, chance)
    right = small.answers(query)
    if chance.random() < 0.3:
        right = right ^ {chance.choice(ENTITIES)}
    rule = chance.randrange(18) if query.kind is QuestionKind.TWO_HOP else None
    return LinkedQuestion(query=query, split=split, answers=tuple(sorted(right)), rule=rule)


def _reasoning(
    small: Small, query: LinkedQuery, split: Split, chance: random.Random
) -> LinkedQuestion:
    contributing = sorted(
        (f for f in small.facts if small.worth(query, f)), key=lambda f: -small.worth(query, f)
    )
    choices = [chance.choice(small.facts) for _ in range(4)]
    apart: list[Fact] = []
    for fact in contributing:
        below = 5 * small.worth(query, fact) <= 3 * small.worth(query, apart[0]) if apart else True
        new = all((fact[0], fact[2], fact[3]) != (f[0], f[2], f[3]) for f in apart)
        less = not apart or small.worth(query, fact) < small.worth(query, apart[-1])
        turned = all((fact[0], fact[2], fact[3]) != (f[2], f[0], f[3]) for f in apart)
        if below and new and less and turned and fact[:3] != query.triples[0]:
            apart.append(fact)
    if len(apart) >= 4:
        choices = apart[:4]
    order = [0, 1, 2, 3]
    if chance.random() < 0.3:
        choices[chance.randrange(4)] = (0, 1, 2, chance.choice(TIMES))
    if chance.random() < 0.2:
        chance.shuffle(order)
    answer = 0 if chance.random() < 0.8 else chance.randrange(4)
    return LinkedQuestion(
        query=query, split=split, answers=(answer,), choices=tuple(choices), order=tuple(order)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A small world, questions about it, and what is wrong with them."""

    world: World
    questions: list[LinkedQuestion]
    wrong: set[ViolationAtom]


@pytest.fixture(scope="session")
def case() -> Callable[[int], Case]:
    """The case of a seed: all that can be asked, some of it twice, much of it answered wrongly."""

    @cache
    def make(seed: int) -> Case:
        chance = random.Random(seed)
        small = Small(chance)
        every = list(queries())
        chosen = [*every, *chance.sample(every, 5)]
        questions = [asked(small, query, chance) for query in chosen]
        return Case(world=small.world(), questions=questions, wrong=small.wrong(questions))

    return make
