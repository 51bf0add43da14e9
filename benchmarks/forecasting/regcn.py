"""RE-GCN (Li et al. 2021), without its static graph.

Entities and relations evolve over the last snapshots before a query: a relation by a GRU over the
mean of its entities, the entities by two graph layers and a time gate. A convolution decodes a
query's entity and relation to scores of all entities; or, in ``re-gcn-complex``, the score is the
real part of their product as complex vectors with the conjugate of the answer, times a learned
number, as the rows are short. Facts are read in both directions, so that there are 2R relations;
"scaled" rows have length 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.forecasting.factorisation import product
from benchmarks.forecasting.forecaster import FloatArray, Model, Settings, before
from solver.graph.model import Dataset, Ids, Quadruples, Snapshots

if TYPE_CHECKING:
    from torch import Tensor, device
    from torch.nn import ModuleDict, Parameter, ParameterDict
    from torch.optim import Optimizer

_SLOPE = 11 / 48
"""Slope of the activation below 0: the mean of 1/8 and 1/3."""
_DECAY = 1e-5
_ENTITY_SHARE = 0.7
"""Weight of the loss of entities; relations have the rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Edges:
    """A snapshot in both directions.

    Attributes:
        head, relation, tail: the facts.
        degree: number of incoming facts of each entity.
        of_relation, entity: distinct pairs of a relation and an entity at either end.
    """

    head: Tensor
    relation: Tensor
    tail: Tensor
    degree: Tensor
    of_relation: Tensor
    entity: Tensor


class ReGcn:
    """The network."""

    def __init__(self, settings: Settings, graph: Dataset, until: int, place: device) -> None:
        import torch
        from torch import nn

        self._settings, self._place = settings, place
        self._complex = settings.model is Model.RE_GCN_COMPLEX
        self._entities = graph.vocabulary.entities
        self._relations = graph.vocabulary.relations
        self._snapshots = Snapshots.of(graph.facts().distinct())
        self._learned = Snapshots.of(before(graph, until))
        self._edges: dict[int, _Edges] = {}
        size = settings.size
        gain = nn.init.calculate_gain("relu")

        def matrix() -> Parameter:
            return nn.Parameter(nn.init.xavier_uniform_(torch.empty(size, size), gain))

        layers = {
            f"{name}{layer}": matrix()
            for layer in range(settings.layers)
            for name in ("neighbours", "connected", "isolated")
        }
        self._weights: ParameterDict = nn.ParameterDict(
            {
                "entities": nn.Parameter(torch.randn(self._entities, size)),
                "relations": nn.Parameter(
                    nn.init.xavier_normal_(torch.empty(2 * self._relations, size))
                ),
                **layers,
                "gate": matrix(),
                "bias": nn.Parameter(torch.zeros(size)),
            }
        )
        self.modules: ModuleDict = nn.ModuleDict(
            {
                "weights": self._weights,
                "gru": nn.GRUCell(2 * size, size),
            }
        )
        if self._complex:
            self._weights["log_scale"] = nn.Parameter(torch.tensor(float(size)).log())
        else:
            for name in ("entity_decoder", "relation_decoder"):
                self.modules[name] = _decoder(settings)
        self.modules.to(place)

    def optimizer(self) -> Optimizer:
        """Adam with weight decay."""
        import torch

        rate = self._settings.rate
        return torch.optim.Adam(self.modules.parameters(), lr=rate, weight_decay=_DECAY)

    def steps(self, order: np.random.Generator) -> Sequence[Ids]:
        """The learned snapshots but the first, in random order."""
        begins, ends = self._learned.offsets[1:-1], self._learned.offsets[2:]
        return [np.arange(begins[n], ends[n]) for n in order.permutation(len(begins))]

    def loss(self, rows: Ids) -> Tensor:
        """Cross-entropy of the entities and of the relations of a snapshot, in both directions."""
        import torch

        time = int(self._learned.facts.time[rows[0]])
        entities, relations = self._evolved(time)
        edges = self._of(time)
        entropy = torch.nn.functional.cross_entropy
        found = self._query(entities[edges.head], relations[edges.relation])
        of_entities = entropy(found @ entities.T, edges.tail)
        if self._complex:
            return of_entities
        found = self._decoded("relation_decoder", entities[edges.head], entities[edges.tail])
        of_relations = entropy(found @ relations.T, edges.relation)
        return _ENTITY_SHARE * of_entities + (1 - _ENTITY_SHARE) * of_relations

    def at(self, time: int) -> Callable[[Ids, Ids], Tensor]:
        """What scores heads and relations at a time, from the last snapshots before it."""
        import torch

        entities, relations = self._evolved(time)

        def score(heads: Ids, relation: Ids) -> Tensor:
            head = torch.from_numpy(heads).to(self._place)
            asked = torch.from_numpy(relation).to(self._place)
            scores: Tensor = self._query(entities[head], relations[asked]) @ entities.T
            return scores

        return score

    def representations(self, time: int) -> FloatArray:
        """A row for each entity, from the snapshots before a time; the first half is real."""
        import torch

        self.modules.eval()
        with torch.no_grad():
            rows: FloatArray = self._evolved(time)[0].float().cpu().numpy()
        return rows

    def _query(self, heads: Tensor, relations: Tensor) -> Tensor:
        """What is multiplied with the entities to score them."""
        if not self._complex:
            return self._decoded("entity_decoder", heads, relations)
        return self._weights["log_scale"].exp() * product([heads, relations])

    def _evolved(self, time: int) -> tuple[Tensor, Tensor]:
        """The entities, as they are decoded, and the relations, before a time."""
        import torch

        entities, relations = self.evolve(self._history(time))
        if self._complex:
            return entities, relations
        return torch.tanh(torch.nn.functional.normalize(entities)), relations

    def evolve(self, history: Sequence[int]) -> tuple[Tensor, Tensor]:
        """Entities (not scaled) and relations after the snapshots of some times, oldest first."""
        import torch
        from torch.nn.functional import normalize

        weights = self._weights
        entities = normalize(weights["entities"])
        relations = initial = weights["relations"]
        for time in history:
            edges = self._of(time)
            means = _means(entities, edges, len(initial))
            relations = normalize(
                self.modules["gru"](torch.cat([initial, means], dim=1), relations)
            )
            fresh = normalize(self._layers(entities, relations, edges))
            share = torch.sigmoid(entities @ weights["gate"] + weights["bias"])
            entities = share * fresh + (1 - share) * entities
        return entities, relations

    def _layers(self, entities: Tensor, relations: Tensor, edges: _Edges) -> Tensor:
        """The graph layers over a snapshot."""
        import torch
        from torch.nn.functional import dropout, leaky_relu

        connected = (edges.degree > 0)[:, None]
        counts = edges.degree.clamp(min=1)[:, None]
        found = entities
        for layer in range(self._settings.layers):
            passed = self._weights[f"neighbours{layer}"]
            # (a + b) W = a W + b W: fewer rows are multiplied than there are facts.
            messages = (found @ passed)[edges.head] + (relations @ passed)[edges.relation]
            summed = torch.zeros_like(found).index_add(0, edges.tail, messages)
            own = torch.where(
                connected,
                found @ self._weights[f"connected{layer}"],
                found @ self._weights[f"isolated{layer}"],
            )
            active = leaky_relu(summed / counts + own, _SLOPE)
            found = dropout(active, self._settings.dropout, training=self.modules.training)
        return found

    def _decoded(self, name: str, first: Tensor, second: Tensor) -> Tensor:
        """The convolution of two rows, to be multiplied with what is scored."""
        import torch
        from torch.nn.functional import dropout, relu

        parts = self.modules[name]
        share, training = self._settings.dropout, self.modules.training
        found = parts["norm"](torch.stack([first, second], dim=1))
        found = parts["convolution"](dropout(found, share, training=training))
        found = dropout(relu(parts["convolved"](found)), share, training=training)
        found = dropout(parts["linear"](found.flatten(1)), share, training=training)
        if len(found) > 1 or not training:
            found = parts["joined"](found)
        result: Tensor = relu(found)
        return result

    def _history(self, time: int) -> list[int]:
        times = self._snapshots.times
        last = int(np.searchsorted(times, time))
        found: list[int] = times[max(last - self._settings.history, 0) : last].tolist()
        return found

    def _of(self, time: int) -> _Edges:
        """A snapshot; computed once."""
        found = self._edges.get(time)
        if found is None:
            facts = self._snapshots.at(time).both_ways(self._relations)
            self._edges[time] = found = _edges(facts, self._entities, self._place)
        return found


