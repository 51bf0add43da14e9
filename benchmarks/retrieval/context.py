"""The context of a query: the most recent facts before it that share its head, or its pair."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from solver.rules.queries import Queries
from solver.tkg.dataset import Vocabulary
from solver.tkg.index import Index, expand, pack
from solver.tkg.quadruples import Ids, Quadruples

MOST = 25
"""Facts of a context. Source: synthetic temporal knowledge graphs, section 5.3."""


class Shared(StrEnum):
    """What the facts of a context share with the query.

    ``entity``: the head. ``pair``: head and relation. ``relation``: the relation.
    """

    ENTITY = "entity"
    PAIR = "pair"
    RELATION = "relation"


_COLUMNS = {
    Shared.ENTITY: ("head",),
    Shared.PAIR: ("head", "relation"),
    Shared.RELATION: ("relation",),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Contexts:
    """The context of each query.

    Attributes:
        order: row numbers of facts.
        begins: where each context begins in ``order``; so for ``ends``. Oldest facts come first.
    """

    order: Ids
    begins: Ids
    ends: Ids

    def __len__(self) -> int:
        return len(self.begins)

    def rows(self, query: int) -> Ids:
        """The facts of one context."""
        return self.order[self.begins[query] : self.ends[query]]

    def expanded(self) -> tuple[Ids, Ids]:
        """All facts of all contexts: the number of the query, and the row of the fact."""
        askers, places = expand(self.begins, self.ends)
        return askers, self.order[places]


class History:
    """Facts by what a query shares with them, in order of time.

    Of facts of one time the later row counts as the more recent one.

    Args:
        facts: in any order.
        shared: what they are found by.
        vocabulary: how many entities and relations there are.
    """

    def __init__(self, facts: Quadruples, shared: Shared, vocabulary: Vocabulary) -> None:
        self._shared = shared
        self._times = np.unique(facts.time)
        sizes = {"head": vocabulary.entities, "relation": 2 * vocabulary.relations}
        self._columns = _COLUMNS[shared]
        self._sizes = [*(sizes[name] for name in self._columns), len(self._times) + 1]
        self._index = Index.of(self._keys(facts))

    def before(self, asked: Quadruples | Queries, most: int = MOST) -> Contexts:
        """The most recent facts before the time of each query, at most so many."""
        ends, _ = self._index.ranges(self._keys(asked))
        begins, _ = self._index.ranges(self._keys(asked, begin=True))
        return Contexts(order=self._index.order, begins=np.maximum(begins, ends - most), ends=ends)

    def recent(self, asked: Quadruples, values: Iterable[int], most: int = MOST) -> list[Ids]:
        """The rows before the time of one query for each of some relations, oldest first.

        Args:
            asked: one row; its relation does not count.
            values: the relations.
            most: rows of each.
        """
        relations = np.fromiter(values, np.int64)
        repeated = asked.take(np.zeros(len(relations), np.int64))
        queries = Queries(head=repeated.head, relation=relations, time=repeated.time)
        contexts = self.before(queries, most)
        return [contexts.rows(number) for number in range(len(contexts))]

    def _keys(self, facts: Quadruples | Queries, *, begin: bool = False) -> Ids:
        """Keys that end in the place of the time, or in that of the first one."""
        # A time without facts takes the place of the next one that has some.
        place = np.searchsorted(self._times, facts.time)
        columns = [getattr(facts, name) for name in self._columns]
        return pack([*columns, np.zeros_like(place) if begin else place], self._sizes)
