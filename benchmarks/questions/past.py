"""What a question may look back on: the facts at times before its own, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from benchmarks.questions.asked import TwoHops
from solver.rules.queries import Queries
from solver.tkg.dataset import Vocabulary
from solver.tkg.index import Index, expand, pack
from solver.tkg.quadruples import Ids, Quadruples


class Past:
    """Facts of a graph, each once and read both ways, to look up those before some time.

    Args:
        facts: of all times.
        vocabulary: of the graph.
    """

    def __init__(self, facts: Quadruples, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.facts = facts.distinct().both_ways(vocabulary.relations)
        self.times = np.unique(self.facts.time)
        self._often: dict[tuple[int, int], Ids] = {}

    @cached_property
    def _by_pair(self) -> Index:
        facts = self.facts
        return Index.of(self._key((facts.head, facts.relation), facts.time))

    @cached_property
    def _by_triple(self) -> Index:
        facts = self.facts
        return Index.of(self._key((facts.head, facts.relation, facts.tail), facts.time))

    @cached_property
    def _by_relation(self) -> Index:
        return Index.of(self._key((self.facts.relation,), self.facts.time))

    def before(self, asked: Queries) -> tuple[Ids, Ids]:
        """The rows of facts with a query's head and relation: (number of the query, row)."""
        return self._earlier(self._by_pair, (asked.head, asked.relation), asked.time)

    def again(self, asked: Quadruples) -> tuple[Ids, Ids]:
        """The rows of the same triple: (number of the asked fact, row)."""
        return self._earlier(self._by_triple, (asked.head, asked.relation, asked.tail), asked.time)

    def joins(self, asked: TwoHops) -> tuple[Ids, Ids, Ids]:
        """Earlier days on which both facts were there: (number, row of the one, row of the other).

        The three entities of a join are different ones.
        """
        facts = self.facts
        number, first = self._earlier(self._by_pair, (asked.head, asked.given), asked.time)
        party, time = facts.tail[first], facts.time[first]
        keys = self._key((party, asked.asked[number]), time)
        place, found = expand(*self._by_pair.ranges(keys))
        second = self._by_pair.order[found]
        number, first = number[place], first[place]
        head, end = facts.head[first], facts.tail[second]
        apart = (head != end) & (facts.tail[first] != end) & (head != facts.tail[first])
        return number[apart], first[apart], second[apart]

    def often(self, relation: int, time: int) -> Ids:
        """The ends of a relation's facts before a time, the most frequent first, ties by id."""
        place = int(np.searchsorted(self.times, time))
        if (relation, place) not in self._often:
            rows = self._earlier(self._by_relation, (np.array([relation]),), np.array([time]))[1]
            counts = np.bincount(self.facts.tail[rows], minlength=self.vocabulary.entities)
            order = np.argsort(-counts, kind="stable")
            self._often[relation, place] = order[counts[order] > 0]
        return self._often[relation, place]

    def completed(
        self, lists: Sequence[Ids], relation: Ids, time: Ids, most: int, named: Ids | None = None
    ) -> list[Ids]:
        """Lists with the most frequent ends of a relation after what they hold, cut to ``most``.

        Args:
            lists: entities, each once.
            relation: of each list; time: before which facts count.
            time: see ``relation``.
            most: the length of a list, if there are as many.
            named: an entity for each list that is no answer.
        """
        found = []
        for number, (one, key, end) in enumerate(
            zip(lists, relation.tolist(), time.tolist(), strict=True)
        ):
            # As many as there is room for, though the list may hold some of them already.
            others = self.often(key, end)[: most + len(one) + 1] if len(one) < most else one[:0]
            if named is not None:
                others = others[others != named[number]]
            found.append(np.concatenate([one, others[~np.isin(others, one)]])[:most])
        return found

    def _earlier(self, index: Index, columns: tuple[Ids, ...], times: Ids) -> tuple[Ids, Ids]:
        begins, _ = index.ranges(self._key(columns, np.full_like(times, self.times[0])))
        ends, _ = index.ranges(self._key(columns, times))
        number, found = expand(begins, ends)
        return number, index.order[found]

    def _key(self, columns: tuple[Ids, ...], times: Ids) -> Ids:
        """Keys that end in the place of the time, or of the next one at which there is a fact."""
        entities, relations = self.vocabulary.entities, 2 * self.vocabulary.relations
        sizes = {1: (relations,), 2: (entities, relations), 3: (entities, relations, entities)}
        places = np.searchsorted(self.times, times).astype(np.int64)
        return pack((*columns, places), (*sizes[len(columns)], len(self.times) + 1))


def grouped(groups: Ids, size: int, members: Ids) -> tuple[Ids, Ids, NDArray[np.intp]]:
    """Each member of each group once: (group, member, its number for each row)."""
    keys, numbers = np.unique(groups * size + members, return_inverse=True)
    group, member = np.divmod(keys, size)
    return group, member, numbers
