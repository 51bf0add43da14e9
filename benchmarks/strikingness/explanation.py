"""Explains the strikingness of an event by its peers, their expectations and their rules."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from benchmarks.strikingness.chains import recency
from benchmarks.strikingness.components import component, normalised
from benchmarks.strikingness.evidence import Evidence
from benchmarks.strikingness.logic import ITSELF, Peer, PeerGroundings, by_joins, by_logic
from benchmarks.strikingness.measure import combined
from benchmarks.strikingness.peers import peers_of, targets_of
from benchmarks.strikingness.settings import Element
from solver.tkg.quadruples import Quadruples


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """A rule that makes a peer expected.

    Attributes:
        rule: number of the rule in its file; or ``ITSELF``, for facts that count without a rule.
        confidence: confidence of the rule.
        times: times of the bodies in its chain, latest first.
        expectation: contribution to the expectation of the peer.
    """

    rule: int
    confidence: float
    times: tuple[int, ...]
    expectation: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedPeer:
    """A peer, or the event itself, in one element.

    Attributes:
        peer: an entity or a relation.
        own: whether it is that of the event itself.
        value: the normalised expectation, in [0, 1] (eq. 7).
        adds: its term of eq. 8, 0 unless it is more expected than the event.
        reasons: rules in descending order of contribution.
    """

    peer: int
    own: bool
    expectation: float
    value: float
    adds: float
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """The component of strikingness of one element.

    Attributes:
        component: value of the component, in [0, 1].
        share: weight of the component.
        peers: peers by descending expectation, always including the event itself.
        count: number of peers, which may exclude the event.
    """

    element: Element
    component: float
    share: float
    peers: tuple[ExplainedPeer, ...]
    count: int

    @property
    def own(self) -> ExplainedPeer:
        """The event itself."""
        return next(one for one in self.peers if one.own)

    @property
    def ahead(self) -> int:
        """Number of peers that are more expected than the event."""
        return sum(one.expectation > self.own.expectation for one in self.peers)


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """An event with its strikingness.

    Attributes:
        event: subject, relation, object, time.
        since: start of its window.
        proved: whether clingo finds the same peers and groundings.
    """

    event: tuple[int, int, int, int]
    since: int
    weight: float
    sides: tuple[Side, ...]
    proved: bool


def explain(evidence: Evidence, event: tuple[int, int, int, int]) -> Explanation:
    """Explain the strikingness of an event, which may be missing from the graph.

    Args:
        evidence: graph and rules.
        event: subject, relation, object, time; the relation is not an inverse.
    """
    events = Quadruples.of(np.array([event], dtype=np.int64))
    grounds = by_joins(evidence, events)
    sides = tuple(_side(evidence, events, element, grounds) for element in Element)
    components = {side.element: np.array([side.component]) for side in sides}
    return Explanation(
        event=event,
        since=max(int(evidence.since(events.time)[0]), 0),
        weight=float(combined(components, evidence.settings)[0]),
        sides=sides,
        proved=by_logic(evidence, events) == grounds,
    )


def _side(
    evidence: Evidence, events: Quadruples, element: Element, grounds: PeerGroundings
) -> Side:
    settings, targets = evidence.settings, targets_of(events, element)
    peers = peers_of(evidence, events, element)
    value, target, _ = normalised(peers, targets, settings)
    reasons = _reasons(evidence, int(events.time[0]), element, grounds)
    own = int(targets[0])
    columns = (peers.peer.tolist(), peers.expectation.tolist(), value.tolist())
    explained = [
        ExplainedPeer(
            peer=peer,
            own=peer == own,
            expectation=expectation,
            value=one,
            adds=one * max(one - float(target[0]), 0.0),
            reasons=reasons.get(peer, ()),
        )
        for peer, expectation, one in zip(*columns, strict=True)
    ]
    if own not in peers.peer:
        explained.append(
            ExplainedPeer(peer=own, own=True, expectation=0.0, value=0.0, adds=0.0, reasons=())
        )
    return Side(
        element=element,
        component=float(component(peers, targets, settings)[0]),
        share=settings.shares.of(element),
        peers=tuple(sorted(explained, key=lambda one: (-one.expectation, one.own, one.peer))),
        count=len(peers),
    )


def _reasons(
    evidence: Evidence, time: int, element: Element, grounds: PeerGroundings
) -> dict[int, tuple[Reason, ...]]:
    """The rules that make each peer of one element expected."""
    bodies: defaultdict[tuple[Peer, int], list[int]] = defaultdict(list)
    for one in grounds.groundings:
        if one.peer.element is element:
            bodies[one.peer, one.rule].append(one.time)
    book = evidence.book
    confidence = dict(zip(book.number.tolist(), book.confidence.tolist(), strict=True))
    confidence[ITSELF] = 1.0
    found: defaultdict[int, list[Reason]] = defaultdict(list)
    for (peer, rule), unsorted in bodies.items():
        times = np.array(sorted(unsorted, reverse=True), dtype=np.int64)
        recent = float(recency(evidence, np.full_like(times, time), times).sum())
        reason = Reason(
            rule=rule,
            confidence=confidence[rule],
            times=tuple(times.tolist()),
            expectation=confidence[rule] * recent,
        )
        found[peer.peer].append(reason)
    return {
        peer: tuple(sorted(reasons, key=lambda one: (-one.expectation, one.rule)))
        for peer, reasons in found.items()
    }
