"""Questions of a kind and split before they are numbered and worded."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from math import factorial
from typing import Any, ClassVar, TypeAlias

import numpy as np

from generators.questions.graph import Names
from generators.questions.reasoning import ReasoningItems
from generators.questions.two_hop import OneHopItems, TwoHopItems
from generators.questions.yes_unknown import YesUnknownItems
from grammar.questions.model import (
    Arc,
    FactReasoning,
    OneHop,
    Query,
    QuestionKind,
    Role,
    TwoHop,
    YesUnknown,
)
from grammar.questions.writer import STATEMENT_VARIANTS, VARIANTS, write_question, write_statement
from solver.graph.model import Ids, Quadruples, Split
from solver.questions.contributions import CHOICES
from solver.questions.linking import triple_of
from solver.questions.model import (
    ASKED,
    LETTERS,
    PARTY,
    UNKNOWN,
    YES,
    Certificate,
    Choice,
    Fact,
    Question,
    Triple,
    TwoHopRule,
)
from solver.seeding import seed_of

NamedQuery = tuple[Triple, ...]
"""A query in the graph's names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitContext:
    """Common context of all questions of a split."""

    split: Split
    seed: int
    names: Names


class Drafts(ABC):
    """The questions of a kind and split, worded lazily.

    Args:
        frame: context of the split.
        times: times of the questions, ascending.
    """

    kind: ClassVar[QuestionKind]

    def __init__(self, frame: SplitContext, times: Ids) -> None:
        self.frame = frame
        self.names = frame.names
        self._times = times

    def __len__(self) -> int:
        return len(self._times)

    @property
    def all_times(self) -> Ids:
        """The time of each question, ascending."""
        return self._times

    def before(self, time: int) -> int:
        """Number of questions before a time."""
        return int(np.searchsorted(self._times, time))

    def times(self) -> list[int]:
        """The times at which there are questions."""
        found: list[int] = np.unique(self._times).tolist()
        return found

    def at(self, time: int) -> list[tuple[NamedQuery, int]]:
        """The queries of a time with their rows, sorted by name."""
        begin, end = np.searchsorted(self._times, (time, time + 1)).tolist()
        return sorted((self.query(row), row) for row in range(begin, end))

    @abstractmethod
    def query(self, row: int) -> NamedQuery:
        """The query of a row, by names of the graph."""

    @abstractmethod
    def question(self, row: int, query: NamedQuery, name: str) -> Question:
        """The whole question of a row.

        Args:
            row: its number.
            query: result of ``query``.
            name: its id.
        """

    def seed(self, query: NamedQuery, time: str, *parts: object) -> int:
        """The seed of a random choice for one question, independent of other questions."""
        words = (word for triple in query for word in triple)
        frame = self.frame
        return seed_of(frame.seed, "questions", frame.split, self.kind, time, *words, *parts)

    def made(
        self,
        name: str,
        time: int,
        query: NamedQuery,
        text: Query,
        **fields: Any,  # noqa: ANN401 - the answers and what shows them
    ) -> Question:
        """A question whose text is one of the template variants of its kind."""
        day = self.names.times[time]
        return Question(
            id=name,
            kind=self.kind,
            split=self.frame.split,
            time=day,
            text=write_question(text, self.seed(query, day) % VARIANTS[self.kind]),
            query=query,
            **fields,
        )


class OneHopDrafts(Drafts):
    """Who is at the other end of a relation?"""

    kind = QuestionKind.ONE_HOP

    def __init__(self, frame: SplitContext, items: OneHopItems) -> None:
        super().__init__(frame, items.time)
        self._relations = len(frame.names.relations)
        self._columns = _views(items.time, items.entity, items.relation)
        self._offsets, self._answers = items.offsets.data, items.answer

    def query(self, row: int) -> NamedQuery:
        """One triple, with the variable as its subject or object."""
        _, entity, relation = (column[row] for column in self._columns)
        name = self.names.entities[entity]
        if relation < self._relations:
            return ((name, self.names.relations[relation], ASKED),)
        return ((ASKED, self.names.relations[relation - self._relations], name),)

    def question(self, row: int, query: NamedQuery, name: str) -> Question:
        """Answers are all entities at the other end."""
        names = self.names
        time, entity, relation = (column[row] for column in self._columns)
        role = Role.OBJECT if relation < self._relations else Role.SUBJECT
        query_text = OneHop(
            entity=names.entity_labels[entity],
            relation=names.relation_labels[relation % self._relations],
            asked=role,
            time=names.time_labels[time],
        )
        found = self._answers[self._offsets[row] : self._offsets[row + 1]].tolist()
        answers = sorted(names.entities[answer] for answer in found)
        day = names.times[time]
        facts = tuple(_filled(query[0], {ASKED: answer}, day) for answer in answers)
        certificate = Certificate(facts=facts)
        return self.made(
            name, time, query, query_text, answers=tuple(answers), certificate=certificate
        )


