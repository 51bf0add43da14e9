"""RE-NET against its formulas, by loops over queries, snapshots, entities and facts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest

from benchmarks.forecasting.settings import Model
from solver.graph.model import Dataset, Quadruples, Snapshots, Split

from .conftest import ENTITIES, RELATIONS
from .test_networks import asked_of, facts_of, prepared, scores, softmax

pytestmark = pytest.mark.usefixtures("torch")
SIZE, HISTORY = 8, 3


class Formulas:
    """The network by its definition, with the weights of the module."""

    def __init__(self, found: Any, graph: Dataset) -> None:
        self.weights = {
            name: weight.detach().numpy().astype(float)
            for name, weight in found.modules.named_parameters()
        }
        self.facts = facts_of(graph)
        self.times = sorted({t for _, _, _, t in self.facts})
        self.seen = cache(self._seen)
        self.state = cache(self._state)

    def _seen(self, part: str, layer: int, entity: int, time: int, inverse: bool) -> Any:
        """What a layer makes of an entity in a snapshot."""
        if layer == 0:
            return self.weights[f"{part}.entities"][entity]
        total, number = np.zeros(SIZE), 0
        for s, r, o, t in self.facts:
            if (o, t) == (entity, time):
                relation = (r + RELATIONS) % (2 * RELATIONS) if inverse else r
                blocks = self.weights[f"{part}.blocks{layer}"][relation].reshape(-1, 2, 2)
                row = self.seen(part, layer - 1, s, time, inverse).reshape(-1, 2)
                total += np.concatenate([pair @ block for pair, block in zip(row, blocks)])  # noqa: B905
                number += 1
        own = self.seen(part, layer - 1, entity, time, inverse) @ self.weights[f"{part}.own{layer}"]
        value = own + (total / number if number else 0)
        return np.maximum(value, 0) if layer == 1 else value

    def gru(self, name: str, rows: list[Any]) -> Any:
        """The state after some rows, as PyTorch documents it: reset, update, new."""
        state = np.zeros(SIZE)
        weight = {
            part: self.weights[f"{name}.{part}_l0"]
            for part in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        }
        for row in rows:
            inner = weight["weight_ih"] @ row + weight["bias_ih"]
            outer = weight["weight_hh"] @ state + weight["bias_hh"]
            reset, update = (
                1 / (1 + np.exp(-(inner[at : at + SIZE] + outer[at : at + SIZE])))
                for at in (0, SIZE)
            )
            new = np.tanh(inner[2 * SIZE :] + reset * outer[2 * SIZE :])
            state = (1 - update) * new + update * state
        return state

    def _state(self, time: int) -> Any:
        """The state of the whole graph after a snapshot."""
        rows = []
        for snapshot in [t for t in self.times if t <= time][-HISTORY:]:
            there = {s for s, _, _, t in self.facts if t == snapshot}
            rows.append(np.max([self.seen("global", 2, e, snapshot, False) for e in there], axis=0))
        return self.gru("of_snapshots", rows)

    def logits(self, s: int, r: int, time: int) -> tuple[Any, Any]:
        """Of all answers, and of all relations."""
        inverse = r >= RELATIONS
        history = sorted(
            {
                t
                for head, relation, _, t in self.facts
                if head == s and t < time and (relation >= RELATIONS) == inverse
            }
        )[-HISTORY:]
        own, asked = self.weights["local.entities"][s], self.weights["relations.rows"][r]
        rows = [
            np.concatenate([self.seen("local", 2, s, t, inverse), own, self.state(t)])
            for t in history
        ]
        of_pair = self.gru("of_pairs", [np.concatenate([row, asked]) for row in rows])
        of_entity = self.gru("of_entities", rows)
        return (
            self.linear("answer", np.concatenate([own, of_pair, asked])),
            self.linear("relation", np.concatenate([own, of_entity])),
        )

    def linear(self, name: str, row: Any) -> Any:
        return self.weights[f"{name}.weight"] @ row + self.weights[f"{name}.bias"]


@dataclass(frozen=True, slots=True)
class Case:
    """A network with random weights, its formulas and its graph."""

    found: Any
    formulas: Formulas
    graph: Dataset


@pytest.fixture(params=range(6))
def case(request: pytest.FixtureRequest) -> Case:
    found, graph, _ = prepared(Model.RE_NET, request.param, history=HISTORY)
    return Case(found, Formulas(found, graph), graph)


def test_the_scores(case: Case) -> None:
    asked = asked_of(case.graph, 3)
    for row in range(len(asked)):
        query = int(asked.head[row]), int(asked.relation[row]), int(asked.time[row])
        expected, _ = case.formulas.logits(*query)
        assert scores(case.found, asked, row) == pytest.approx(expected.tolist(), abs=1e-4)


def test_queries_are_independent(case: Case) -> None:
    """Asked together, with repeats, they have the scores of each alone."""
    asked = asked_of(case.graph, 4)
    time = int(asked.time.max())
    order = np.array([3, 0, 7, 0, 11, 5])
    together = case.found.at(time)(asked.head[order], asked.relation[order]).detach().numpy()
    for place, row in enumerate(order.tolist()):
        query = int(asked.head[row]), int(asked.relation[row]), time
        expected, _ = case.formulas.logits(*query)
        assert together[place].tolist() == pytest.approx(expected.tolist(), abs=1e-4)


def parts_of_the_loss(formulas: Formulas, batch: Quadruples) -> tuple[float, float]:
    """Of the queries of a snapshot, and of the objects of the next one."""
    (time,) = set(batch.time.tolist())
    answers, relations = [], []
    for quadruples in (batch, batch.inverted(RELATIONS)):
        for s, r, o, _ in quadruples.rows().tolist():
            logits, of_relations = formulas.logits(s, r, time)
            answers.append(-math.log(softmax(logits.tolist())[o]))
            relations.append(-math.log(softmax(of_relations.tolist())[r % RELATIONS]))
    before = max(t for t in formulas.times if t < time)
    following = softmax(formulas.linear("next", formulas.state(before)).tolist())
    shares = np.bincount(batch.tail, minlength=ENTITIES) / len(batch)
    queries = float(np.mean(answers) + 0.1 * np.mean(relations))
    return queries, -float((shares * np.log(following)).sum())


def test_the_loss(case: Case) -> None:
    learned = Snapshots.of(case.graph.facts(Split.TRAIN).distinct())
    steps = case.found.steps(np.random.default_rng(0))
    every = list(range(int(learned.offsets[1]), len(learned.facts)))
    assert sorted(np.concatenate(steps).tolist()) == every
    for rows in steps:
        queries, following = parts_of_the_loss(case.formulas, learned.facts.take(rows))
        assert case.found.loss(rows).item() == pytest.approx(queries + following, abs=1e-3)


def test_histories_read_the_states_of_the_beginning_of_the_epoch(case: Case) -> None:
    import torch

    learned = Snapshots.of(case.graph.facts(Split.TRAIN).distinct())
    rows = case.found.steps(np.random.default_rng(0))[-1]
    batch = learned.facts.take(rows)
    queries, _ = parts_of_the_loss(case.formulas, batch)
    with torch.no_grad():
        case.found.modules["global"]["entities"].mul_(3)
    changed = parts_of_the_loss(Formulas(case.found, case.graph), batch)
    assert case.found.loss(rows).item() == pytest.approx(queries + changed[1], abs=1e-3)
    case.found.steps(np.random.default_rng(0))
    assert case.found.loss(rows).item() == pytest.approx(sum(changed), abs=1e-3)
