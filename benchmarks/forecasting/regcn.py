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
from benchmarks.forecasting.settings import Model, Settings, before
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
        heads, relations, tails: the distinct ones of each.
        head_place, relation_place, tail_place: the place of each fact's in them.
        degree: number of facts of each of ``tails``.
        of_relation, entity: distinct pairs of a relation and an entity at either end.
    """

    head: Tensor
    relation: Tensor
    tail: Tensor
    heads: Tensor
    relations: Tensor
    tails: Tensor
    head_place: Tensor
    relation_place: Tensor
    tail_place: Tensor
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
        # All at once: what is kept between the tensors of steps would fragment the heap.
        self._edges = {time: self._read(time) for time in self._snapshots.times.tolist()}
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

        parameters = self.modules.parameters()
        rate = self._settings.rate
        return torch.optim.Adam(parameters, lr=rate, weight_decay=_DECAY, fused=True)

    def steps(self, order: np.random.Generator) -> Sequence[Ids]:
        """The learned snapshots but the first, in random order."""
        begins, ends = self._learned.offsets[1:-1], self._learned.offsets[2:]
        return [np.arange(begins[n], ends[n]) for n in order.permutation(len(begins))]

    def loss(self, rows: Ids) -> Tensor:
        """Cross-entropy of the entities and of the relations of a snapshot, in both directions."""
        import torch

        time = int(self._learned.facts.time[rows[0]])
        entities, relations = self._evolved(time)
        edges = self._edges[time]
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

    def representations(self, time: int) -> Tensor:
        """A row for each entity, from the snapshots before a time; the first half is real."""
        return self._evolved(time)[0]

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
            edges = self._edges[time]
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
        from torch.nn.functional import leaky_relu

        weights = self._weights
        degree = edges.degree[:, None]
        found = entities
        for layer in range(self._settings.layers):
            passed = weights[f"neighbours{layer}"]
            # (a + b) W = a W + b W: only entities and relations of the snapshot are multiplied.
            messages = (found[edges.heads] @ passed)[edges.head_place]
            messages = messages + (relations[edges.relations] @ passed)[edges.relation_place]
            own = found[edges.tails] @ weights[f"connected{layer}"]
            reached = own + torch.zeros_like(own).index_add(0, edges.tail_place, messages) / degree
            every = found @ weights[f"isolated{layer}"]
            active = leaky_relu(every.index_copy(0, edges.tails, reached), _SLOPE)
            found = self._dropped(active)
        return found

    def _dropped(self, values: Tensor) -> Tensor:
        """Dropout with a share in units of 1/65,536: four numbers are drawn at once."""
        import torch

        share = self._settings.dropout
        if not self.modules.training or not share:
            return values
        drawn = torch.empty(-(-values.numel() // 4), dtype=torch.int64, device=values.device)
        drawn.random_(-(2**63), None)
        least = round(share * 65_536) - 32_768
        kept = drawn.view(torch.int16)[: values.numel()].view(values.shape) >= least
        return values * kept.to(values.dtype).mul_(1 / (1 - share))

    def _decoded(self, name: str, first: Tensor, second: Tensor) -> Tensor:
        """The convolution of two rows, to be multiplied with what is scored."""
        import torch
        from torch.nn.functional import relu

        parts = self.modules[name]
        found = parts["norm"](torch.stack([first, second], dim=1))
        found = parts["convolution"](self._dropped(found))
        found = self._dropped(relu(parts["convolved"](found)))
        found = self._dropped(parts["linear"](found.flatten(1)))
        training = self.modules.training
        if len(found) > 1 or not training:
            found = parts["joined"](found)
        result: Tensor = relu(found)
        return result

    def _history(self, time: int) -> list[int]:
        times = self._snapshots.times
        last = int(np.searchsorted(times, time))
        found: list[int] = times[max(last - self._settings.history, 0) : last].tolist()
        return found

    def _read(self, time: int) -> _Edges:
        """A snapshot."""
        return _edges(self._snapshots.at(time).both_ways(self._relations), self._place)


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


def _edges(facts: Quadruples, place: device) -> _Edges:
    import torch

    ends = np.concatenate([facts.head, facts.tail])
    both = np.concatenate([facts.relation, facts.relation])
    pairs = np.unique(np.stack([both, ends]), axis=1)
    heads, head_place = np.unique(facts.head, return_inverse=True)
    relations, relation_place = np.unique(facts.relation, return_inverse=True)
    tails, tail_place, degree = np.unique(facts.tail, return_inverse=True, return_counts=True)

    def of(column: Ids) -> Tensor:
        return torch.from_numpy(np.ascontiguousarray(column)).to(place)

    return _Edges(
        head=of(facts.head),
        relation=of(facts.relation),
        tail=of(facts.tail),
        heads=of(heads),
        relations=of(relations),
        tails=of(tails),
        head_place=of(head_place),
        relation_place=of(relation_place),
        tail_place=of(tail_place),
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
