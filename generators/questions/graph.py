"""The graph of a data set of questions: distinct facts, whether they suit, and which are used."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from generators.levels import Levels
from grammar.errors import HopcheckError
from grammar.questions.model import QuestionKind, Statement, phrase_table
from solver.graph.model import (
    Dataset,
    History,
    Ids,
    Quadruples,
    Split,
    Vocabulary,
    expand,
    pack,
)
from solver.questions.model import ASKED, PARTY, Fact
from solver.questions.names import Labels
from solver.verification.settings import setting

CAP = 100
MIN_SUPPORT = 4
TRUE_SHARE = 4
"""One fact in so many is queried unchanged (yes); the others are corrupted (unknown)."""


class GenerationError(HopcheckError):
    """Questions cannot be generated from a graph."""

    code = "questions"


def _in_order(members: type[StrEnum], chosen: Collection[StrEnum]) -> tuple[StrEnum, ...]:
    """Members in the order of their enum, whatever the order on the command line."""
    return tuple(member for member in members if member in chosen)


class Met(StrEnum):
    """How often the entity of a question and an answer were in facts with each other before."""

    OFTEN = "often"
    SOMETIMES = "sometimes"
    SELDOM = "seldom"
    NEVER = "never"


AT_LEAST = {Met.OFTEN: 20, Met.SOMETIMES: 5, Met.SELDOM: 1, Met.NEVER: 0}
"""Minimum number of such facts of the answer with the most of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Settings of a run."""

    kinds: tuple[QuestionKind, ...] = setting(
        tuple(QuestionKind),
        f"Kinds of questions, of {', '.join(QuestionKind)}.",
        choices=QuestionKind,
        several=True,
        metavar="KINDS",
        convert=partial(_in_order, QuestionKind),
    )
    seed: int = setting(0, "Random seed.", low=0)
    cap: int = setting(
        CAP, "Maximum number of 2-hop questions per rule and split; 0 for all.", low=0
    )
    min_support: int = setting(
        MIN_SUPPORT,
        "Minimum support of a 2-hop rule on some day with a confidence above .5.",
        low=1,
    )
    min_days: int = setting(3, "Minimum number of such days.", low=1)
    min_confidence: float = setting(
        0.2,
        "Minimum lower bound of the 95% interval of its confidence over all days.",
        least=0,
        most=1,
    )
    reasoning: tuple[Split, ...] = setting(
        tuple(Split),
        f"Splits with fact-reasoning questions, of {', '.join(Split)}.",
        choices=Split,
        several=True,
        metavar="SPLITS",
        convert=partial(_in_order, Split),
    )
    met: tuple[Met, ...] = setting(
        tuple(Met),
        "Facts of the entity with the answer before a 1-hop or 2-hop question: often (20 or more), "
        "sometimes (5 to 19), seldom (1 to 4), never; of several answers, the most.",
        choices=Met,
        several=True,
        metavar="FREQUENCIES",
        convert=partial(_in_order, Met),
    )


LEVELS: Levels = {
    1: {"kinds": (QuestionKind.ONE_HOP,), "met": (Met.OFTEN,)},
    2: {"kinds": (QuestionKind.ONE_HOP,), "met": (Met.SOMETIMES,)},
    3: {"kinds": (QuestionKind.ONE_HOP,), "met": (Met.SELDOM,)},
    4: {"kinds": (QuestionKind.TWO_HOP,), "met": (Met.OFTEN, Met.SOMETIMES, Met.SELDOM)},
    5: {"kinds": (QuestionKind.ONE_HOP, QuestionKind.TWO_HOP), "met": (Met.NEVER,)},
}
"""By level: kinds of questions, and what the past says of entity and answer."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class QuestionGraph:
    """Facts, each once, sorted by time, head, relation and tail.

    Attributes:
        facts: facts of all splits.
        splits: facts of each split.
        rows: rows in ``facts`` of the facts of each split whose relation suits a question.
        suits: whether each relation suits a question.
        labels: labels used in texts.
    """

    name: str
    vocabulary: Vocabulary
    facts: Quadruples
    splits: Mapping[Split, Quadruples]
    rows: Mapping[Split, Ids]
    suits: NDArray[np.bool_]
    labels: Labels

    def training_facts(self, *, suitable: bool) -> Quadruples:
        """Facts of ``train``, from which rules are mined; none without such a split."""
        whole = self.splits.get(Split.TRAIN, Quadruples.joined())
        return self.facts.take(self.rows[Split.TRAIN]) if suitable and len(whole) else whole