class TwoHopDrafts(Drafts):
    """Who is related to a party that is related to someone?"""

    kind = QuestionKind.TWO_HOP

    def __init__(
        self, frame: SplitContext, items: TwoHopItems, rules: Sequence[TwoHopRule]
    ) -> None:
        super().__init__(frame, items.time)
        self._rules = rules
        labels = dict(zip(frame.names.relations, frame.names.relation_labels, strict=True))
        self._labelled = [
            (_labelled(rule.given, labels), _labelled(rule.asked, labels)) for rule in rules
        ]
        self._columns = _views(items.time, items.entity, items.rule)
        self._offsets, self._items = items.offsets.data, items

    def query(self, row: int) -> NamedQuery:
        """The triple of the named entity, then that of the answer."""
        _, entity, rule = (column[row] for column in self._columns)
        given, asked = self._rules[rule].given, self._rules[rule].asked
        named = self.names.entities[entity]
        return triple_of(given, PARTY, named), triple_of(asked, PARTY, ASKED)

    def question(self, row: int, query: NamedQuery, name: str) -> Question:
        """Answers are all entities reached by any party; the certificate has the first one."""
        names = self.names
        time, entity, rule = (column[row] for column in self._columns)
        given, asked = self._labelled[rule]
        query_text = TwoHop(
            entity=names.entity_labels[entity],
            given=given,
            asked=asked,
            time=names.time_labels[time],
        )
        part = slice(self._offsets[row], self._offsets[row + 1])
        ends, parties = self._items.answer[part].tolist(), self._items.party[part].tolist()
        found = sorted(
            (names.entities[end], names.entities[party])
            for end, party in zip(ends, parties, strict=True)
        )
        day = names.times[time]
        facts = tuple(
            _filled(triple, {ASKED: answer, PARTY: party}, day)
            for answer, party in found
            for triple in query
        )
        return self.made(
            name,
            time,
            query,
            query_text,
            answers=tuple(answer for answer, _ in found),
            rule=rule,
            certificate=Certificate(facts=facts),
        )


def _labelled(arc: Arc, labels: dict[str, str]) -> Arc:
    return Arc(relation=labels[arc.relation], shared=arc.shared)


def _filled(triple: Triple, entities: dict[str, str], time: str) -> Fact:
    subject, relation, target = triple
    return entities.get(subject, subject), relation, entities.get(target, target), time


Row = tuple[int, int, int, int]
Column: TypeAlias = "memoryview[int]"


class YesUnknownDrafts(Drafts):
    """Will this happen: yes or unknown?"""

    kind = QuestionKind.YES_UNKNOWN

    def __init__(self, frame: SplitContext, items: YesUnknownItems) -> None:
        super().__init__(frame, items.asked.time)
        self._asked, self._source = _columns(items.asked), _columns(items.source)
        self._true = items.true.data

    def query(self, row: int) -> NamedQuery:
        """The triple of the queried fact."""
        return (self.names.fact(*_row(self._asked, row))[:3],)

    def question(self, row: int, query: NamedQuery, name: str) -> Question:
        """The certificate is the fact for a yes, and the source fact for an unknown."""
        names, asked, true = self.names, _row(self._asked, row), self._true[row]
        source = names.fact(*_row(self._source, row))
        return self.made(
            name,
            asked[3],
            query,
            YesUnknown(fact=names.statement(*asked)),
            answers=(YES if true else UNKNOWN,),
            certificate=Certificate(facts=(source,)) if true else Certificate(source=source),
        )


class ReasoningDrafts(Drafts):
    """Which of four earlier facts contributes most to the queried one?"""

    kind = QuestionKind.FACT_REASONING

    def __init__(self, frame: SplitContext, items: ReasoningItems) -> None:
        super().__init__(frame, items.facts.time)
        self._asked = _columns(items.facts)
        self._choices = _columns(items.choices)
        self._values, self._rules = items.values.tolist(), items.rules.tolist()

    def query(self, row: int) -> NamedQuery:
        """The triple of the queried fact."""
        return (self.names.fact(*_row(self._asked, row))[:3],)

    def question(self, row: int, query: NamedQuery, name: str) -> Question:
        """The choices are shuffled."""
        names, asked = self.names, _row(self._asked, row)
        day = names.times[asked[3]]
        shown = _permutation(self.seed(query, day, "order") % factorial(CHOICES))
        # Position of each choice, by contribution.
        order = "".join(LETTERS[shown.index(place)] for place in range(CHOICES))
        return self.made(
            name,
            asked[3],
            query,
            FactReasoning(fact=names.statement(*asked)),
            answers=(order[0],),
            choices=tuple(self._choice(row, place, query, day) for place in shown),
            order=order,
            certificate=Certificate(
                contributions=tuple(self._values[row][place] for place in shown),
                rules=tuple(self._rules[row][place] for place in shown),
            ),
        )

    def _choice(self, row: int, place: int, query: NamedQuery, day: str) -> Choice:
        fact = _row(self._choices, CHOICES * row + place)
        named = self.names.fact(*fact)
        variant = self.seed(query, day, "choice", *named) % STATEMENT_VARIANTS
        return Choice(text=write_statement(self.names.statement(*fact), variant), fact=named)


def _columns(facts: Quadruples) -> tuple[Column, ...]:
    return _views(facts.head, facts.relation, facts.tail, facts.time)


def _views(*columns: Ids) -> tuple[Column, ...]:
    """Columns that give Python's integers; lists of them would take five times the memory."""
    return tuple(column.data for column in columns)


def _row(columns: tuple[Column, ...], row: int) -> Row:
    head, relation, tail, time = columns
    return head[row], relation[row], tail[row], time[row]


def _permutation(number: int) -> list[int]:
    """A permutation of the choices, by its number."""
    left, order = list(range(CHOICES)), []
    for size in range(CHOICES, 0, -1):
        number, place = divmod(number, size)
        order.append(left.pop(place))
    return order
