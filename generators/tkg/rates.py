"""Rates of planting: by pattern, so that relations occur as often as wanted, and by time step."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from generators.tkg.config import Config, Floats, draw
from generators.tkg.plan import STEPS, Plan
from solver.graph.model import Ids

_ROUNDS = 300
_STEP_ROUNDS = 30
"""Enough for a difference of 5% on a weekday of which ICEWS14 has a third of the mean."""

_SAMPLES = 100
"""Sampled instances for each first step."""

_POWER = 1.8
"""Over-relaxation of the fit to the steps, which converges in a third of the rounds with it."""

_LEAST = 1e-12


def pattern_rates(plan: Plan, config: Config, relations: Floats) -> Floats:
    """Expected instances of each pattern per time step.

    Args:
        plan: the patterns.
        config: numbers of trials and their probabilities.
        relations: weights of the relations.
    """
    given = np.multiply(config.trials, config.probability, dtype=np.float64)
    if not config.balanced:
        return np.broadcast_to(given, len(plan))
    return float(given) * balanced(_slots(plan, len(relations)), relations)


def balanced(slots: Floats, weights: Floats) -> Floats:
    """Rates of patterns, with the mean 1, that bring the facts of relations to given weights.

    Maximises the likelihood of the weights by expectation maximisation, in which no rate becomes
    negative. A relation without a pattern is left out.

    Args:
        slots: occurrences of each relation in each pattern, shape (patterns, relations).
        weights: wanted weights of the relations.
    """
    target = np.where(slots.any(axis=0), weights, 0)
    target = target / max(target.sum(), _LEAST)
    sizes = slots.sum(axis=1)
    rates: Floats = np.ones(len(slots))
    for _ in range(_ROUNDS):
        reached = rates @ slots
        ratio = target / np.maximum(reached / reached.sum(), _LEAST)
        rates *= (slots @ ratio) / sizes
        rates /= rates.mean()
    return rates


def _slots(plan: Plan, relations: int) -> Floats:
    found = np.zeros((len(plan), relations))
    pattern, step = np.nonzero(_there(plan))
    np.add.at(found, (pattern, plan.relation[pattern, step]), 1)
    return found


def _there(plan: Plan) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = np.arange(STEPS) <= plan.hops[:, None]
    return found


def trials_of(rates: Floats, config: Config) -> tuple[Ids, Floats]:
    """Trials and their probability for expected numbers of instances.

    There are at least as many trials as the config has, and enough for the expected number.
    """
    least = np.broadcast_to(np.asarray(config.trials, dtype=np.int64), rates.shape[-1:])
    trials = np.maximum(least, np.ceil(rates).astype(np.int64))
    return trials, rates / np.maximum(trials, 1)


def start_rates(plan: Plan, rates: Floats, wanted: Floats, random: np.random.Generator) -> Floats:
    """Relative numbers of instances by their first step, so that the facts follow ``wanted``.

    The later facts of an instance follow at a distance, so that the first ones alone would give
    another profile. Fitted by expectation maximisation, like ``balanced``, to sampled instances.

    Args:
        plan: the patterns.
        rates: rates of the patterns.
        wanted: relative numbers of facts by time step, with the mean 1.
        random: random generator.
    """
    steps = len(wanted)
    first = np.repeat(np.arange(steps), _SAMPLES)
    pattern = draw(rates, len(first), random)
    when = drawn_times(plan, first, pattern, wanted, random)
    there = (np.arange(STEPS) <= plan.hops[pattern, None]) & (when < steps)
    row, step = np.nonzero(there)
    first, landed = first[row], when[row, step]
    mass = np.bincount(first, minlength=steps)
    found = np.ones(steps)
    for _ in range(_STEP_ROUNDS):
        reached = np.bincount(landed, found[first], minlength=steps)
        ratio = wanted / np.maximum(reached, _LEAST)
        found *= (np.bincount(first, ratio[landed], minlength=steps) / mass) ** _POWER
        # The mean keeps the expected number of instances of the config.
        found /= found.mean()
    return found


def drawn_times(
    plan: Plan, first: Ids, pattern: Ids, wanted: Floats, random: np.random.Generator
) -> Ids:
    """Draw the time of each step of instances, whose lags lead to steps by their shares.

    Args:
        plan: the patterns.
        first: time of the first step of each instance.
        pattern: pattern of each instance.
        wanted: relative numbers of facts by time step.
        random: random generator.

    Returns:
        Shape (instances, STEPS); times may exceed the last time step.
    """
    reach = int(plan.high.sum(axis=1).max(initial=0)) + 1
    # Beyond the last step the profile goes on, so that chances inside are as in the middle.
    repeated = wanted[np.arange(len(wanted) - reach, len(wanted)) % len(wanted)]
    summed = np.concatenate((np.zeros(1), np.cumsum(np.concatenate((wanted, repeated)))))
    when = np.zeros((len(pattern), STEPS), np.int64)
    when[:, 0] = first
    for step in range(1, STEPS):
        begin = when[:, step - 1] + plan.low[pattern, step - 1]
        end = when[:, step - 1] + plan.high[pattern, step - 1] + 1
        drawn = summed[begin] + random.random(len(pattern)) * (summed[end] - summed[begin])
        place = np.searchsorted(summed, drawn, side="right") - 1
        when[:, step] = np.clip(place, begin, end - 1)
    return when
