"""Entity linking: names to ids and back, for questions of files and queries parsed from texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import msgspec

from grammar.errors import HopcheckError
from grammar.questions.model import (
    Arc,
    FactReasoning,
    OneHop,
    Query,
    QuestionKind,
    Role,
    Statement,
    TwoHop,
    YesUnknown,
)
from solver.graph.model import Split, UnknownNameError, Vocabulary, entity_id, relation_id, time_id
from solver.io.sources import FieldError, shown
from solver.questions.model import ASKED, LETTERS, PARTY, UNKNOWN, YES, Fact, Question, Triple
from solver.questions.names import Labels, TimeIndex

_MARKS_TRIPLES = (ASKED, PARTY)
_EXPECTED = {
    QuestionKind.ONE_HOP: f"one triple, with {ASKED} as its subject or object",
    QuestionKind.TWO_HOP: f"two triples of {PARTY}, the second one with {ASKED}",
    QuestionKind.YES_UNKNOWN: "one triple, a fact",
    QuestionKind.FACT_REASONING: "one triple, a fact",
}
_WANTED: Mapping[QuestionKind, list[list[str]]] = {
    QuestionKind.ONE_HOP: [[ASKED]],
    QuestionKind.TWO_HOP: [[PARTY], [ASKED, PARTY]],
    QuestionKind.YES_UNKNOWN: [[]],
    QuestionKind.FACT_REASONING: [[]],
}
"""Variables of each triple, sorted."""
_KINDS_TRIPLES = {
    OneHop: QuestionKind.ONE_HOP,
    TwoHop: QuestionKind.TWO_HOP,
    YesUnknown: QuestionKind.YES_UNKNOWN,
    FactReasoning: QuestionKind.FACT_REASONING,
}


def kind_of(query: Query) -> QuestionKind:
    """The kind of a query."""
    return _KINDS_TRIPLES[type(query)]


def time_of(query: Query) -> str:
    """The time of a query."""
    return query.time if isinstance(query, OneHop | TwoHop) else query.fact.time


def triples_of(query: Query) -> tuple[Triple, ...]:
    """One triple, or that of the named entity and that of the answer.

    Raises:
        UnknownNameError: an entity has the name of a variable.
    """
    match query:
        case OneHop(entity=entity, relation=relation, asked=asked):
            arc = Arc(relation=relation, shared=asked.other)
            return (triple_of(arc, _named(entity), ASKED),)
        case TwoHop(entity=entity, given=given, asked=arc):
            return triple_of(given, PARTY, _named(entity)), triple_of(arc, PARTY, ASKED)
        case YesUnknown(fact=fact) | FactReasoning(fact=fact):
            return ((_named(fact.subject), fact.relation, _named(fact.object)),)


def triple_of(arc: Arc, shared: str, other: str) -> Triple:
    """The triple of an arc between two entities or variables."""
    if arc.shared is Role.SUBJECT:
        return shared, arc.relation, other
    return other, arc.relation, shared


def require_kind(kind: QuestionKind, triples: Sequence[Triple]) -> None:
    """Reject triples that do not form a query of this kind.

    Raises:
        FieldError: for the field ``query``.
    """
    marks = [
        sorted(end for end in (triple[0], triple[2]) if end in _MARKS_TRIPLES) for triple in triples
    ]
    if marks != _WANTED[kind]:
        found = shown(str([list(triple) for triple in triples]))
        raise FieldError("query", found, _EXPECTED[kind], f"of a {kind} question")


def query_of(kind: QuestionKind, triples: Sequence[Triple], time: str) -> Query:
    """The query of some triples of names.

    Raises:
        HopcheckError: they do not form a query of this kind.
    """
    try:
        require_kind(kind, triples)
    except FieldError as error:
        raise HopcheckError(str(error), hint=error.hint) from None
    match kind:
        case QuestionKind.ONE_HOP:
            arc, entity = _split(triples[0], ASKED)
            return OneHop(entity=entity, relation=arc.relation, asked=arc.shared, time=time)
        case QuestionKind.TWO_HOP:
            given, entity = _split(triples[0], PARTY)
            asked, _ = _split(triples[1], PARTY)
            return TwoHop(entity=entity, given=given, asked=asked, time=time)
    subject, relation, end = triples[0]
    fact = Statement(subject=subject, relation=relation, object=end, time=time)
    return YesUnknown(fact=fact) if kind is QuestionKind.YES_UNKNOWN else FactReasoning(fact=fact)


def _split(triple: Triple, mark: str) -> tuple[Arc, str]:
    """The arc of a variable, and the term at its other end."""
    subject, relation, end = triple
    if subject == mark:
        return Arc(relation=relation, shared=Role.SUBJECT), end
    return Arc(relation=relation, shared=Role.OBJECT), subject


def _named(entity: str) -> str:
    if entity in _MARKS_TRIPLES:
        raise UnknownNameError(f"found an entity called {entity}, expected another name")
    return entity


ASKED_ID, PARTY_ID = -1, -2
"""Ids of the variables for the answer and the party; proper ids are not negative."""

LinkedTriple: TypeAlias = tuple[int, int, int]
LinkedFact: TypeAlias = tuple[int, int, int, int]

_MARKS = {ASKED: ASKED_ID, PARTY: PARTY_ID}
_MARKED = {number: mark for mark, number in _MARKS.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedQuery:
    """A query by ids.

    Attributes:
        triples: as in ``Question.query``, with ``ASKED_ID`` and ``PARTY_ID`` as variables.
    """

    kind: QuestionKind
    time: int
    triples: tuple[LinkedTriple, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedQuestion:
    """A question by ids.

    Attributes:
        answers: entities; 1 for yes and 0 for unknown; or the number of a choice.
        choices: facts; order: their numbers by contribution, greatest first.
        rule: row of the 2-hop rule.
    """

    query: LinkedQuery
    split: Split
    answers: tuple[int, ...]
    choices: tuple[LinkedFact, ...] = ()
    order: tuple[int, ...] = ()
    rule: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Lookup tables of a graph's names; ids where it has no names."""

    vocabulary: Vocabulary
    entities: Mapping[str, int]
    relations: Mapping[str, int]
    times: Mapping[str, int]
    _missing: dict[tuple[str, str], UnknownNameError] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, vocabulary: Vocabulary) -> Names:
        """All names of a vocabulary."""
        return cls(
            vocabulary=vocabulary,
            entities={vocabulary.entity(n): n for n in range(vocabulary.entities)},
            relations={vocabulary.relation(n): n for n in range(vocabulary.relations)},
            times=TimeIndex(vocabulary),
        )

    def entity(self, name: str) -> int:
        """The id of an entity.

        Raises:
            UnknownNameError: it is unknown; the hint lists the nearest names.
        """
        number = self.entities.get(name)
        return self._refused("entity", name) if number is None else number

    def relation(self, name: str) -> int:
        """The id of a relation that is not an inverse; raises as ``entity`` does."""
        number = self.relations.get(name)
        return self._refused("relation", name) if number is None else number

    def time(self, name: str) -> int:
        """The id of a time; raises as ``entity`` does."""
        number = self.times.get(name)
        return self._refused("time", name) if number is None else number

    def triple(self, triple: Triple) -> LinkedTriple:
        """The ids of a triple, which may contain variables."""
        subject, relation, end = triple
        return self._end(subject), self.relation(relation), self._end(end)

    def fact(self, fact: Fact) -> LinkedFact:
        """The ids of a fact."""
        subject, relation, end, time = fact
        return self.entity(subject), self.relation(relation), self.entity(end), self.time(time)

    def _end(self, name: str) -> int:
        mark = _MARKS.get(name)
        return self.entity(name) if mark is None else mark

    def _refused(self, kind: str, name: str) -> int:
        # Errors are cached: the search for near names is slow, and a file may repeat a wrong name.
        if (kind, name) not in self._missing:
            self._missing[kind, name] = _unknown(self.vocabulary, kind, name)
        raise self._missing[kind, name]


