"""Configuration of a generated graph."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path

import msgspec

from generators.tkg.modes import Cycles, Mode
from generators.tkg.weights import ConfigError, Weights
from solver.errors import HopcheckError
from solver.reading.source import open_input
from solver.tkg.lags import LagProfile
from solver.tkg.pattern import MOST_HOPS, CycleReading, Lag, PatternFlags

_MOST = 2**31 - 1


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
        probability: probability of planting an instance in each trial.
        trials: number of trials per pattern and time step.
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
    probability: float = 0.25
    trials: int = 1
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
        if not 0 <= self.probability <= 1:
            raise ConfigError(f"found probability {self.probability}, expected 0 to 1")
        if not 0 <= self.trials <= _MOST:
            raise ConfigError(f"found {self.trials} trials, expected a whole number from 0")
        if not (min(self.splits) >= 0 and abs(sum(self.splits) - 1) < 1e-9):
            raise ConfigError(f"found splits {self.splits}, expected shares that sum to 1")
        if float(self.steps) * self.relations * self.entities**2 >= 2.0**63:
            raise ConfigError("found more possible facts than 63 bits can number, expected fewer")
        PatternFlags.read(self.flags)

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
            raise ConfigError(_uncapitalised(str(error))) from None
        except ConfigError:
            raise
        except HopcheckError as error:
            raise ConfigError(error.message, hint=error.hint) from None
        _refuse_unknown(value, config, "")
        return config


def read_config(path: str | Path) -> Config:
    """Read ``config.json``.

    Raises:
        ConfigError: the content is invalid.
        InputError: the file cannot be read.
    """
    with open_input(path, "a config") as source:
        text = source.whole()
        name = source.name
    try:
        return Config.of_json(msgspec.json.decode(text))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ConfigError(f"found broken JSON ({error}), expected a config", where=name) from None
    except ConfigError as error:
        raise ConfigError(error.message, where=name, hint=error.hint) from None


def _refuse_unknown(value: object, config: object, place: str) -> None:
    if not (isinstance(value, dict) and is_dataclass(config)):
        return
    known = {one.name: getattr(config, one.name) for one in fields(config)}
    for name, part in value.items():
        if name not in known:
            raise ConfigError(
                f"found unknown option {place}{name}",
                hint=f"known options: {', '.join(known)}",
            )
        _refuse_unknown(part, known[name], f"{place}{name}.")


def _uncapitalised(text: str) -> str:
    return text[:1].lower() + text[1:]
