"""Rules of one body fact, and the peers of events with their expectations (RSMF, eq. 6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.metrics.ranking import Numbers
from benchmarks.rules.strikingness.settings import Deviation, Element, Settings, SettingsError
from solver.graph.model import Dataset, Ids, Index, Quadruples, Snapshots, Vocabulary, expand
from solver.rules.history import History, Mask
from solver.rules.model import RuleTable


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rulebook:
    """Rules ``(E1, head, E2, T2) <- (E1, body, E2, T1)`` (eq. 1), sorted by head.

    Attributes:
        head: head relations, which may be inverse.
        body: body relations, which may be inverse.
        confidence: confidences, in [0, 1].
        looped: whether E1 and E2 have to be equal.
        number: number of each rule in its file, from 0.
        ruled: relations with a rule above the thresholds, even if it never fires; ascending.
        by_body: index of ``body``.
        left_out: number of rules of the file that are longer or below the thresholds.
    """

    head: Ids
    body: Ids
    confidence: Numbers
    looped: NDArray[np.bool_]
    number: Ids
    ruled: Ids
    by_body: Index
    left_out: int

    @classmethod
    def of(cls, rules: RuleTable, settings: Settings, relations: int) -> Rulebook:
        """Select the usable rules of a file.

        Args:
            rules: rules of any lengths.
            settings: thresholds, and whether rules may invert facts.
            relations: number of relations without inverses.

        Raises:
            SettingsError: no rule has a body of one fact, or rules are duplicates.
        """
        short = rules.length == 1
        if not short.any():
            message = f"found {len(rules):,} rules, none with a body of one fact"
            raise SettingsError(message, hint="mine them with --lengths 1")
        body = rules.body[:, 0]
        enough = (rules.confidence >= settings.confidence) & (
            rules.body_support >= settings.body_support
        )
        used = passing = short & enough
        if settings.has(Deviation.ONE_WAY):
            used = passing & ((rules.head >= relations) == (body >= relations))
        number = np.flatnonzero(used)
        number = number[np.argsort(rules.head[number], kind="stable")]
        _refuse_doubled(rules.take(number), number)
        return cls(
            head=rules.head[number],
            body=body[number],
            confidence=rules.confidence[number],
            looped=rules.same[number] != 0,
            number=number,
            ruled=np.unique(rules.head[passing]),
            by_body=Index.of(body[number]),
            left_out=int((~passing).sum()),
        )

    def __len__(self) -> int:
        return len(self.head)

    def leading_to(self, relations: Ids) -> tuple[Ids, Ids]:
        """For each relation, the range of the rules with this head."""
        return (
            np.searchsorted(self.head, relations, side="left"),
            np.searchsorted(self.head, relations, side="right"),
        )


def _refuse_doubled(rules: RuleTable, number: Ids) -> None:
    seen: dict[tuple[int, int, int], int] = {}
    columns = (rules.head, rules.body[:, 0], rules.same, number)
    for head, body, same, row in zip(*(column.tolist() for column in columns), strict=True):
        first = seen.setdefault((head, body, same), row)
        if first != row:
            message = f"rules {first} and {row} are the same, {head} <- {body}"
            raise SettingsError(f"{message}, expected distinct rules", hint="numbered from 0")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evidence:
    """A graph and its rules, indexed.

    Attributes:
        history: the facts of all splits in both directions; only facts before an event are used.
        book: the rules.
        pairs: index of the triples of the history by head and tail.
        times: the distinct times of facts, ascending.
        step: the shortest time between facts, such as 1 day or 24 hours.
        settings: the settings.
    """

    history: History
    book: Rulebook
    pairs: Index
    times: Ids
    step: int
    settings: Settings

    @classmethod
    def of(
        cls,
        dataset: Dataset,
        rules: RuleTable,
        settings: Settings,
        events: Quadruples | None = None,
    ) -> Evidence:
        """Index a graph and rules; of the graph only the windows of some events if they are given.

        Raises:
            SettingsError: no rule can be used, rules are duplicates, or the graph is too large for
                keys of 63 bits.
        """
        facts, vocabulary = dataset.facts(), dataset.vocabulary
        times = Snapshots.of(facts).times
        step = int(np.diff(times).min()) if len(times) > 1 else 1
        if events is not None and len(events):
            begin = _since(times, step, settings, events.time.min(keepdims=True))[0]
            facts = facts.take((facts.time >= begin) & (facts.time < events.time.max()))
        try:
            history = History.of(facts, vocabulary)
        except OverflowError as error:
            message = f"the graph is too large: {error}"
            hint = "number its times from 0, for example in days"
            raise SettingsError(message, where=dataset.name, hint=hint) from None
        leading, tail = np.divmod(history.triples, vocabulary.entities)
        return cls(
            history=history,
            book=Rulebook.of(rules, settings, vocabulary.relations),
            pairs=Index.of(leading // (2 * vocabulary.relations) * vocabulary.entities + tail),
            times=times,
            step=step,
            settings=settings,
        )

    @property
    def vocabulary(self) -> Vocabulary:
        """Sizes and names."""
        return self.history.vocabulary

    def since(self, times: Ids) -> Ids:
        """The start times of the windows of events at these times."""
        return _since(self.times, self.step, self.settings, times)

    def between(self, heads: Ids, tails: Ids) -> tuple[Ids, Ids]:
        """Ranges in ``pairs`` of the triples from heads to tails, of any relation."""
        return self.pairs.ranges(heads * self.vocabulary.entities + tails)

    def relation(self, triples: Ids) -> Ids:
        """The relations of triples, given by their numbers in the history."""
        size = self.vocabulary
        relations: Ids = self.history.triples[triples] // size.entities % (2 * size.relations)
        return relations


def _since(known: Ids, step: int, settings: Settings, times: Ids) -> Ids:
    """The start times of the windows of events; facts are at the known times."""
    if not settings.snapshots:
        return times - settings.window * step
    places = np.searchsorted(known, times)
    begins: Ids = np.append(known, times.max(initial=0))[np.maximum(places - settings.window, 0)]
    return begins


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
    event, rule, head, peer, body = (array[kept] for array in (event, rule, head, peer, body))
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
    event, peer, rule, body, head, tail = (column[kept] for column in columns)
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


def groundings(evidence: Evidence, firings: Firings) -> Iterator[tuple[Ids, Ids]]:
    """Yield the groundings of all chains, from the latest of each chain backwards.

    Yields:
        Rows of the firings whose chain has another grounding, and the times of its body.
    """
    history, book = evidence.history, evidence.book
    rows, bodies = np.arange(len(firings), dtype=np.int64), firings.latest
    # As released, a fact cannot be both a body and the next head if the relations are equal.
    apart = (book.body == book.head) & evidence.settings.has(Deviation.STRICT)
    while len(rows):
        yield rows, bodies
        known = firings.head[rows] >= 0
        rows, bodies = rows[known], bodies[known]
        heads = history.latest(firings.head[rows], bodies - apart[firings.rule[rows]])
        bodies = history.latest(firings.body[rows], heads - 1)
        within = bodies >= np.maximum(firings.since[rows], 0)
        rows, bodies = rows[within], bodies[within]


def recency(evidence: Evidence, times: Ids, bodies: Ids) -> Numbers:
    """``exp(-lambda (t - t_y))``, with times in time steps of the graph.

    Args:
        evidence: has lambda and the time step.
        times: times t of events.
        bodies: earlier times t_y, of the same length.
    """
    weights: Numbers = np.exp(-evidence.settings.decay * ((times - bodies) / evidence.step))
    return weights


def expectations(evidence: Evidence, firings: Firings) -> Numbers:
    """The contribution of each firing to the expectation of its peer (outer sum of eq. 6)."""
    sums = np.zeros(len(firings))
    for rows, bodies in groundings(evidence, firings):
        sums[rows] += recency(evidence, firings.time[rows], bodies)
    return sums * evidence.book.confidence[firings.rule]


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
    """Events whose relation has a rule, and tails of their head's facts with it in the window."""
    history = evidence.history
    ruled = np.flatnonzero(np.isin(events.relation, evidence.book.ruled))
    row, triple = expand(*history.leaving(events.head[ruled], events.relation[ruled]))
    event = ruled[row]
    latest = history.latest(triple, events.time[event] - 1)
    kept = latest >= np.maximum(evidence.since(events.time)[event], 0)
    return event[kept], history.tails[triple[kept]]
