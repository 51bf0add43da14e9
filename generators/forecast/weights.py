"""Which relations are drawn how often: as the reference year has them, or to match it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.tkg.quadruples import Ids

Weights = NDArray[np.float64]


def reference_weights(shares: Weights, able: NDArray[np.bool_]) -> Weights:
    """Shares of the relations that can be drawn at all; those of others would be drawn in vain."""
    return np.where(able, shares, 0.0)


def matching_weights(
    shares: Weights, made: Ids, wanted: int, able: NDArray[np.bool_], ruled: NDArray[np.bool_]
) -> Weights:
    """What relations with rules lack of their part of all facts so far.

    Args:
        shares: in the reference year.
        made: facts of each relation so far.
        wanted: how many facts there are to be by the end of the day, at least those made.
        able: relations that can be drawn now; of these, the ones that lack most come first.
        ruled: relations with rules: what others would have had is divided among them.

    Returns:
        Weights that are 0 for all only if nothing is able.
    """
    among = np.where(ruled, shares, 0.0)
    if not among.sum():
        return among
    lacking = np.maximum(among / among.sum() * wanted - made, 0.0)
    weights = np.where(able, lacking, 0.0)
    return weights if weights.sum() else np.where(able, among, 0.0)
