"""CyGNet (Zhu et al. 2021): an answer is copied from the past, or generated.

For a query z = [s; r; t], with the time vector t of its step: ``copying * softmax(tanh(W_c z + b_c)
+ mask) + (1 - copying) * softmax(W_g z + b_g)``, where the mask is 0 for the entities that answered
(s, r) before, and -100 for others. Subjects are predicted by a second set of weights. After
training, all learned facts are the past, and later ones are not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.forecasting.settings import Settings, before
from benchmarks.history import TimeIndex
from solver.graph.model import Dataset, Ids, Snapshots, expand
from solver.graph.queries import Queries

if TYPE_CHECKING:
    from torch import Tensor, device
    from torch.nn import Linear, ModuleDict
    from torch.optim import Optimizer

_MASKED = -100.0
_DIRECTIONS = ("object", "subject")


class CyGNet:
    """The network, with weights for each direction."""

    def __init__(self, settings: Settings, graph: Dataset, until: int, place: device) -> None:
        import torch
        from torch.nn import Embedding, Linear, ModuleDict

        self._settings, self._place, self._until = settings, place, until
        facts = before(graph, until)
        self._entities = graph.vocabulary.entities
        self._relations = graph.vocabulary.relations
        self._snapshots = Snapshots.of(facts)
        times = self._snapshots.times
        self._step = int(np.diff(times).min()) if len(times) > 1 else 1
        self._known = facts.both_ways(self._relations)
        self._index = TimeIndex(self._known, ("head", "relation"), graph.vocabulary)
        self._tails = self._known.tail[self._index.order]
        size = settings.size
        self.modules: ModuleDict = ModuleDict(
            {
                direction: ModuleDict(
                    {
                        "entities": Embedding(self._entities, size),
                        "relations": Embedding(self._relations, size),
                        "unit": Embedding(1, size),
                        "copy": Linear(3 * size, self._entities),
                        "generate": Linear(3 * size, self._entities),
                    }
                )
                for direction in _DIRECTIONS
            }
        ).to(place)
        gain = torch.nn.init.calculate_gain("relu")
        for direction in _DIRECTIONS:
            for name in ("entities", "relations", "unit"):
                torch.nn.init.xavier_uniform_(self.modules[direction][name].weight, gain)

    def optimizer(self) -> Optimizer:
        """Adam with the greatest second moments."""
        import torch

        parameters = self.modules.parameters()
        return torch.optim.Adam(parameters, lr=self._settings.rate, amsgrad=True, fused=True)

    def steps(self, _order: np.random.Generator) -> Sequence[Ids]:
        """Batches within snapshots, in the order of time."""
        found = []
        for time in self._snapshots.times.tolist():
            rows = self._snapshots.rows_between(time, time + 1)
            size = self._settings.batch
            found += [
                np.arange(at, min(at + size, rows.stop))
                for at in range(rows.start, rows.stop, size)
            ]
        return found

    def loss(self, rows: Ids) -> Tensor:
        """Negative log-likelihood of objects and of subjects, with the weights' mean squares."""
        import torch

        facts = self._snapshots.facts.take(rows)
        total = torch.zeros((), device=self._place)
        for heads, relations, tails in (
            (facts.head, facts.relation, facts.tail),
            (facts.tail, facts.relation + self._relations, facts.head),
        ):
            queries = Queries(head=heads, relation=relations, time=facts.time)
            answers = torch.from_numpy(tails).to(self._place)
            total = total - self._log_shares_of(queries, answers).mean()
        squares = [
            (self.modules[direction][name].weight ** 2).mean()
            for direction in _DIRECTIONS
            for name in ("relations", "entities", "unit")
        ]
        return total + self._settings.penalty * sum(squares)

    def representations(self, time: int) -> Tensor:  # noqa: ARG002 - the same at all times
        """A row for each entity, of the direction from subjects to objects."""
        rows: Tensor = self.modules[_DIRECTIONS[0]]["entities"].weight
        return rows

    def at(self, time: int) -> Callable[[Ids, Ids], Tensor]:
        """What scores heads and relations at a time."""
        import torch

        def score(heads: Ids, relations: Ids) -> Tensor:
            scores = torch.empty(len(heads), self._entities, device=self._place)
            for inverse in (False, True):
                rows = np.flatnonzero((relations >= self._relations) == inverse)
                if len(rows):
                    times = np.full(len(rows), time)
                    asked = Queries(head=heads[rows], relation=relations[rows], time=times)
                    scores[torch.from_numpy(rows).to(self._place)] = self._log_shares(asked)
            return scores

        return score

    def _log_shares(self, queries: Queries) -> Tensor:
        """Logarithms of the shares of all entities, for queries of one direction."""
        import torch

        weights, z = self._inputs(queries)
        share = self._settings.copying
        mixed = (1 - share) * weights["generate"](z).softmax(dim=1)
        places, tails, without = self._past(queries)
        powers = self._logits(weights["copy"], z, places, tails).exp()
        copied = (
            powers / torch.zeros(len(z), device=self._place).index_add(0, places, powers)[places]
        )
        mixed[places, tails] += share * copied
        mixed[without] += share * torch.tanh(weights["copy"](z[without])).softmax(dim=1)
        return mixed.clamp(min=torch.finfo(mixed.dtype).tiny).log()

    def _log_shares_of(self, queries: Queries, answers: Tensor) -> Tensor:
        """The logarithm of the share of one answer to each query; fewer numbers are computed."""
        import torch
        from torch.nn.functional import log_softmax

        weights, z = self._inputs(queries)
        rows = torch.arange(len(z), device=self._place)
        generated = log_softmax(weights["generate"](z), dim=1)[rows, answers]
        places, tails, without = self._past(queries)
        # One lookup of weights, as each has a gradient of their full size.
        both = torch.cat([places, rows]), torch.cat([tails, answers])
        logits = self._logits(weights["copy"], z, *both)
        known = torch.zeros(len(z), dtype=torch.bool, device=self._place)
        known[places[tails == answers[places]]] = True
        total = torch.zeros(len(z), device=self._place)
        total = total.index_add(0, places, logits[: len(places)].exp())
        copied = logits[len(places) :] - total.index_fill(0, without, 1.0).log()
        copied = torch.where(known, copied, copied + _MASKED)
        dense = log_softmax(torch.tanh(weights["copy"](z[without])), dim=1)
        copied = copied.index_copy(0, without, dense[rows[: len(without)], answers[without]])
        share = torch.tensor(self._settings.copying, device=self._place)
        return torch.logaddexp(share.log() + copied, (1 - share).log() + generated)

    def _inputs(self, queries: Queries) -> tuple[ModuleDict, Tensor]:
        """The weights of a direction, and the vectors z of its queries."""
        import torch

        inverse = bool(queries.relation[0] >= self._relations)
        weights: ModuleDict = self.modules[_DIRECTIONS[inverse]]
        entity = weights["entities"](torch.from_numpy(queries.head).to(self._place))
        numbers = queries.relation - self._relations * inverse
        relation = weights["relations"](torch.from_numpy(numbers).to(self._place))
        steps = torch.from_numpy(queries.time // self._step + 1).to(self._place)
        # The unit of time learns from the regulariser alone.
        time = steps[:, None] * weights["unit"].weight.detach()
        return weights, torch.cat(
            [relation, entity, time] if inverse else [entity, relation, time], dim=1
        )

    def _logits(self, copy: Linear, z: Tensor, places: Tensor, tails: Tensor) -> Tensor:
        """The activations of some entities for some rows of z."""
        import torch

        return torch.tanh((z[places] * copy.weight[tails]).sum(dim=1) + copy.bias[tails])

    def _past(self, queries: Queries) -> tuple[Tensor, Tensor, Tensor]:
        """The number of a query and an entity, for each that answered its head and relation.

        The third are the numbers of the queries that nothing answered: they copy from all.
        """
        import torch

        times = np.minimum(queries.time, self._until)
        earlier = Queries(head=queries.head, relation=queries.relation, time=times)
        places, found = expand(*self._index.before(earlier))
        pairs = np.unique(places * self._entities + self._tails[found])
        places, tails = np.divmod(pairs, self._entities)
        without = np.setdiff1d(np.arange(len(queries)), places)
        first, second, third = (
            torch.from_numpy(array).to(self._place) for array in (places, tails, without)
        )
        return first, second, third
