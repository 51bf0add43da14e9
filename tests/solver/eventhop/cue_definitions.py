"""The definitions of what is seen of an item: each property, and each count, of one item.

Each property is one value of an item, which can be told by a glance at the text: the order that the
last sentence states, the initial of the third event, whether the number of characters is even.
Labels should depend on none of them.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache, partial
from itertools import groupby, pairwise, product
from typing import TypeAlias, TypeVar

from grammar.eventhop.model import Bound, Claim, Item, Order, Relation
from solver.eventhop.probes import COLUMNS, FIRST, KINDS, LENGTHS, SECOND

Step: TypeAlias = tuple[str, str, str, str, str]
"""What a sentence states: an event, its point, the order, the point of the other event, and it."""

NONE = None
"""The value where an item has no such part."""


class Seen:
    """The parts of an item that properties look at.

    Attributes:
        texts: the sentences of the premise.
        steps: what each sentence states.
        wordings: the words between the two events of each sentence.
        names: the events in the order in which they are named; ``sorted`` by alphabet.
        first, second: the events of the claim; empty if unknown.
        at: the places of the sentences that name an event.
    """

    def __init__(
        self,
        premise: str,
        claim: str,
        steps: Sequence[Step],
        claimed: tuple[str, str],
        names: Sequence[str],
    ) -> None:
        self.premise, self.claim, self.steps = premise, claim, steps
        self.texts = premise.split(". ")
        self.first, self.second = claimed
        self.names = tuple(names)
        self.sorted = sorted(self.names)
        self.others = [name for name in self.names if name not in (self.first, self.second)]
        self.at: dict[str, list[int]] = {self.first: [], self.second: []}
        self.neighbours: dict[str, dict[str, None]] = {self.first: {}, self.second: {}}
        for place, (left, _, _, _, right) in enumerate(self.steps):
            self.at.setdefault(left, []).append(place)
            self.at.setdefault(right, []).append(place)
            self.neighbours.setdefault(left, {})[right] = None
            self.neighbours.setdefault(right, {})[left] = None
        whole = len(self.texts) == len(self.steps)
        pairs = zip(self.texts, self.steps, strict=True) if whole else ()
        self.wordings = [_wording(text, step) for text, step in pairs]
        self.verbs = [wording.partition(" ")[0] for wording in self.wordings]
        self.orders = [order for _, _, order, _, _ in self.steps]
        self.points = [point for _, point, _, _, _ in self.steps]

    def claimed(self, role: int) -> str:
        """An event of the claim."""
        return self.second if role else self.first

    def neighbour(self, role: int) -> str:
        """The event that is first named with an event of the claim."""
        return next(iter(self.neighbours[self.claimed(role)]), "")


def _wording(text: str, step: Step) -> str:
    """The words between the two events of a sentence."""
    left, right = step[0], step[4]
    start = text.find(left)
    end = text.rfind(right)
    if end < start:
        start, end, left = text.find(right), text.rfind(left), right
    return text[start + len(left) : end].strip()


Property: TypeAlias = Callable[[Seen], Hashable]

# Sentences at some places

_PLACES: dict[str, Callable[[int], int]] = {
    "first": lambda _: 0,
    "second": lambda _: 1,
    "third": lambda _: 2,
    "middle": lambda size: size // 2,
    "last but two": lambda size: size - 3,
    "last but one": lambda size: size - 2,
    "last": lambda size: size - 1,
}


_OF_SENTENCE = (
    "order",
    "left point",
    "right point",
    "left event",
    "right event",
    "wording",
    "verb",
)


def _sentences(seen: Seen) -> list[Hashable]:
    """The parts of the sentences at all places."""
    found: list[Hashable] = []
    size, roles = len(seen.steps), {seen.first: "first", seen.second: "second"}
    for place in _PLACES.values():
        at = place(size)
        if not 0 <= at < size:
            found += (NONE,) * len(_OF_SENTENCE)
            continue
        left, left_point, order, right_point, right = seen.steps[at]
        worded = (seen.wordings[at], seen.verbs[at]) if seen.wordings else (NONE, NONE)
        found += (order, left_point, right_point)
        found += (roles.get(left, "other"), roles.get(right, "other"), *worded)
    return found


# Names of some events

_EVENTS: dict[str, Callable[[Seen], str]] = {
    "the first event": lambda seen: seen.first,
    "the second event": lambda seen: seen.second,
    "the third event": lambda seen: seen.others[0] if seen.others else "",
    "the fourth event": lambda seen: seen.others[1] if len(seen.others) > 1 else "",
    "the event named first": lambda seen: seen.names[0] if seen.names else "",
    "the event named last": lambda seen: seen.names[-1] if seen.names else "",
    "the first neighbour of the first event": lambda seen: seen.neighbour(0),
    "the first neighbour of the second event": lambda seen: seen.neighbour(1),
    "the first name by alphabet": lambda seen: seen.sorted[0] if seen.sorted else "",
    "the last name by alphabet": lambda seen: seen.sorted[-1] if seen.sorted else "",
}

_OF_NAME = (
    "initial",
    "first word",
    "second word",
    "last word",
    "initial of the last word",
    "last letter",
    "last two letters",
    "words",
    "characters",
    "an even number of characters",
)


@lru_cache(100_000)
def _name(name: str) -> tuple[Hashable, ...]:
    """The parts of a name."""
    words = name.split(" ")
    second = words[1] if len(words) > 1 else NONE
    ends = words[0], second, words[-1], words[-1][:1], name[-1:], name[-2:]
    return name[:1], *ends, len(words), len(name), len(name) % 2 == 0


def _names(seen: Seen) -> list[Hashable]:
    """The parts of the names of some events."""
    return [part for event in _EVENTS.values() for part in _name(event(seen))]


def _most(values: Sequence[str]) -> str:
    """The most frequent value, first by alphabet."""
    counts = Counter(values)
    return min(counts, key=lambda value: (-counts[value], value), default="")


def _first_words(seen: Seen) -> list[str]:
    return [name.partition(" ")[0] for name in seen.names]


def _last_words(seen: Seen) -> list[str]:
    return [name.rpartition(" ")[2] for name in seen.names]


def _who(seen: Seen, name: str) -> str:
    return "first" if name == seen.first else "second" if name == seen.second else "other"


def _same(part: str, seen: Seen) -> bool:
    place = _OF_NAME.index(part)
    return _name(seen.first)[place] == _name(seen.second)[place]


_OF_ALL_NAMES: dict[str, Property] = {
    "the first event before the second by alphabet": lambda seen: seen.first < seen.second,
    "the third event before the first by alphabet": lambda seen: (
        (seen.others or [""])[0] < seen.first
    ),
    "the event named first before the first event by alphabet": lambda seen: (
        (seen.names or ("",))[0] < seen.first
    ),
    "names before the first event by alphabet": lambda seen: sum(
        name < seen.first for name in seen.names
    ),
    "names before the second event by alphabet": lambda seen: sum(
        name < seen.second for name in seen.names
    ),
    "longer name of the claim": lambda seen: (
        (len(seen.first) > len(seen.second)) - (len(seen.first) < len(seen.second))
    ),
    "initials of the claim's names are the same": partial(_same, "initial"),
    "first words of the claim's names are the same": partial(_same, "first word"),
    "second words of the claim's names are the same": partial(_same, "second word"),
    "last words of the claim's names are the same": partial(_same, "last word"),
    "event with the longest name": lambda seen: _who(seen, max(seen.names, key=len, default="")),
    "event with the shortest name": lambda seen: _who(seen, min(seen.names, key=len, default="")),
    "event with the first name by alphabet": lambda seen: _who(seen, (seen.sorted or [""])[0]),
    "event with the last name by alphabet": lambda seen: _who(seen, (seen.sorted or [""])[-1]),
    "event named first": lambda seen: _who(seen, (seen.names or ("",))[0]),
    "event named last": lambda seen: _who(seen, (seen.names or ("",))[-1]),
    "most frequent first word of a name": lambda seen: _most(_first_words(seen)),
    "number of first words of names": lambda seen: len(set(_first_words(seen))),
    "number of last words of names": lambda seen: len(set(_last_words(seen))),
    "names are in the order of the alphabet": lambda seen: list(seen.names) == seen.sorted,
    "neighbouring names in the order of the alphabet": lambda seen: sum(
        first < then for first, then in pairwise(seen.names)
    ),
    "characters of all names": lambda seen: sum(map(len, seen.names)),
}

# Where and how the claim's events are named


def _of_role(look: Callable[[Seen, str, list[int]], Hashable], role: int, seen: Seen) -> Hashable:
    event = seen.claimed(role)
    at = seen.at[event]
    return look(seen, event, at) if at else NONE


def _side(seen: Seen, event: str, place: int) -> str:
    return "left" if seen.steps[place][0] == event else "right"


def _point(seen: Seen, event: str, place: int) -> str:
    left, left_point, _, right_point, _ = seen.steps[place]
    return left_point if left == event else right_point


_OF_CLAIMED: dict[str, Property] = {
    f"{what} {who}": partial(_of_role, look, role)
    for role, who in enumerate(("the first event", "the second event"))
    for what, look in {
        "place of the first sentence with": lambda _seen, _event, at: at[0],
        "place of the last sentence with": lambda _seen, _event, at: at[-1],
        "half of the first sentence with": lambda seen, _event, at: (
            "first" if at[0] < len(seen.steps) / 2 else "second"
        ),
        "an even place of the first sentence with": lambda _seen, _event, at: at[0] % 2 == 0,
        "side at first of": lambda seen, event, at: _side(seen, event, at[0]),
        "side at last of": lambda seen, event, at: _side(seen, event, at[-1]),
        "point at first of": lambda seen, event, at: _point(seen, event, at[0]),
        "point at last of": lambda seen, event, at: _point(seen, event, at[-1]),
        "order of the first sentence with": lambda seen, _event, at: seen.orders[at[0]],
        "order of the last sentence with": lambda seen, _event, at: seen.orders[at[-1]],
        "times on the left, of": lambda seen, event, at: sum(
            _side(seen, event, place) == "left" for place in at
        ),
        "neighbours of": lambda seen, event, _at: len(seen.neighbours[event]),
        "neighbours of neighbours of": lambda seen, event, _at: sum(
            len(seen.neighbours[other]) for other in seen.neighbours[event]
        ),
        "most neighbours of a neighbour of": lambda seen, event, _at: max(
            len(seen.neighbours[other]) for other in seen.neighbours[event]
        ),
        "mentions of neighbours of": lambda seen, event, _at: sum(
            len(seen.at[other]) for other in seen.neighbours[event]
        ),
    }.items()
}


def _before(end: int, seen: Seen) -> Hashable:
    """Which event of the claim is named before the other, by their first or last sentences."""
    first, second = seen.at[seen.first], seen.at[seen.second]
    if not first or not second:
        return NONE
    if first[end] == second[end]:
        return "first" if seen.steps[first[end]][0] == seen.first else "second"
    return "first" if first[end] < second[end] else "second"


_OF_BOTH: dict[str, Property] = {
    "event of the claim that is named first": partial(_before, 0),
    "event of the claim that is named last": partial(_before, -1),
    "neighbours that the claim's events share": lambda seen: len(
        seen.neighbours[seen.first].keys() & seen.neighbours[seen.second].keys()
    ),
    "sentences between the claim's events": lambda seen: (
        abs(seen.at[seen.first][0] - seen.at[seen.second][0])
        if seen.at[seen.first] and seen.at[seen.second]
        else NONE
    ),
    "the last sentence names an event of the claim": lambda seen: (
        len(seen.steps) - 1 in (*seen.at[seen.first], *seen.at[seen.second])
    ),
    "the first sentence names an event of the claim": lambda seen: (
        0 in seen.at[seen.first] or 0 in seen.at[seen.second]
    ),
}

# Lengths and characters


def _longest(seen: Seen) -> int:
    lengths = [len(text) for text in seen.texts]
    return lengths.index(max(lengths))


def _shortest(seen: Seen) -> int:
    lengths = [len(text) for text in seen.texts]
    return lengths.index(min(lengths))


_OF_LENGTHS: dict[str, Property] = {
    "characters": lambda seen: len(seen.premise),
    "an even number of characters": lambda seen: len(seen.premise) % 2 == 0,
    "characters, by threes": lambda seen: len(seen.premise) % 3,
    "words": lambda seen: seen.premise.count(" "),
    "an even number of words": lambda seen: seen.premise.count(" ") % 2 == 1,
    "characters of the claim": lambda seen: len(seen.claim),
    "an even number of characters of the claim": lambda seen: len(seen.claim) % 2 == 0,
    "words of the claim": lambda seen: seen.claim.count(" "),
    "place of the longest sentence": _longest,
    "half of the longest sentence": lambda seen: _longest(seen) < len(seen.texts) / 2,
    "place of the shortest sentence": _shortest,
    "half of the shortest sentence": lambda seen: _shortest(seen) < len(seen.texts) / 2,
    "characters of the first sentence": lambda seen: len(seen.texts[0]),
    "characters of the last sentence": lambda seen: len(seen.texts[-1]),
    "the first sentence is longer than the last": lambda seen: (
        len(seen.texts[0]) > len(seen.texts[-1])
    ),
    "the first sentence is longer than the second": lambda seen: (
        len(seen.texts[0]) > len(seen.texts[min(1, len(seen.texts) - 1)])
    ),
    "ends with a full stop": lambda seen: seen.premise.rstrip().endswith("."),
    "commas": lambda seen: seen.premise.count(","),
    "spaces in a row": lambda seen: "  " in seen.premise,
    "other than plain characters": lambda seen: not seen.premise.isascii(),
    "claim ends with a full stop": lambda seen: seen.claim.rstrip().endswith("."),
    "first letter of the claim is a capital": lambda seen: seen.claim[:1].isupper(),
    "first letter is a capital": lambda seen: seen.premise[:1].isupper(),
}

# Orders, points and wordings, in their sequence


def _turns(values: Sequence[Hashable]) -> int:
    return sum(first != then for first, then in pairwise(values))


def _run(values: Sequence[Hashable]) -> int:
    return max((len(list(run)) for _, run in groupby(values)), default=0)


def _share(seen: Seen, places: Sequence[int]) -> Hashable:
    """Whether two sentences share an event."""
    if len(seen.steps) < 2:
        return NONE
    first, then = (seen.steps[place] for place in places)
    return bool({first[0], first[4]} & {then[0], then[4]})


def _sharing(seen: Seen) -> int:
    return sum(bool({a[0], a[4]} & {b[0], b[4]}) for a, b in pairwise(seen.steps))


def _number(order: str, seen: Seen) -> int:
    return seen.orders.count(order)


def _even(order: str, seen: Seen) -> bool:
    return seen.orders.count(order) % 2 == 0


def _place(order: str, seen: Seen) -> Hashable:
    return seen.orders.index(order) if order in seen.orders else NONE


def _even_place(order: str, seen: Seen) -> Hashable:
    return seen.orders.index(order) % 2 == 0 if order in seen.orders else NONE


def _ends(what: str, places: slice, seen: Seen) -> Hashable:
    return " ".join(getattr(seen, what)[places])


_ORDERS = ("before", "after", "simultaneous")

_OF_SEQUENCES: dict[str, Property] = {
    "sentences": lambda seen: len(seen.steps),
    **{
        f"{name} {order} sentence{plural}": partial(look, order)
        for order in _ORDERS
        for name, plural, look in (
            ("number of", "s", _number),
            ("an even number of", "s", _even),
            ("place of the first", "", _place),
            ("even place of the first", "", _even_place),
        )
    },
    "more before than after": lambda seen: (
        (_number("before", seen) > _number("after", seen))
        - (_number("before", seen) < _number("after", seen))
    ),
    "most left points": lambda seen: _most(seen.points),
    "left points that are starts": lambda seen: seen.points.count("start"),
    "an even number of left points that are starts": lambda seen: (
        seen.points.count("start") % 2 == 0
    ),
    "most frequent order": lambda seen: _most(seen.orders),
    "first two orders": partial(_ends, "orders", slice(2)),
    "first three orders": partial(_ends, "orders", slice(3)),
    "last two orders": partial(_ends, "orders", slice(-2, None)),
    "last three orders": partial(_ends, "orders", slice(-3, None)),
    "first and third order are the same": lambda seen: (
        len(seen.orders) > 2 and seen.orders[0] == seen.orders[2]
    ),
    "first and last order": lambda seen: " ".join((*seen.orders[:1], *seen.orders[-1:])),
    "first and last order are the same": lambda seen: seen.orders[:1] == seen.orders[-1:],
    "first two orders are the same": lambda seen: seen.orders[:1] == seen.orders[1:2],
    "last two orders are the same": lambda seen: seen.orders[-1:] == seen.orders[-2:-1],
    "first two left points": partial(_ends, "points", slice(2)),
    "last two left points": partial(_ends, "points", slice(-2, None)),
    "changes of order": lambda seen: _turns(seen.orders),
    "longest run of an order": lambda seen: _run(seen.orders),
    "changes of left point": lambda seen: _turns(seen.points),
    "the first two sentences share an event": lambda seen: _share(seen, (0, 1)),
    "the last two sentences share an event": lambda seen: _share(seen, (-2, -1)),
    "neighbouring sentences that share an event": _sharing,
    "number of wordings": lambda seen: len(set(seen.wordings)),
    "number of verbs": lambda seen: len(set(seen.verbs)),
    "most frequent wording": lambda seen: _most(seen.wordings),
    "most frequent verb": lambda seen: _most(seen.verbs),
    "wordings of the first and last sentence are the same": lambda seen: (
        seen.wordings[:1] == seen.wordings[-1:]
    ),
    "words of the last wording": lambda seen: (
        seen.wordings[-1].count(" ") if seen.wordings else NONE
    ),
    "words of the first wording": lambda seen: (
        seen.wordings[0].count(" ") if seen.wordings else NONE
    ),
}

_ALONE: dict[str, Property] = {
    **_OF_ALL_NAMES,
    **_OF_CLAIMED,
    **_OF_BOTH,
    **_OF_LENGTHS,
    **_OF_SEQUENCES,
}
_LOOKS = tuple(_ALONE.values())

PROPERTIES: tuple[str, ...] = (
    *(f"{part} of the {place} sentence" for place in _PLACES for part in _OF_SENTENCE),
    *(f"{part} of {event}" for event in _EVENTS for part in _OF_NAME),
    *_ALONE,
)
"""What the properties are called in findings."""


def values(seen: Seen) -> tuple[Hashable, ...]:
    """The values of the properties."""
    return (*_sentences(seen), *_names(seen), *[look(seen) for look in _LOOKS])


# Counts

Event = TypeVar("Event", bound=Hashable)
PLACE = {name: place for place, name in enumerate(COLUMNS)}
KIND_PLACE = {kind: PLACE[f"sentences {' '.join(kind)}"] for kind in KINDS}
SIDES = ("earlier", "later", "simultaneous")
POINT_PLACE = {
    (event, bound, side): PLACE[f"{bound} of {event} is {side}"]
    for event, bound, side in product((FIRST, SECOND), Bound, SIDES)
}
ORDER_SIDES = {
    Order.BEFORE: ("earlier", "later"),
    Order.AFTER: ("later", "earlier"),
    Order.SIMULTANEOUS: ("simultaneous", "simultaneous"),
    Order.NOT_AFTER: ("earlier", "later"),
    Order.NOT_BEFORE: ("later", "earlier"),
}


def claimed_events(claim: Claim | Relation) -> tuple[str, str]:
    """The events of a claim."""
    if isinstance(claim, Claim):
        return claim.left, claim.right
    return claim.left.event, claim.right.event


def relation_of(claim: Claim | Relation) -> str:
    """The relation of a claim."""
    if isinstance(claim, Claim):
        return claim.relation.value
    return f"{claim.left.bound} {claim.order} {claim.right.bound}"


def counts(premise: str, item: Item) -> tuple[float, ...]:
    """The values of ``COLUMNS``."""
    found: list[float] = [0] * len(COLUMNS)
    first, second = claimed = claimed_events(item.claim)
    claim, both = f"claim is {relation_of(item.claim)}", PLACE["sentences with both"]
    if claim in PLACE:
        found[PLACE[claim]] = 1
    neighbours: dict[str, set[str]] = {first: set(), second: set()}
    mentions: dict[str, list[int]] = {first: [], second: []}
    roles = {first: (FIRST,), second: (SECOND,)} if first != second else {first: (FIRST, SECOND)}
    named = set()
    for place, relation in enumerate(item.premise):
        left, right = relation.left, relation.right
        kind = KIND_PLACE.get((left.bound, relation.order, right.bound))
        if kind is not None:
            found[kind] += 1
        neighbours.setdefault(left.event, set()).add(right.event)
        neighbours.setdefault(right.event, set()).add(left.event)
        named |= {left.event, right.event}
        if left.event in roles or right.event in roles:
            found[both] += {left.event, right.event} == {*claimed}
            for point, side in zip((left, right), ORDER_SIDES[relation.order], strict=True):
                for event in roles.get(point.event, ()):
                    found[POINT_PLACE[event, point.bound, side]] += 1
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
        found[PLACE[column]] = value
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
