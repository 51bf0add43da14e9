"""The networks against their formulas, a query, an entity and a number at a time."""

from __future__ import annotations

import cmath
import math
from typing import Any

import numpy as np
import pytest

from benchmarks.forecasting.forecaster import NeuralForecaster, network
from benchmarks.forecasting.settings import Model
from solver.graph.model import Dataset, Split
from solver.graph.queries import Queries

from .conftest import ENTITIES, RELATIONS, random_graph, settings

pytestmark = pytest.mark.usefixtures("torch")
SEEDS = range(6)


def prepared(model: Model, seed: int, **changes: float) -> tuple[Any, Dataset, int]:
    """An untrained network of a random graph, in evaluation mode."""
    import torch

    torch.manual_seed(seed)
    graph = random_graph(seed)
    until = int(graph.facts(Split.TRAIN).time.max()) + 1
    found = network(settings(model, **changes), graph, until, torch.device("cpu"))
    for weights in found.modules.parameters():
        # Larger weights than those to begin with, so that errors show.
        torch.nn.init.normal_(weights, std=0.5)
    found.modules.eval()
    return found, graph, until


def asked_of(graph: Dataset, seed: int) -> Queries:
    source = np.random.default_rng((seed, 1))
    times = np.unique(graph.facts().time)
    return Queries(
        head=source.integers(0, ENTITIES, 12),
        relation=source.integers(0, 2 * RELATIONS, 12),
        time=source.choice(times, 12),
    )


def scores(found: Any, asked: Queries, row: int) -> list[float]:
    row_scores = found.at(int(asked.time[row]))(
        asked.head[row : row + 1], asked.relation[row : row + 1]
    )
    scores: list[float] = row_scores[0].tolist()
    return scores


def facts_of(graph: Dataset) -> set[tuple[int, int, int, int]]:
    """The distinct facts and their inverses."""
    rows = {tuple(row) for row in graph.facts().rows().tolist()}
    return rows | {(o, r + RELATIONS, s, t) for s, r, o, t in rows}


@pytest.mark.parametrize("model", [Model.COMPLEX, Model.TCOMPLEX])
@pytest.mark.parametrize("seed", SEEDS)
def test_products_of_complex_numbers(model: Model, seed: int) -> None:
    found, graph, until = prepared(model, seed)
    rows = {name: module.detach().numpy() for name, module in found.modules.items()}
    times = sorted({t for _, _, _, t in facts_of(graph) if t < until})

    def number(name: str, row: int, k: int) -> complex:
        half = rows[name].shape[1] // 2
        return complex(rows[name][row][k], rows[name][row][k + half])

    asked = asked_of(graph, seed)
    for row in range(len(asked)):
        s, r, t = int(asked.head[row]), int(asked.relation[row]), int(asked.time[row])
        expected = []
        for o in range(ENTITIES):
            total = 0j
            for k in range(4):
                factor = number("entities", s, k) * number("relations", r, k)
                if model is Model.TCOMPLEX:
                    place = max((n for n, index in enumerate(times) if index <= t), default=0)
                    factor *= number("times", place, k)
                total += factor * number("entities", o, k).conjugate()
            expected.append(total.real)
        assert scores(found, asked, row) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("model", [Model.COMPLEX, Model.TCOMPLEX])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_loss_of_products(model: Model, seed: int) -> None:
    found, graph, until = prepared(model, seed, penalty=0.3, smoothness=0.7)
    rows = {name: module.detach().numpy() for name, module in found.modules.items()}
    facts = sorted((t, s, r, o) for s, r, o, t in facts_of(graph) if t < until)
    times = sorted({t for t, *_ in facts})

    def numbers(name: str, row: int) -> Any:
        real, imaginary = np.split(rows[name][row], 2)
        return real + 1j * imaginary

    total = 0.0
    for t, s, r, o in facts:
        parts = [numbers("entities", s), numbers("relations", r)]
        parts += [numbers("times", times.index(t))] if model is Model.TCOMPLEX else []
        ends = [numbers("entities", e) for e in range(ENTITIES)]
        scored = [float((np.prod(parts, axis=0) * end.conj()).sum().real) for end in ends]
        total -= math.log(softmax(scored)[o])
        total += 0.3 * sum((abs(part) ** 3).sum() for part in (*parts, ends[o]))
    total /= len(facts)
    if model is Model.TCOMPLEX:
        pairs = [(numbers("times", n), numbers("times", n + 1)) for n in range(len(times) - 1)]
        total += 0.7 * sum((abs(b - a) ** 3).sum() for a, b in pairs) / len(pairs)
    assert found.loss(np.arange(len(facts))).item() == pytest.approx(total, rel=1e-4)


