"""The probes of event-order items: what a model sees of an item without reasoning.

The counts of a premise are those that a reader of single sentences can collect: which sentences
name the claim's events, with which of their points, and in which order.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TypeVar

from grammar.eventhop.model import (
    Bound,
    Claim,
    ClaimRelation,
    Item,
    Label,
    Order,
    Relation,
)
from solver.eventhop.dataset import graph_hash, item_hash
from solver.eventhop.records import Record
from solver.probes.probe import Bags, Features, Keys, Probe, Table
from solver.verification.report import PROBED, ProbeLevel

LIMIT = PROBED[ProbeLevel.ALL]
Event = TypeVar("Event", bound=Hashable)

KINDS = tuple(product(Bound, Order, Bound))
"""The twelve kinds of premise relation, such as ``end before start``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The text and counts of an item, and its gold label.

    Attributes:
        id: the id of the item.
        relation: the claim relation; empty if unknown.
        events, relations: numbers of events and relations; 0 if unknown.
        counts: the counts of ``COLUMNS``; empty if unknown.
        names: the names of the claim's events, then those of the others; empty if unknown.
        graph, timeline: hashes of the premise, without and with the claim; None if unknown.
    """

    premise: str
    claim: str
    gold: Label
    id: str = ""
    relation: str = ""
    events: int = 0
    relations: int = 0
    counts: tuple[float, ...] = ()
    names: tuple[str, ...] = ()
    graph: int | None = None
    timeline: int | None = None

    def masked(self) -> str:
        """The text with ``FIRST`` and ``SECOND`` for the claim's events, and ``X`` for others."""
        text = f"{self.premise}. {self.claim}"
        if not self.names:
            return text
        roles = dict.fromkeys(self.names, "X") | {self.names[0]: "FIRST", self.names[1]: "SECOND"}
        longest = sorted(filter(None, roles), key=lambda name: (-len(name), name))
        names = re.compile("|".join(map(re.escape, longest)))
        return names.sub(lambda found: roles[found[0]], text)


def sample(record: Record, item: Item | None) -> Sample | None:
    """The sample of a record; None if it has no gold label.

    Args:
        record: the texts and the label.
        item: its graph; None if the text does not parse, which leaves the counts unknown.
    """
    if record.label is None:
        return None
    seen = Sample(premise=record.premise, claim=record.claim, gold=record.label, id=record.id)
    if item is None:
        return seen
    named = dict.fromkeys(point.event for r in item.premise for point in (r.left, r.right))
    return replace(
        seen,
        relation=_claimed(item.claim),
        events=len(named),
        relations=len(item.premise),
        counts=tuple(surface(record.premise, item).values()),
        names=(*_events(item.claim), *named),
        graph=graph_hash(item),
        timeline=item_hash(item),
    )


def _claimed(claim: Claim | Relation) -> str:
    if isinstance(claim, Claim):
        return claim.relation.value
    return f"{claim.left.bound} {claim.order} {claim.right.bound}"


def _events(claim: Claim | Relation) -> tuple[str, str]:
    if isinstance(claim, Claim):
        return claim.left, claim.right
    return claim.left.event, claim.right.event


LENGTHS = ("words", "characters", "sentences", "events")
SENTENCES = tuple(f"sentences {' '.join(kind)}" for kind in KINDS)
CLAIMS = tuple(f"claim is {relation}" for relation in ClaimRelation)
FIRST, SECOND = "the first event", "the second event"
MENTIONS = (f"mentions of {FIRST}", f"mentions of {SECOND}", "sentences with both")
_SIDES = ("earlier", "later", "simultaneous")
POINTS = tuple(
    f"{bound} of {event} is {side}"
    for event, bound, side in product((FIRST, SECOND), Bound, _SIDES)
)
GRAPH = (f"neighbours of {FIRST}", f"neighbours of {SECOND}", "distance", "connected parts")
POSITIONS = tuple(
    f"{place} mention of {event}" for event, place in product((FIRST, SECOND), ("first", "last"))
)
COLUMNS = (*CLAIMS, *LENGTHS, *SENTENCES, *MENTIONS, *POINTS, *GRAPH, *POSITIONS)


def surface(premise: str, item: Item) -> dict[str, float]:
    """The counts of an item, by name, in the order of ``COLUMNS``.

    A distance of -1 means that the claim's events are not connected; positions are shares of the
    premise, -1 for an event that is not mentioned.
    """
    found: dict[str, float] = dict.fromkeys(COLUMNS, 0)
    claimed = _events(item.claim)
    for claim in ClaimRelation:
        found[f"claim is {claim}"] = _claimed(item.claim) == claim.value
    named = {point.event for r in item.premise for point in (r.left, r.right)}
    sizes = (len(premise.split()), len(premise), len(item.premise), len(named))
    found |= dict(zip(LENGTHS, sizes, strict=True))
    found |= dict.fromkeys(POSITIONS, -1.0)
    neighbours: dict[str, set[str]] = {event: set() for event in (*claimed, *sorted(named))}
    for place, relation in enumerate(item.premise):
        left, right = relation.left, relation.right
        found[f"sentences {left.bound} {relation.order} {right.bound}"] += 1
        neighbours[left.event].add(right.event)
        neighbours[right.event].add(left.event)
        found["sentences with both"] += {left.event, right.event} == set(claimed)
        for name, event in ((FIRST, claimed[0]), (SECOND, claimed[1])):
            for point, side in zip((left, right), _sides(relation.order), strict=True):
                if point.event == event:
                    found[f"mentions of {name}"] += 1
                    found[f"{point.bound} of {name} is {side}"] += 1
                    share = place / len(item.premise)
                    if found[f"first mention of {name}"] < 0:
                        found[f"first mention of {name}"] = share
                    found[f"last mention of {name}"] = share
    found[f"neighbours of {FIRST}"] = len(neighbours[claimed[0]] - {claimed[0]})
    found[f"neighbours of {SECOND}"] = len(neighbours[claimed[1]] - {claimed[1]})
    from_first, parts = distances(neighbours, claimed[0])
    found["distance"] = from_first.get(claimed[1], -1)
    found["connected parts"] = parts
    return found