def _unknown(vocabulary: Vocabulary, kind: str, name: str) -> UnknownNameError:
    lookup = {"entity": entity_id, "relation": relation_id, "time": time_id}[kind]
    try:
        lookup(vocabulary, name)
    except UnknownNameError as error:
        return error
    # An id where there are names, an inverse relation, or the time after the last one.
    return UnknownNameError(f"found no {kind} {name!r}, expected one by its name")


def link(question: Question, names: Names) -> LinkedQuestion:
    """Replace the names of a question by ids.

    Raises:
        UnknownNameError: a name is not in the graph.
    """
    kind = question.kind
    query = LinkedQuery(
        kind=kind,
        time=names.time(question.time),
        triples=tuple(map(names.triple, question.query)),
    )
    match kind:
        case QuestionKind.YES_UNKNOWN:
            answers = tuple(int(answer == YES) for answer in question.answers)
        case QuestionKind.FACT_REASONING:
            answers = tuple(map(LETTERS.index, question.answers))
        case _:
            answers = tuple(map(names.entity, question.answers))
    return LinkedQuestion(
        query=query,
        split=question.split,
        answers=answers,
        choices=tuple(names.fact(choice.fact) for choice in question.choices),
        order=tuple(map(LETTERS.index, question.order)),
        rule=question.rule,
    )


def linked_query(query: Query, labels: Labels) -> LinkedQuery:
    """Link a query parsed from a text.

    Raises:
        UnknownNameError: a label is not in the graph.
    """

    def end(label: str) -> int:
        mark = _MARKS.get(label)
        return labels.entity(label) if mark is None else mark

    triples = triples_of(query)
    return LinkedQuery(
        kind=kind_of(query),
        time=labels.time(time_of(query)),
        triples=tuple((end(s), labels.relation(r), end(o)) for s, r, o in triples),
    )