@pytest.mark.parametrize("seed", SEEDS)
def test_copying_and_generating(seed: int) -> None:
    found, graph, until = prepared(Model.CYGNET, seed)
    past = {fact for fact in facts_of(graph) if fact[3] < until}
    asked = asked_of(graph, seed)
    for row in range(len(asked)):
        s, r, t = int(asked.head[row]), int(asked.relation[row]), int(asked.time[row])
        part = found.modules["object" if r < RELATIONS else "subject"]
        weights = {name: parameter.detach().numpy() for name, parameter in part.named_parameters()}
        entity, unit = weights["entities.weight"][s], weights["unit.weight"][0]
        relation = weights["relations.weight"][r % RELATIONS]
        time = (t // 2 + 1) * unit
        z = np.concatenate([entity, relation, time] if r < RELATIONS else [relation, entity, time])
        known = {o for head, rel, o, when in past if (head, rel) == (s, r) and when < min(t, until)}
        copied = np.tanh(weights["copy.weight"] @ z + weights["copy.bias"])
        copied = copied + np.array([0 if o in known else -100 for o in range(ENTITIES)])
        generated = weights["generate.weight"] @ z + weights["generate.bias"]
        shares = 0.8 * softmax(copied.tolist()) + 0.2 * softmax(generated.tolist())
        assert scores(found, asked, row) == pytest.approx(np.log(shares).tolist(), abs=1e-4)


def softmax(values: list[float]) -> Any:
    most = max(values)
    powers = [cmath.exp(value - most).real for value in values]
    return np.array([power / sum(powers) for power in powers])


@pytest.mark.parametrize("seed", SEEDS)
def test_entities_and_relations_evolve(seed: int) -> None:
    found, graph, _ = prepared(Model.RE_GCN, seed)
    facts = facts_of(graph)
    times = sorted({t for _, _, _, t in facts})
    for time in (times[0], times[2], times[-1]):
        history = [t for t in times if t < time][-3:]
        entities, relations = evolved(found, facts, history)
        h, r = (array.detach().numpy() for array in found.evolve(history))
        assert h == pytest.approx(entities, abs=1e-4)
        assert r == pytest.approx(relations, abs=1e-4)


@pytest.mark.parametrize("seed", SEEDS)
def test_evolved_entities_are_multiplied(seed: int) -> None:
    found, graph, _ = prepared(Model.RE_GCN_COMPLEX, seed)
    facts = facts_of(graph)
    times = sorted({t for _, _, _, t in facts})
    asked = asked_of(graph, seed)
    for row in range(len(asked)):
        s, r, t = int(asked.head[row]), int(asked.relation[row]), int(asked.time[row])
        h, relations = evolved(found, facts, [number for number in times if number < t][-4:])
        assert found.representations(t).detach().numpy() == pytest.approx(h, abs=1e-4)
        head, relation, answers = (
            array[..., :4] + 1j * array[..., 4:] for array in (h[s], relations[r], h)
        )
        scale = math.exp(found.modules["weights"]["log_scale"].item())
        expected = scale * (head * relation * answers.conj()).sum(axis=1).real
        assert scores(found, asked, row) == pytest.approx(expected.tolist(), abs=1e-3)


def evolved(found: Any, facts: set[Any], history: list[int]) -> tuple[Any, Any]:
    """The evolution, by loops over facts and nodes."""
    weights = {
        name: parameter.detach().numpy() for name, parameter in found.modules.named_parameters()
    }
    weights = {name.removeprefix("weights."): weight for name, weight in weights.items()}
    h = np.stack([unit(row) for row in weights["entities"]])
    initial = r = weights["relations"]
    for time in history:
        edges = [(s, rel, o) for s, rel, o, t in facts if t == time]
        rows = []
        for rel in range(2 * RELATIONS):
            ends = {end for s, edge_relation, o in edges for end in (s, o) if edge_relation == rel}
            mean = sum(h[end] for end in ends) / len(ends) if ends else np.zeros(8)
            rows.append(unit(gru(weights, np.concatenate([initial[rel], mean]), r[rel])))
        r = np.stack(rows)
        x = h
        for layer in range(2):
            fresh = []
            for node in range(ENTITIES):
                incoming = [(s, rel) for s, rel, o in edges if o == node]
                own = x[node] @ weights[f"{'connected' if incoming else 'isolated'}{layer}"]
                passed = sum(
                    ((x[s] + r[rel]) @ weights[f"neighbours{layer}"] for s, rel in incoming),
                    np.zeros(8),
                )
                value = passed / max(len(incoming), 1) + own
                fresh.append(np.where(value > 0, value, value * 11 / 48))
            x = np.stack(fresh)
        gate = 1 / (1 + np.exp(-(h @ weights["gate"] + weights["bias"])))
        h = gate * np.stack([unit(row) for row in x]) + (1 - gate) * h
    return h, r


def unit(row: Any) -> Any:
    return row / max(math.sqrt(float((row**2).sum())), 1e-12)


def gru(weights: Any, given: Any, state: Any) -> Any:
    """The cell as PyTorch documents it: reset, update, new."""
    inner = weights["gru.weight_ih"] @ given + weights["gru.bias_ih"]
    outer = weights["gru.weight_hh"] @ state + weights["gru.bias_hh"]
    reset, update = (1 / (1 + np.exp(-(inner[at : at + 8] + outer[at : at + 8]))) for at in (0, 8))
    new = np.tanh(inner[16:] + reset * outer[16:])
    return (1 - update) * new + update * state


@pytest.mark.parametrize("seed", SEEDS)
def test_the_decoder(seed: int) -> None:
    found, graph, _ = prepared(Model.RE_GCN, seed)
    weights = {
        name: parameter.detach().numpy() for name, parameter in found.modules.named_parameters()
    }
    facts = facts_of(graph)
    times = sorted({t for _, _, _, t in facts})
    asked = asked_of(graph, seed)
    for row in range(4):
        s, r, t = int(asked.head[row]), int(asked.relation[row]), int(asked.time[row])
        h, relations = evolved(found, facts, [number for number in times if number < t][-3:])
        a = np.tanh(np.stack([unit(array) for array in h]))
        channels = np.stack([a[s], relations[r]])
        channels = norm(weights, "norm", channels.T).T
        kernels = weights["entity_decoder.convolution.weight"]
        bias = weights["entity_decoder.convolution.bias"]
        padded = np.pad(channels, ((0, 0), (1, 1)))
        maps = np.array(
            [
                [(kernel * padded[:, at : at + 3]).sum() + bias[k] for at in range(8)]
                for k, kernel in enumerate(kernels)
            ]
        )
        maps = np.maximum(norm(weights, "convolved", maps.T).T, 0)
        joined = weights["entity_decoder.linear.weight"] @ maps.ravel()
        joined = norm(weights, "joined", joined + weights["entity_decoder.linear.bias"])
        expected = np.maximum(joined, 0) @ a.T
        assert scores(found, asked, row) == pytest.approx(expected.tolist(), abs=1e-3)


def norm(weights: Any, name: str, values: Any) -> Any:
    """Batch normalisation that has seen nothing: mean 0, variance 1."""
    place = f"entity_decoder.{name}"
    scaled = values / math.sqrt(1 + 1e-5)
    return scaled * weights[f"{place}.weight"] + weights[f"{place}.bias"]


def test_a_forecaster_has_to_be_trained(graph: Dataset) -> None:
    forecaster = NeuralForecaster(settings=settings(Model.COMPLEX))
    with pytest.raises(ValueError, match="before it is trained"):
        forecaster.at(graph.vocabulary.times)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_loss_of_copying_and_generating(seed: int) -> None:
    found, graph, _ = prepared(Model.CYGNET, seed)
    facts = graph.facts(Split.TRAIN).distinct()
    for rows in found.steps(np.random.default_rng(0)):
        expected = 0.0
        batch = facts.take(rows)
        for quadruples in (batch, batch.inverted(RELATIONS)):
            asked = Queries(
                head=quadruples.head, relation=quadruples.relation, time=quadruples.time
            )
            shares = [scores(found, asked, n)[quadruples.tail[n]] for n in range(len(asked))]
            expected -= sum(shares) / len(shares)
        for part in found.modules.values():
            for name in ("relations", "entities", "unit"):
                expected += 0.01 * (part[name].weight ** 2).mean().item()
        assert found.loss(rows).item() == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("share", [0.2, 0.5])
def test_a_share_of_values_is_dropped(share: float) -> None:
    import torch

    found, _, _ = prepared(Model.RE_GCN, 0, dropout=share)
    values = torch.ones(401, 499)
    assert found._dropped(values) is values
    found.modules.train()
    dropped = found._dropped(values)
    assert float((dropped == 0).float().mean()) == pytest.approx(share, abs=0.01)
    assert dropped.unique().tolist() == pytest.approx([0.0, 1 / (1 - share)])


def test_snapshots_are_read_before_the_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """What steps leave in memory between their own tensors would keep the heap from shrinking."""
    found, _, _ = prepared(Model.RE_GCN, 0)

    def refuse(*given: Any) -> None:
        raise AssertionError(given)

    monkeypatch.setattr("benchmarks.forecasting.regcn._edges", refuse)
    for rows in found.steps(np.random.default_rng(0)):
        found.loss(rows).backward()
