"""Ablation: the effect of each deviation of the released program on the weights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.metrics.ranking import Numbers
from benchmarks.rules.strikingness.measure import Strikingness, strikingness
from benchmarks.rules.strikingness.rulebook import Evidence
from benchmarks.rules.strikingness.settings import Deviation, Profile, Settings
from solver.graph.model import Dataset
from solver.rules.model import RuleTable

_EQUAL = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The effect of changing some switches on the weights.

    Attributes:
        switches: the changed switches.
        reading: the profile they were changed to; None if mixed.
        mean: mean absolute difference of weights, in [0, 1].
        most: maximum absolute difference of weights, in [0, 1].
        changed: number of weights that differ.
        spearman: rank correlation, in [-1, 1]; None if one set of weights is constant.
    """

    switches: frozenset[Deviation]
    reading: Profile | None
    mean: float
    most: float
    changed: int
    spearman: float | None


def ablate(
    dataset: Dataset,
    rules: RuleTable,
    base: Strikingness,
    *,
    advance: Callable[[int], object] | None = None,
) -> tuple[Change, ...]:
    """Change each switch by itself, and then all of them.

    Args:
        dataset: the graph.
        rules: the rules used for ``base``.
        base: the weights before the change.
        advance: called with the number of events that were processed.
    """
    every = [frozenset({one}) for one in Deviation] + [frozenset(Deviation)]
    return tuple(_change(dataset, rules, base, switches, advance) for switches in every)


def switched(settings: Settings, switches: frozenset[Deviation]) -> Settings:
    """The settings with some switches toggled."""
    return replace(settings, deviations=settings.deviations ^ switches)


def _change(
    dataset: Dataset,
    rules: RuleTable,
    base: Strikingness,
    switches: frozenset[Deviation],
    advance: Callable[[int], object] | None,
) -> Change:
    settings = switched(base.settings, switches)
    other = strikingness(Evidence.of(dataset, rules, settings), base.events, advance=advance)
    readings = {settings.reading(one) for one in switches}
    apart = np.abs(other.weight - base.weight)
    return Change(
        switches=switches,
        reading=readings.pop() if len(readings) == 1 else None,
        mean=float(apart.mean()),
        most=float(apart.max()),
        changed=int((apart > _EQUAL).sum()),
        spearman=spearman(other.weight, base.weight),
    )


def spearman(one: Numbers, other: Numbers) -> float | None:
    """Spearman's rank correlation; None if one of the arrays is constant."""
    if not (np.ptp(one) and np.ptp(other)):
        return None
    return float(np.corrcoef(_ranks(one), _ranks(other))[0, 1])


def _ranks(values: Numbers) -> Numbers:
    """Ranks from 1; ties get their mean rank."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: Numbers = (last - (counts - 1) / 2)[place]
    return ranks
