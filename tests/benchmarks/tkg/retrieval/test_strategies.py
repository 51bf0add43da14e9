"""Contexts of all strategies, compared with a direct implementation of the specification."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from benchmarks.tkg.retrieval.context import Instances
from benchmarks.tkg.retrieval.prompts import Composer, Strategy
from generators.tkg.config import Config
from generators.tkg.plan import LabelledGraph
from solver.graph.model import Dataset, Quadruples, Split, Vocabulary
from solver.patterns.model import Lag
from solver.tkg.io import Labels

Maker = Callable[..., tuple[LabelledGraph, Dataset]]
Rows = Sequence[Sequence[int]]

CONFIGS = {
    "forward": Config(entities=12, relations=5, steps=30, patterns=(2, 3, 2), probability=0.3),
    "lags of 0": Config(
        entities=6, relations=2, steps=20, patterns=(1, 2, 2), lags=Lag(low=0, high=1), flags="0000"
    ),
}


def recent(facts: Rows, time: int, most: int, fits: Callable[[Sequence[int]], bool]) -> list[int]:
    found = [number for number, fact in enumerate(facts) if fact[3] < time and fits(fact)]
    return sorted(found, key=lambda number: (facts[number][3], number))[-most:]


class Plain:
    """The strategies as specified."""

    def __init__(self, graph: LabelledGraph, most: int) -> None:
        self.facts: Rows = graph.facts.rows().tolist()
        self.most = most
        columns = (graph.labels.fact, graph.labels.pattern, graph.labels.instance)
        self.labels = list(
            zip(
                *(column.tolist() for column in columns),
                graph.labels.consequence.tolist(),
                graph.labels.position.tolist(),
                strict=True,
            )
        )

    def consequences(self) -> list[int]:
        return sorted({fact for fact, _, _, last, _ in self.labels if last})

    def instance(self, row: int) -> tuple[int, int]:
        found = [
            (label, pattern)
            for fact, pattern, label, last, _ in self.labels
            if last and fact == row
        ]
        return min(found)

    def antecedents(self, instance: int) -> list[int]:
        found = [
            (at, fact) for fact, _, label, last, at in self.labels if label == instance and not last
        ]
        return [fact for _, fact in sorted(found)]

    def analogy(self, row: int) -> tuple[int, int] | None:
        _, pattern = self.instance(row)
        own_indices = self.facts[row]
        found = [
            (self.facts[fact][3], label, fact)
            for fact, other, label, last, _ in self.labels
            if last and other == pattern and self.facts[fact][3] < own_indices[3]
            if not {self.facts[fact][0], self.facts[fact][2]} & {own_indices[0], own_indices[2]}
        ]
        return (max(found)[2], max(found)[1]) if found else None

    def context(self, strategy: Strategy, row: int, instance: int) -> list[int]:
        head, relation, _, time = self.facts[row]
        steps = self.antecedents(instance)
        relations = list(dict.fromkeys(self.facts[step][1] for step in steps))
        match strategy:
            case Strategy.NAIVE_ENTITY | Strategy.AH:
                return recent(self.facts, time, self.most, lambda fact: fact[0] == head)
            case Strategy.NAIVE_PAIR:
                return recent(
                    self.facts, time, self.most, lambda f: (f[0], f[1]) == (head, relation)
                )
            case Strategy.OICL:
                return self.in_time({step for step in steps if step != row})
            case Strategy.AR:
                return recent(self.facts, time, self.most, lambda fact: fact[1] in relations)
            case Strategy.BAR:
                return self.balanced(time, relations)

    def balanced(self, time: int, relations: list[int]) -> list[int]:
        part, rest = self.most // len(relations), self.most % len(relations)
        everything = recent(self.facts, time, 10**9, lambda fact: fact[1] in relations)
        newest = self.facts[everything[-1]][1] if everything else None
        shown: set[int] = set()
        for relation in relations:
            size = part + rest if relation == newest else part
            rows = [row for row in everything if self.facts[row][1] == relation]
            shown |= set(rows[::-1][:size])
        return self.in_time(shown)

    def in_time(self, rows: set[int]) -> list[int]:
        return sorted(rows, key=lambda row: (self.facts[row][3], row))


@pytest.mark.parametrize("most", [1, 5, 25])
@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("seed", range(2))
def test_contexts_are_those_of_the_design(make: Maker, seed: int, config: str, most: int) -> None:
    graph, dataset = make(seed, CONFIGS[config])
    plain = Plain(graph, most)
    composer = Composer(dataset, Instances.of(graph.labels, graph.facts), most)
    rows = plain.consequences()[::2]
    analogies = 0
    for row in rows:
        instance, _ = plain.instance(row)
        for strategy in Strategy:
            found = composer.compose(row, strategy)
            assert found.query.fact == row
            assert found.query.context.tolist() == plain.context(strategy, row, instance)
            other = plain.analogy(row)
            if strategy not in (Strategy.AH, Strategy.AR, Strategy.BAR) or other is None:
                assert found.analogy is None
                continue
            assert found.analogy is not None
            assert found.analogy.fact == other[0]
            assert found.analogy.context.tolist() == plain.context(strategy, *other)
            analogies += 1
    assert len(rows) > 10
    assert analogies > 10


def test_slots_of_bar() -> None:
    """Of 25 slots three relations get 8 each, and the newest one the 25th."""
    times = [(relation, time) for time in range(20) for relation in (0, 1, 2)]
    rows = [(0, relation, 1, 3 * time + relation) for relation, time in times]
    # The instance: a fact of each relation at 0, 1, 2 leads to a fact of relation 3.
    rows.append((5, 3, 6, 100))
    labels = Labels(
        fact=_ids(0, 1, 2, 60),
        pattern=_ids(0, 0, 0, 0),
        instance=_ids(0, 0, 0, 0),
        consequence=_ids(0, 0, 0, 1) == 1,
        position=_ids(1, 2, 3, 4),
    )
    facts = Quadruples.of(np.array(rows, dtype=np.int64))
    vocabulary = Vocabulary(entities=7, relations=4, times=101)
    dataset = Dataset(name="slots", vocabulary=vocabulary, splits={Split.TRAIN: facts})
    composer = Composer(dataset, Instances.of(labels, facts))
    shown = composer.compose(60, Strategy.BAR).query.context
    assert np.bincount(facts.relation[shown]).tolist() == [8, 8, 9]
    assert (np.diff(facts.time[shown]) > 0).all()
    assert len(composer.compose(60, Strategy.AR).query.context) == 25


def _ids(*values: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(values, dtype=np.int64)


def test_the_future_is_not_seen(make: Maker) -> None:
    graph, dataset = make(1)
    composer = Composer(dataset, Instances.of(graph.labels, graph.facts))
    times = graph.facts.time
    for row in Plain(graph, 25).consequences()[::5]:
        for strategy in Strategy:
            found = composer.compose(row, strategy)
            for shown in (found.query, found.analogy):
                if shown is None:
                    continue
                # With lags from 1 on all antecedents are earlier as well.
                assert (times[shown.context] < times[shown.fact]).all()
                assert (np.diff(times[shown.context]) >= 0).all()


def test_a_graph_without_labels_has_naive_prompts(make: Maker) -> None:
    _, dataset = make(0)
    found = Composer(dataset, None).compose(150, Strategy.NAIVE_ENTITY)
    assert found.instance is None
    assert len(found.query.context)
