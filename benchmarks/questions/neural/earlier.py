"""What happened to entities before questions, counted, for models that copy from it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchmarks.history import TimeIndex
from solver.graph.model import Dataset, Ids, Quadruples, expand


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EarlierTriples:
    """Distinct triples of earlier facts, by question, relation and tail.

    Attributes:
        question: number of the question, or of its pair of entities.
        relation: relation from its entity, r or the inverse ``r + relations``.
        tail: the other entity.
        count: number of earlier facts.
        lag: time since the latest one, at least 1.
    """

    question: Ids
    relation: Ids
    tail: Ids
    count: Ids
    lag: Ids


class EarlierFacts:
    """The facts of a graph in both directions, to be asked for those before some times."""

    def __init__(self, graph: Dataset) -> None:
        vocabulary = graph.vocabulary
        self._sizes = (2 * vocabulary.relations, vocabulary.entities)
        self._facts = graph.facts().distinct().both_ways(vocabulary.relations)
        self._of_entity = TimeIndex(self._facts, ("head",), vocabulary)
        self._of_pair = TimeIndex(self._facts, ("head", "tail"), vocabulary)

    def before(self, times: Ids, heads: Ids, tails: Ids | None = None) -> EarlierTriples:
        """Count the facts of entities, or of pairs of entities, before a time of each."""
        ends = np.zeros_like(heads) if tails is None else tails
        asked = Quadruples(head=heads, relation=np.zeros_like(heads), tail=ends, time=times)
        index = self._of_entity if tails is None else self._of_pair
        number, places = expand(*index.before(asked))
        rows = index.order[places]
        relations, entities = self._sizes
        keys = number * relations + self._facts.relation[rows]
        keys = keys * entities + self._facts.tail[rows]
        each, numbers, count = np.unique(keys, return_inverse=True, return_counts=True)
        latest = np.zeros(len(each), dtype=np.int64)
        # The facts of a question are in the order of time, so that the last one is kept.
        latest[numbers] = self._facts.time[rows]
        pairs, tail = np.divmod(each, entities)
        question, relation = np.divmod(pairs, relations)
        return EarlierTriples(
            question=question,
            relation=relation,
            tail=tail,
            count=count.astype(np.int64),
            lag=times[question] - latest,
        )
