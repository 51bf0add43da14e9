"""The context of a query: the most recent earlier facts that share its head, relation or both."""

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
"""Maximum number of facts in a context (synthetic temporal knowledge graphs, section 5.3)."""


class ContextKey(StrEnum):
    """Columns in which the facts of a context equal the query.

    ``entity``: head. ``pair``: head and relation. ``relation``: relation.
    """

    ENTITY = "entity"
    PAIR = "pair"
    RELATION = "relation"


_COLUMNS = {
    ContextKey.ENTITY: ("head",),
    ContextKey.PAIR: ("head", "relation"),
    ContextKey.RELATION: ("relation",),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Contexts:
    """The context of each query.

    Attributes:
        order: row numbers of facts.
        begins: begin of each context in ``order``; oldest facts come first.
        ends: end of each context in ``order``, exclusive.
    """

    order: Ids
    begins: Ids
    ends: Ids

    def __len__(self) -> int:
        return len(self.begins)

    def rows(self, query: int) -> Ids:
        """Rows of the facts of one context."""
        return self.order[self.begins[query] : self.ends[query]]

    def expanded(self) -> tuple[Ids, Ids]:
        """Query number and fact row of all facts of all contexts."""
        askers, places = expand(self.begins, self.ends)
        return askers, self.order[places]


class History:
    """Index of facts by context key and time; ties in time are broken by row number.

    Args:
        facts: facts in any order.
        shared: key of the contexts.
        vocabulary: sizes of the vocabulary.
    """

    def __init__(self, facts: Quadruples, shared: ContextKey, vocabulary: Vocabulary) -> None:
        self._shared = shared
        self._times = np.unique(facts.time)
        sizes = {"head": vocabulary.entities, "relation": 2 * vocabulary.relations}
        self._columns = _COLUMNS[shared]
        self._sizes = [*(sizes[name] for name in self._columns), len(self._times) + 1]
        self._index = Index.of(self._keys(facts))

    def before(self, asked: Quadruples | Queries, most: int = MOST) -> Contexts:
        """The at most ``most`` latest facts before the time of each query."""
        ends, _ = self._index.ranges(self._keys(asked))
        begins, _ = self._index.ranges(self._keys(asked, begin=True))
        return Contexts(order=self._index.order, begins=np.maximum(begins, ends - most), ends=ends)

    def recent(self, asked: Quadruples, values: Iterable[int], most: int = MOST) -> list[Ids]:
        """Latest rows before the time of one query for each of some relations, oldest first.

        Args:
            asked: one row; its relation is ignored.
            values: relations.
            most: maximum number of rows per relation.
        """
        relations = np.fromiter(values, np.int64)
        repeated = asked.take(np.zeros(len(relations), np.int64))
        queries = Queries(head=repeated.head, relation=relations, time=repeated.time)
        contexts = self.before(queries, most)
        return [contexts.rows(number) for number in range(len(contexts))]

    def _keys(self, facts: Quadruples | Queries, *, begin: bool = False) -> Ids:
        """Keys that end in the index of the time, or in 0 for ``begin``."""
        # A time without facts gets the index of the next time with facts.
        place = np.searchsorted(self._times, facts.time)
        columns = [getattr(facts, name) for name in self._columns]
        return pack([*columns, np.zeros_like(place) if begin else place], self._sizes)
