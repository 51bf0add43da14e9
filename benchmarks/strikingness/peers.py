"""Peers of events with their expectations of occurrence: RSMF's peer sets and eq. 6."""

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
    """A row for each peer of each event, sorted by event and peer; each stands there once.

    Attributes:
        event: its number.
        peer: an entity or a relation.
        expectation: how much it is to be expected, not negative.
    """

    event: Ids
    peer: Ids
    expectation: Numbers

    def __len__(self) -> int:
        return len(self.event)

    @classmethod
    def summed(cls, event: Ids, peer: Ids, expectation: Numbers) -> Peers:
        """Add up what is said of one peer of one event."""
        size = int(peer.max(initial=0)) + 1
        keys, place = np.unique(event * size + peer, return_inverse=True)
        events, peers = np.divmod(keys, size)
        sums = np.bincount(place.reshape(-1), weights=expectation, minlength=len(keys))
        return cls(event=events, peer=peers, expectation=sums.astype(np.float64))

    def of_targets(self, targets: Ids) -> Numbers:
        """The expectation of each event itself; 0 where it is none of its peers.

        Args:
            targets: what the events have in the place of the peers.
        """
        found = np.zeros(len(targets))
        own = self.peer == targets[self.event]
        found[self.event[own]] = self.expectation[own]
        return found


def asked_for(events: Quadruples, element: Element, relations: int) -> Quadruples:
    """Events turned so that the element stands in the tail; for relations as they are."""
    return events.inverted(relations) if element is Element.SUBJECT else events


def targets_of(events: Quadruples, element: Element) -> Ids:
    """What events have for an element."""
    of = {
        Element.OBJECT: events.tail,
        Element.SUBJECT: events.head,
        Element.RELATION: events.relation,
    }
    return of[element]


def firings_of(evidence: Evidence, events: Quadruples, element: Element) -> Firings:
    """The rules that fire for peers in one element."""
    if element is Element.RELATION:
        return relation_firings(evidence, events)
    return entity_firings(evidence, asked_for(events, element, evidence.vocabulary.relations))


def peers_of(evidence: Evidence, events: Quadruples, element: Element) -> Peers:
    """The peers of events in one element.

    Args:
        evidence: graph and rules.
        events: whose relations are no inverses.
        element: that peers have otherwise.
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
    """The facts from an event's subject to its object in its window: event, relation, recency."""
    event, _, relation, time = moments_between(evidence, events)
    return event, relation, recency(evidence, events.time[event], time)


def moments_between(evidence: Evidence, events: Quadruples) -> tuple[Ids, Ids, Ids, Ids]:
    """The same facts: event, triple, relation and time of each."""
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


def _own(evidence: Evidence, asked: Quadruples) -> tuple[Ids, Ids]:
    """Events and tails of facts with the event's own head and relation, in its window."""
    history = evidence.history
    event, triple = expand(*history.leaving(asked.head, asked.relation))
    latest = history.latest(triple, asked.time[event] - 1)
    kept = latest >= np.maximum(evidence.since(asked.time)[event], 0)
    return event[kept], history.tails[triple[kept]]
