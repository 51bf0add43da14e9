"""Derives the peers of events and their groundings with clingo, to confirm the joins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from benchmarks.strikingness.chains import groundings
from benchmarks.strikingness.evidence import Evidence
from benchmarks.strikingness.peers import firings_of, moments_between, peers_of
from benchmarks.strikingness.settings import Deviation, Element, Settings
from solver.asp import Program
from solver.rules.files.facts import facts as facts_of_rule
from solver.rules.rule import Rule
from solver.tkg.quadruples import Quadruples

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
    constants = {name: int(settings.has(one)) for one, name in _CONSTANTS.items()}
    return Program(encodings=("tkg/strikingness.lp",), constants=constants)


def by_logic(evidence: Evidence, events: Quadruples) -> PeerGroundings:
    """Peers and groundings by ``tkg/strikingness.lp``."""
    peers, found = set(), set()
    for atom in program(evidence.settings).unique_model("\n".join(_facts(evidence, events))):
        match atom.arguments:
            case (int(event), str(element), int(one)):
                peers.add(Peer(event=event, element=Element(element), peer=one))
            case (int(event), str(element), int(one), rule, int(time)):
                peer = Peer(event=event, element=Element(element), peer=one)
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


def _facts(evidence: Evidence, events: Quadruples) -> Iterator[str]:
    """Encode the events, the facts with any of their entities, and the rules."""
    book, size = evidence.book, evidence.vocabulary
    yield f"relations({size.relations})."
    known = evidence.history.facts()
    ends = np.union1d(events.head, events.tail)
    since = evidence.since(events.time)
    near = np.isin(known.head, ends) | np.isin(known.tail, ends)
    near &= (known.time >= since.min(initial=0)) & (known.time < events.time.max(initial=0))
    for s, r, o, t in known.take(near).rows().tolist():
        yield f"fact({s},{r},{o},{t})."
    for number, (s, r, o, t) in enumerate(events.rows().tolist()):
        yield f"event({number},{s},{r},{o},{t}). since({number},{since[number]})."
    columns = (book.number, book.head, book.body, book.looped)
    for number, head, body, looped in zip(*(one.tolist() for one in columns), strict=True):
        same = ((0, 1),) if looped else ()
        rule = Rule(head=head, body=(body,), same=same, rule_support=0, body_support=0)
        yield facts_of_rule(number, rule).rsplit(" ", 1)[0]