def _decoder(settings: Settings) -> ModuleDict:
    from torch import nn

    kernels, size = settings.kernels, settings.size
    return nn.ModuleDict(
        {
            "norm": nn.BatchNorm1d(2),
            "convolution": nn.Conv1d(2, kernels, 3, padding=1),
            "convolved": nn.BatchNorm1d(kernels),
            "linear": nn.Linear(kernels * size, size),
            "joined": nn.BatchNorm1d(size),
        }
    )


def _edges(facts: Quadruples, entities: int, place: device) -> _Edges:
    import torch

    ends = np.concatenate([facts.head, facts.tail])
    both = np.concatenate([facts.relation, facts.relation])
    pairs = np.unique(np.stack([both, ends]), axis=1)
    degree = np.bincount(facts.tail, minlength=entities)

    def of(column: Ids) -> Tensor:
        return torch.from_numpy(np.ascontiguousarray(column)).to(place)

    return _Edges(
        head=of(facts.head),
        relation=of(facts.relation),
        tail=of(facts.tail),
        degree=of(degree),
        of_relation=of(pairs[0]),
        entity=of(pairs[1]),
    )


def _means(entities: Tensor, edges: _Edges, relations: int) -> Tensor:
    """The mean of the entities of each relation; 0 for a relation without facts."""
    import torch

    sums = torch.zeros(relations, entities.shape[1], device=entities.device)
    sums = sums.index_add(0, edges.of_relation, entities[edges.entity])
    counts = torch.bincount(edges.of_relation, minlength=relations).clamp(min=1)
    return sums / counts[:, None]