def question_graph(dataset: Dataset) -> QuestionGraph:
    """Prepare a graph for question generation.

    Raises:
        GenerationError: splits share a time, an entity has the name of a query variable, or no
            relation suits a question.
    """
    words = dataset.vocabulary
    spans = {
        split: (int(facts.time.min()), int(facts.time.max()))
        for split, facts in dataset.splits.items()
        if len(facts)
    }
    _require_apart(spans, dataset)
    for mark in (ASKED, PARTY):
        if mark in words.entity_names:
            message = f"found an entity called {mark}, expected another name"
            hint = f"{mark} is a variable in queries"
            raise GenerationError(message, where=dataset.name, hint=hint)
    labels, table = Labels.of(words), phrase_table()
    names = (labels.relation_label(number) for number in range(words.relations))
    suits = np.fromiter((table.suits(name) for name in names), np.bool_, words.relations)
    every = dataset.facts().distinct()
    ranges = {
        split: slice(*np.searchsorted(every.time, (first, last + 1)).tolist())
        for split, (first, last) in spans.items()
    }
    rows = {
        split: np.flatnonzero(suits[every.relation[part]]) + part.start
        for split, part in ranges.items()
    }
    if not any(map(len, rows.values())):
        found = "found no fact with a relation that suits a question, expected some to ask about"
        raise GenerationError(found, where=dataset.name)
    return QuestionGraph(
        name=dataset.name,
        vocabulary=words,
        facts=every,
        splits={split: every.take(part) for split, part in ranges.items()},
        rows=rows,
        suits=suits,
        labels=labels,
    )


