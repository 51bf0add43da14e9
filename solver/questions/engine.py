"""The join engine: violations of a batch of questions, by joins of sorted columns.

Independent of the encodings; both engines must find the same violations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from grammar.questions.model import QuestionKind
from solver.encodings import ViolationAtom
from solver.graph.model import Ids, Index, Quadruples, Split, expand, pack
from solver.questions.contributions import CHOICES, MARGIN
from solver.questions.linking import ASKED_ID, PARTY_ID, LinkedQuestion
from solver.questions.world import World

_SPLITS = tuple(Split)
_KINDS = tuple(QuestionKind)


class JoinEngine:
    """Indexes of a world for joins."""

    def __init__(self, world: World) -> None:
        self._world, self._size = world, world.vocabulary
        facts = world.facts
        self._both = facts.both_ways(self._size.relations)
        self._leaving = Index.of(self._start(self._both.head, self._both.relation, self._both.time))
        self._known = Index.of(self._fact(facts, facts.time))
        self._triples = Index.of(self._fact(facts, np.zeros_like(facts.time)))

    def _start(self, heads: Ids, relations: Ids, times: Ids) -> Ids:
        size = self._size
        sizes = (size.entities, 2 * size.relations, size.times)
        return pack((heads, relations, times), sizes)

    def _fact(self, facts: Quadruples, times: Ids) -> Ids:
        size = self._size
        sizes = (size.entities, size.relations, size.entities, size.times)
        return pack((facts.head, facts.relation, facts.tail, times), sizes)

    def findings(self, questions: Sequence[LinkedQuestion]) -> set[ViolationAtom]:
        """Violations; the first number of each is the question's position in the batch."""
        batch = _Columns(questions)
        parts = (
            self._entity_findings(batch),
            self._yes_unknown_findings(batch),
            self._reasoning_findings(batch),
            self._split_findings(batch),
            _repeated(batch),
            self._rule_findings(batch),
        )
        return {atom for part in parts for atom in part}

    def _other_ends(self, starts: Ids, relations: Ids, times: Ids) -> tuple[Ids, Ids]:
        """Pairs of (row of a start, entity at the other end) by facts of a relation at a time."""
        asker, place = expand(*self._leaving.ranges(self._start(starts, relations, times)))
        return asker, self._both.tail[self._leaving.order[place]]

    def _entity_findings(self, batch: _Columns) -> Iterator[ViolationAtom]:
        size = self._size.relations
        rows = batch.of(QuestionKind.ONE_HOP)
        head, relation, tail = batch.triples[rows, 0].T
        asked_first = head == ASKED_ID
        starts = np.where(asked_first, tail, head)
        asker, answer = self._other_ends(
            starts, np.where(asked_first, relation + size, relation), batch.times[rows]
        )
        numbers, answers = [rows[asker]], [answer]

        rows = batch.of(QuestionKind.TWO_HOP)
        head, relation, tail = batch.triples[rows, 0].T
        party_first = head == PARTY_ID
        named = np.where(party_first, tail, head)
        asker, party = self._other_ends(
            named, np.where(party_first, relation + size, relation), batch.times[rows]
        )
        head, relation, _ = batch.triples[rows, 1].T
        onward = np.where(head == PARTY_ID, relation, relation + size)
        walker, answer = self._other_ends(party, onward[asker], batch.times[rows][asker])
        asker, party = asker[walker], party[walker]
        three = (party != named[asker]) & (answer != named[asker]) & (answer != party)
        numbers.append(rows[asker][three])
        answers.append(answer[three])

        entities = self._size.entities
        entailed = np.unique(np.concatenate(numbers) * entities + np.concatenate(answers))
        who = np.isin(
            batch.kinds[batch.answered], _indexes(QuestionKind.ONE_HOP, QuestionKind.TWO_HOP)
        )
        given = np.unique(batch.answered[who] * entities + batch.answers[who])
        yield from _pairs("wrong_answer", np.setdiff1d(given, entailed), entities)
        yield from _pairs("missing_answer", np.setdiff1d(entailed, given), entities)
        asked = batch.of(QuestionKind.ONE_HOP, QuestionKind.TWO_HOP)
        answered = np.union1d(given, entailed) // entities
        yield from _findings("no_answer", np.setdiff1d(asked, answered))

    def _yes_unknown_findings(self, batch: _Columns) -> Iterator[ViolationAtom]:
        rows = batch.of(QuestionKind.YES_UNKNOWN)
        asked = batch.facts(rows)
        there = self._known.contains(self._fact(asked, asked.time))
        ever = self._triples.contains(self._fact(asked, np.zeros_like(asked.time)))
        yes = batch.first_answer[rows] == 1
        yield from _findings("yes_for_an_absent_fact", rows[yes & ~ever])
        yield from _findings("unknown_for_a_present_fact", rows[~yes & there])
        yield from _findings("known_at_another_time", rows[ever & ~there])

    def _reasoning_findings(self, batch: _Columns) -> Iterator[ViolationAtom]:
        rows = batch.of(QuestionKind.FACT_REASONING)
        if not len(rows):
            return
        asked = batch.facts(rows)
        chosen = batch.choices(rows)
        asker, letter = (index.ravel() for index in np.indices((len(rows), CHOICES)))
        late = chosen.time >= asked.time[asker]
        yield from _findings("late_choice", rows[asker[late]], letter[late])
        keys = self._fact(chosen, chosen.time)
        there = self._known.contains(keys)
        yield from _findings("absent_choice", rows[asker[~there]], letter[~there])
        table = keys.reshape(-1, CHOICES)
        for index in range(CHOICES):
            for other in range(index + 1, CHOICES):
                same = rows[table[:, index] == table[:, other]]
                yield from _findings(
                    "equal_choices", same, *(np.full_like(same, n) for n in (index, other))
                )
        weights = self._world.contributors.weights(asked.take(asker), chosen)
        worth = np.where(there, weights, 0).reshape(-1, CHOICES)
        row, place = np.nonzero(worth == 0)
        yield from _findings("no_contribution", rows[row], place)
        yield from _ordered(rows, worth[np.arange(len(rows))[:, None], batch.orders(rows)])
        yield from _twins(rows, chosen)
        answer = batch.first_answer[rows]
        own = worth[np.arange(len(rows)), answer]
        less = own < worth.max(axis=1)
        yield from _findings("wrong_answer", rows[less], answer[less])
        again = (
            (chosen.head == asked.head[asker])
            & (chosen.relation == asked.relation[asker])
            & (chosen.tail == asked.tail[asker])
        )
        yield from _findings("choice_repeats_the_question", rows[asker[again]], letter[again])

    def _split_findings(self, batch: _Columns) -> Iterator[ViolationAtom]:
        days = self._world.days
        within = np.stack([np.isin(batch.times, days.get(split, ())) for split in _SPLITS])
        own = within[batch.splits, np.arange(len(batch.times))]
        yield from _findings("outside_its_split", np.flatnonzero(~own))
        for number in range(len(_SPLITS)):
            also = own & (batch.splits != number) & within[number]
            rows = np.flatnonzero(also)
            yield from _findings("splits_overlap", rows, np.full_like(rows, number))

    def _rule_findings(self, batch: _Columns) -> Iterator[ViolationAtom]:
        rules, size = self._world.two_hop, self._size.relations
        if rules is None:
            return
        rows = batch.of(QuestionKind.TWO_HOP)
        for number in rows.tolist():
            row = int(batch.rules[number])
            arcs = [
                relation + (0 if head == PARTY_ID else size)
                for head, relation, _ in batch.triples[number].tolist()
            ]
            rule = rules[row] if row < len(rules) else None
            if rule is None or not rule.use or [rule.given, rule.asked] != arcs:
                yield ViolationAtom(code="rule_refused", numbers=(number, row))


