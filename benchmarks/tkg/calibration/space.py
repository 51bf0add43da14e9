"""Search space: parameters with their ranges, and the mapping of values to a config."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import ceil, isfinite
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from benchmarks.tkg.calibration.objective import Figures
from generators.tkg.config import (
    Config,
    Distribution,
    Guards,
    Mode,
    TimeProfile,
    Weights,
    curve_of,
)
from grammar.errors import HopcheckError
from solver.graph.statistics import GraphProfile
from solver.patterns.model import MOST_HOPS, Lag
from solver.tkg.planted import LagProfile

Value: TypeAlias = bool | int | float | str

_WINDOWS = MappingProxyType({f"1,{high}": Lag(low=1, high=high) for high in (1, 3, 5, 8)})
_FLAGS = ("unique", "prohibit_self", "prohibit_new_relation", "sequential")
_STARTING = ("unique", "prohibit_self")
_DISTRIBUTIONS = (
    *(Distribution.UNIFORM, Distribution.GAMMA, Distribution.ZIPF),
    Distribution.CURVE,
)


_MOST_REPETITION = 0.95


class SpaceError(HopcheckError):
    """An unknown parameter or an invalid value."""

    code = "space"


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A numeric parameter with a range, both ends included.

    Attributes:
        start: value of the first trial.
        whole: whether it is an integer.
        log: whether it is searched on a logarithmic scale.
        needs: condition for this parameter to be active: another parameter and its values.
    """

    low: float
    high: float
    start: float
    whole: bool = False
    log: bool = False
    needs: tuple[str, tuple[Value, ...]] | None = None

    def read(self, text: str) -> Value:
        """Parse a value, which may be outside the range.

        Raises:
            ValueError: the text is not a valid number.
        """
        value = int(text) if self.whole else float(text)
        if not isfinite(value):
            raise ValueError
        return value

    def __str__(self) -> str:
        """Format as ``0.2 to 3``."""
        return f"{self.low:g} to {self.high:g}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A categorical parameter."""

    options: tuple[Value, ...]
    start: Value

    def read(self, text: str) -> Value:
        """Parse an option.

        Raises:
            ValueError: there is no such option.
        """
        known = {str(option).lower(): option for option in self.options}
        if text.lower() not in known:
            raise ValueError
        return known[text.lower()]

    def __str__(self) -> str:
        """Format as ``forced, forward, literal``."""
        return ", ".join(str(option).lower() for option in self.options)


Parameter: TypeAlias = Number | Choice


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """Search space.

    Attributes:
        parameters: searched parameters by name, in the order in which they are drawn.
        fixed: values of parameters that are not searched.
        base: options that are not parameters.
        curves: curves through the degrees of entities and the facts of relations.
        period: relative numbers of facts at the steps of a period.
    """

    parameters: Mapping[str, Parameter]
    base: Config
    curves: Mapping[str, tuple[float, ...]]
    period: tuple[float, ...]
    fixed: Mapping[str, Value] = field(default_factory=dict)

    def with_fixed(self, texts: Mapping[str, str]) -> Space:
        """Fix the values of some parameters.

        Raises:
            SpaceError: a parameter is unknown or its value is invalid.
        """
        fixed = dict(self.fixed)
        for name, text in texts.items():
            if name not in self.parameters:
                known = ", ".join(self.parameters)
                raise SpaceError(f"found the parameter {name}, expected one of {known}")
            parameter = self.parameters[name]
            try:
                fixed[name] = parameter.read(text)
            except ValueError:
                raise SpaceError(f"found {name}={text}, expected {parameter}") from None
        rest = {
            name: other_parameter
            for name, other_parameter in self.parameters.items()
            if name not in fixed
        }
        return replace(self, parameters=rest, fixed=fixed)

    def start(self) -> dict[str, Value]:
        """Values of the first trial."""
        return {name: parameter.start for name, parameter in self.parameters.items()}

    def active(self, name: str, values: Mapping[str, Value]) -> bool:
        """Whether a parameter affects the config."""
        needs = getattr(self.parameters.get(name), "needs", None)
        return needs is None or {**self.fixed, **values}[needs[0]] in needs[1]

    def config(self, values: Mapping[str, Value]) -> Config:
        """Build the config from values of all searched parameters.

        The rate of planted facts per time step is divided evenly among the instances of all
        patterns (k + 1 facts for k hops), with the fewest trials of a probability of at most 1.

        Raises:
            ConfigError: the config is invalid.
        """
        given = {**self.fixed, **values}
        patterns = [int(given[f"patterns_{hops}"]) for hops in range(1, MOST_HOPS + 1)]
        weight = sum(count * (hops + 1) for hops, count in enumerate(patterns, start=1))
        rate = float(given["events_per_step"]) / max(weight, 1)
        trials = max(1, ceil(rate))
        lags = str(given["lags"])
        options: dict[str, object] = {
            "entities": int(given["entities"]),
            "relations": int(given["relations"]),
            "patterns": (patterns[0], patterns[1], patterns[2]),
            "flags": "".join(str(int(given[name])) for name in _FLAGS),
            "lags": _WINDOWS[lags] if lags in _WINDOWS else LagProfile(lags),
            "probability": rate / trials,
            "trials": trials,
            "balanced": bool(given["balanced"]),
            "profile": TimeProfile(
                period=self.period if given["periodic"] else (), spread=float(given["spread"])
            ),
            "repetition": float(given["repetition"]),
            "mixed": float(given["mixed"]) if given["quotas"] else 0.0,
            "arranged": float(given["arranged"]),
            "quotas": bool(given["quotas"]),
            "loops": float(given["loops"]),
            "entity_weights": self._weights(given, "entity"),
            "relation_weights": self._weights(given, "relation"),
            "mode": Mode(str(given["mode"])),
            "injective": bool(given["injective"]),
        }
        return replace(self.base, **options)  # type: ignore[arg-type]

    def _weights(self, given: Mapping[str, Value], of: str) -> Weights:
        distribution = Distribution(str(given[f"{of}_distribution"]))
        exponent = float(given[f"{of}_exponent"])
        match distribution:
            case Distribution.ZIPF:
                return Weights(distribution=distribution, exponent=exponent)
            case Distribution.CURVE:
                values = self.curves[of]
                return Weights(distribution=distribution, exponent=exponent, values=values)
            case Distribution.GAMMA:
                return Weights(distribution=distribution, shape=float(given[f"{of}_shape"]))
            case _:
                return Weights(distribution=distribution)


