"""The probes of event-order items: what a model sees of an item without reasoning.

The counts of a premise are those that a reader of single sentences can collect: which sentences
name the claim's events, with which of their points, and in which order.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import TypeVar

from grammar.eventhop.model import (
    PUBLISHED_ORDERS,
    Bound,
    Claim,
    ClaimRelation,
    Item,
    Order,
    Relation,
)
from solver.eventhop.cues import PROPERTIES, Seen, Step, values
from solver.eventhop.hashes import ItemHashes
from solver.eventhop.records import Record
from solver.probes.learners import Bags, Cues, Features, Keys, Numbers, Sequences, Table
from solver.probes.probe import PROBED, Probe, ProbeLevel

LIMIT = PROBED[ProbeLevel.ALL]
Event = TypeVar("Event", bound=Hashable)

_MARKS, _ROLES = ("\x00", "\x01", "\x02"), ("FIRST", "SECOND", "X")

KINDS = tuple(product(Bound, PUBLISHED_ORDERS, Bound))
"""The twelve kinds of premise relation, such as ``end before start``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The text and counts of an item, and its gold label.

    Attributes:
        id: the id of the item.
        relation: the claim relation; empty if unknown.
        events, relations: numbers of events and relations; 0 if unknown.
        counts: the counts of ``COLUMNS``; empty if unknown.
        names: the names of the claim's events, then those of the premise; empty if unknown.
        steps: what the sentences of the premise state; empty if unknown.
        graph, timeline: hashes of the premise, without and with the claim; None if unknown.
        outline: hash of what the premises of a matched group have in common; None if unknown.
    """

    premise: str
    claim: str
    gold: str
    id: str = ""
    relation: str = ""
    events: int = 0
    relations: int = 0
    counts: tuple[float, ...] = ()
    names: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    graph: int | None = None
    timeline: int | None = None
    outline: int | None = None

    def masked(self) -> str:
        """The text with ``FIRST`` and ``SECOND`` for the claim's events, and ``X`` for others."""
        text = f"{self.premise}. {self.claim}"
        if not self.names:
            return text
        roles = dict.fromkeys(self.names, 2) | {self.names[0]: 0, self.names[1]: 1}
        # Characters that are in no name, as a name can be part of a longer one, or of a role.
        for name in sorted(filter(None, roles), key=lambda name: (-len(name), name)):
            text = text.replace(name, _MARKS[roles[name]])
        for mark, role in zip(_MARKS, _ROLES, strict=True):
            text = text.replace(mark, role)
        return text


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
    hashes = ItemHashes(item)
    return replace(
        seen,
        relation=_claimed(item.claim),
        events=len(named),
        relations=len(item.premise),
        counts=_counts(record.premise, item),
        names=(*_events(item.claim), *named),
        steps=tuple(
            (r.left.event, r.left.bound, r.order, r.right.bound, r.right.event)
            for r in item.premise
        ),
        graph=hashes.graph(),
        timeline=hashes.timeline(),
        outline=hashes.outline(),
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


_PLACE = {name: place for place, name in enumerate(COLUMNS)}
_KIND_PLACE = {kind: _PLACE[f"sentences {' '.join(kind)}"] for kind in KINDS}
_POINT_PLACE = {
    (event, bound, side): _PLACE[f"{bound} of {event} is {side}"]
    for event, bound, side in product((FIRST, SECOND), Bound, _SIDES)
}
_EARLIER, _LATER, _SAME = _SIDES
_ORDER_SIDES = {
    Order.BEFORE: (_EARLIER, _LATER),
    Order.AFTER: (_LATER, _EARLIER),
    Order.SIMULTANEOUS: (_SAME, _SAME),
    Order.NOT_AFTER: (_EARLIER, _LATER),
    Order.NOT_BEFORE: (_LATER, _EARLIER),
}
"""How the left and the right point of a relation are placed."""


def surface(premise: str, item: Item) -> dict[str, float]:
    """The counts of an item, by name, in the order of ``COLUMNS``.

    A distance of -1 means that the claim's events are not connected; positions are shares of the
    premise, -1 for an event that is not mentioned.
    """
    return dict(zip(COLUMNS, _counts(premise, item), strict=True))


def _counts(premise: str, item: Item) -> tuple[float, ...]:
    """The values of ``COLUMNS``."""
    found: list[float] = [0] * len(COLUMNS)
    first, second = claimed = _events(item.claim)
    claim, both = f"claim is {_claimed(item.claim)}", _PLACE["sentences with both"]
    if claim in _PLACE:
        found[_PLACE[claim]] = 1
    neighbours: dict[str, set[str]] = {first: set(), second: set()}
    mentions: dict[str, list[int]] = {first: [], second: []}
    roles = {first: (FIRST,), second: (SECOND,)} if first != second else {first: (FIRST, SECOND)}
    named = set()
    for place, relation in enumerate(item.premise):
        left, right = relation.left, relation.right
        kind = _KIND_PLACE.get((left.bound, relation.order, right.bound))
        if kind is not None:
            found[kind] += 1
        neighbours.setdefault(left.event, set()).add(right.event)
        neighbours.setdefault(right.event, set()).add(left.event)
        named |= {left.event, right.event}
        if left.event in roles or right.event in roles:
            found[both] += {left.event, right.event} == {*claimed}
            for point, side in zip((left, right), _ORDER_SIDES[relation.order], strict=True):
                for event in roles.get(point.event, ()):
                    found[_POINT_PLACE[event, point.bound, side]] += 1
                if point.event in roles:
                    mentions[point.event].append(place)
    sizes = (len(premise.split()), len(premise), len(item.premise), len(named))
    from_first, parts = distances(neighbours, first)
    more: dict[str, float] = dict(zip(LENGTHS, sizes, strict=True))
    for name, event in ((FIRST, first), (SECOND, second)):
        at = mentions[event]
        more[f"mentions of {name}"] = len(at)
        more[f"neighbours of {name}"] = len(neighbours[event] - {event})
        more[f"first mention of {name}"] = at[0] / len(item.premise) if at else -1.0
        more[f"last mention of {name}"] = at[-1] / len(item.premise) if at else -1.0
    more |= {"distance": from_first.get(second, -1), "connected parts": parts}
    for column, value in more.items():
        found[_PLACE[column]] = value
    return tuple(found)


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


_OFTEN = (2, 3, 4, 6, 8)


def _columns(*names: str) -> Callable[[Sequence[Sample]], Features]:
    """The features of some columns, and of the claim's relation."""
    places = [COLUMNS.index(name) for name in dict.fromkeys((*CLAIMS, *names))]
    unknown = (0.0,) * len(COLUMNS)

    def features(samples: Sequence[Sample]) -> Features:
        import numpy as np

        rows = [sample.counts or unknown for sample in samples]
        values = np.array(rows, dtype=float).reshape(len(rows), len(COLUMNS))
        return Table(names=tuple(COLUMNS[n] for n in places), values=values[:, places])

    return features


def _split(text: str) -> list[str]:
    return text.lower().replace(".", " ").split()


def _of_names(sample: Sample) -> Iterator[str]:
    """The words of the names of a premise, each name once."""
    return (f"{word} in a name" for name in sample.names[2:] for word in name.split(" "))


def _claim_words(samples: Sequence[Sample]) -> Features:
    return Bags(bags=[_split(sample.claim) for sample in samples])


def _words(samples: Sequence[Sample]) -> Features:
    return Bags(bags=[list(_counted(sample)) for sample in samples])


def _counted(sample: Sample) -> Iterator[str]:
    """The words of a premise, how often they occur, and the words of the claim."""
    for word, number in Counter(_split(sample.premise)).items():
        yield word
        for often in _OFTEN:
            if number >= often:
                yield f"{word}, {often} times"
    yield from (f"claim: {word}" for word in _split(sample.claim))


def _grams(samples: Sequence[Sample]) -> Features:
    return Sequences(
        words=[sample.masked().replace(".", " . ").split() for sample in samples], sizes=(2, 3, 4)
    )


def _cues(samples: Sequence[Sample], *, pairs: bool) -> Cues:
    rows = [
        values(
            Seen(
                sample.premise,
                sample.claim,
                sample.steps,
                (sample.names[0], sample.names[1]) if sample.names else ("", ""),
                sample.names[2:],
            )
        )
        for sample in samples
    ]
    words = () if pairs else [[*_split(sample.premise), *_of_names(sample)] for sample in samples]
    return Cues(names=PROPERTIES, rows=rows, words=words, pairs=pairs)


def _numbers(samples: Sequence[Sample]) -> Features:
    """All counts, and the cues: words by their places in the alphabet."""
    import numpy as np

    unknown = (0.0,) * len(COLUMNS)
    counts = np.array([sample.counts or unknown for sample in samples], dtype=float)
    columns = [_ordered(column) for column in zip(*_cues(samples, pairs=False).rows, strict=True)]
    return Numbers(values=np.column_stack([counts.reshape(len(samples), len(COLUMNS)), *columns]))


def _ordered(values: Sequence[Hashable]) -> Sequence[float]:
    """Numbers as they are; words by their places in the alphabet; -1 for none."""
    known = sorted({value for value in values if isinstance(value, str)})
    place: dict[Hashable, float] = {word: number for number, word in enumerate(known)}
    place[None] = -1.0
    return [place[value] if value in place else float(value) for value in values]  # type: ignore[arg-type]


def _graphs(samples: Sequence[Sample]) -> Features:
    return Keys(
        keys=[sample.premise if sample.graph is None else sample.graph for sample in samples]
    )


def _timelines(samples: Sequence[Sample]) -> Features:
    return Keys(
        keys=[
            f"{sample.premise}\t{sample.claim}" if sample.timeline is None else sample.timeline
            for sample in samples
        ]
    )


MEMORISED = ("the premise graph, memorised", "the premise graph and claim, memorised")
"""Names of the probes of premises of train."""

PROBES: tuple[Probe[Sample], ...] = (
    Probe(name="the claim's relation", features=_columns()),
    Probe(name="single cues", features=partial(_cues, pairs=False)),
    Probe(name="pairs of cues", features=partial(_cues, pairs=True), fast=False),
    Probe(name="the words of the claim", features=_claim_words),
    Probe(name="the words of premise and claim", features=_words, fast=False),
    Probe(name="sequences of 2 to 4 words", features=_grams, fast=False),
    Probe(name="lengths", features=_columns(*LENGTHS)),
    Probe(name="kinds of sentence", features=_columns(*SENTENCES)),
    Probe(name="mentions of the claim's events", features=_columns(*MENTIONS)),
    Probe(name="starts, ends and orders of the claim's events", features=_columns(*POINTS)),
    Probe(name="neighbours and distance of the claim's events", features=_columns(*GRAPH)),
    Probe(name="positions of the claim's events", features=_columns(*POSITIONS)),
    Probe(name="all counts and positions", features=_columns(*COLUMNS)),
    Probe(name="counts and cues, in boosted trees", features=_numbers, fast=False),
    Probe(name=MEMORISED[0], features=_graphs),
    Probe(name=MEMORISED[1], features=_timelines),
)
"""The probes of ``verify``; counts include the claim's relation."""