def _require_apart(spans: Mapping[Split, tuple[int, int]], dataset: Dataset) -> None:
    """The query time must determine the split."""
    for (early, (_, end)), (late, (begin, _)) in pairwise(spans.items()):
        if begin <= end:
            name_of = dataset.vocabulary.time
            raise GenerationError(
                f"found {early} up to {name_of(end)} and {late} from {name_of(begin)} on, "
                "expected splits that follow each other in time",
                where=dataset.name,
                hint="split the facts by time, or pass one file without splits",
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Names by id; times are those with facts.

    Attributes:
        entities, relations, times: names in the graph.
        entity_labels, relation_labels, time_labels: labels in texts.
    """

    entities: tuple[str, ...]
    relations: tuple[str, ...]
    times: dict[int, str]
    entity_labels: tuple[str, ...]
    relation_labels: tuple[str, ...]
    time_labels: dict[int, str]

    @classmethod
    def of(cls, graph: QuestionGraph) -> Names:
        """All names of a graph."""
        words, labels = graph.vocabulary, graph.labels
        times = np.unique(graph.facts.time).tolist()
        return cls(
            entities=tuple(map(words.entity, range(words.entities))),
            relations=tuple(map(words.relation, range(words.relations))),
            times={time: words.time(time) for time in times},
            entity_labels=tuple(map(labels.entity_label, range(words.entities))),
            relation_labels=tuple(map(labels.relation_label, range(words.relations))),
            time_labels={time: labels.time_label(time) for time in times},
        )

    def fact(self, head: int, relation: int, tail: int, time: int) -> Fact:
        """A fact by names of the graph."""
        entities = self.entities
        return entities[head], self.relations[relation], entities[tail], self.times[time]

    def statement(self, head: int, relation: int, tail: int, time: int) -> Statement:
        """A fact by labels."""
        ends = self.entity_labels
        return Statement(
            subject=ends[head],
            relation=self.relation_labels[relation],
            object=ends[tail],
            time=self.time_labels[time],
        )


_PAIRS = 1 << 21
"""Pairs in memory at once, unless a single fact has more."""

DAYS_PAIRS = 1 << 22
"""Pairs of the days whose facts are looked at together."""


def day_parts(facts: Quadruples, rows: Ids, most: int) -> list[Ids]:
    """Rows in parts of whole days, each with so many pairs, or of one day with more.

    Two facts that share a day and an entity are a pair; so are a fact and itself.

    Args:
        facts: distinct facts, sorted by time.
        rows: rows of some, ascending.
        most: maximum number of pairs.
    """
    begins = np.flatnonzero(np.diff(facts.time[rows], prepend=-1))
    day = np.repeat(np.arange(len(begins)), np.diff(begins, append=len(rows)))
    size = int(max(facts.head.max(initial=0), facts.tail.max(initial=0))) + 1
    ends = np.concatenate((day * size + facts.head[rows], day * size + facts.tail[rows]))
    seen, number = np.unique(ends, return_counts=True)
    pairs = np.zeros(len(begins), dtype=np.int64)
    np.add.at(pairs, seen // size, number**2)
    reached = np.cumsum(pairs)
    cuts, first = list[int](), 0
    while first < len(begins):
        before = int(reached[first - 1]) if first else 0
        first = max(first + 1, int(np.searchsorted(reached, before + most, side="right")))
        cuts.append(first)
    return np.split(rows, begins[cuts[:-1]]) if cuts else []


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Arcs:
    """Facts as seen from either of their ends, which differ; sorted by time and party.

    Attributes:
        party: the end that is shared; other: the one at the far end.
        relation: of the fact if the party is its subject, else its inverse ``r + relations``.
        row: row of the fact among those given.
        relations: how many there are, with inverses.
    """

    time: Ids
    party: Ids
    relation: Ids
    other: Ids
    row: Ids
    relations: int

    def __len__(self) -> int:
        return len(self.time)

    @classmethod
    def of(cls, facts: Quadruples, relations: int, rows: Ids | None = None) -> Arcs:
        """Look at facts, each once, from both ends; an entity is no neighbour of itself.

        Args:
            facts: distinct facts.
            relations: number of relations without inverses.
            rows: the facts to look at; all by default.
        """
        rows = np.arange(len(facts), dtype=np.int64) if rows is None else rows
        rows = rows[facts.head[rows] != facts.tail[rows]]
        both = facts.take(rows).both_ways(relations)
        order = np.lexsort((both.tail, both.relation, both.head, both.time))
        apart = both.take(order)
        return cls(
            time=apart.time,
            party=apart.head,
            relation=apart.relation,
            other=apart.tail,
            row=np.tile(rows, 2)[order],
            relations=2 * relations,
        )

    def pairs(self) -> Iterator[tuple[Ids, Ids]]:
        """Pairs of rows that share time and party, and differ in relation and in the other end.

        Yields:
            First and second rows; all pairs of a first row are in one chunk.
        """
        same = (self.time[1:] == self.time[:-1]) & (self.party[1:] == self.party[:-1])
        starts = np.flatnonzero(np.append(True, ~same)[: len(self)])
        group = np.searchsorted(starts, np.arange(len(self)), side="right") - 1
        begins, ends = starts[group], np.append(starts[1:], len(self))[group]
        reached = np.cumsum(ends - begins)
        row = 0
        while row < len(self):
            before = reached[row - 1] if row else 0
            until = int(np.searchsorted(reached, before + _PAIRS, side="right"))
            until = max(until, row + 1)
            first, second = expand(begins[row:until], ends[row:until])
            first += row
            differ = self.other[first] != self.other[second]
            differ &= self.relation[first] != self.relation[second]
            yield first[differ], second[differ]
            row = until


class Encounters:
    """Selects questions by how often their entity and an answer were in facts before.

    Args:
        graph: distinct facts.
        entities: number of entities.
        wanted: how often.
    """

    def __init__(self, graph: Quadruples, entities: int, wanted: Collection[Met]) -> None:
        self._entities, self._wanted = entities, [met in wanted for met in Met]
        self._graph = graph

    @cached_property
    def _history(self) -> History:
        return History(self._pairs(self._graph.head, self._graph.tail), self._graph.time)

    def suits(self, time: Ids, entity: Ids, offsets: Ids, answer: Ids) -> NDArray[np.bool_]:
        """Whether each question is selected, with answers as those of ``OneHopItems``."""
        if all(self._wanted) or not len(time):
            return np.ones(len(time), dtype=np.bool_)
        sizes = np.diff(offsets)
        pairs = self._pairs(np.repeat(entity, sizes), answer)
        number = self._history.before(pairs, np.repeat(time, sizes))
        most = np.maximum.reduceat(number, offsets[:-1])
        least = np.array(list(AT_LEAST.values()))
        found: NDArray[np.bool_] = np.array(self._wanted)[(most[:, None] < least).sum(axis=1)]
        return found

    def _pairs(self, ids: Ids, others: Ids) -> Ids:
        ends = np.minimum(ids, others), np.maximum(ids, others)
        return pack(ends, (self._entities, self._entities))


FREE, GIVEN, ASKED_FOR, TAKEN = range(4)
"""States of a group: unused, or used as the first or the second hop of 2-hop questions, or by one
question."""


class Ledger:
    """States of the groups of a graph.

    Args:
        facts: distinct facts, sorted by time.
        entities: number of entities.

    Attributes:
        group: the group of each fact.
    """

    def __init__(self, facts: Quadruples, entities: int) -> None:
        times, rank = np.unique(facts.time, return_inverse=True)
        low, high = np.minimum(facts.head, facts.tail), np.maximum(facts.head, facts.tail)
        keys = pack((rank, low, high), (len(times), entities, entities))
        group: Ids = np.unique(keys, return_inverse=True)[1].astype(np.int64)
        self.group = group
        self._state = bytearray(int(group.max(initial=-1)) + 1)

    def free(self) -> NDArray[np.bool_]:
        """For each fact, whether its group is unused."""
        states = np.frombuffer(bytes(self._state), dtype=np.uint8)
        free: NDArray[np.bool_] = states[self.group] == FREE
        return free

    def take(self, rows: Iterable[int]) -> bool:
        """Use the groups of some facts for one question, if all of them are unused."""
        groups = {int(self.group[row]) for row in rows}
        state = self._state
        if any(state[group] for group in groups):
            return False
        for group in groups:
            state[group] = TAKEN
        return True

    def state_rows(self, rows: Iterable[int]) -> None:
        """Mark facts that questions state; several questions may state the same."""
        for row in rows:
            self._state[int(self.group[row])] = TAKEN

    def take_hops(self, given: Iterable[int], asked: Iterable[int]) -> bool:
        """Use facts for the two hops of a 2-hop question, if no question excludes it."""
        firsts = {int(self.group[row]) for row in given}
        seconds = {int(self.group[row]) for row in asked}
        state = self._state
        if not firsts.isdisjoint(seconds):
            return False
        if any(state[group] not in (FREE, GIVEN) for group in firsts):
            return False
        if any(state[group] not in (FREE, ASKED_FOR) for group in seconds):
            return False
        for group in firsts:
            state[group] = GIVEN
        for group in seconds:
            state[group] = ASKED_FOR
        return True
