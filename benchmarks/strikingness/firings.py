"""Rules that fire for peers of events: whose bodies held in the event's window (eqs. 2 and 3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchmarks.strikingness.evidence import Evidence
from solver.rules.history import Mask
from solver.tkg.index import expand
from solver.tkg.quadruples import Ids, Quadruples


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Firings:
    """A row for each event, peer and rule that leads to the peer.

    Attributes:
        event: its number.
        peer: what stands in the place of the event's own: an entity, or a relation.
        rule: its row in the rulebook.
        body: the triple of the body, by its number in the history.
        head: the triple that would follow it; -1 if that never held.
        latest: when the body held last, before the event.
        time: of the event.
        since: when its window begins.
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


def entity_firings(evidence: Evidence, asked: Quadruples) -> Firings:
    """Rules that lead from an event's head and relation to tails.

    Args:
        evidence: graph and rules.
        asked: events; read backwards for the peers of their subjects. Tails do not count.
    """
    history, book = evidence.history, evidence.book
    asker, rule = expand(*book.leading_to(asked.relation))
    head = asked.head[asker]
    row, body = expand(*history.leaving(head, book.body[rule]))
    event, rule, head = asker[row], rule[row], head[row]
    peer = history.tails[body]
    kept = ~book.looped[rule] | (peer == head)
    event, rule, head, peer, body = (one[kept] for one in (event, rule, head, peer, body))
    number, held = history.numbers(head, asked.relation[event], peer)
    return _recent(evidence, asked.time, event, peer, rule, body, np.where(held, number, -1))


def relation_firings(evidence: Evidence, events: Quadruples) -> Firings:
    """Rules that lead from facts between an event's subject and object to relations."""
    history, book, size = evidence.history, evidence.book, evidence.vocabulary
    asker, place = expand(*evidence.between(events.head, events.tail))
    body = evidence.pairs.order[place]
    row, place = expand(*book.by_body.ranges(evidence.relation(body)))
    event, rule, body = asker[row], book.by_body.order[place], body[row]
    peer, head, tail = book.head[rule], events.head[event], events.tail[event]
    kept = (peer < size.relations) & (~book.looped[rule] | (head == tail))
    columns = (event, peer, rule, body, head, tail)
    event, peer, rule, body, head, tail = (one[kept] for one in columns)
    number, held = history.numbers(head, peer, tail)
    return _recent(evidence, events.time, event, peer, rule, body, np.where(held, number, -1))


def _recent(
    evidence: Evidence, times: Ids, event: Ids, peer: Ids, rule: Ids, body: Ids, head: Ids
) -> Firings:
    """Those whose body held in the window."""
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
