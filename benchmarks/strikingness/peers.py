"""Peers of events with their expectations (RSMF, eq. 6)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchmarks.ranking.tables import Numbers
from benchmarks.strikingness.chains import expectations, recency
from benchmarks.strikingness.evidence import Evidence
from benchmarks.strikingness.firings import Firings, entity_firings, relation_firings
from benchmarks.strikingness.settings import Deviation, Element
from solver.tkg.index import expand
from solver.tkg.quadruples import Ids, Quadruples


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Peers:
    """One row per event and distinct peer, sorted by both.

    Attributes:
        event: number of the event.
        peer: an entity or a relation.
        expectation: expectation of the peer, at least 0.
    """

    event: Ids
    peer: Ids
    expectation: Numbers

    def __len__(self) -> int:
        return len(self.event)

    @classmethod
    def summed(cls, event: Ids, peer: Ids, expectation: Numbers) -> Peers:
        """Sum the expectations of each peer of each event."""
        size = int(peer.max(initial=0)) + 1
        keys, place = np.unique(event * size + peer, return_inverse=True)
        events, peers = np.divmod(keys, size)
        sums = np.bincount(place.reshape(-1), weights=expectation, minlength=len(keys))
        return cls(event=events, peer=peers, expectation=sums.astype(np.float64))

    def of_targets(self, targets: Ids) -> Numbers:
        """The expectation of each event itself; 0 if it is not among its peers.

        Args:
            targets: the element of the events that peers replace.
        """
        found = np.zeros(len(targets))
        own = self.peer == targets[self.event]
        found[self.event[own]] = self.expectation[own]
        return found


def asked_for(events: Quadruples, element: Element, relations: int) -> Quadruples:
    """Invert events for subject peers, so that peers replace the tail."""
    return events.inverted(relations) if element is Element.SUBJECT else events


def targets_of(events: Quadruples, element: Element) -> Ids:
    """The entities or relations of events in an element."""
    of = {
        Element.OBJECT: events.tail,
        Element.SUBJECT: events.head,
        Element.RELATION: events.relation,
    }
    return of[element]


def firings_of(evidence: Evidence, events: Quadruples, element: Element) -> Firings:
    """The firings of rules for peers in one element."""
    if element is Element.RELATION:
        return relation_firings(evidence, events)
    return entity_firings(evidence, asked_for(events, element, evidence.vocabulary.relations))


def peers_of(evidence: Evidence, events: Quadruples, element: Element) -> Peers:
    """The peers of events in one element.

    Args:
        evidence: graph and rules.
        events: events; relations are not inverses.
        element: the element in which peers differ.
    """
    if element is Element.RELATION and evidence.settings.has(Deviation.RULELESS):
        return Peers.summed(*facts_between(evidence, events))
    firings = firings_of(evidence, events, element)
    event, peer, expected = firings.event, firings.peer, expectations(evidence, firings)
    if element is not Element.RELATION and evidence.settings.has(Deviation.OWN_PEERS):
        turned = asked_for(events, element, evidence.vocabulary.relations)
        own_event, own_peer = _own(evidence, turned)
        event, peer = np.concatenate([event, own_event]), np.concatenate([peer, own_peer])
        expected = np.concatenate([expected, np.zeros(len(own_event))])
    return Peers.summed(event, peer, expected)


def facts_between(evidence: Evidence, events: Quadruples) -> tuple[Ids, Ids, Numbers]:
    """Event, relation and recency of the facts from its subject to its object in its window."""
    event, _, relation, time = moments_between(evidence, events)
    return event, relation, recency(evidence, events.time[event], time)


def moments_between(evidence: Evidence, events: Quadruples) -> tuple[Ids, Ids, Ids, Ids]:
    """Event, triple, relation and time of these facts."""
    history, size = evidence.history, evidence.vocabulary
    asker, place = expand(*evidence.between(events.head, events.tail))
    triple = evidence.pairs.order[place]
    forwards = evidence.relation(triple) < size.relations
    asker, triple = asker[forwards], triple[forwards]
    opens = np.maximum(evidence.since(events.time)[asker], 0)
    begins = np.searchsorted(history.moments, triple * size.times + opens)
    ends = np.searchsorted(history.moments, triple * size.times + events.time[asker])
    row, moment = expand(begins, ends)
    time = history.moments[moment] % size.times
    return asker[row], triple[row], evidence.relation(triple[row]), time


def _own(evidence: Evidence, events: Quadruples) -> tuple[Ids, Ids]:
    """Events, and tails of facts with the event's head and relation in its window."""
    history = evidence.history
    event, triple = expand(*history.leaving(events.head, events.relation))
    latest = history.latest(triple, events.time[event] - 1)
    kept = latest >= np.maximum(evidence.since(events.time)[event], 0)
    return event[kept], history.tails[triple[kept]]
