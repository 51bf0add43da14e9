"""A graph indexed for rule mining: the continuations of a walk and the heads that follow it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solver.graph.model import Ids, Index, Quadruples, pack


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RuleGraph:
    """Distinct facts in both directions, sorted by head and time.

    Attributes:
        facts: relations may be inverse; times are ranks, 0 to ``times``, exclusive.
        relations: number of relations, with inverses.
        entities: upper bound of entity ids.
        times: number of distinct times.
        next_begin: for each fact, the first row of its possible continuations.
        next_end: the end of these rows, exclusive.
        head_keys: (head, tail, latest time) of each triple (head, relation, tail), ascending.
        head_relation: the relation of each key.
        head_end: end of the keys with the same head and tail, exclusive.
    """

    facts: Quadruples
    relations: int
    entities: int
    times: int
    next_begin: Ids
    next_end: Ids
    head_keys: Ids
    head_relation: Ids
    head_end: Ids

    @classmethod
    def of(cls, facts: Quadruples, relations: int) -> RuleGraph:
        """Index facts.

        Args:
            facts: facts in one direction; duplicates count once.
            relations: number of relations without inverses.

        Raises:
            OverflowError: two entities, a relation and a time do not fit in 63 bits.
        """
        times, rank = np.unique(facts.time, return_inverse=True)
        entities = int(max(facts.head.max(initial=-1), facts.tail.max(initial=-1))) + 1
        sizes = (max(entities, 1), max(len(times), 1), 2 * relations, max(entities, 1))
        ranked = Quadruples(
            head=facts.head, relation=facts.relation, tail=facts.tail, time=rank.astype(np.int64)
        ).both_ways(relations)
        ordered = _sorted(ranked, sizes)
        out = pack((ordered.head, ordered.time), sizes[:2])
        at = pack((ordered.tail, ordered.time), sizes[:2])
        following = ordered.tail * sizes[1] + sizes[1]
        keys, relation, end = _heads(ordered, sizes)
        return cls(
            facts=ordered,
            relations=2 * relations,
            entities=sizes[0],
            times=sizes[1],
            next_begin=np.searchsorted(out, at),
            next_end=np.searchsorted(out, following),
            head_keys=keys,
            head_relation=relation,
            head_end=end,
        )

    def heads_after(self, start: Ids, end: Ids, time: Ids) -> tuple[Ids, Ids]:
        """Find head facts of walks: between the same ends, strictly after the last fact.

        Args:
            start: first entities of the walks.
            end: last entities.
            time: times of the last facts.

        Returns:
            Ranges of ``head_relation``; each relation with such a fact occurs once.
        """
        key = (start * self.entities + end) * self.times + time
        begin = np.searchsorted(self.head_keys, key, side="right")
        found = np.append(self.head_keys, -1)[begin] // self.times == key // self.times
        return begin, np.where(found, np.append(self.head_end, 0)[begin], begin)


def _sorted(facts: Quadruples, sizes: tuple[int, ...]) -> Quadruples:
    """Deduplicate facts and sort them by head and time."""
    keys = np.unique(pack((facts.head, facts.time, facts.relation, facts.tail), sizes))
    rest, tail = np.divmod(keys, sizes[3])
    rest, relation = np.divmod(rest, sizes[2])
    head, time = np.divmod(rest, sizes[1])
    return Quadruples(head=head, relation=relation, tail=tail, time=time)


def _heads(facts: Quadruples, sizes: tuple[int, ...]) -> tuple[Ids, Ids, Ids]:
    """The latest fact of each triple, sorted by head, tail and time."""
    entities, times, relations, _ = sizes
    triples = pack((facts.head, facts.tail, facts.relation), (entities, entities, relations))
    index = Index.of(triples * times + facts.time)
    triple = index.keys // times
    last = np.append(triple[1:] != triple[:-1], np.ones(min(len(triple), 1), dtype=np.bool_))
    pair, relation = np.divmod(triple[last], relations)
    by_time = Index.of(pair * times + index.keys[last] % times)
    ordered = by_time.keys // times
    end = np.searchsorted(ordered, ordered, side="right")
    return by_time.keys, relation[by_time.order], end