class _Columns:
    """A batch in columns, one per field."""

    def __init__(self, questions: Sequence[LinkedQuestion]) -> None:
        self._questions = questions
        queries = [question.query for question in questions]
        self.kinds = _array(_KINDS.index(query.kind) for query in queries)
        self.times = _array(query.time for query in queries)
        self.splits = _array(_SPLITS.index(question.split) for question in questions)
        # The single triple of other queries is repeated.
        pairs = [(query.triples[0], query.triples[-1]) for query in queries]
        self.triples = np.array(pairs, dtype=np.int64).reshape(-1, 2, 3)
        self.answered = np.repeat(
            np.arange(len(questions)), [len(question.answers) for question in questions]
        )
        self.answers = _array(answer for question in questions for answer in question.answers)
        self.first_answer = _array(
            question.answers[0] if question.answers else -1 for question in questions
        )
        self.rules = _array(
            -1 if question.rule is None else question.rule for question in questions
        )

    def of(self, *kinds: QuestionKind) -> Ids:
        """Row numbers of the questions of some kinds."""
        return np.flatnonzero(np.isin(self.kinds, _indexes(*kinds)))

    def facts(self, rows: Ids) -> Quadruples:
        """The queried facts of some questions."""
        return Quadruples.of(np.column_stack((self.triples[rows, 0], self.times[rows])))

    def choices(self, rows: Ids) -> Quadruples:
        """The choices of some questions, concatenated."""
        listed = [self._questions[row].choices for row in rows.tolist()]
        return Quadruples.of(np.array(listed, dtype=np.int64).reshape(-1, 4))

    def orders(self, rows: Ids) -> Ids:
        """Their declared orders, shape (n, 4)."""
        return np.array([self._questions[row].order for row in rows.tolist()], dtype=np.int64)


