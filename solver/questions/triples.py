"""Converts queries to triples of names, the format of files and of ``parse``, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grammar.question import (
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
from solver.errors import HopcheckError
from solver.questions.question import ASKED, PARTY, Triple
from solver.reading.failures import FieldError, shown
from solver.tkg.naming import UnknownNameError

_MARKS = (ASKED, PARTY)
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
_KINDS = {
    OneHop: QuestionKind.ONE_HOP,
    TwoHop: QuestionKind.TWO_HOP,
    YesUnknown: QuestionKind.YES_UNKNOWN,
    FactReasoning: QuestionKind.FACT_REASONING,
}


def kind_of(query: Query) -> QuestionKind:
    """The kind of a query."""
    return _KINDS[type(query)]


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
    marks = [sorted(end for end in (one[0], one[2]) if end in _MARKS) for one in triples]
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
    if entity in _MARKS:
        raise UnknownNameError(f"found an entity called {entity}, expected another name")
    return entity
