"""Explains the strikingness of an event by its peers, their expectations and their rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from benchmarks.rules.strikingness.measure import combined, component, normalised
from benchmarks.rules.strikingness.peers import (
    Evidence,
    firings_of,
    groundings,
    moments_between,
    peers_of,
    recency,
    targets_of,
)
from benchmarks.rules.strikingness.settings import Deviation, Element, Settings
from solver.asp import Program
from solver.encodings import Fact, written
from solver.graph.model import GraphFact, Quadruples, Relations
from solver.rules.encode import rule_facts
from solver.rules.model import Rule

ITSELF = -1
"""Rule number for relations that are expected by their own facts."""

_CONSTANTS = {
    Deviation.ONE_WAY: "one_way",
    Deviation.RULELESS: "ruleless",
    Deviation.STRICT: "strict",
    Deviation.OWN_PEERS: "own_peers",
}


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Peer:
    """An entity or relation that makes a peer when it replaces an element of an event."""

    event: int
    element: Element
    peer: int


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Grounding:
    """A grounding in the chain of a rule for a peer.

    Attributes:
        rule: number of the rule in its file; or ``ITSELF``.
        time: time of the body.
    """

    peer: Peer
    rule: int
    time: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerGroundings:
    """All peers of some events, and the groundings of all chains for them."""

    peers: frozenset[Peer]
    groundings: frozenset[Grounding]


def program(settings: Settings) -> Program:
    """The encoding, with the deviations that it implements as constants."""
    constants = {name: int(settings.has(deviation)) for deviation, name in _CONSTANTS.items()}
    return Program(encodings=("rules/strikingness.lp",), constants=constants)


def by_logic(evidence: Evidence, events: Quadruples) -> PeerGroundings:
    """Peers and groundings by ``rules/strikingness.lp``."""
    peers, found = set(), set()
    for atom in program(evidence.settings).unique_model(_encode(evidence, events)):
        match atom.arguments:
            case (int(event), str(element), int(peer_number)):
                peers.add(Peer(event=event, element=Element(element), peer=peer_number))
            case (int(event), str(element), int(peer_number), rule, int(time)):
                peer = Peer(event=event, element=Element(element), peer=peer_number)
                number = rule if isinstance(rule, int) else ITSELF
                found.add(Grounding(peer=peer, rule=number, time=time))
    return PeerGroundings(peers=frozenset(peers), groundings=frozenset(found))


def by_joins(evidence: Evidence, events: Quadruples) -> PeerGroundings:
    """Peers and groundings by joins, as used for the weights."""
    peers, found = set(), set()
    for element in Element:
        each = peers_of(evidence, events, element)
        columns = (each.event.tolist(), each.peer.tolist())
        peers |= {Peer(event=e, element=element, peer=p) for e, p in zip(*columns, strict=True)}
        found |= set(_chains(evidence, events, element))
    return PeerGroundings(peers=frozenset(peers), groundings=frozenset(found))


def _chains(evidence: Evidence, events: Quadruples, element: Element) -> Iterator[Grounding]:
    if element is Element.RELATION and evidence.settings.has(Deviation.RULELESS):
        event, _, relation, time = moments_between(evidence, events)
        for e, r, t in np.stack((event, relation, time), axis=1).tolist():
            peer = Peer(event=e, element=element, peer=r)
            yield Grounding(peer=peer, rule=ITSELF, time=t)
        return
    firings = firings_of(evidence, events, element)
    numbers = evidence.book.number[firings.rule]
    for rows, bodies in groundings(evidence, firings):
        columns = (firings.event[rows], firings.peer[rows], numbers[rows], bodies)
        for e, p, rule, t in np.stack(columns, axis=1).tolist():
            yield Grounding(peer=Peer(event=e, element=element, peer=p), rule=rule, time=t)


class EventFact(Fact, predicate="event"):
    """An event of which peers are derived."""

    event: int
    subject: int
    relation: int
    object: int
    time: int


class RuledRelation(Fact, predicate="ruled"):
    """A relation that is the head of a rule, even of one that never fires."""

    relation: int


class Since(Fact, predicate="since"):
    """The start of the evidence window of an event."""

    event: int
    time: int


def _encode(evidence: Evidence, events: Quadruples) -> str:
    """Encode the events, the facts with any of their entities, and the rules."""
    known = evidence.history.facts()
    ends = np.union1d(events.head, events.tail)
    since = evidence.since(events.time)
    near = np.isin(known.head, ends) | np.isin(known.tail, ends)
    near &= (known.time >= since.min(initial=0)) & (known.time < events.time.max(initial=0))
    rows = events.rows().tolist()
    return "\n".join(
        (
            *written([Relations(number=evidence.vocabulary.relations)]),
            *GraphFact.rows(known.take(near).rows().tolist()),
            *EventFact.rows((number, *row) for number, row in enumerate(rows)),
            *Since.rows(enumerate(since.tolist())),
            *written(_rules(evidence)),
        )
    )


def _rules(evidence: Evidence) -> Iterator[Fact]:
    book = evidence.book
    yield from (RuledRelation(relation=relation) for relation in book.ruled.tolist())
    columns = (book.number, book.head, book.body, book.looped)
    for number, head, body, looped in zip(*(column.tolist() for column in columns), strict=True):
        same = ((0, 1),) if looped else ()
        rule = Rule(head=head, body=(body,), same=same, rule_support=0, body_support=0)
        yield from rule_facts(number, rule)


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
        return next(peer for peer in self.peers if peer.own)

    @property
    def ahead(self) -> int:
        """Number of peers that are more expected than the event."""
        return sum(peer.expectation > self.own.expectation for peer in self.peers)


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
    value, target = normalised(peers, targets, settings)
    reasons = _reasons(evidence, int(events.time[0]), element, grounds)
    own = int(targets[0])
    columns = (peers.peer.tolist(), peers.expectation.tolist(), value.tolist())
    explained = [
        ExplainedPeer(
            peer=peer,
            own=peer == own,
            expectation=expectation,
            value=row,
            adds=row * max(row - float(target[0]), 0.0),
            reasons=reasons.get(peer, ()),
        )
        for peer, expectation, row in zip(*columns, strict=True)
    ]
    if own not in peers.peer:
        explained.append(
            ExplainedPeer(peer=own, own=True, expectation=0.0, value=0.0, adds=0.0, reasons=())
        )
    return Side(
        element=element,
        component=float(component(peers, targets, settings)[0]),
        share=settings.shares.of(element),
        peers=tuple(
            sorted(
                explained,
                key=lambda explained_peer: (
                    -explained_peer.expectation,
                    explained_peer.own,
                    explained_peer.peer,
                ),
            )
        ),
        count=len(peers),
    )


def _reasons(
    evidence: Evidence, time: int, element: Element, grounds: PeerGroundings
) -> dict[int, tuple[Reason, ...]]:
    """The rules that make each peer of one element expected."""
    bodies: defaultdict[tuple[Peer, int], list[int]] = defaultdict(list)
    for grounding in grounds.groundings:
        if grounding.peer.element is element:
            bodies[grounding.peer, grounding.rule].append(grounding.time)
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
        peer: tuple(
            sorted(reasons, key=lambda given_reason: (-given_reason.expectation, given_reason.rule))
        )
        for peer, reasons in found.items()
    }
