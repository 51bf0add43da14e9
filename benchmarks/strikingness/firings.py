"""Rules that fire for peers of events: their bodies hold in the event's window (eqs. 2, 3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchmarks.strikingness.evidence import Evidence
from solver.rules.history import Mask
from solver.tkg.index import expand
from solver.tkg.quadruples import Ids, Quadruples


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Firings:
    """One row per event, peer and rule that predicts the peer.

    Attributes:
        event: number of the event.
        peer: entity or relation that replaces that of the event.
        rule: row of the rule in the rulebook.
        body: number of the body's triple in the history.
        head: number of the head's triple; -1 if it has no facts.
        latest: time of the latest body before the event.
        time: time of the event.
        since: start of the event's window.
    """

    event: Ids
    peer: Ids
    rule: Ids
    body: Ids
    head: Ids
    latest: Ids
    time: Ids
    since: Ids

    def __len__(self) -> int:
        return len(self.event)

    def of_event(self, event: int) -> Ids:
        """The rows of one event."""
        return np.flatnonzero(self.event == event)


def entity_firings(evidence: Evidence, events: Quadruples) -> Firings:
    """Find rules that predict tails for the head and relation of events.

    Args:
        evidence: graph and rules.
        events: events, inverted for subject peers; their tails are ignored.
    """
    history, book = evidence.history, evidence.book
    asker, rule = expand(*book.leading_to(events.relation))
    head = events.head[asker]
    row, body = expand(*history.leaving(head, book.body[rule]))
    event, rule, head = asker[row], rule[row], head[row]
    peer = history.tails[body]
    kept = ~book.looped[rule] | (peer == head)
    event, rule, head, peer, body = (one[kept] for one in (event, rule, head, peer, body))
    number, known = history.numbers(head, events.relation[event], peer)
    return _recent(evidence, events.time, event, peer, rule, body, np.where(known, number, -1))


def relation_firings(evidence: Evidence, events: Quadruples) -> Firings:
    """Find rules that predict relations from facts between an event's subject and object."""
    history, book, size = evidence.history, evidence.book, evidence.vocabulary
    asker, place = expand(*evidence.between(events.head, events.tail))
    body = evidence.pairs.order[place]
    row, place = expand(*book.by_body.ranges(evidence.relation(body)))
    event, rule, body = asker[row], book.by_body.order[place], body[row]
    peer, head, tail = book.head[rule], events.head[event], events.tail[event]
    kept = (peer < size.relations) & (~book.looped[rule] | (head == tail))
    columns = (event, peer, rule, body, head, tail)
    event, peer, rule, body, head, tail = (one[kept] for one in columns)
    number, known = history.numbers(head, peer, tail)
    return _recent(evidence, events.time, event, peer, rule, body, np.where(known, number, -1))


def _recent(
    evidence: Evidence, times: Ids, event: Ids, peer: Ids, rule: Ids, body: Ids, head: Ids
) -> Firings:
    """The firings whose body holds in the window."""
    latest = evidence.history.latest(body, times[event] - 1)
    since = evidence.since(times)[event]
    kept: Mask = latest >= np.maximum(since, 0)
    return Firings(
        event=event[kept],
        peer=peer[kept],
        rule=rule[kept],
        body=body[kept],
        head=head[kept],
        latest=latest[kept],
        time=times[event[kept]],
        since=since[kept],
    )
