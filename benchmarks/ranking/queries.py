"""The queries of a split: an object query and a subject query for each fact."""

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
        dataset: the graph.
        split: the queried split.
        asked: 2n rows: the n facts of the split in file order, then their inverses, with relation
            ``r + |R|``. ``tail`` is the answer.
        known: the distinct facts of all splits in both directions.
        times: the distinct times of facts, ascending; keys contain indexes into it.
        index: index of ``asked`` by the whole fact.
    """

    dataset: Dataset
    split: Split
    asked: Quadruples
    known: Quadruples
    times: Ids
    index: Index

    @classmethod
    def of(cls, dataset: Dataset, split: Split) -> Queries:
        """The queries of a split.

        Raises:
            InputError: the split is missing or empty, or contains duplicate facts.
        """
        if split not in dataset.splits or not len(dataset.splits[split]):
            given = ", ".join(dataset.splits)
            message = f"found no facts of the split {split}, expected {split}.txt next to {given}"
            raise InputError(message, where=dataset.name)
        relations = dataset.vocabulary.relations
        asked = dataset.splits[split].both_ways(relations)
        known = dataset.facts().distinct().both_ways(relations)
        times = np.unique(known.time)
        keys = _keys(asked, dataset, times)
        index = Index.of(keys)
        again = np.flatnonzero(index.keys[1:] == index.keys[:-1])
        if len(again):
            # Facts precede their inverses and the sort is stable: the smallest row is a fact.
            row = dataset.splits[split].rows()[int(index.order[again].min())].tolist()
            message = (
                f"{len(again) // 2:,} duplicate facts, such as {tuple(row)}, expected each once"
            )
            raise InputError(message, where=f"{dataset.name}/{split}.txt")
        return cls(dataset=dataset, split=split, asked=asked, known=known, times=times, index=index)

    def __len__(self) -> int:
        return len(self.asked)

    @property
    def events(self) -> int:
        """Number of queried facts: half the queries."""
        return len(self.asked) // 2

    @property
    def entities(self) -> int:
        """Number of entities."""
        return self.dataset.vocabulary.entities

    @property
    def step(self) -> int:
        """Time step of the graph: the shortest time between facts, such as 1 day or 24 hours."""
        return int(np.diff(self.times).min()) if len(self.times) > 1 else 1

    def event(self) -> Quadruples:
        """The facts of the split in file order."""
        return self.asked.take(slice(self.events))

    def rows_of(self, facts: Quadruples) -> Ids:
        """The number of the query of each fact; -1 if there is none."""
        found = np.full(len(facts), -1, dtype=np.int64)
        timely = np.flatnonzero(np.isin(facts.time, self.times))
        if not len(timely):
            return found
        keys = _keys(facts.take(timely), self.dataset, self.times)
        places, ends = self.index.ranges(keys)
        present = ends > places
        found[timely[present]] = self.index.order[places[present]]
        return found

    def keys(self, facts: Quadruples, columns: Sequence[str]) -> Ids:
        """Pack some columns of facts into keys; times are replaced by indexes into ``times``.

        A time without facts gets the index of the next time with facts, so that keys that end in
        the time can bound a window.
        """
        vocabulary = self.dataset.vocabulary
        entities, relations = vocabulary.entities, 2 * vocabulary.relations
        sizes = {"head": entities, "relation": relations, "tail": entities}
        sizes["time"] = len(self.times) + 1
        values = {"head": facts.head, "relation": facts.relation, "tail": facts.tail}
        values["time"] = np.searchsorted(self.times, facts.time).astype(np.int64)
        return pack([values[name] for name in columns], [sizes[name] for name in columns])


def _keys(facts: Quadruples, dataset: Dataset, times: Ids) -> Ids:
    vocabulary = dataset.vocabulary
    columns = (facts.head, facts.relation, facts.tail, np.searchsorted(times, facts.time))
    sizes = (vocabulary.entities, 2 * vocabulary.relations, vocabulary.entities, len(times) + 1)
    return pack(columns, sizes)
