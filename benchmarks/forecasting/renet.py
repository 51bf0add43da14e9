"""RE-NET (Jin et al. 2020), asked one step ahead.

An answer of a query (s, r) depends on the last snapshots with s: ``W [e_s; h; e_r]``, where h is
the state of a GRU over ``[g(s, k); e_s; e_r; H_k]`` for each such snapshot k, 0 without any. g is a
graph network of two layers over the neighbours of s in the snapshot,

    relu(sum over facts (n, r, s) of W_r e_n / number of facts + V e_s),

the second one without relu, with W_r of 2 x 2 blocks along the diagonal. H_k is the state of a
second GRU over the maxima of another such network over all entities of the snapshots up to k. Facts
are read in both directions, the inverse of r being r + R; for queries of subjects, which are
inverse ones, the relations of all facts are inverted, and only snapshots with s as object count.

What is learned besides: the relation of a query from s alone, with a tenth of the weight, and from
H_k which objects the next snapshot has. The published program learns H first, and then keeps it;
here both are learned at once, and histories read H as it was when the epoch began. It also cuts
snapshots down to the neighbours of the entities of a batch of random facts; here a step is a
snapshot, and neighbours of neighbours are read whole.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.forecasting.settings import Settings, before
from solver.graph.model import Dataset, Ids, Snapshots, expand

if TYPE_CHECKING:
    from torch import Tensor, device
    from torch.nn import GRU, ModuleDict, Parameter
    from torch.optim import Optimizer

_DECAY = 1e-5
_RELATION_WEIGHT = 0.1
_POOLED = 16
"""Snapshots whose maxima are computed at once."""


class ReNet:
    """The network."""

    def __init__(self, settings: Settings, graph: Dataset, until: int, place: device) -> None:
        import torch
        from torch import nn

        self._settings, self._place = settings, place
        self._entities = entities = graph.vocabulary.entities
        self._relations = relations = graph.vocabulary.relations
        self._learned = Snapshots.of(before(graph, until))
        self._history = _History(graph, settings.history)
        self.size = size = settings.size - settings.size % 2
        gain = nn.init.calculate_gain("relu")

        def rows(number: int, width: int = size) -> Parameter:
            return nn.Parameter(nn.init.xavier_uniform_(torch.empty(number, width), gain))

        def layers() -> dict[str, Parameter]:
            blocks = {f"blocks{n}": rows(2 * relations, 2 * size) for n in (1, 2)}
            return blocks | {f"own{n}": rows(size) for n in (1, 2)}

        self.modules: ModuleDict = nn.ModuleDict(
            {
                "local": nn.ParameterDict({"entities": rows(entities), **layers()}),
                "global": nn.ParameterDict({"entities": rows(entities), **layers()}),
                "relations": nn.ParameterDict({"rows": rows(2 * relations)}),
                "of_pairs": nn.GRU(4 * size, size),
                "of_entities": nn.GRU(3 * size, size),
                "of_snapshots": nn.GRU(size, size),
                "answer": nn.Linear(3 * size, entities),
                "relation": nn.Linear(2 * size, relations),
                "next": nn.Linear(size, entities),
            }
        ).to(place)
        self._states = torch.empty(0, size)
        self._states_of: tuple[int, ...] = ()
        self._steps = 0

    def optimizer(self) -> Optimizer:
        """Adam with weight decay."""
        import torch

        parameters, rate = self.modules.parameters(), self._settings.rate
        return torch.optim.Adam(parameters, lr=rate, weight_decay=_DECAY, fused=True)

    def steps(self, order: np.random.Generator) -> Sequence[Ids]:
        """The learned snapshots but the first, in random order."""
        self._states_before()
        begins, ends = self._learned.offsets[1:-1], self._learned.offsets[2:]
        return [np.arange(begins[n], ends[n]) for n in order.permutation(len(begins))]

    def loss(self, rows: Ids) -> Tensor:
        """Cross-entropy of answers and relations in both directions, and of the next objects."""
        from torch.nn.functional import cross_entropy

        self._steps += 1
        facts = self._learned.facts.take(rows)
        last = self._history.number(int(facts.time[0]))
        both = facts.both_ways(self._relations)
        answers, relations = self._answers(both.head, both.relation, last, self._states)
        total = cross_entropy(answers, self._of(both.tail))
        asked = self._of(both.relation % self._relations)
        total = total + _RELATION_WEIGHT * cross_entropy(relations, asked)
        counts = self._of(np.bincount(facts.tail, minlength=self._entities))
        state = self._state_of(self._dropped(self._maxima(self._history.until(last))))
        return total + cross_entropy(self.modules["next"](state)[None], counts[None] / len(facts))

    def at(self, time: int) -> Callable[[Ids, Ids], Tensor]:
        """What scores heads and relations at a time, from the snapshots before it."""
        last = self._history.number(time)
        states = self._states_before()

        def score(heads: Ids, relations: Ids) -> Tensor:
            return self._answers(heads, relations, last, states)[0]

        return score

    def representations(self, time: int) -> Tensor:  # noqa: ARG002 - the same at all times
        """A row for each entity."""
        rows: Tensor = self.modules["local"]["entities"]
        return rows

    def _answers(
        self, heads: Ids, relations: Ids, last: int, states: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Logits of the answers of queries, and of their relations from the heads alone."""
        import torch

        entities, rows = self.modules["local"]["entities"], self.modules["relations"]["rows"]
        inverse = (relations >= self._relations).astype(np.int64)
        query, snapshots = self._history.of(heads, inverse, last)
        head, relation = self._of(heads[query]), self._of(relations[query])
        seen = self._aggregated("local", snapshots, heads[query], inverse[query])
        parts = [seen, entities[head], states[self._of(snapshots)]]
        of_heads = self._encoded("of_entities", parts, query, len(heads))
        of_pairs = self._encoded("of_pairs", [*parts, rows[relation]], query, len(heads))
        own, asked = entities[self._of(heads)], rows[self._of(relations)]
        answers = self.modules["answer"](self._dropped(torch.cat([own, of_pairs, asked], dim=1)))
        found = self.modules["relation"](self._dropped(torch.cat([own, of_heads], dim=1)))
        return answers, found

    def _encoded(self, name: str, parts: Sequence[Tensor], query: Ids, queries: int) -> Tensor:
        """The state of a GRU for each query, from its rows in order; 0 without rows."""
        import torch

        states = torch.zeros(queries, self.size, device=self._place)
        if not len(query):
            return states
        which, starts, lengths = np.unique(query, return_index=True, return_counts=True)
        inputs = self._dropped(torch.cat(list(parts), dim=1))
        # Sequences from the longest on, as the GRU reads them: their first rows, the second ones.
        order = np.argsort(-lengths, kind="stable")
        steps = [
            starts[order[: int((lengths > step).sum())]] + step for step in range(lengths.max())
        ]
        packed = torch.nn.utils.rnn.PackedSequence(
            inputs[self._of(np.concatenate(steps))], torch.tensor([len(some) for some in steps])
        )
        gru: GRU = self.modules[name]
        _, (found,) = gru(packed)
        return states.index_copy(0, self._of(which[order]), found)

    def _aggregated(self, name: str, snapshots: Ids, entities: Ids, inverse: Ids) -> Tensor:
        """What a graph network sees of some entities in some snapshots."""
        nodes, places = np.unique(
            self._history.node(snapshots, entities, inverse), return_inverse=True
        )
        second, of_second, neighbours = self._history.edges(nodes)
        reached, order = np.unique(np.concatenate([nodes, neighbours]), return_inverse=True)
        own, sources = np.split(order, [len(nodes)])
        first, of_first, ends = self._history.edges(reached)
        rows = self.modules[name]["entities"]
        entity = self._history.entity
        found = self._layer(
            name, 1, rows[self._of(entity(reached))], rows[self._of(entity(ends))], first, of_first
        ).relu()
        found = self._layer(
            name, 2, found[self._of(own)], found[self._of(sources)], second, of_second
        )
        return found[self._of(places)]

    def _layer(
        self, name: str, layer: int, own: Tensor, sources: Tensor, targets: Ids, relations: Ids
    ) -> Tensor:
        """A layer without its activation: ``sources`` has a row for each fact."""
        import torch

        weights = self.modules[name]
        blocks = weights[f"blocks{layer}"][self._of(relations)].view(-1, self.size // 2, 2, 2)
        pairs = sources.view(-1, self.size // 2, 2)
        messages = pairs[:, :, :1] * blocks[:, :, 0] + pairs[:, :, 1:] * blocks[:, :, 1]
        degree = self._of(np.bincount(targets, minlength=len(own)).clip(min=1))
        sums = torch.zeros_like(own).index_add(0, self._of(targets), messages.flatten(1))
        return sums / degree[:, None] + self._dropped(own @ weights[f"own{layer}"])

    def _maxima(self, snapshots: Ids) -> Tensor:
        """The greatest numbers of all entities of some snapshots, in the global network."""
        import torch

        of, entities = self._history.members(snapshots)
        seen = self._aggregated("global", snapshots[of], entities, np.zeros_like(of))
        places = self._of(of)[:, None].expand_as(seen)
        found = torch.full((len(snapshots), self.size), -torch.inf, device=self._place)
        return found.scatter_reduce(0, places, seen, "amax")

    def _state_of(self, maxima: Tensor) -> Tensor:
        """The state of the GRU over snapshots."""
        _, (found,) = self.modules["of_snapshots"](maxima)
        state: Tensor = found
        return state

    def _states_before(self) -> Tensor:
        """The state after each snapshot of the graph, by the weights as they are."""
        import torch

        # The fused optimizer does not count its changes; loaded weights are counted.
        version = self._steps, *(weights._version for weights in self.modules.parameters())
        if self._states_of != version:
            training = self.modules.training
            self.modules.eval()
            every = np.arange(self._history.snapshots)
            with torch.no_grad():
                maxima = torch.cat(
                    [self._maxima(every[n : n + _POOLED]) for n in every[::_POOLED].tolist()]
                )
                self._states = torch.stack(
                    [self._state_of(maxima[self._history.until(n + 1)]) for n in every.tolist()]
                )
            self.modules.train(training)
            self._states_of = version
        return self._states

    def _dropped(self, values: Tensor) -> Tensor:
        from torch.nn.functional import dropout

        return dropout(values, self._settings.dropout, self.modules.training)

    def _of(self, array: Ids) -> Tensor:
        import torch

        return torch.from_numpy(np.ascontiguousarray(array)).to(self._place)


class _History:
    """The snapshots of a graph, as entities see them.

    A node is an entity in a snapshot, and the direction of a query: number of the snapshot, twice
    as many entities, then the entity.
    """

    def __init__(self, graph: Dataset, longest: int) -> None:
        self._longest = longest
        self._entities = graph.vocabulary.entities
        self._relations = graph.vocabulary.relations
        found = Snapshots.of(graph.facts().distinct())
        self._times = found.times
        self.snapshots = len(found.times)
        both = found.facts.both_ways(self._relations)
        snapshot = np.searchsorted(self._times, both.time)
        # Facts by the node that they reach, for queries of objects.
        reached = self.node(snapshot, both.tail, np.zeros_like(snapshot))
        order = np.argsort(reached, kind="stable")
        self._reached, self._relation = reached[order], both.relation[order]
        self._source = self.node(snapshot, both.head, np.zeros_like(snapshot))[order]
        self._nodes = np.unique(self._reached)
        # The snapshots of each entity, as subject and as object.
        side = both.relation // self._relations * self._entities + both.head
        self._seen = np.unique(side * self.snapshots + snapshot)

    def number(self, time: int) -> int:
        """How many snapshots there are before a time."""
        return int(np.searchsorted(self._times, time))

    def until(self, end: int) -> Ids:
        """The last snapshots before the one of a number."""
        return np.arange(max(end - self._longest, 0), end)

    def node(self, snapshots: Ids, entities: Ids, inverse: Ids) -> Ids:
        """The numbers of nodes."""
        found: Ids = (snapshots * 2 + inverse) * self._entities + entities
        return found

    def entity(self, nodes: Ids) -> Ids:
        """The entities of nodes."""
        return nodes % self._entities

    def of(self, heads: Ids, inverse: Ids, last: int) -> tuple[Ids, Ids]:
        """The last snapshots with each head before a snapshot: numbers of queries, and snapshots.

        Those with the head as object if the query is an inverse one.
        """
        begin = (inverse * self._entities + heads) * self.snapshots
        ends = np.searchsorted(self._seen, begin + last)
        starts = np.maximum(np.searchsorted(self._seen, begin), ends - self._longest)
        query, places = expand(starts, ends)
        return query, self._seen[places] % self.snapshots

    def edges(self, nodes: Ids) -> tuple[Ids, Ids, Ids]:
        """The facts that reach some nodes: places of the nodes, relations, nodes they come from."""
        pairs, entity = np.divmod(nodes, self._entities)
        snapshot, inverse = np.divmod(pairs, 2)
        plain = self.node(snapshot, entity, np.zeros_like(entity))
        bounds = (np.searchsorted(self._reached, plain, side) for side in ("left", "right"))
        place, rows = expand(*bounds)
        shift = inverse[place]
        relations = (self._relation[rows] + shift * self._relations) % (2 * self._relations)
        return place, relations, self._source[rows] + shift * self._entities

    def members(self, snapshots: Ids) -> tuple[Ids, Ids]:
        """The places of snapshots, and their entities."""
        begins = self.node(snapshots, np.zeros_like(snapshots), np.zeros_like(snapshots))
        bounds = np.searchsorted(self._nodes, np.stack([begins, begins + self._entities]))
        place, rows = expand(bounds[0], bounds[1])
        return place, self.entity(self._nodes[rows])
