"""The ASP engine: violations of a batch of questions by ``encodings/questions/questions.lp``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar

import numpy as np

from grammar.questions.model import QuestionKind, Role
from solver.asp import Program
from solver.encodings import Compound, Fact, ViolationAtom, written
from solver.graph.model import GraphFact, Relations, Split
from solver.questions.contributions import HORIZON, confidence, decay, fold_of, rows_of
from solver.questions.linking import ASKED_ID, PARTY_ID, LinkedQuestion, LinkedTriple
from solver.questions.world import RelevantFacts, World

QUESTIONS = "questions/questions.lp"
CONTRIBUTIONS = "questions/contributions.lp"
ENCODINGS = (QUESTIONS, CONTRIBUTIONS)

NOT_RANKED_FIRST = "not_ranked_first"
"""Code of fact-reasoning questions whose object the rules do not rank strictly first."""

_SYMBOLS = tuple(split.value for split in Split)
_MOST = 2**31 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class OneHopTerm(Compound):
    """A query for the other end of facts with an entity in a role."""

    predicate: ClassVar[str] = "one_hop"
    entity: int
    relation: int
    asked: Role


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoHopTerm(Compound):
    """A query by way of a party of a fact."""

    predicate: ClassVar[str] = "two_hop"
    entity: int
    relation: int
    role: Role
    onward: int
    onward_role: Role


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldsTerm(Compound):
    """A query whether a fact holds."""

    predicate: ClassVar[str] = "holds"
    subject: int
    relation: int
    object: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonsTerm(Compound):
    """A query for the choice that contributes most to a fact."""

    predicate: ClassVar[str] = "reasons"
    subject: int
    relation: int
    object: int


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionFact(Fact):
    """A question with its split, its time and its query."""

    predicate: ClassVar[str] = "question"
    question: int
    split: Split
    time: int
    query: Compound


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFact(Fact):
    """A gold answer: an entity, a choice, yes or unknown."""

    predicate: ClassVar[str] = "answer"
    question: int
    answer: int | str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceFact(Fact):
    """A choice of a question, which is a fact."""

    predicate: ClassVar[str] = "choice"
    question: int
    choice: int
    subject: int
    relation: int
    object: int
    time: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderedChoice(Fact):
    """The choice at a place of the declared order."""

    predicate: ClassVar[str] = "ordered"
    question: int
    place: int
    choice: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeBy(Fact):
    """The 2-hop rule that a question was generated from."""

    predicate: ClassVar[str] = "made_by"
    question: int
    rule: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CuratedRule(Fact):
    """A 2-hop rule and whether its curator accepts it."""

    predicate: ClassVar[str] = "curated"
    rule: int
    relation: int
    role: Role
    onward: int
    onward_role: Role
    verdict: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DayFact(Fact):
    """A time at which a split of the graph has facts."""

    predicate: ClassVar[str] = "day"
    split: Split
    time: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WeighedRule(Fact):
    """A rule with its confidence in 1/10,000, its body support, and the times it counts for."""

    predicate: ClassVar[str] = "weighed"
    rule: int
    head: int
    body: int
    confidence: int
    support: int
    begin: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Decay(Fact):
    """The decay factor in 1/100,000 of facts of an age."""

    predicate: ClassVar[str] = "decay"
    age: int
    factor: int


class AspEngine:
    """Encodes batches of questions as ASP facts, and decodes the violations."""

    def __init__(self, world: World) -> None:
        size = world.vocabulary
        self._world = world
        self._needed = RelevantFacts(world.facts, (size.entities, size.relations))
        self._days = {split: set(days.tolist()) for split, days in world.days.items()}
        self._confidence = confidence(world.rules)
        self._single = (world.rules.length == 1) & (world.rules.same == 0)

    def findings(self, questions: Sequence[LinkedQuestion]) -> set[ViolationAtom]:
        """Violations; the first number of each is the question's position in the batch."""
        atoms = Program(encodings=(QUESTIONS,)).unique_model(self.program(questions))
        return {ViolationAtom.of(atom, _SYMBOLS) for atom in atoms}

    def program(self, questions: Sequence[LinkedQuestion]) -> str:
        """The ASP facts of a batch and of all that its answers depend on."""
        facts = self._needed.facts(questions)
        asked = map(_question_facts, range(len(questions)), questions)
        lines = [
            *written([Relations(number=self._world.vocabulary.relations)]),
            *written(self._splits(questions)),
            *written(chain.from_iterable(asked)),
            *written(self._curated(questions)),
            *GraphFact.rows(facts.rows().tolist()),
        ]
        if any(one.query.kind is QuestionKind.FACT_REASONING for one in questions):
            lines += written(self._weighed(questions))
            ages = np.arange(1, HORIZON, dtype=np.int64)
            lines += Decay.rows(zip(ages.tolist(), decay(ages).tolist(), strict=True))
        return "\n".join(lines)

    def _splits(self, questions: Sequence[LinkedQuestion]) -> Iterator[Fact]:
        for time in sorted({one.query.time for one in questions}):
            for split, days in self._days.items():
                if time in days:
                    yield DayFact(split=split, time=time)

    def _curated(self, questions: Sequence[LinkedQuestion]) -> Iterator[Fact]:
        known = self._world.two_hop
        if known is None:
            return
        for number in sorted({one.rule for one in questions if one.rule is not None}):
            if number < len(known):
                rule = known[number]
                (given, role), (onward, onward_role) = map(self._arc, (rule.given, rule.asked))
                yield CuratedRule(
                    rule=number,
                    relation=given,
                    role=role,
                    onward=onward,
                    onward_role=onward_role,
                    verdict="yes" if rule.use else "no",
                )
        for number, one in enumerate(questions):
            if one.rule is not None:
                yield MadeBy(question=number, rule=one.rule)

    def _arc(self, relation: int) -> tuple[int, Role]:
        inverse, own = divmod(relation, self._world.vocabulary.relations)
        return own, Role.OBJECT if inverse else Role.SUBJECT

    def _weighed(self, questions: Sequence[LinkedQuestion]) -> Iterator[Fact]:
        """The rules from the relation of a choice, or its inverse, to that of its question."""
        rules, size = self._world.rules, self._world.vocabulary.relations
        pairs = {
            (one.query.triples[0][1], relation)
            for one in questions
            for choice in one.choices
            for relation in (choice[1], choice[1] + size)
        }
        keys = np.array(sorted(2 * size * head + body for head, body in pairs), dtype=np.int64)
        chosen = self._single & np.isin(2 * size * rules.head + rules.body[:, 0], keys)
        times = np.array([one.query.time for one in questions], dtype=np.int64)
        folds = fold_of(self._world.folds, times)
        for number in sorted(set(folds[folds >= 0].tolist())):
            fold, here = self._world.folds[number], times[folds == number]
            for row in np.flatnonzero(chosen & rows_of(fold, len(rules))).tolist():
                yield WeighedRule(
                    rule=row,
                    head=int(rules.head[row]),
                    body=int(rules.body[row, 0]),
                    confidence=int(self._confidence[row]),
                    support=min(int(rules.body_support[row]), _MOST),
                    begin=int(here.min()),
                    end=int(here.max()),
                )