def _sides(order: Order) -> tuple[str, str]:
    """How the left and the right point of a relation are placed."""
    earlier, later, same = _SIDES
    if order is Order.SIMULTANEOUS:
        return same, same
    return (earlier, later) if order is Order.BEFORE else (later, earlier)


def distances(neighbours: dict[Event, set[Event]], first: Event) -> tuple[dict[Event, int], int]:
    """Distances from an event, and the number of connected parts."""
    from_first: dict[Event, int] = {}
    seen: set[Event] = set()
    parts = 0
    for start in (first, *neighbours):
        if start in seen:
            continue
        parts += 1
        distance: dict[Event, int] = {start: 0}
        fresh = deque([start])
        while fresh:
            event = fresh.popleft()
            for then in neighbours[event]:
                if then not in distance:
                    distance[then] = distance[event] + 1
                    fresh.append(then)
        seen |= distance.keys()
        from_first = from_first or distance
    return from_first, parts


_WORD = re.compile(r"[^\s.]+")
_OFTEN = (2, 3, 4, 6, 8)


def _columns(*names: str) -> Callable[[Sequence[Sample]], Features]:
    """The features of some columns, and of the claim's relation."""
    places = [COLUMNS.index(name) for name in dict.fromkeys((*CLAIMS, *names))]
    unknown = (0.0,) * len(COLUMNS)

    def features(samples: Sequence[Sample]) -> Features:
        import numpy as np

        rows = [one.counts or unknown for one in samples]
        values = np.array(rows, dtype=float).reshape(len(rows), len(COLUMNS))
        return Table(names=tuple(COLUMNS[n] for n in places), values=values[:, places])

    return features


def _claim_words(samples: Sequence[Sample]) -> Features:
    return Bags(bags=[_WORD.findall(one.claim.lower()) for one in samples])


def _words(samples: Sequence[Sample]) -> Features:
    return Bags(bags=[list(_counted(one)) for one in samples])


def _counted(one: Sample) -> Iterator[str]:
    """The words of a premise, how often they occur, and the words of the claim."""
    for word, number in Counter(_WORD.findall(one.premise.lower())).items():
        yield word
        for often in _OFTEN:
            if number >= often:
                yield f"{word}, {often} times"
    yield from (f"claim: {word}" for word in _WORD.findall(one.claim.lower()))


def _grams(samples: Sequence[Sample]) -> Features:
    return Bags(bags=[set_of_grams(one.masked()) for one in samples])


def set_of_grams(text: str) -> list[str]:
    """The sequences of 2 to 4 words of a text, in order."""
    words = re.findall(r"[^\s.]+|\.", text)
    return [
        " ".join(words[place : place + size])
        for size in (2, 3, 4)
        for place in range(len(words) - size + 1)
    ]


def _graphs(samples: Sequence[Sample]) -> Features:
    return Keys(keys=[one.premise if one.graph is None else one.graph for one in samples])


def _timelines(samples: Sequence[Sample]) -> Features:
    return Keys(
        keys=[
            f"{one.premise}\t{one.claim}" if one.timeline is None else one.timeline
            for one in samples
        ]
    )


MEMORISED = ("the premise graph, memorised", "the premise graph and claim, memorised")
"""Names of the probes of premises of train."""

PROBES: tuple[Probe[Sample], ...] = (
    Probe(name="the claim's relation", features=_columns()),
    Probe(name="the words of the claim", features=_claim_words),
    Probe(name="the words of premise and claim", features=_words),
    Probe(name="sequences of 2 to 4 words", features=_grams, fast=False),
    Probe(name="lengths", features=_columns(*LENGTHS)),
    Probe(name="kinds of sentence", features=_columns(*SENTENCES)),
    Probe(name="mentions of the claim's events", features=_columns(*MENTIONS)),
    Probe(name="starts, ends and orders of the claim's events", features=_columns(*POINTS)),
    Probe(name="neighbours and distance of the claim's events", features=_columns(*GRAPH)),
    Probe(name="positions of the claim's events", features=_columns(*POSITIONS)),
    Probe(name="all counts and positions", features=_columns(*COLUMNS)),
    Probe(name=MEMORISED[0], features=_graphs),
    Probe(name=MEMORISED[1], features=_timelines),
)
"""The probes of ``verify``; counts include the claim's relation."""