def space_of(reference: Figures, profile: GraphProfile, base: Config | None = None) -> Space:
    """Build the search space around a reference graph.

    Vocabularies may exceed the reference's, since generated graphs do not use all of theirs.

    Args:
        reference: figures of the reference graph.
        profile: its distributions.
        base: options that are not searched; its number of steps is replaced by the reference's.
    """
    facts, entities, relations, steps = (
        int(reference.metrics[name]) for name in ("facts", "entities", "relations", "steps")
    )
    per_step, pairs = facts / steps, profile.pair_repetition
    # Stop graphs that become much larger than the reference.
    guards = Guards(edges=max(20_000, 3 * facts), matches=min(3_000_000, 100_000 + 30 * facts))
    parameters: dict[str, Parameter] = {
        "mode": Choice(options=tuple(mode.value for mode in Mode), start=Mode.FORCED.value),
        "entities": Number(
            low=entities, high=ceil(2.5 * entities), start=entities, whole=True, log=True
        ),
        "relations": Number(
            low=relations, high=ceil(1.5 * relations), start=relations, whole=True, log=True
        ),
        **{
            f"patterns_{hops}": Number(
                low=0, high=2 * relations, start=max(1, round(share * relations)), whole=True
            )
            for hops, share in ((1, 0.3), (2, 1.5), (3, 0.9))
        },
        "events_per_step": Number(
            low=0.2 * per_step, high=1.5 * per_step, start=per_step, log=True
        ),
        **{name: Choice(options=(False, True), start=name in _STARTING) for name in _FLAGS},
        **_distribution("entity"),
        **_distribution("relation"),
        "balanced": Choice(options=(False, True), start=True),
        "periodic": Choice(options=(False, True), start=True),
        "spread": Number(low=0.0, high=1.0, start=_spread(profile)),
        "repetition": Number(
            low=0.0, high=_MOST_REPETITION, start=min(round(pairs, 3), _MOST_REPETITION)
        ),
        "mixed": Number(
            low=0.0,
            high=1.0,
            # Of the facts whose head and tail recur, those whose relation does not.
            start=round(1 - reference.metrics["repetition"] / pairs, 3) if pairs else 0.0,
            needs=("quotas", (True,)),
        ),
        "arranged": Number(low=0.0, high=1.0, start=1.0, needs=("quotas", (False,))),
        "quotas": Choice(options=(False, True), start=True),
        "loops": Number(low=0.0, high=1.0, start=0.0),
        "lags": Choice(
            options=(*_WINDOWS, *(lag_profile.value for lag_profile in LagProfile)), start="1,5"
        ),
        "injective": Choice(options=(False, True), start=False),
    }
    kept = Config(guards=guards) if base is None else base
    return Space(
        parameters=parameters,
        base=replace(kept, steps=steps),
        curves={
            # Quotas of entities are rounded down.
            "entity": curve_of(profile.degrees, floored=True),
            "relation": curve_of(profile.relations),
        },
        period=tuple(np.round(profile.period, 5).tolist()),
    )


def _spread(profile: GraphProfile) -> float:
    """Variation of the facts per step beyond that of the period, at most 1."""
    steps = np.arange(len(profile.events)) % len(profile.period)
    sizes = np.bincount(steps, minlength=len(profile.period))
    means = np.bincount(steps, profile.events, len(profile.period)) / np.maximum(sizes, 1)
    ratio = profile.events / np.maximum(means, 1e-9)[steps]
    return min(1.0, round(float(ratio.std()), 3))


def _distribution(of: str) -> dict[str, Parameter]:
    """Parameters of the weights; they are relative, so gamma's scale is not one."""
    return {
        f"{of}_distribution": Choice(
            options=tuple(distribution.value for distribution in _DISTRIBUTIONS),
            start=Distribution.CURVE.value,
        ),
        f"{of}_exponent": Number(
            low=0.2,
            high=2.0,
            start=1.0,
            needs=(f"{of}_distribution", (Distribution.ZIPF.value, Distribution.CURVE.value)),
        ),
        f"{of}_shape": Number(
            low=0.1,
            high=4.0,
            start=1.0,
            log=True,
            needs=(f"{of}_distribution", (Distribution.GAMMA.value,)),
        ),
    }
