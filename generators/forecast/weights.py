"""Sampling weights of relations: shares of the reference year, or corrected to match it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.tkg.quadruples import Ids

Weights = NDArray[np.float64]


def reference_weights(shares: Weights, able: NDArray[np.bool_]) -> Weights:
    """The reference shares, restricted to relations that can yield facts."""
    return np.where(able, shares, 0.0)


def matching_weights(
    shares: Weights, made: Ids, wanted: int, able: NDArray[np.bool_], with_rules: NDArray[np.bool_]
) -> Weights:
    """The deficit of each relation with rules against its share of all facts so far.

    Args:
        shares: shares in the reference year.
        made: number of facts of each relation so far.
        wanted: number of facts requested by the end of the day, at least those made.
        able: relations that can be drawn now.
        with_rules: relations with rules; they share out the part of those without.

    Returns:
        Weights, all 0 only if no relation is able.
    """
    among = np.where(with_rules, shares, 0.0)
    if not among.sum():
        return among
    lacking = np.maximum(among / among.sum() * wanted - made, 0.0)
    weights = np.where(able, lacking, 0.0)
    return weights if weights.sum() else np.where(able, among, 0.0)
