"""ComplEx and TComplEx: scores are products of complex vectors.

ComplEx scores a fact by the real part of ``sum_k s_k r_k conj(o_k)``; TComplEx multiplies the
relation by a vector of the time. The first half of a row is its real part, the second half its
imaginary part. A time after those that were learned has the vector of the last one. Vectors of
times that follow each other are kept close (Lacroix et al. 2020): the cubes of the absolute values
of their differences are part of the loss.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.forecasting.settings import Model, Settings, before
from solver.graph.model import Dataset, Ids

if TYPE_CHECKING:
    from torch import Tensor, device
    from torch.nn import ParameterDict
    from torch.optim import Optimizer

_SCALE = 0.01
"""Standard deviation of the initial weights."""


class Factorisation:
    """The network: a row for each entity, relation and inverse relation, and learned time."""

    def __init__(self, settings: Settings, graph: Dataset, until: int, place: device) -> None:
        import torch

        self._settings, self._place = settings, place
        facts = before(graph, until)
        self._times = np.unique(facts.time)
        both = facts.both_ways(graph.vocabulary.relations)
        columns = (both.head, both.relation, both.tail, self._numbers(both.time))
        self._facts = torch.from_numpy(np.stack(columns)).to(place)
        size = settings.size - settings.size % 2
        rows = {
            "entities": graph.vocabulary.entities,
            "relations": 2 * graph.vocabulary.relations,
            "times": len(self._times) if settings.model is Model.TCOMPLEX else 0,
        }
        self.modules: ParameterDict = torch.nn.ParameterDict(
            {
                name: torch.nn.Parameter(_SCALE * torch.randn(count, size, device=place))
                for name, count in rows.items()
                if count
            }
        )

    def optimizer(self) -> Optimizer:
        """Adagrad, as in the papers."""
        import torch

        return torch.optim.Adagrad(self.modules.parameters(), lr=self._settings.rate)

    def steps(self, order: np.random.Generator) -> Sequence[Ids]:
        """Batches of facts, in both directions, in random order."""
        rows = order.permutation(self._facts.shape[1])
        size = self._settings.batch
        return [rows[at : at + size] for at in range(0, len(rows), size)]

    def loss(self, rows: Ids) -> Tensor:
        """Cross-entropy over all entities, with the regularisers."""
        import torch

        heads, relations, tails, times = self._facts[:, torch.from_numpy(rows).to(self._place)]
        weights = self.modules
        parts = [weights["entities"][heads], weights["relations"][relations]]
        if "times" in weights:
            parts.append(weights["times"][times])
        loss = torch.nn.functional.cross_entropy(self._scores(parts), tails)
        cubes = sum(
            (_modulus(weight) ** 3).sum() for weight in (*parts, weights["entities"][tails])
        )
        loss = loss + self._settings.penalty * cubes / len(heads)
        if len(self._times) > 1 and "times" in weights:
            changes = (_modulus(weights["times"].diff(dim=0)) ** 3).sum()
            loss = loss + self._settings.smoothness * changes / (len(self._times) - 1)
        return loss

    def at(self, time: int) -> Callable[[Ids, Ids], Tensor]:
        """What scores heads and relations at a time."""
        import torch

        weights = self.modules

        def score(heads: Ids, relations: Ids) -> Tensor:
            parts = [
                weights["entities"][torch.from_numpy(heads).to(self._place)],
                weights["relations"][torch.from_numpy(relations).to(self._place)],
            ]
            if "times" in weights:
                parts.append(weights["times"][int(self._numbers(np.array([time]))[0])][None])
            return self._scores(parts)

        return score

    def representations(self, time: int) -> Tensor:  # noqa: ARG002 - the same at all times
        """A row for each entity."""
        return self.modules["entities"]

    def _numbers(self, times: Ids) -> Ids:
        """Numbers of times among the learned ones: of the last one that is not later."""
        found = np.searchsorted(self._times, times, side="right") - 1
        return np.maximum(found, 0).astype(np.int64)

    def _scores(self, parts: Sequence[Tensor]) -> Tensor:
        """Scores of all entities for products of complex rows."""
        scores: Tensor = product(parts) @ self.modules["entities"].T
        return scores


def product(parts: Sequence[Tensor]) -> Tensor:
    """The products of complex rows; times another row, it is the real part with its conjugate."""
    import torch

    real, imaginary = parts[0].chunk(2, dim=1)
    for part in parts[1:]:
        re, im = part.chunk(2, dim=1)
        real, imaginary = real * re - imaginary * im, real * im + imaginary * re
    return torch.cat([real, imaginary], dim=1)


def _modulus(rows: Tensor) -> Tensor:
    """The absolute values of complex rows; away from 0, where it has no gradient."""
    real, imaginary = rows.chunk(2, dim=1)
    return (real**2 + imaginary**2 + 1e-12).sqrt()
