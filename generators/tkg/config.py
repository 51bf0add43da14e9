"""Configuration of a generated graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from enum import StrEnum
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from generators.levels import Levels
from grammar.errors import HopcheckError
from solver.graph.model import Ids
from solver.io.json_lines import read_document
from solver.io.sources import shown_path, uncapitalised
from solver.patterns.model import MOST_HOPS, CycleReading, Lag, PatternFlags
from solver.tkg.planted import LagProfile


class Mode(StrEnum):
    """What a graph contains in addition to the planted instances.

    ``forced``: nothing. ``forward``: the consequence of each match of antecedents.
    ``literal``: the output of Algorithms 4-7 as printed, which backtrack from consequences.
    """

    FORCED = "forced"
    FORWARD = "forward"
    LITERAL = "literal"


class Cycles(StrEnum):
    """Treatment of patterns that close a cycle of relations.

    ``leave-out``: plant such patterns, but exclude them from closure. ``follow``: include them.
    ``refuse``: stop with an error.
    """

    LEAVE_OUT = "leave-out"
    FOLLOW = "follow"
    REFUSE = "refuse"


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
    CURVE = "curve"
    GIVEN = "given"


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Weights of all entities, or of all relations.

    Attributes:
        distribution: distribution of the weights.
        exponent: Zipf exponent; the n-th most frequent id has the weight ``n ** -exponent``. The
            values of a curve are raised to this power.
        shape: shape of the gamma distribution.
        scale: scale of the gamma distribution.
        values: explicit weights by id; of a curve, weights at ranks that are spaced evenly on a
            logarithmic scale from the first rank to the last, interpolated in between.
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
        curve = self.distribution is Distribution.CURVE
        if curve and not (self.values and min(self.values) > 0):
            raise ConfigError("found a curve of no values or with the value 0, expected some above")

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
            case Distribution.CURVE:
                found = random.permutation(_curve(self.values, size)) ** self.exponent
            case Distribution.GIVEN:
                if len(self.values) != size:
                    raise ConfigError(
                        f"found {len(self.values)} weights of {named}, expected {size}"
                    )
                found = np.array(self.values, dtype=np.float64)
        if not found.sum() > 0:
            raise ConfigError(f"the weights of {named} sum to 0, expected a positive one")
        return found


def _curve(values: tuple[float, ...], size: int) -> Floats:
    """Weights by rank, linear in the logarithms of rank and weight between the given values."""
    knots = np.linspace(0, np.log(max(size, 2)), len(values)) if len(values) > 1 else np.zeros(1)
    found: Floats = np.exp(np.interp(np.log(np.arange(1, size + 1)), knots, np.log(values)))
    return found


def curve_of(counts: Ids, points: int = 24, *, floored: bool = False) -> tuple[float, ...]:
    """Values of a curve through counts, such as the degrees of entities; at least one.

    Args:
        counts: positive counts, in any order.
        points: number of values.
        floored: whether the curve, rounded down, goes through the counts, instead of itself.
    """
    ordered = np.sort(counts)[::-1].astype(np.float64)
    known = np.arange(1, len(ordered) + 1)
    if floored:
        # Only the last one of equal counts is on the curve, which is above the others.
        last = np.append(np.diff(ordered) < 0, True)
        ordered, known = ordered[last], known[last]
    ranks = np.exp(np.linspace(0, np.log(max(len(counts), 1)), points))
    found = np.exp(np.interp(np.log(ranks), np.log(known), np.log(ordered)))
    return tuple(np.round(found, 3).tolist())


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


_MOST = 2**31 - 1
MOST_PATTERNS = 100_000
"""Maximum number of patterns of a graph: they are kept in memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Closure:
    """Options of the forward closure.

    Attributes:
        depth: maximum depth of derivation; None for no limit.
        cycles: treatment of cycles of relations.
    """

    depth: int | None = 1
    cycles: Cycles = Cycles.LEAVE_OUT

    def __post_init__(self) -> None:
        if self.depth is not None and self.depth < 0:
            raise ConfigError(f"found depth {self.depth}, expected a whole number from 0")


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeProfile:
    """Distribution of the planted facts over the time steps.

    Attributes:
        period: relative numbers of facts at the steps of a period, such as seven weekdays; empty
            for no period.
        spread: coefficient of variation of a random factor of each step, gamma-distributed.
    """

    period: tuple[float, ...] = ()
    spread: float = 0.0

    def __post_init__(self) -> None:
        if not all(np.isfinite(value) and value >= 0 for value in self.period):
            raise ConfigError("found a negative part of the period, expected numbers from 0")
        if self.period and not sum(self.period):
            raise ConfigError("found a period that sums to 0, expected a positive part")
        if not (np.isfinite(self.spread) and 0 <= self.spread <= _MOST_SPREAD):
            message = f"found spread {self.spread}, expected a number from 0 to {_MOST_SPREAD}"
            raise ConfigError(message)

    @property
    def flat(self) -> bool:
        """Whether all steps have the same expected number of facts."""
        return not self.spread and len(set(self.period)) < 2

    def drawn(self, steps: int, random: np.random.Generator) -> Floats:
        """Relative numbers of facts by step, positive, with the mean 1."""
        found = np.ones(steps)
        if self.period:
            found = np.resize(np.array(self.period), steps)
        if self.spread:
            shape = self.spread**-2
            found = found * random.gamma(shape, 1 / shape, steps)
        found = np.maximum(found, _LEAST_SHARE)
        shares: Floats = found / found.mean()
        return shares


