"""Parsed and linked questions, and batches of them in columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from grammar.question import QuestionKind
from solver.questions.linking import ASKED_ID, PARTY_ID, LinkedFact, LinkedQuery, LinkedTriple
from solver.rules.queries import Queries
from solver.tkg.index import Index
from solver.tkg.quadruples import Ids, Quadruples


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedQuestion:
    """A question parsed from its text, by ids.

    Attributes:
        choices: four facts for fact reasoning, else none.
    """

    query: LinkedQuery
    choices: tuple[LinkedFact, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TwoHops:
    """2-hop queries in columns: paths from an entity by a party to the answer, at one time.

    Relations are ``r`` or the inverse ``r + relations``, so that both lead away from the entity.

    Attributes:
        head: named entity.
        given: relation from it to the party.
        asked: relation from the party to the answer.
        time: time of both facts.
    """

    head: Ids
    given: Ids
    asked: Ids
    time: Ids

    def __len__(self) -> int:
        return len(self.head)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Batch:
    """Questions in columns, by kind; ``places`` are their numbers among all questions.

    Attributes:
        choices: choices of the fact-reasoning questions, four rows each.
    """

    one_hop: Queries
    two_hop: TwoHops
    yes_unknown: Quadruples
    reasoning: Quadruples
    choices: Quadruples
    places: dict[QuestionKind, Ids]

    @classmethod
    def of(cls, asked: Sequence[ParsedQuestion], places: Ids, relations: int) -> Batch:
        """Select questions by their numbers."""
        by_kind: dict[QuestionKind, list[int]] = {kind: [] for kind in QuestionKind}
        for place in places.tolist():
            by_kind[asked[place].query.kind].append(place)
        one = [_leaving(asked[n].query, relations) for n in by_kind[QuestionKind.ONE_HOP]]
        two = [_leaving(asked[n].query, relations) for n in by_kind[QuestionKind.TWO_HOP]]
        reasoning = by_kind[QuestionKind.FACT_REASONING]
        first, second = _columns(one, 3), _columns(two, 4)
        return cls(
            one_hop=Queries(head=first[0], relation=first[1], time=first[2]),
            two_hop=TwoHops(head=second[0], given=second[1], asked=second[2], time=second[3]),
            yes_unknown=_facts([_fact(asked[n]) for n in by_kind[QuestionKind.YES_UNKNOWN]]),
            reasoning=_facts([_fact(asked[n]) for n in reasoning]),
            choices=_facts([fact for n in reasoning for fact in asked[n].choices]),
            places={kind: np.array(rows, dtype=np.int64) for kind, rows in by_kind.items()},
        )

    def __len__(self) -> int:
        return sum(map(len, self.places.values()))


def batches(asked: Sequence[ParsedQuestion], relations: int) -> Iterator[Batch]:
    """Batches of questions that share a query time, and thus the facts they may use."""
    index = Index.of(np.array([one.query.time for one in asked], dtype=np.int64))
    for time in np.unique(index.keys).tolist():
        yield Batch.of(asked, index.rows(time), relations)


def _leaving(query: LinkedQuery, relations: int) -> tuple[int, ...]:
    """The named entity, the relations of the path to the answer, and the time."""
    *given, last = query.triples
    if not given:
        entity, relation = _from(last, last[0] != ASKED_ID, relations)
        return entity, relation, query.time
    (first,) = given
    entity, to_party = _from(first, first[0] != PARTY_ID, relations)
    _, to_answer = _from(last, last[0] == PARTY_ID, relations)
    return entity, to_party, to_answer, query.time


def _from(triple: LinkedTriple, forwards: bool, relations: int) -> tuple[int, int]:
    """The start of a path over a triple, and the relation in the path's direction."""
    subject, relation, end = triple
    return (subject, relation) if forwards else (end, relation + relations)


def _columns(rows: Sequence[tuple[int, ...]], width: int) -> Ids:
    return np.ascontiguousarray(np.array(rows, dtype=np.int64).reshape(-1, width).T)


def _fact(asked: ParsedQuestion) -> LinkedFact:
    (subject, relation, end), *_ = asked.query.triples
    return subject, relation, end, asked.query.time


def _facts(rows: Sequence[LinkedFact]) -> Quadruples:
    return Quadruples.of(np.array(rows, dtype=np.int64))
