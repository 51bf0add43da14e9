"""Questions as ids: what is asked, once the names that a text says are found in a graph."""

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
class Asked:
    """A question of a text, by ids.

    Attributes:
        choices: of fact reasoning, four facts; else none.
    """

    query: LinkedQuery
    choices: tuple[LinkedFact, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TwoHops:
    """Who is reached from an entity over a party, by two relations of one time, a row each.

    Relations are read forwards or backwards, ``r`` or ``r + relations``, so that both lead away
    from the entity.

    Attributes:
        head: the entity that is named.
        given: from it to the party.
        asked: from the party to the answer.
        time: of both facts.
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
        choices: of the fact-reasoning questions, four rows each.
    """

    one_hop: Queries
    two_hop: TwoHops
    yes_unknown: Quadruples
    reasoning: Quadruples
    choices: Quadruples
    places: dict[QuestionKind, Ids]

    @classmethod
    def of(cls, asked: Sequence[Asked], places: Ids, relations: int) -> Batch:
        """Some of the questions, by their numbers."""
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


def batches(asked: Sequence[Asked], relations: int) -> Iterator[Batch]:
    """The questions of one time after those of another: what they may look back on is the same."""
    index = Index.of(np.array([one.query.time for one in asked], dtype=np.int64))
    for time in np.unique(index.keys).tolist():
        yield Batch.of(asked, index.rows(time), relations)


def _leaving(query: LinkedQuery, relations: int) -> tuple[int, ...]:
    """The named entity, the relations that lead from it to the answer, and the time."""
    *given, last = query.triples
    if not given:
        entity, relation = _from(last, last[0] != ASKED_ID, relations)
        return entity, relation, query.time
    (first,) = given
    entity, to_party = _from(first, first[0] != PARTY_ID, relations)
    _, to_answer = _from(last, last[0] == PARTY_ID, relations)
    return entity, to_party, to_answer, query.time


def _from(triple: LinkedTriple, forwards: bool, relations: int) -> tuple[int, int]:
    """The end at which a walk over a triple begins, and the relation in the walk's direction."""
    subject, relation, end = triple
    return (subject, relation) if forwards else (end, relation + relations)


def _columns(rows: Sequence[tuple[int, ...]], width: int) -> Ids:
    return np.ascontiguousarray(np.array(rows, dtype=np.int64).reshape(-1, width).T)


def _fact(asked: Asked) -> LinkedFact:
    (subject, relation, end), *_ = asked.query.triples
    return subject, relation, end, asked.query.time


def _facts(rows: Sequence[LinkedFact]) -> Quadruples:
    return Quadruples.of(np.array(rows, dtype=np.int64))
