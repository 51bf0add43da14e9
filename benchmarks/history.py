"""Lookups of earlier facts with the same columns as a query, the only ones that forecasts use."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solver.graph.model import Ids, Index, Quadruples, Vocabulary, pack
from solver.graph.queries import Queries


class TimeIndex:
    """Facts sorted by some columns and then by time; ties in time are in order of row number.

    Attributes:
        order: row numbers of the facts.

    Args:
        facts: facts in any order; relations may be inverse.
        columns: names of the columns, such as ``("head", "relation")``.
        vocabulary: sizes of the vocabulary.

    Raises:
        OverflowError: the columns and the time do not fit in 63 bits.
    """

    def __init__(self, facts: Quadruples, columns: Sequence[str], vocabulary: Vocabulary) -> None:
        entities, relations = vocabulary.entities, 2 * vocabulary.relations
        sizes = {"head": entities, "relation": relations, "tail": entities}
        self._columns = tuple(columns)
        self._times = np.unique(facts.time)
        self._sizes = (*(sizes[name] for name in columns), len(self._times) + 1)
        self._index = Index.of(self._keys(facts, self._places(facts.time)))
        self.order = self._index.order

    def before(self, asked: Quadruples | Queries) -> tuple[Ids, Ids]:
        """The range in ``order`` of the facts before the time of each query, oldest first."""
        places = self._places(asked.time)
        begins, _ = self._index.ranges(self._keys(asked, np.zeros_like(places)))
        ends, _ = self._index.ranges(self._keys(asked, places))
        return begins, ends

    def at(self, asked: Quadruples | Queries) -> tuple[Ids, Ids]:
        """The range in ``order`` of the facts at the time of each query, a time with facts."""
        return self._index.ranges(self._keys(asked, self._places(asked.time)))

    def _places(self, times: Ids) -> Ids:
        """Indexes of times; a time without facts gets that of the next time with facts."""
        return np.searchsorted(self._times, times).astype(np.int64)

    def _keys(self, facts: Quadruples | Queries, places: Ids) -> Ids:
        return pack([*(getattr(facts, name) for name in self._columns), places], self._sizes)
