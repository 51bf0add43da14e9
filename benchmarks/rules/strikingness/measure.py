"""The strikingness of events: three components, their weighted sum (eq. 9), and its ablation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.metrics.ranking import Numbers, spearman
from benchmarks.rules.ranking.files import KEYS
from benchmarks.rules.strikingness.peers import Evidence, Peers, peers_of, targets_of
from benchmarks.rules.strikingness.settings import Deviation, Element, Profile, Settings
from solver.graph.model import Dataset, Ids, Quadruples
from solver.io.writing import packed
from solver.rules.model import RuleTable
from solver.rules.provenance import Content, Seen, write_manifest


def component(peers: Peers, targets: Ids, settings: Settings) -> Numbers:
    """A component of the strikingness of each event, in [0, 1].

    ``sum(v' (v' - v))`` over peers with ``v' > v`` (eq. 8), where ``v`` are the normalised
    expectations: ``e / ||e||`` (eq. 7), or as released ``e^2 / sum(e^2)``. Without peers it is 0
    (appendix B.2), or as released 1; with peers of which none has an expectation it is 0.

    Args:
        peers: peers of events 0, 1, ... in one element.
        targets: the element of the events themselves.
        settings: the settings, with their deviations.
    """
    value, target = normalised(peers, targets, settings)
    excess = value - target[peers.event]
    sums = np.bincount(peers.event, weights=value * np.maximum(excess, 0), minlength=len(targets))
    missing = 1.0 if settings.has(Deviation.MISSING) else 0.0
    present = np.bincount(peers.event, minlength=len(targets)) > 0
    # Rounding errors may exceed the bound.
    found: Numbers = np.where(present, np.clip(sums, 0.0, 1.0), missing)
    return found


def normalised(peers: Peers, targets: Ids, settings: Settings) -> tuple[Numbers, Numbers]:
    """Normalised expectations of peers and of the events; 0 if no peer has an expectation."""
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
        return value * value / squares[peers.event], target * target / squares
    lengths = np.sqrt(squares)
    return value / lengths[peers.event], target / lengths


BLOCK = 256
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


DECIMALS = 9
"""Decimals of components and of unrounded weights."""


def write_strikingness(
    path: str | Path, found: Strikingness, *, seen: Seen | None, components: bool = False
) -> None:
    """Write one row per event, in order, and a manifest beside the file.

    Args:
        path: output file; gzip if it ends in ``.gz``.
        found: the weights.
        seen: the facts that the rules were mined from; None if unknown.
        components: whether to add a header line and the columns ``sk_object sk_subject
            sk_relation`` before the weight.

    Raises:
        OutputError: the file cannot be written.
    """
    numbers = [*(found.components.values() if components else ()), found.weight]
    names = [f"sk_{element}" for element in found.components] if components else []
    rows = zip(found.events.rows().tolist(), *(number.tolist() for number in numbers), strict=True)
    with packed(path) as file:
        if components:
            file.write("\t".join((*KEYS, *names, "sk")).encode() + b"\n")
        for fact, *values in rows:
            cells = (*map(str, fact), *(f"{round(value, DECIMALS):.15g}" for value in values))
            file.write("\t".join(cells).encode() + b"\n")
    write_manifest(path, Content.STRIKINGNESS, seen)


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
    every = [frozenset({deviation}) for deviation in Deviation] + [frozenset(Deviation)]
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
    evidence = Evidence.of(dataset, rules, settings, base.events)
    other = strikingness(evidence, base.events, advance=advance)
    readings = {settings.reading(switch) for switch in switches}
    apart = np.abs(other.weight - base.weight)
    return Change(
        switches=switches,
        reading=readings.pop() if len(readings) == 1 else None,
        mean=float(apart.mean()),
        most=float(apart.max()),
        changed=int((apart > _EQUAL).sum()),
        spearman=spearman(other.weight, base.weight),
    )
