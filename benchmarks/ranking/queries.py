"""The queries of a split: each fact asked for its object, and read backwards for its subject."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from solver.reading.failures import InputError
from solver.tkg.dataset import Dataset, Split
from solver.tkg.index import Index, pack
from solver.tkg.quadruples import Ids, Quadruples


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Queries:
    """Queries ``(s, r, ?, t)`` with their answers ``o``.

    Attributes:
        dataset: the graph that they are asked of.
        split: whose facts are asked for.
        asked: 2n rows: the split's n facts in the order of their file, then each read backwards,
            with ``r + |R|`` for its relation. ``tail`` is the answer.
        known: the facts of all splits, each once, both ways.
        times: at which there are facts, ascending; keys hold places among them.
        index: of ``asked`` by the whole fact.
    """

    dataset: Dataset
    split: Split
    asked: Quadruples
    known: Quadruples
    times: Ids
    index: Index

    @classmethod
    def of(cls, dataset: Dataset, split: Split) -> Queries:
        """Ask for the facts of a split.

        Raises:
            InputError: there is no such split, it is empty, or it holds a fact twice.
        """
        if split not in dataset.splits or not len(dataset.splits[split]):
            given = ", ".join(dataset.splits)
            message = f"found no facts of the split {split}, expected {split}.txt beside {given}"
            raise InputError(message, where=dataset.name)
        relations = dataset.vocabulary.relations
        asked = dataset.splits[split].both_ways(relations)
        known = dataset.facts().distinct().both_ways(relations)
        times = np.unique(known.time)
        keys = _keys(asked, dataset, times)
        index = Index.of(keys)
        again = np.flatnonzero(index.keys[1:] == index.keys[:-1])
        if len(again):
            # Facts stand before their inverses, and sorting is stable: the least place is a fact's.
            row = dataset.splits[split].rows()[int(index.order[again].min())].tolist()
            message = (
                f"{len(again) // 2:,} facts occur again, {tuple(row)} for one, expected each once"
            )
            raise InputError(message, where=f"{dataset.name}/{split}.txt")
        return cls(dataset=dataset, split=split, asked=asked, known=known, times=times, index=index)

    def __len__(self) -> int:
        return len(self.asked)

    @property
    def events(self) -> int:
        """How many facts are asked for: half the queries."""
        return len(self.asked) // 2

    @property
    def entities(self) -> int:
        """How many entities may answer a query."""
        return self.dataset.vocabulary.entities

    @property
    def step(self) -> int:
        """The shortest time between facts: a day, say, written as 1 or as 24 hours."""
        return int(np.diff(self.times).min()) if len(self.times) > 1 else 1

    def event(self) -> Quadruples:
        """The split's facts, as they stand in their file."""
        return self.asked.take(slice(self.events))

    def rows_of(self, facts: Quadruples) -> Ids:
        """The query of each fact, by its number; -1 for what is not asked."""
        found = np.full(len(facts), -1, dtype=np.int64)
        timely = np.flatnonzero(np.isin(facts.time, self.times))
        if not len(timely):
            return found
        keys = _keys(facts.take(timely), self.dataset, self.times)
        places, ends = self.index.ranges(keys)
        held = ends > places
        found[timely[held]] = self.index.order[places[held]]
        return found

    def keys(self, facts: Quadruples, columns: Sequence[str]) -> Ids:
        """One key for some of the columns of facts; times by their places in ``times``.

        A time at which there is no fact takes the place of the next one that there is, so that keys
        that end in the time still bound a window.
        """
        vocabulary = self.dataset.vocabulary
        entities, relations = vocabulary.entities, 2 * vocabulary.relations
        sizes = {"head": entities, "relation": relations, "tail": entities}
        sizes["time"] = len(self.times) + 1
        held = {"head": facts.head, "relation": facts.relation, "tail": facts.tail}
        held["time"] = np.searchsorted(self.times, facts.time).astype(np.int64)
        return pack([held[name] for name in columns], [sizes[name] for name in columns])


def _keys(facts: Quadruples, dataset: Dataset, times: Ids) -> Ids:
    vocabulary = dataset.vocabulary
    columns = (facts.head, facts.relation, facts.tail, np.searchsorted(times, facts.time))
    sizes = (vocabulary.entities, 2 * vocabulary.relations, vocabulary.entities, len(times) + 1)
    return pack(columns, sizes)
