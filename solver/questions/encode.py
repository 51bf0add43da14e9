"""The ASP engine: violations of a batch of questions by ``encodings/questions/questions.lp``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from grammar.questions.model import QuestionKind, Role
from solver.asp import Program
from solver.encodings import Compound, Fact, FactTable, ViolationAtom
from solver.graph.model import GraphFact, Ids, Index, Relations, Split, expand
from solver.questions.contributions import HORIZON, confidence, decay, fold_of
from solver.questions.linking import ASKED_ID, PARTY_ID, LinkedQuestion, LinkedTriple
from solver.questions.world import RelevantFacts, World

QUESTIONS = "questions/questions.lp"
CONTRIBUTIONS = "questions/contributions.lp"
ENCODINGS = (QUESTIONS, CONTRIBUTIONS)

NOT_RANKED_FIRST = "not_ranked_first"
"""Code of fact-reasoning questions whose object the rules do not rank strictly first."""

_SYMBOLS = tuple(split.value for split in Split)
_MOST = 2**31 - 1


class OneHopTerm(Compound, predicate="one_hop"):
    """A query for the other end of facts with an entity in a role."""

    entity: int
    relation: int
    asked: Role


class TwoHopTerm(Compound, predicate="two_hop"):
    """A query by way of a party of a fact."""

    entity: int
    relation: int
    role: Role
    onward: int
    onward_role: Role


class HoldsTerm(Compound, predicate="holds"):
    """A query whether a fact holds."""

    subject: int
    relation: int
    object: int


class ReasonsTerm(Compound, predicate="reasons"):
    """A query for the choice that contributes most to a fact."""

    subject: int
    relation: int
    object: int


class QuestionFact(Fact, predicate="question"):
    """A question with its split, its time and its query."""

    question: int
    split: Split
    time: int
    query: Compound


class AnswerFact(Fact, predicate="answer"):
    """A gold answer: an entity, a choice, yes or unknown."""

    question: int
    answer: int | str


class ChoiceFact(Fact, predicate="choice"):
    """A choice of a question, which is a fact."""

    question: int
    choice: int
    subject: int
    relation: int
    object: int
    time: int


class OrderedChoice(Fact, predicate="ordered"):
    """The choice at a place of the declared order."""

    question: int
    place: int
    choice: int


class MadeBy(Fact, predicate="made_by"):
    """The 2-hop rule that a question was generated from."""

    question: int
    rule: int


class CuratedRule(Fact, predicate="curated"):
    """A 2-hop rule and whether its curator accepts it."""

    rule: int
    relation: int
    role: Role
    onward: int
    onward_role: Role
    verdict: str


class DayFact(Fact, predicate="day"):
    """A time at which a split of the graph has facts."""

    split: Split
    time: int


class WeighedRule(Fact, predicate="weighed"):
    """A rule with its confidence in 1/10,000, its body support, and the times it counts for."""

    rule: int
    head: int
    body: int
    confidence: int
    support: int
    begin: int
    end: int


class Decay(Fact, predicate="decay"):
    """The decay factor in 1/100,000 of facts of an age."""

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
        single = (world.rules.length == 1) & (world.rules.same == 0)
        self._single = np.flatnonzero(single)
        self._by_relations = Index.of(
            self._relations(world.rules.head, world.rules.body[:, 0])[single]
        )

    def findings(self, questions: Sequence[LinkedQuestion]) -> set[ViolationAtom]:
        """Violations; the first number of each is the question's position in the batch."""
        atoms = Program(encodings=(QUESTIONS,)).unique_model(self.program(questions))
        return {ViolationAtom.of(atom, _SYMBOLS) for atom in atoms}

    def program(self, questions: Sequence[LinkedQuestion]) -> FactTable:
        """The ASP facts of a batch and of all that its answers depend on."""
        needed = self._needed.facts(questions)
        rows: dict[type[Fact], Sequence[str]] = {
            Relations: [str(self._world.vocabulary.relations)],
            DayFact: list(self._splits(questions)),
            **_question_rows(questions),
            **self._two_hop_rows(questions),
            GraphFact: _joined(needed.head, needed.relation, needed.tail, needed.time),
        }
        if any(question.query.kind is QuestionKind.FACT_REASONING for question in questions):
            ages = np.arange(1, HORIZON, dtype=np.int64)
            rows |= {
                WeighedRule: list(self._weighed(questions)),
                Decay: _joined(ages, decay(ages)),
            }
        return FactTable(rows=rows)

    def _splits(self, questions: Sequence[LinkedQuestion]) -> Iterator[str]:
        for time in sorted({question.query.time for question in questions}):
            for split, days in self._days.items():
                if time in days:
                    yield f"{split},{time}"

    def _two_hop_rows(self, questions: Sequence[LinkedQuestion]) -> dict[type[Fact], Sequence[str]]:
        """Which 2-hop rules questions were generated from; nothing if the rules are unknown."""
        known = self._world.two_hop
        if known is None:
            return {}
        cited = [
            (number, question.rule)
            for number, question in enumerate(questions)
            if question.rule is not None
        ]
        curated = []
        for number in sorted({row for _, row in cited if row < len(known)}):
            rule = known[number]
            arcs = chain(self._arc(rule.given), self._arc(rule.asked))
            curated.append(f"{number},{','.join(map(str, arcs))},{'yes' if rule.use else 'no'}")
        return {CuratedRule: curated, MadeBy: [f"{number},{row}" for number, row in cited]}

    def _arc(self, relation: int) -> tuple[int, Role]:
        inverse, own = divmod(relation, self._world.vocabulary.relations)
        return own, Role.OBJECT if inverse else Role.SUBJECT

    def _relations(self, heads: Ids, bodies: Ids) -> Ids:
        return 2 * self._world.vocabulary.relations * heads + bodies

    def _weighed(self, questions: Sequence[LinkedQuestion]) -> Iterator[str]:
        """The rules from the relation of a choice, or its inverse, to that of its question."""
        rules, size = self._world.rules, self._world.vocabulary.relations
        pairs = {
            (question.query.triples[0][1], relation)
            for question in questions
            for choice in question.choices
            for relation in (choice[1], choice[1] + size)
        }
        keys = self._relations(*np.array(list(pairs), dtype=np.int64).reshape(-1, 2).T)
        _, places = expand(*self._by_relations.ranges(keys))
        chosen = np.sort(self._single[self._by_relations.order[places]])
        times = np.array([question.query.time for question in questions], dtype=np.int64)
        folds = fold_of(self._world.folds, times)
        for number in sorted(set(folds[folds >= 0].tolist())):
            fold, here = self._world.folds[number], times[folds == number]
            rows = np.intersect1d(chosen, fold.rows, assume_unique=True)
            yield from _joined(
                rows,
                rules.head[rows],
                rules.body[rows, 0],
                self._confidence[rows],
                np.minimum(rules.body_support[rows], _MOST),
                np.full_like(rows, here.min()),
                np.full_like(rows, here.max()),
            )


def _joined(*columns: Ids) -> list[str]:
    """The rows of some columns, as the arguments of facts."""
    row = ",".join(["%d"] * len(columns))
    return [row % values for values in zip(*(column.tolist() for column in columns), strict=True)]


def _question_rows(questions: Sequence[LinkedQuestion]) -> dict[type[Fact], Sequence[str]]:
    """The arguments of the facts of some questions, by predicate."""
    asked, answers, choices, ordered = [], [], [], []
    for number, question in enumerate(questions):
        query = question.query
        term = _asked(query.kind, query.triples)
        asked.append(f"{number},{question.split},{query.time},{term}")
        yes_unknown = query.kind is QuestionKind.YES_UNKNOWN
        for answer in question.answers:
            named = ("yes" if answer else "unknown") if yes_unknown else answer
            answers.append(f"{number},{named}")
        for place, (s, r, o, t) in enumerate(question.choices):
            choices.append(f"{number},{place},{s},{r},{o},{t}")
        ordered += [f"{number},{place},{choice}" for place, choice in enumerate(question.order)]
    return {
        QuestionFact: asked,
        AnswerFact: answers,
        ChoiceFact: choices,
        OrderedChoice: ordered,
    }


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