def linked_statement(statement: Statement, labels: Labels) -> LinkedFact:
    """Link a statement parsed from a text.

    Raises:
        UnknownNameError: a label is not in the graph.
    """
    return (
        labels.entity(statement.subject),
        labels.relation(statement.relation),
        labels.entity(statement.object),
        labels.time(statement.time),
    )


def labelled_query(query: LinkedQuery, labels: Labels) -> Query:
    """The query with the labels used in texts."""

    def end(number: int) -> str:
        return _MARKED.get(number) or labels.entity_label(number)

    triples = [(end(s), labels.relation_label(r), end(o)) for s, r, o in query.triples]
    return query_of(query.kind, triples, labels.time_label(query.time))


def graph_triples(query: LinkedQuery, vocabulary: Vocabulary) -> tuple[Triple, ...]:
    """The triples of a query with the names of the graph."""

    def end(number: int) -> str:
        return _MARKED.get(number) or vocabulary.entity(number)

    return tuple((end(s), vocabulary.relation(r), end(o)) for s, r, o in query.triples)


def graph_fact(fact: LinkedFact, vocabulary: Vocabulary) -> Fact:
    """A fact with the names of its graph."""
    s, r, o, t = fact
    names = vocabulary
    return names.entity(s), names.relation(r), names.entity(o), names.time(t)


def labelled_statement(fact: LinkedFact, labels: Labels) -> Statement:
    """The fact with the labels used in texts."""
    subject, relation, end, time = fact
    return Statement(
        subject=labels.entity_label(subject),
        relation=labels.relation_label(relation),
        object=labels.entity_label(end),
        time=labels.time_label(time),
    )


_Packed = tuple[int, int, list[LinkedTriple], int, list[int], list[LinkedFact], list[int], int]
_KINDS, _SPLITS = tuple(QuestionKind), tuple(Split)
_UNPACK = msgspec.msgpack.Decoder(_Packed).decode


def packed(question: LinkedQuestion) -> bytes:
    """Serialise a question compactly, so that a million of them fit in memory."""
    query = question.query
    return msgspec.msgpack.encode(
        (
            _KINDS.index(query.kind),
            query.time,
            query.triples,
            _SPLITS.index(question.split),
            question.answers,
            question.choices,
            question.order,
            -1 if question.rule is None else question.rule,
        )
    )


def unpacked(data: bytes) -> LinkedQuestion:
    """Inverse of ``packed``."""
    kind, time, triples, split, answers, choices, order, rule = _UNPACK(data)
    return LinkedQuestion(
        query=LinkedQuery(kind=_KINDS[kind], time=time, triples=tuple(triples)),
        split=_SPLITS[split],
        answers=tuple(answers),
        choices=tuple(choices),
        order=tuple(order),
        rule=None if rule < 0 else rule,
    )


_ROWS = 2**31
"""Upper bound of clingo's integers."""


def require_shape(question: Question) -> None:
    """Reject a question whose fields do not fit its kind.

    Raises:
        FieldError: naming the offending field.
    """
    if not question.id:
        raise FieldError("id", "''", "a name", "ids identify questions")
    require_kind(question.kind, question.query)
    _require_rule(question)
    match question.kind:
        case QuestionKind.YES_UNKNOWN:
            if question.answers not in ((YES,), (UNKNOWN,)):
                raise _answers(question, f"one of {YES} and {UNKNOWN}")
        case QuestionKind.FACT_REASONING:
            _require_choices(question)
    if question.kind != QuestionKind.FACT_REASONING and (question.choices or question.order):
        raise FieldError("choices", "some", "none", f"of a {question.kind} question")


def _require_rule(question: Question) -> None:
    found = "nothing" if question.rule is None else str(question.rule)
    if question.kind is not QuestionKind.TWO_HOP:
        if question.rule is not None:
            raise FieldError("rule", found, "nothing", f"of a {question.kind} question")
    elif question.rule is None or not 0 <= question.rule < _ROWS:
        raise FieldError("rule", found, "a row of the rules", "required of 2-hop questions, from 0")


def _require_choices(question: Question) -> None:
    if len(question.choices) != len(LETTERS):
        found = str(len(question.choices))
        raise FieldError("choices", found, str(len(LETTERS)), "of a fact-reasoning question")
    if "".join(sorted(question.order)) != LETTERS:
        expected = f"each of {', '.join(LETTERS)} once"
        raise FieldError("order", shown(question.order), expected, "most supporting first")
    if len(question.answers) != 1 or question.answers[0] not in tuple(LETTERS):
        raise _answers(question, f"one of {', '.join(LETTERS)}")


def _answers(question: Question, expected: str) -> FieldError:
    found = shown(", ".join(question.answers))
    return FieldError("answers", found, expected, f"of a {question.kind} question")
