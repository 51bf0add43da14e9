"""The strikingness of events: three components, and their weighted sum (eq. 9)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from benchmarks.ranking.tables import Numbers
from benchmarks.strikingness.components import component
from benchmarks.strikingness.evidence import Evidence
from benchmarks.strikingness.peers import peers_of, targets_of
from benchmarks.strikingness.settings import Element, Settings
from solver.tkg.quadruples import Quadruples

BLOCK = 2048
"""Number of events per batch, which bounds memory."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Strikingness:
    """The strikingness of events.

    Attributes:
        events: the events, in the given order.
        components: component of each element, in [0, 1].
        weight: weighted sum of the components, in [0, 1], rounded as by the settings.
        settings: the settings it was computed with.
    """

    events: Quadruples
    components: Mapping[Element, Numbers]
    weight: Numbers
    settings: Settings

    def __len__(self) -> int:
        return len(self.weight)


def strikingness(
    evidence: Evidence, events: Quadruples, *, advance: Callable[[int], object] | None = None
) -> Strikingness:
    """Compute the strikingness of events from the facts before each of them.

    Args:
        evidence: graph and rules; facts at or after the time of an event are ignored.
        events: the events, which may be missing from the graph; relations are not inverses.
        advance: called with the number of events of each processed batch.
    """
    parts: dict[Element, list[Numbers]] = {element: [np.empty(0)] for element in Element}
    for begin in range(0, len(events), BLOCK):
        block = events.take(slice(begin, begin + BLOCK))
        for element, found in parts.items():
            peers = peers_of(evidence, block, element)
            found.append(component(peers, targets_of(block, element), evidence.settings))
        if advance is not None:
            advance(len(block))
    components = {element: np.concatenate(found) for element, found in parts.items()}
    return Strikingness(
        events=events,
        components=components,
        weight=combined(components, evidence.settings),
        settings=evidence.settings,
    )


def combined(components: Mapping[Element, Numbers], settings: Settings) -> Numbers:
    """The weighted sum of the components (eq. 9), rounded as by the settings."""
    sums: Numbers = np.sum(
        [settings.shares.of(element) * values for element, values in components.items()], axis=0
    )
    bounded = np.clip(sums, 0.0, 1.0)
    return bounded if settings.decimals is None else np.round(bounded, settings.decimals)
