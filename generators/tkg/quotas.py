"""Quotas of entities: degrees that follow the entity weights without the variation of draws.

An independent draw puts an entity in all facts of a placeholder and in all instances that recur
with it, so few entities of a small weight have a single fact, and many have none. Here each entity
has a quota of ends of facts, which the placeholders use up, those with most ends first.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from generators.tkg.config import ConfigError, Floats
from solver.graph.model import Ids

Flags = NDArray[np.bool_]

_HALVINGS = 200
_ROUNDS = 200
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
    for number in range(_ROUNDS):
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
