"""Probes of questions: what predicts yes, unknown or the right choice without reasoning.

Yes-unknown: the words of the question; counts of its entities and relation; whether and when the
two met before; the countries and types of its entities, and what such do; the other questions of
the split (transductive); the same triple in ``train`` (between splits). Fact reasoning: the words,
the letter; age, frequency and subject of the choices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from grammar.questions.model import QuestionKind
from solver.graph.model import History, Ids, Quadruples, Split, Vocabulary
from solver.probes.learners import Bags, Keys, Table
from solver.probes.probe import Labelled, Probe, ProbeLevel, ProbeResult, run_probes
from solver.questions.linking import LinkedQuestion
from solver.questions.model import LETTERS, UNKNOWN, YES

PROBED = (QuestionKind.YES_UNKNOWN, QuestionKind.FACT_REASONING)
"""Kinds whose answers are labels."""

Columns: TypeAlias = Sequence[tuple[str, NDArray[np.float64] | Ids]]


@dataclass(frozen=True, kw_only=True)
class SplitQuestions:
    """All questions of a split, and the graph.

    Attributes:
        questions: questions of all kinds.
        facts: facts of the graph.
    """

    questions: Sequence[LinkedQuestion]
    facts: Quadruples
    vocabulary: Vocabulary

    @cached_property
    def mentions(self) -> Mapping[str, Counts]:
        """How often the questions of each kind name an entity in a role of a relation and a day."""
        found: dict[str, list[tuple[int, int, int]]] = {kind: [] for kind in QuestionKind}
        for question in self.questions:
            for head, relation, tail in question.query.triples:
                rows = found[question.query.kind]
                if head >= 0:
                    rows.append((head, relation, question.query.time))
                if tail >= 0:
                    rows.append((tail, relation + self.vocabulary.relations, question.query.time))
        return {kind: Counts(rows, self.vocabulary) for kind, rows in found.items()}


class Counts:
    """Counts of entities in roles and times.

    Args:
        rows: entity, relation or its inverse, and time of each mention.
        vocabulary: vocabulary of the graph.
    """

    def __init__(self, rows: Sequence[tuple[int, int, int]], vocabulary: Vocabulary) -> None:
        table = np.array(rows, dtype=np.int64).reshape(-1, 3)
        self._roles, self._times = 2 * vocabulary.relations, vocabulary.times + 1
        entity, role, time = table.T
        self._by_role = np.sort((entity * self._roles + role) * self._times + time)
        self._by_day = np.sort(entity * self._times + time)
        self._by_entity = np.sort(entity)

    def same(self, entity: Ids, role: Ids, time: Ids) -> Ids:
        """Mentions of the entity in this role at this time."""
        return _counted(self._by_role, (entity * self._roles + role) * self._times + time)

    def day(self, entity: Ids, time: Ids) -> Ids:
        """Mentions of the entity at this time."""
        return _counted(self._by_day, entity * self._times + time)

    def all(self, entity: Ids) -> Ids:
        """Mentions of the entity."""
        return _counted(self._by_entity, entity)


def _counted(keys: Ids, wanted: Ids) -> Ids:
    number: Ids = np.searchsorted(keys, wanted, side="right") - np.searchsorted(keys, wanted)
    return number


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbedQuestion:
    """A question with the questions of its split."""

    question: LinkedQuestion
    split: SplitQuestions


Items: TypeAlias = Sequence[ProbedQuestion]


def _asked(items: Items) -> tuple[Ids, Ids, Ids, Ids]:
    rows = [(*sample.question.query.triples[0], sample.question.query.time) for sample in items]
    head, relation, tail, time = np.array(rows, dtype=np.int64).reshape(-1, 4).T
    return head, relation, tail, time


def _table(columns: Columns) -> Table:
    values = np.stack([np.asarray(values, dtype=np.float64) for _, values in columns], axis=1)
    return Table(names=tuple(name for name, _ in columns), values=values)


def _words(items: Items) -> Bags:
    head, relation, tail, _ = _asked(items)
    rows = zip(head.tolist(), relation.tolist(), tail.tolist(), strict=True)
    names = items[0].split.vocabulary
    return Bags(
        bags=[
            (f"subject {names.entity(s)}", names.relation(r), f"object {names.entity(o)}")
            for s, r, o in rows
        ]
    )


def _history(items: Items) -> tuple[Quadruples, int, int]:
    split = items[0].split
    return split.facts, split.vocabulary.entities, split.vocabulary.relations


def _counts(items: Items) -> Table:
    head, relation, tail, time = _asked(items)
    facts, entities, _ = _history(items)
    both = History(
        np.concatenate((facts.head, facts.tail)), np.concatenate((facts.time, facts.time))
    )
    subjects = History(facts.relation * entities + facts.head, facts.time)
    objects = History(facts.relation * entities + facts.tail, facts.time)
    return _table(
        (
            ("facts of the subject", both.before(head, time)),
            ("facts of the object", both.before(tail, time)),
            ("facts of the relation", History(facts.relation, facts.time).before(relation, time)),
            ("subject in the relation", subjects.before(relation * entities + head, time)),
            ("object in the relation", objects.before(relation * entities + tail, time)),
        )
    )


def _pairs(items: Items) -> Table:
    head, relation, tail, time = _asked(items)
    facts, entities, relations = _history(items)

    def pair(ids: Ids, other: Ids) -> Ids:
        key: Ids = np.minimum(ids, other) * entities + np.maximum(ids, other)
        return key

    met = History(pair(facts.head, facts.tail), facts.time)
    triple = (facts.head * entities + facts.tail) * relations + facts.relation
    same = (head * entities + tail) * relations + relation
    return _table(
        (
            ("facts of the two", met.before(pair(head, tail), time)),
            ("time since the two met", met.counted(pair(head, tail), time)[1]),
            ("the triple before", History(triple, facts.time).before(same, time)),
        )
    )


def _countries(items: Items) -> Table:
    from solver.questions.counts import FactCounts

    facts, entities, relations = _history(items)
    counts = FactCounts(facts, entities, relations, items[0].split.vocabulary.entity_names)
    rows = np.stack(_asked(items), axis=1)
    return _table(tuple(counts.columns(rows).items()))


def _others(items: Items) -> Table:
    head, relation, tail, time = _asked(items)
    split = items[0].split
    inverse = relation + split.vocabulary.relations
    own = int(items[0].question.query.kind is QuestionKind.YES_UNKNOWN)
    columns: list[tuple[str, NDArray[np.float64] | Ids]] = []
    for kind, counts in split.mentions.items():
        # The question itself mentions both.
        less = own if kind is QuestionKind.YES_UNKNOWN else 0
        columns += [
            (f"{kind}, subject and relation, that day", counts.same(head, relation, time) - less),
            (f"{kind}, object and relation, that day", counts.same(tail, inverse, time) - less),
            (f"{kind}, subject, that day", counts.day(head, time) - less),
            (f"{kind}, object, that day", counts.day(tail, time) - less),
            (f"{kind}, subject", counts.all(head) - less),
            (f"{kind}, object", counts.all(tail) - less),
        ]
    either = sum(
        (counts.same(head, relation, time) > 0) & (counts.same(tail, inverse, time) > 0)
        for kind, counts in split.mentions.items()
        if kind is not QuestionKind.YES_UNKNOWN
    )
    columns.append(("both ends of the fact in other questions", np.asarray(either)))
    return _table(columns)


def _triples(items: Items) -> Keys:
    head, relation, tail, _ = _asked(items)
    rows = zip(head.tolist(), relation.tolist(), tail.tolist(), strict=True)
    return Keys(keys=[f"{s} {r} {o}" for s, r, o in rows])


def _letter(items: Items) -> Keys:
    return Keys(keys=["the most frequent letter"] * len(items))


def _choices(items: Items) -> Table:
    facts, entities, relations = _history(items)
    table = np.array([sample.question.choices for sample in items], dtype=np.int64)
    heads, kinds, tails, times = np.moveaxis(table, 2, 0)
    head, relation, _, time = _asked(items)
    days = np.repeat(time, len(LETTERS))
    triples = History((facts.head * entities + facts.tail) * relations + facts.relation, facts.time)
    same = ((heads * entities + tails) * relations + kinds).reshape(-1)
    ranked = {
        "latest": times,
        "longest time to the next older choice": pauses(times),
        "most frequent triple": triples.before(same, days).reshape(times.shape),
        "most frequent relation": History(facts.relation, facts.time)
        .before(kinds.reshape(-1), days)
        .reshape(times.shape),
    }
    columns: list[tuple[str, NDArray[np.float64] | Ids]] = []
    for name, values in ranked.items():
        order = np.argsort(-values, axis=1, kind="stable")
        columns += [(f"place {place + 1} by {name}", order[:, place]) for place in range(4)]
    for place, letter in enumerate(LETTERS):
        columns += [
            (f"{letter} has the same subject", (heads[:, place] == head).astype(np.int64)),
            (f"{letter} has the same relation", (kinds[:, place] == relation).astype(np.int64)),
        ]
    return _table(columns)


def pauses(times: Ids) -> Ids:
    """Time from the next older choice to each; 0 for the oldest."""
    order = np.argsort(times, axis=1, kind="stable")
    ascending = np.take_along_axis(times, order, axis=1)
    found = np.empty_like(times)
    np.put_along_axis(found, order, np.diff(ascending, axis=1, prepend=ascending[:, :1]), axis=1)
    return found


PROBES: Mapping[QuestionKind, tuple[Probe[ProbedQuestion], ...]] = {
    QuestionKind.YES_UNKNOWN: (
        Probe(name="the words of the question", features=_words),
        Probe(name="counts of the entities and the relation", features=_counts),
        Probe(name="whether and when the two met before", features=_pairs),
        Probe(
            name="countries, types and usual partners",
            features=_countries,
            fast=False,
        ),
        Probe(name="the other questions of the split", features=_others),
        Probe(name="the same triple in other questions", features=_triples),
    ),
    QuestionKind.FACT_REASONING: (
        Probe(name="the words of the question", features=_words),
        Probe(name="the letter", features=_letter),
        Probe(name="age, frequency and subject of the choices", features=_choices),
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionProbe:
    """The result of a probe on the questions of a kind and split."""

    kind: QuestionKind
    split: Split
    result: ProbeResult

    @property
    def place(self) -> str:
        """What was probed, in words."""
        return f"{self.kind} questions of {self.split}"


def probed(
    questions: Mapping[Split, Sequence[tuple[str, LinkedQuestion]]],
    facts: Quadruples,
    vocabulary: Vocabulary,
    level: ProbeLevel,
) -> Iterator[QuestionProbe]:
    """Run the probes on each split, fitted on ``train``; ``train`` itself is cross-validated.

    Args:
        questions: ids and questions of all kinds of each split.
        facts: facts of the graph.
        vocabulary: its vocabulary.
        level: ``fast`` leaves out ``train`` where there are other splits.
    """
    if level is ProbeLevel.NONE:
        return
    contexts = {
        split: SplitQuestions(
            questions=[question for _, question in some], facts=facts, vocabulary=vocabulary
        )
        for split, some in questions.items()
    }
    for kind in PROBED:
        parts = {split: _labelled(some, kind, contexts[split]) for split, some in questions.items()}
        train = parts.get(Split.TRAIN)
        for split, part in parts.items():
            alone = split is Split.TRAIN or train is None or not train.items
            if split is Split.TRAIN and level is ProbeLevel.FAST and len(parts) > 1:
                continue
            if part.items:
                against = None if alone else train
                for result in run_probes(PROBES[kind], part, against, level=level):
                    yield QuestionProbe(kind=kind, split=split, result=result)


def _labelled(
    questions: Sequence[tuple[str, LinkedQuestion]], kind: QuestionKind, split: SplitQuestions
) -> Labelled[ProbedQuestion]:
    label: Callable[[int], str] = (
        LETTERS.__getitem__ if kind is QuestionKind.FACT_REASONING else (UNKNOWN, YES).__getitem__
    )
    some = [
        (name, question)
        for name, question in questions
        if question.query.kind is kind and question.answers
    ]
    return Labelled(
        items=[ProbedQuestion(question=question, split=split) for _, question in some],
        labels=[label(question.answers[0]) for _, question in some],
        ids=[name for name, _ in some],
    )
