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

from benchmarks.forecasting.forecaster import Settings, before
from benchmarks.history import TimeIndex
from solver.graph.model import Dataset, Ids, Snapshots, expand
from solver.rules.ranks import Queries

if TYPE_CHECKING:
    from torch import Tensor, device
    from torch.nn import ModuleDict
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

        return torch.optim.Adam(self.modules.parameters(), lr=self._settings.rate, amsgrad=True)

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
            found = self._log_shares(queries)
            answers = torch.from_numpy(tails).to(self._place)
            total = total + torch.nn.functional.nll_loss(found, answers)
        squares = [
            (self.modules[direction][name].weight ** 2).mean()
            for direction in _DIRECTIONS
            for name in ("relations", "entities", "unit")
        ]
        return total + self._settings.penalty * sum(squares)

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

        inverse = bool(queries.relation[0] >= self._relations)
        weights = self.modules[_DIRECTIONS[inverse]]
        entity = weights["entities"](torch.from_numpy(queries.head).to(self._place))
        numbers = queries.relation - self._relations * inverse
        relation = weights["relations"](torch.from_numpy(numbers).to(self._place))
        steps = torch.from_numpy(queries.time // self._step + 1).to(self._place)
        # The unit of time learns from the regulariser alone.
        time = steps[:, None] * weights["unit"].weight.detach()
        z = torch.cat([relation, entity, time] if inverse else [entity, relation, time], dim=1)
        mask = torch.full((len(queries), self._entities), _MASKED, device=self._place)
        places, tails = self._past(queries)
        mask[torch.from_numpy(places), torch.from_numpy(tails)] = 0.0
        copied = (torch.tanh(weights["copy"](z)) + mask).softmax(dim=1)
        generated = weights["generate"](z).softmax(dim=1)
        share = self._settings.copying
        return (share * copied + (1 - share) * generated).log()

    def _past(self, queries: Queries) -> tuple[Ids, Ids]:
        """The number of a query and an entity, for each that answered its head and relation."""
        times = np.minimum(queries.time, self._until)
        earlier = Queries(head=queries.head, relation=queries.relation, time=times)
        places, found = expand(*self._index.before(earlier))
        return places, self._tails[found]
