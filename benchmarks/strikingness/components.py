"""Components of strikingness (eqs. 7, 8): how much more expected the peers of an event are."""

from __future__ import annotations

import numpy as np

from benchmarks.ranking.tables import Numbers
from benchmarks.strikingness.peers import Peers
from benchmarks.strikingness.settings import Deviation, Settings
from solver.tkg.quadruples import Ids


def component(peers: Peers, targets: Ids, settings: Settings) -> Numbers:
    """A component of the strikingness of each event, in [0, 1].

    ``sum(v' (v' - v))`` over peers with ``v' > v`` (eq. 8), where ``v`` are the normalised
    expectations: ``e / ||e||`` (eq. 7), or as released ``e^2 / sum(e^2)``. Without any expected
    peer it is 0 (appendix B.2), or as released 1.

    Args:
        peers: peers of events 0, 1, ... in one element.
        targets: the element of the events themselves.
        settings: the settings, with their deviations.
    """
    value, target, expected = normalised(peers, targets, settings)
    excess = value - target[peers.event]
    sums = np.bincount(peers.event, weights=value * np.maximum(excess, 0), minlength=len(targets))
    missing = 1.0 if settings.has(Deviation.MISSING) else 0.0
    # Rounding errors may exceed the bound.
    found: Numbers = np.where(expected, np.clip(sums, 0.0, 1.0), missing)
    return found


def normalised(
    peers: Peers, targets: Ids, settings: Settings
) -> tuple[Numbers, Numbers, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    """Normalised expectations of peers and of the events, and whether any peer is expected."""
    size = len(targets)
    highest = np.zeros(size)
    np.maximum.at(highest, peers.event, peers.expectation)
    expected = highest > 0
    # Scale by the highest expectation so that squares of small ones do not underflow.
    scale = np.where(expected, highest, 1.0)
    value = peers.expectation / scale[peers.event]
    target = peers.of_targets(targets) / scale
    squares = np.bincount(peers.event, weights=value * value, minlength=size)
    squares = np.where(expected, squares, 1.0)
    if settings.has(Deviation.SQUARED):
        return value * value / squares[peers.event], target * target / squares, expected
    lengths = np.sqrt(squares)
    return value / lengths[peers.event], target / lengths, expected