def _question_facts(number: int, question: LinkedQuestion) -> Iterator[Fact]:
    """ASP facts of one question."""
    query = question.query
    asked = _asked(query.kind, query.triples)
    yield QuestionFact(question=number, split=question.split, time=query.time, query=asked)
    for answer in question.answers:
        if query.kind is QuestionKind.YES_UNKNOWN:
            yield AnswerFact(question=number, answer="yes" if answer else "unknown")
        else:
            yield AnswerFact(question=number, answer=answer)
    for place, (s, r, o, t) in enumerate(question.choices):
        yield ChoiceFact(question=number, choice=place, subject=s, relation=r, object=o, time=t)
    for place, choice in enumerate(question.order):
        yield OrderedChoice(question=number, place=place, choice=choice)


def _asked(kind: QuestionKind, triples: Sequence[LinkedTriple]) -> Compound:
    subject, relation, end = triples[0]
    match kind:
        case QuestionKind.ONE_HOP:
            if subject == ASKED_ID:
                return OneHopTerm(entity=end, relation=relation, asked=Role.SUBJECT)
            return OneHopTerm(entity=subject, relation=relation, asked=Role.OBJECT)
        case QuestionKind.TWO_HOP:
            party_first = subject == PARTY_ID
            first, onward, _ = triples[1]
            return TwoHopTerm(
                entity=end if party_first else subject,
                relation=relation,
                role=Role.SUBJECT if party_first else Role.OBJECT,
                onward=onward,
                onward_role=Role.SUBJECT if first == PARTY_ID else Role.OBJECT,
            )
        case QuestionKind.YES_UNKNOWN:
            return HoldsTerm(subject=subject, relation=relation, object=end)
    return ReasonsTerm(subject=subject, relation=relation, object=end)
