"""Entity linking: names to ids and back, for questions of files and queries parsed from texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import msgspec

from grammar.question import Query, QuestionKind, Statement
from solver.questions.labels import Labels
from solver.questions.moments import TimeIndex
from solver.questions.question import ASKED, LETTERS, PARTY, YES, Fact, Question, Triple
from solver.questions.triples import kind_of, query_of, time_of, triples_of
from solver.tkg.dataset import Split, Vocabulary
from solver.tkg.naming import UnknownNameError, entity_id, relation_id, time_id

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
            answers = tuple(int(one == YES) for one in question.answers)
        case QuestionKind.FACT_REASONING:
            answers = tuple(map(LETTERS.index, question.answers))
        case _:
            answers = tuple(map(names.entity, question.answers))
    return LinkedQuestion(
        query=query,
        split=question.split,
        answers=answers,
        choices=tuple(names.fact(one.fact) for one in question.choices),
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
