"""Queries as triples, which files and ``parse`` hold, and back."""

from __future__ import annotations

from collections.abc import Sequence

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
from solver.questions.linking import ASKED_ID, PARTY_ID, LinkedQuery
from solver.questions.question import ASKED, PARTY, Triple
from solver.tkg.dataset import Vocabulary

_MARKS = {ASKED_ID: ASKED, PARTY_ID: PARTY}
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
    """The time on which a query asks."""
    return query.time if isinstance(query, OneHop | TwoHop) else query.fact.time


def triples_of(query: Query) -> tuple[Triple, ...]:
    """One triple, or that of the named entity and that of the answer.

    Raises:
        HopcheckError: an entity is called as one of the marks.
    """
    match query:
        case OneHop(entity=entity, relation=relation, asked=asked):
            arc = Arc(relation=relation, shared=asked.other)
            return (_triple(arc, _named(entity), ASKED),)
        case TwoHop(entity=entity, given=given, asked=arc):
            return _triple(given, PARTY, _named(entity)), _triple(arc, PARTY, ASKED)
        case YesUnknown(fact=fact) | FactReasoning(fact=fact):
            return ((_named(fact.subject), fact.relation, _named(fact.object)),)


def query_of(kind: QuestionKind, triples: Sequence[Triple], time: str) -> Query:
    """The query that some triples of names make.

    Raises:
        HopcheckError: they are not those of this kind.
    """
    marks = [tuple(end for end in (one[0], one[2]) if end in (ASKED, PARTY)) for one in triples]
    match kind, marks:
        case QuestionKind.ONE_HOP, [(mark,)] if mark == ASKED:
            arc, entity = _split(triples[0], ASKED)
            return OneHop(entity=entity, relation=arc.relation, asked=arc.shared, time=time)
        case QuestionKind.TWO_HOP, [(mark,), both] if mark == PARTY and {*both} == {ASKED, PARTY}:
            given, entity = _split(triples[0], PARTY)
            asked, _ = _split(triples[1], PARTY)
            return TwoHop(entity=entity, given=given, asked=asked, time=time)
        case ((QuestionKind.YES_UNKNOWN | QuestionKind.FACT_REASONING), [()]):
            subject, relation, end = triples[0]
            fact = Statement(subject=subject, relation=relation, object=end, time=time)
            asks = YesUnknown if kind is QuestionKind.YES_UNKNOWN else FactReasoning
            return asks(fact=fact)
    told = {
        QuestionKind.ONE_HOP: f"one triple, with {ASKED} as its subject or object",
        QuestionKind.TWO_HOP: f"a triple with {PARTY}, and one with {PARTY} and {ASKED}",
    }.get(kind, "one triple, a fact")
    raise HopcheckError(f"found the query {[list(one) for one in triples]}, expected {told}")


def _triple(arc: Arc, shared: str, other: str) -> Triple:
    if arc.shared is Role.SUBJECT:
        return shared, arc.relation, other
    return other, arc.relation, shared


def _split(triple: Triple, mark: str) -> tuple[Arc, str]:
    """The arc of a mark, and what is at its other end."""
    subject, relation, end = triple
    if subject == mark:
        return Arc(relation=relation, shared=Role.SUBJECT), end
    return Arc(relation=relation, shared=Role.OBJECT), subject


def _named(entity: str) -> str:
    if entity in (ASKED, PARTY):
        raise HopcheckError(f"found an entity called {entity}, expected another name")
    return entity


def graph_triples(query: LinkedQuery, vocabulary: Vocabulary) -> tuple[Triple, ...]:
    """The triples of a linked query, with the names of its graph."""

    def end(number: int) -> str:
        return _MARKS.get(number) or vocabulary.entity(number)

    return tuple((end(s), vocabulary.relation(r), end(o)) for s, r, o in query.triples)
