"""Multi-hop scoring: answers to questions from the probabilities of single facts.

A question is a path of relations from the entity that it names; the score of an entity is the
probability that some path leads to it. The probabilities are those of the facts of the day itself,
0 or 1, which shows that the questions can be answered from the graph; or those of a forecaster.

The idea is MHS of ForecastTKGQA (Ding et al. 2023, section 5.5), which averages over all facts of
an entity and learns what matches the question. An average ranks an entity of many facts below one
of few, whatever they are; so scores are propagated along the relations of the question alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from benchmarks.forecasting.forecaster import Forecaster, NeuralForecaster
from benchmarks.questions.inputs import TwoHops
from benchmarks.training import MODEL, Device, select_device
from solver.extras import require
from solver.graph.model import Dataset, Ids, Index, Quadruples, Vocabulary, expand, pack
from solver.graph.queries import Queries
from solver.questions.model import LETTERS
from solver.rules.provenance import Seen
from solver.rules.ranks import Scores
from solver.rules.score_folders import folder_seen, is_score_folder, read_parts

PARTIES = 10
"""Candidates for the party of a 2-hop question, if facts are uncertain."""

_ROWS = 512
"""Queries that are asked together, at most."""

_SUREST = 1 - 1e-12


class Edges(Protocol):
    """The probabilities of facts."""

    @property
    def certain(self) -> bool:
        """Whether all probabilities are 0 or 1."""

    def ends(self, asked: Queries) -> Scores:
        """The probability of each entity as the end of a fact, shape (queries, entities)."""


class KnownEdges:
    """Facts of the graph, those of the query time included.

    Args:
        facts: the facts.
        vocabulary: vocabulary of the graph.
    """

    certain = True

    def __init__(self, facts: Quadruples, vocabulary: Vocabulary) -> None:
        self._words = vocabulary
        self._facts = facts.distinct().both_ways(vocabulary.relations)
        columns = self._facts.head, self._facts.relation, self._facts.time
        self._index = Index.of(self._keys(*columns))

    def ends(self, asked: Queries) -> Scores:
        """1 for each end of a fact of the query, else 0."""
        found = np.zeros((len(asked), self._words.entities))
        keys = self._keys(asked.head, asked.relation, asked.time)
        number, place = expand(*self._index.ranges(keys))
        found[number, self._facts.tail[self._index.order[place]]] = 1
        return found

    def _keys(self, head: Ids, relation: Ids, time: Ids) -> Ids:
        sizes = self._words.entities, 2 * self._words.relations, self._words.times
        return pack((head, relation, time), sizes)


class ForecastEdges:
    """Facts that a forecaster expects: the softmax of its scores over all entities.

    Args:
        forecaster: the forecaster.
        entities: number of entities.
    """

    certain = False

    def __init__(self, forecaster: Forecaster, entities: int) -> None:
        self._forecaster, self._entities = forecaster, entities

    def ends(self, asked: Queries) -> Scores:
        """The probability of each end; equal queries are asked once."""
        rows = np.stack((asked.time, asked.head, asked.relation), axis=1)
        each, numbers = np.unique(rows, axis=0, return_inverse=True)
        time, head, relation = np.ascontiguousarray(each.T)
        found = np.zeros((len(each), self._entities))
        for places, scores in self._forecaster.score(
            Queries(head=head, relation=relation, time=time)
        ):
            found[places] = softmax(scores)
        return found[numbers.reshape(-1)]


class ScoredEdges:
    """Facts that a folder of scores expects: their softmax; 0 for queries that it lacks.

    Args:
        folder: the folder, as ``write_scores`` writes it.
        graph: the graph.

    Raises:
        InputError: a file is missing or has another shape.
    """

    certain = False

    def __init__(self, folder: Path, graph: Dataset) -> None:
        self._entities = graph.vocabulary.entities
        self._parts = read_parts(folder, entities=self._entities, graph=graph.name)
        self._places = {
            (head, relation, time): (part, row)
            for part, (keys, _) in enumerate(self._parts)
            for row, (head, relation, time) in enumerate(keys.tolist())
        }

    def ends(self, asked: Queries) -> Scores:
        """The probability of each end."""
        found = np.zeros((len(asked), self._entities))
        keys = zip(asked.head.tolist(), asked.relation.tolist(), asked.time.tolist(), strict=True)
        for number, key in enumerate(keys):
            if (place := self._places.get(key)) is not None:
                part, row = place
                found[number] = softmax(self._parts[part][1][row])
        return found


def softmax(scores: NDArray[np.float32]) -> Scores:
    """Probabilities that are proportional to the exponentials of scores, along the last axis."""
    values = np.exp(scores.astype(np.float64) - scores.max(axis=-1, keepdims=True))
    found: Scores = values / values.sum(axis=-1, keepdims=True)
    return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExpectedFacts:
    """The facts that a forecaster expects, and what it was learned from."""

    edges: Edges
    seen: Seen | None


def expected_facts(folder: Path, graph: Dataset, device: Device) -> ExpectedFacts:
    """Read the folder of a trained forecaster, or one of scores.

    Raises:
        InputError: the folder contains neither, or is of another graph.
    """
    if is_score_folder(folder):
        return ExpectedFacts(edges=ScoredEdges(folder, graph), seen=folder_seen(folder))
    require("a forecaster", "torch")
    inner = folder / MODEL
    home, place = inner if inner.is_dir() else folder, str(select_device(device))
    found = NeuralForecaster.load(home, graph, device=place)
    return ExpectedFacts(edges=ForecastEdges(found, graph.vocabulary.entities), seen=found.seen)


class MultiHopScorer:
    """Answers questions by the probabilities of facts.

    Args:
        edges: the probabilities.
        vocabulary: vocabulary of the graph.
        most: answers per question; entities that no path leads to are none.
    """

    def __init__(self, edges: Edges, vocabulary: Vocabulary, *, most: int) -> None:
        self._edges, self._most = edges, most
        self._entities, self._relations = vocabulary.entities, vocabulary.relations

    def one_hop(self, asked: Queries) -> Sequence[Ids]:
        """The ends of facts, the most probable first."""
        return [self._listed(row) for row in self._rows(asked)]

    def two_hop(self, asked: TwoHops) -> Sequence[Ids]:
        """The ends of paths: ``1 - prod (1 - p q)`` over the parties that lead to them.

        p and q are the probabilities of both facts. The three entities of a path are distinct.
        """
        first = Queries(head=asked.head, relation=asked.given, time=asked.time)
        over, parties, chances = [], [], []
        for number, (head, row) in enumerate(zip(asked.head, self._rows(first), strict=True)):
            row[head] = 0
            some = _best(row)[: None if self._edges.certain else PARTIES]
            over += [number] * len(some)
            parties += some.tolist()
            chances += row[some].tolist()
        paths = np.array(over, dtype=np.int64)
        second = Queries(
            head=np.array(parties, dtype=np.int64),
            relation=asked.asked[paths],
            time=asked.time[paths],
        )
        doubts = np.zeros((len(asked), self._entities))
        for n, party, chance, row in zip(over, parties, chances, self._rows(second), strict=True):
            row[[asked.head[n], party]] = 0
            doubts[n] += np.log1p(-np.minimum(chance * row, _SUREST))
        return [self._listed(-np.expm1(doubt)) for doubt in doubts]

    def fact_confidence(self, facts: Quadruples) -> Scores:
        """Mean probability of each fact's object and of its subject, in [0, 1]."""
        return (self._chances(facts) + self._chances(facts.inverted(self._relations))) / 2

    def support(self, facts: Quadruples, choices: Quadruples) -> Scores:
        """The probability that each choice happens again at the time of the question."""
        again = Quadruples(
            head=choices.head,
            relation=choices.relation,
            tail=choices.tail,
            time=np.repeat(facts.time, len(LETTERS)),
        )
        return self._chances(again).reshape(-1, len(LETTERS))

    def _chances(self, facts: Quadruples) -> Scores:
        """The probability of the tail of each fact."""
        asked = Queries(head=facts.head, relation=facts.relation, time=facts.time)
        rows = zip(self._rows(asked), facts.tail.tolist(), strict=True)
        return np.array([row[tail] for row, tail in rows], dtype=np.float64)

    def _rows(self, asked: Queries) -> Iterator[Scores]:
        """The probabilities of the ends of each query."""
        for begin in range(0, len(asked), _ROWS):
            numbers = np.arange(begin, min(begin + _ROWS, len(asked)))
            yield from self._edges.ends(asked.take(numbers))

    def _listed(self, row: Scores) -> Ids:
        return _best(row)[: self._most]


def _best(row: Scores) -> Ids:
    """Entities with a positive score, the best first, ties by id."""
    order = np.argsort(-row, kind="stable")
    return order[row[order] > 0]
