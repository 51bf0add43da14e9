"""How often: rates of planting by pattern and by time step, and quotas of entities.

An independent draw puts an entity in all facts of a placeholder and in all instances that recur
with it, so few entities of a small weight have a single fact, and many have none. Here each entity
has a quota of ends of facts, which the placeholders use up, those with most ends first.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from generators.tkg.config import Config, ConfigError, Floats, draw
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


Flags = NDArray[np.bool_]

_HALVINGS = 200
_SWAP_ROUNDS = 200
_FEW = 16
"""Number of slots of a size below which a slot may be swapped with as many of sizes nearby."""

_PATIENCE = 8
"""Rounds after which twice as many are few."""


def apportion(weights: Floats, total: int) -> Ids:
    """Divide a total among ids by the D'Hondt method, with at least 1 for each positive weight.

    A quota is ``max(1, floor(weight / divisor))``, with the divisor that brings the quotas to the
    total. Rounding down keeps the steps of a curve through counts: weights from 1 to 2 become 1.

    Args:
        weights: non-negative weights, with a positive one.
        total: sum of the quotas; if it is below the number of positive weights, the ids of the
            largest ones have 1.

    Returns:
        Quotas by id.
    """
    found = np.zeros(len(weights), np.int64)
    positive = np.flatnonzero(weights)
    if total <= len(positive):
        found[np.argsort(-weights, kind="stable")[:total]] = 1
        return found
    shares = weights[positive] / weights.sum()
    low, high = 0.0, float(total + len(positive) + 1)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        fits = np.maximum(1, np.floor(shares * middle)).sum() <= total
        low, high = (middle, high) if fits else (low, middle)
    quotas = np.maximum(1, np.floor(shares * low)).astype(np.int64)
    # What is left over belongs to ids whose quotas rise at the same divisor.
    order = np.argsort(-shares / (quotas + 1), kind="stable")
    quotas[order[: total - int(quotas.sum())]] += 1
    found[positive] = quotas
    return found


def deal(sizes: Ids, quotas: Ids, random: np.random.Generator) -> Ids:
    """Give each slot an entity, so that the sizes of an entity's slots sum to its quota.

    Entities are drawn without replacement from what is left of the quotas, largest slots first, so
    that small ones fill the rest. A slot too large for all quotas goes to one with the most left.

    Args:
        sizes: ends of facts of each slot, at least 1, shape (slots,).
        quotas: ends of facts of each entity; those of quota 0 get no slot.
        random: random generator.

    Returns:
        Entity of each slot.
    """
    found, left = np.empty(len(sizes), np.int64), quotas.copy()
    known = np.flatnonzero(quotas)
    order = np.argsort(-sizes, kind="stable")
    for slots in np.split(order, np.flatnonzero(np.diff(sizes[order])) + 1):
        if not len(slots):
            continue
        size = int(sizes[slots[0]])
        able = np.flatnonzero(left >= size)
        room = left[able] // size
        dealt = min(len(slots), int(room.sum()))
        counts = random.multivariate_hypergeometric(room, dealt, method="marginals")
        left[able] -= size * counts
        entities = np.repeat(able, counts)
        if dealt < len(slots):
            most = known[np.argsort(-left[known], kind="stable")]
            most = np.resize(most, len(slots) - dealt)
            np.subtract.at(left, most, size)
            entities = np.concatenate((entities, most))
        found[slots] = random.permutation(entities)
    return found


def column_pairs(columns: int) -> Ids:
    """Pairs of columns, the first one smaller, shape (pairs, 2)."""
    found = [(a, b) for b in range(columns) for a in range(b)]
    return np.array(found, np.int64).reshape(-1, 2)


def separate(sizes: Ids, bound: Ids, apart: Flags, random: np.random.Generator) -> Ids:
    """Swap entities between slots until those that must differ in a row do.

    Slots are swapped with ones of the same size, or of sizes nearby if there are few, so that sums
    of sizes change little; sizes are the less near, the more rounds have failed.

    Args:
        sizes: ends of facts of each slot, shape (rows, columns); 0 for no slot.
        bound: entity of each slot, same shape.
        apart: whether a pair of columns must differ, shape (rows, pairs), see ``column_pairs``.
        random: random generator.

    Returns:
        Entity of each slot.

    Raises:
        ConfigError: no swaps were found that separate them.
    """
    columns = bound.shape[1]
    pairs = column_pairs(columns)
    flat, size = bound.ravel().copy(), sizes.ravel()
    slots = np.flatnonzero(size)
    slots = slots[np.argsort(size[slots], kind="stable")]
    ordered = size[slots]
    rows = np.flatnonzero(apart.any(axis=1))
    for number in range(_SWAP_ROUNDS):
        table = flat.reshape(bound.shape)[rows]
        equal = apart[rows] & (table[:, pairs[:, 0]] == table[:, pairs[:, 1]])
        rows, equal = rows[equal.any(axis=1)], equal[equal.any(axis=1)]
        if not len(rows):
            return flat.reshape(bound.shape)
        pair = pairs[equal.argmax(axis=1)]
        column = pair[np.arange(len(rows)), random.integers(2, size=len(rows))]
        moved = rows * columns + column
        low = np.searchsorted(ordered, size[moved], side="left")
        high = np.searchsorted(ordered, size[moved], side="right")
        reach = min(_FEW << number // _PATIENCE, len(slots))
        few = high - low < reach
        low = np.where(few, np.maximum(low - reach, 0), low)
        high = np.where(few, np.minimum(high + reach, len(slots)), high)
        partner = slots[random.integers(low, high)]
        # A slot takes part in one swap of a round.
        chosen = np.unique(partner, return_index=True)[1]
        chosen = chosen[~np.isin(partner[chosen], moved)]
        moved, partner = moved[chosen], partner[chosen]
        flat[moved], flat[partner] = flat[partner], flat[moved]
        rows = np.union1d(rows, partner // columns)
    raise ConfigError("found quotas so unequal that entities could not be kept apart")
