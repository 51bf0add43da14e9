"""Sampling weights of entities and relations: uniform, gamma, Zipf, or explicit."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from solver.errors import HopcheckError
from solver.tkg.quadruples import Ids

Floats = NDArray[np.float64]

_ROUNDS = 10_000


class ConfigError(HopcheckError):
    """A config that is invalid or cannot be satisfied."""

    code = "config"


class Distribution(StrEnum):
    """Distribution of the weights."""

    UNIFORM = "uniform"
    GAMMA = "gamma"
    ZIPF = "zipf"
    GIVEN = "given"


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Weights of all entities, or of all relations.

    Attributes:
        distribution: distribution of the weights.
        exponent: Zipf exponent; the n-th most frequent id has the weight ``n ** -exponent``.
        shape: shape of the gamma distribution.
        scale: scale of the gamma distribution.
        values: explicit weights by id.
    """

    distribution: Distribution = Distribution.UNIFORM
    exponent: float = 1.0
    shape: float = 1.0
    scale: float = 2.0
    values: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        for name in ("exponent", "shape", "scale"):
            value = getattr(self, name)
            if not (np.isfinite(value) and value >= 0):
                raise ConfigError(f"found {name} {value}, expected a number from 0")
        if not all(np.isfinite(value) and value >= 0 for value in self.values):
            raise ConfigError("found a weight that is negative or not finite, expected from 0")

    def __str__(self) -> str:
        """Format as ``zipf(1.11)``."""
        numbers = {
            Distribution.GAMMA: f"({self.shape:g}, {self.scale:g})",
            Distribution.ZIPF: f"({self.exponent:g})",
        }
        return self.distribution + numbers.get(self.distribution, "")

    def drawn(self, size: int, random: np.random.Generator, *, named: str) -> Floats:
        """Draw the weights of ``size`` ids; the ranking of ids is random.

        Args:
            size: number of ids.
            random: random generator.
            named: what the ids denote, for messages.

        Raises:
            ConfigError: the weights sum to 0, or the number of explicit ones is not ``size``.
        """
        match self.distribution:
            case Distribution.UNIFORM:
                found = np.ones(size)
            case Distribution.GAMMA:
                found = random.gamma(self.shape, self.scale, size)
            case Distribution.ZIPF:
                found = random.permutation(np.arange(1, size + 1, dtype=np.float64))
                found **= -self.exponent
            case Distribution.GIVEN:
                if len(self.values) != size:
                    raise ConfigError(
                        f"found {len(self.values)} weights of {named}, expected {size}"
                    )
                found = np.array(self.values, dtype=np.float64)
        if not found.sum() > 0:
            raise ConfigError(f"the weights of {named} sum to 0, expected a positive one")
        return found


def draw(weights: Floats, size: int, random: np.random.Generator) -> Ids:
    """Draw ids independently, with probabilities proportional to their weights."""
    summed = np.cumsum(weights)
    found = np.searchsorted(summed, random.random(size) * summed[-1], side="right")
    # Rounding may yield an index beyond the last id with a positive weight.
    ids: Ids = np.minimum(found, np.flatnonzero(weights)[-1]).astype(np.int64)
    return ids


def draw_distinct(weights: Floats, rows: int, columns: int, random: np.random.Generator) -> Ids:
    """Draw rows of ids, without replacement within a row.

    Returns:
        Shape (rows, columns).

    Raises:
        ConfigError: fewer ids than columns have a positive weight.
    """
    if np.count_nonzero(weights) < columns:
        raise ConfigError(
            f"found {np.count_nonzero(weights)} ids with a weight above 0, expected {columns}"
        )
    table = draw(weights, rows * columns, random).reshape(rows, columns)
    for column in range(1, columns):
        for _ in range(_ROUNDS):
            again = np.flatnonzero((table[:, :column] == table[:, column, None]).any(axis=1))
            if not len(again):
                break
            table[again, column] = draw(weights, len(again), random)
        else:
            raise ConfigError("found weights so unequal that no distinct ids could be drawn")
    return table