_MOST_SPREAD = 10
_LEAST_SHARE = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Guards:
    """Limits that stop a runaway generation.

    Attributes:
        edges: maximum number of facts.
        matches: maximum number of partial matches of antecedents in a run.
    """

    edges: int = 300_000
    matches: int = 3_000_000

    def __post_init__(self) -> None:
        for name in ("edges", "matches"):
            if getattr(self, name) < 1:
                raise ConfigError(f"found {getattr(self, name)} {name}, expected at least 1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Configuration of a graph.

    Attributes:
        entities: size of the entity vocabulary.
        relations: size of the relation vocabulary.
        steps: number of time steps.
        patterns: numbers of patterns of one, two and three hops.
        flags: validity flags of the templates, one digit each (Algorithms 8-10).
        reading: reading of Algorithm 10, line 22.
        lags: lag of every step, or a profile that lags are drawn from.
        probability: probability rho of planting an instance in each trial: one number, or one for
            each pattern.
        trials: number n of trials per pattern and time step: one number, or one for each pattern.
        balanced: whether the rates of the patterns are fitted, so that the planted facts of the
            relations are proportional to ``relation_weights``; their mean is n times rho.
        profile: distribution over the time steps.
        repetition: probability that a planted instance has the entities of an earlier one of its
            pattern, chosen by the product of their weights.
        mixed: share of the repetitions that have the entities of an earlier instance of any
            pattern; requires quotas.
        arranged: share of the planted instances in which an entity is in more facts than another
            only if its weight is no smaller; not used with quotas.
        quotas: whether each entity has a quota of ends of planted facts, in proportion to its
            weight and at least one, by which entities are dealt to the instances.
        loops: share of the self-loops between different placeholders of planted instances that
            are kept; the entities of others are drawn again.
        injective: whether placeholders of planted instances are distinct entities.
        distinct: whether subpatterns of earlier patterns are rejected (Table 5b).
        splits: shares of the time steps for train, valid and test.
    """

    entities: int = 200
    relations: int = 20
    steps: int = 60
    patterns: tuple[int, int, int] = (6, 6, 3)
    flags: str = "1000"
    reading: CycleReading = CycleReading.FIXED
    lags: Lag | LagProfile = field(default_factory=lambda: Lag(low=1, high=3))
    probability: float | tuple[float, ...] = 0.25
    trials: int | tuple[int, ...] = 1
    balanced: bool = False
    profile: TimeProfile = field(default_factory=TimeProfile)
    repetition: float = 0.0
    mixed: float = 0.0
    arranged: float = 0.0
    quotas: bool = False
    loops: float = 1.0
    entity_weights: Weights = field(default_factory=Weights)
    relation_weights: Weights = field(default_factory=Weights)
    mode: Mode = Mode.FORWARD
    injective: bool = False
    distinct: bool = False
    closure: Closure = field(default_factory=Closure)
    splits: tuple[float, float, float] = (0.8, 0.1, 0.1)
    guards: Guards = field(default_factory=Guards)

    def __post_init__(self) -> None:
        for name in ("entities", "relations", "steps"):
            if not 1 <= getattr(self, name) <= _MOST:
                raise ConfigError(f"found {getattr(self, name)} {name}, expected at least 1")
        if min(self.patterns) < 0 or not sum(self.patterns):
            raise ConfigError(
                f"found {', '.join(map(str, self.patterns))} patterns of 1, 2 and 3 hops, expected "
                "counts from 0 and at least one pattern"
            )
        if sum(self.patterns) > MOST_PATTERNS:
            message = f"found {sum(self.patterns):,} patterns, expected at most {MOST_PATTERNS:,}"
            raise ConfigError(message)
        for rho in self._of_each("probabilities", self.probability):
            if not 0 <= rho <= 1:
                raise ConfigError(f"found probability {rho}, expected 0 to 1")
        for n in self._of_each("trials", self.trials):
            if not 0 <= n <= _MOST:
                raise ConfigError(f"found {n} trials, expected a whole number from 0")
        for name in ("repetition", "mixed", "arranged", "loops"):
            if not 0 <= getattr(self, name) <= 1:
                raise ConfigError(f"found {name} {getattr(self, name)}, expected 0 to 1")
        if self.mixed and not self.quotas:
            raise ConfigError(f"found mixed {self.mixed} without quotas, expected quotas or 0")
        if not (min(self.splits) >= 0 and abs(sum(self.splits) - 1) < 1e-9):
            raise ConfigError(f"found splits {self.splits}, expected shares that sum to 1")
        if float(self.steps) * self.relations * self.entities**2 >= 2.0**63:
            raise ConfigError("found more possible facts than 63 bits can number, expected fewer")
        PatternFlags.read(self.flags)

    def _of_each(self, name: str, value: float | tuple[float, ...]) -> tuple[float, ...]:
        if not isinstance(value, tuple):
            return (value,)
        if len(value) != sum(self.patterns):
            message = f"found {len(value)} {name}, expected one or {sum(self.patterns)}"
            raise ConfigError(message)
        if self.balanced:
            raise ConfigError(
                f"found {name} of each pattern in a balanced graph, expected one number"
            )
        return value

    @property
    def pattern_flags(self) -> PatternFlags:
        """The flags of the templates."""
        return PatternFlags.read(self.flags)

    @property
    def hop_counts(self) -> dict[int, int]:
        """Numbers of patterns by number of hops, without zeros."""
        return {
            hops: n for hops, n in zip(range(1, MOST_HOPS + 1), self.patterns, strict=True) if n
        }

    def as_json(self) -> dict[str, object]:
        """The options in the format of ``config.json``."""
        found: dict[str, object] = msgspec.to_builtins(self)
        return found

    @classmethod
    def of_json(cls, value: object) -> Config:
        """Read the format of ``as_json``; missing options have their defaults.

        Raises:
            ConfigError: an option is unknown or has an invalid value.
        """
        try:
            config = msgspec.convert(value, cls)
        except msgspec.ValidationError as error:
            raise ConfigError(uncapitalised(str(error))) from None
        except ConfigError:
            raise
        except HopcheckError as error:
            raise ConfigError(error.message, hint=error.hint) from None
        _refuse_unknown(value, config, "")
        return config


def _level(patterns: tuple[int, int, int], low: int, high: int) -> Mapping[str, object]:
    """Patterns whose antecedents follow each other in time, with another relation each."""
    return {"patterns": patterns, "lags": {"low": low, "high": high}, "flags": "1101"}


LEVELS: Levels = {
    1: _level((16, 0, 0), 1, 1),
    2: _level((8, 8, 0), 1, 1),
    3: _level((0, 16, 0), 1, 2),
    4: _level((0, 8, 8), 1, 2),
    5: _level((0, 0, 16), 1, 8),
}
"""By level: numbers of patterns of one, two and three hops, their lags and their flags."""


def read_config(path: str | Path) -> Config:
    """Read ``config.json``.

    Raises:
        ConfigError: the content is invalid.
        InputError: the file cannot be read.
    """
    try:
        return Config.of_json(read_document(path, object, "config"))
    except ConfigError as error:
        raise ConfigError(error.message, where=shown_path(str(path)), hint=error.hint) from None


def _refuse_unknown(value: object, config: object, place: str) -> None:
    if not (isinstance(value, dict) and is_dataclass(config)):
        return
    known = {each_field.name: getattr(config, each_field.name) for each_field in fields(config)}
    for name, part in value.items():
        if name not in known:
            raise ConfigError(
                f"found unknown option {place}{name}",
                hint=f"known options: {', '.join(known)}",
            )
        _refuse_unknown(part, known[name], f"{place}{name}.")