def _ordered(rows: Ids, worth: Ids) -> Iterator[ViolationAtom]:
    """Violations of the order of choices; ``worth`` is in the declared order."""
    for place in range(CHOICES - 1):
        wrong = worth[:, place] <= worth[:, place + 1]
        yield from _findings("choices_out_of_order", rows[wrong], np.full(wrong.sum(), place))
    most, whole = MARGIN
    yield from _findings("narrow_margin", rows[most * worth[:, 0] < whole * worth[:, 1]])


def _twins(rows: Ids, chosen: Quadruples) -> Iterator[ViolationAtom]:
    """Choices of the same two entities and time."""
    low, high = np.minimum(chosen.head, chosen.tail), np.maximum(chosen.head, chosen.tail)
    low, high, time = (column.reshape(-1, CHOICES) for column in (low, high, chosen.time))
    for index in range(CHOICES):
        for other in range(index + 1, CHOICES):
            same = (low[:, index] == low[:, other]) & (high[:, index] == high[:, other])
            same &= time[:, index] == time[:, other]
            some = rows[same]
            yield from _findings(
                "twin_choices", some, *(np.full_like(some, n) for n in (index, other))
            )


def _repeated(batch: _Columns) -> Iterator[ViolationAtom]:
    columns = np.column_stack((batch.kinds, batch.times, batch.triples.reshape(-1, 6)))
    _, first, which = np.unique(columns, axis=0, return_index=True, return_inverse=True)
    before = first[which.reshape(-1)]
    again = np.flatnonzero(before < np.arange(len(before)))
    yield from _findings("repeated_question", again, before[again])


def _findings(code: str, *columns: NDArray[np.int64]) -> Iterator[ViolationAtom]:
    for numbers in zip(*(column.tolist() for column in columns), strict=True):
        yield ViolationAtom(code=code, numbers=numbers)


def _pairs(code: str, keys: Ids, size: int) -> Iterator[ViolationAtom]:
    yield from _findings(code, keys // size, keys % size)


def _indexes(*kinds: QuestionKind) -> list[int]:
    return [_KINDS.index(kind) for kind in kinds]


def _array(values: Iterator[int]) -> Ids:
    return np.fromiter(values, dtype=np.int64)
