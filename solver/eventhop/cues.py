"""What is seen of an item that no reasoning needs: places, names, wordings, lengths, neighbours.

Each property is one value of an item, which is seen by a glance at the text: the order that the
last sentence states, the initial of the third event, whether the number of characters is even.
Labels should depend on none of them. A property is computed for all items at once; in the tests,
each is defined for one item.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cached_property, lru_cache, partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.eventhop.sentences import ORDERS, POINTS, Flags, Ints, Names, Parts, Sentences, Step
from solver.probes.learners import Coded

Values: TypeAlias = Coded | NDArray[np.generic]
"""The values of a property: numbers, or codes of words; -1 stands for none."""


class Seen:
    """The parts of items that properties look at.

    Attributes:
        sentences: what each sentence states.
        texts: the parts of premises between full stops, with ``lengths``.
        named: the events of each premise in the order in which they are named, with ``name``.
        worded: the sentences of items that have one for each part, with ``wording`` and ``verb``.
    """

    def __init__(
        self,
        premises: Sequence[str],
        claims: Sequence[str],
        steps: Sequence[Sequence[Step]],
        claimed: Sequence[tuple[str, str]],
        names: Sequence[Sequence[str]],
    ) -> None:
        self.premises, self.claims = premises, claims
        named = [name for some in names for name in some]
        self.sentences = Sentences(steps, claimed, named)
        self.steps, self.names = self.sentences.steps, self.sentences.names
        self.claimed = self.sentences.claimed
        texts = [premise.split(". ") for premise in premises]
        self.texts = Parts(map(len, texts))
        self.lengths = np.fromiter((len(text) for some in texts for text in some), np.intp)
        self.named = Parts(map(len, names))
        self.name = self.names.codes(named)
        whole = self.texts.sizes == self.steps.sizes
        wordings = [
            [_wording(text, step) for text, step in zip(some, stated, strict=True)] if fits else []
            for some, stated, fits in zip(texts, steps, whole, strict=True)
        ]
        self.worded = Parts(map(len, wordings))
        flat = [wording for some in wordings for wording in some]
        self.wordings = Names(flat)
        self.wording = self.wordings.codes(flat)
        verbs = [wording.partition(" ")[0] for wording in self.wordings.words]
        self.verbs = Names(verbs)
        self.verb = self.verbs.codes(verbs)[self.wording]

    @cached_property
    def ends_of_role(self) -> tuple[tuple[Ints, Ints], tuple[Ints, Ints]]:
        """The places of the first and of the last sentence with each event of the claim."""
        either = [left | right for left, right in self.sentences.mentioned]
        first, second = ((self.steps.first(flags), self.steps.last(flags)) for flags in either)
        return first, second

    def other(self, place: int) -> Ints:
        """An event that is named, is not in the claim, and comes after so many others."""
        apart = np.ones(self.named.rows, bool)
        for claimed in self.claimed:
            apart &= self.name != claimed[self.named.of]
        kept = Parts(self.named.number(apart))
        return kept.pick(self.name[apart], place, 0)

    def neighbour(self, role: int) -> Ints:
        """The event that is first named with an event of the claim."""
        first, _ = self.ends_of_role[role]
        left = self.steps.pick(self.sentences.left, first, 0)
        right = self.steps.pick(self.sentences.right, first, 0)
        return np.where(left == self.claimed[role], right, left)

    @cached_property
    def least_name(self) -> Ints:
        """The first name by alphabet."""
        return self.named.pick(self.name, self.named.largest(-self.name), 0)

    @cached_property
    def greatest_name(self) -> Ints:
        """The last name by alphabet."""
        return self.named.pick(self.name, self.named.largest(self.name), 0)

    @cached_property
    def characters(self) -> Ints:
        """The length of each name."""
        return self.names.count(len)

    def part(self, part: str) -> Coded:
        """A part of each name, in the order of names."""
        return self._parts[_OF_NAME.index(part)]

    @cached_property
    def _parts(self) -> list[Coded]:
        columns = zip(*map(_name, self.names.words), strict=True)
        return [Coded.of(column) for column in columns]


def _wording(text: str, step: Step) -> str:
    """The words between the two events of a sentence."""
    left, right = step[0], step[4]
    start = text.find(left)
    end = text.rfind(right)
    if end < start:
        start, end, left = text.find(right), text.rfind(left), right
    return text[start + len(left) : end].strip()


Property: TypeAlias = Callable[[Seen], Values]

_WHO = ("first", "second", "other")
_FIRST, _SECOND, _OTHER = range(3)


def _role(seen: Seen, names: Ints, of: Ints | slice = slice(None)) -> Ints:
    """Which event of the claim a name is."""
    first, second = (claimed[of] for claimed in seen.claimed)
    return np.where(names == second, _SECOND, np.where(names == first, _FIRST, _OTHER))


# Sentences at some places

_PLACES: dict[str, Callable[[Ints], Ints]] = {
    "first": lambda sizes: sizes * 0,
    "second": lambda sizes: sizes * 0 + 1,
    "third": lambda sizes: sizes * 0 + 2,
    "middle": lambda sizes: sizes // 2,
    "last but two": lambda sizes: sizes - 3,
    "last but one": lambda sizes: sizes - 2,
    "last": lambda sizes: sizes - 1,
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


def _sentences(seen: Seen) -> Iterator[Values]:
    """The parts of the sentences at all places."""
    stated, steps = seen.sentences, seen.steps
    left_role, right_role = (_role(seen, names, steps.of) for names in (stated.left, stated.right))
    for place in _PLACES.values():
        at = place(steps.sizes)
        yield Coded(steps.pick(stated.order, at), ORDERS)
        yield Coded(steps.pick(stated.left_point, at), POINTS)
        yield Coded(steps.pick(stated.right_point, at), POINTS)
        yield Coded(steps.pick(left_role, at), _WHO)
        yield Coded(steps.pick(right_role, at), _WHO)
        yield Coded(seen.worded.pick(seen.wording, at), seen.wordings.words)
        yield Coded(seen.worded.pick(seen.verb, at), seen.verbs.words)


# Names of some events

_EVENTS: dict[str, Callable[[Seen], Ints]] = {
    "the first event": lambda seen: seen.claimed[0],
    "the second event": lambda seen: seen.claimed[1],
    "the third event": lambda seen: seen.other(0),
    "the fourth event": lambda seen: seen.other(1),
    "the event named first": lambda seen: seen.named.pick(seen.name, 0, 0),
    "the event named last": lambda seen: seen.named.pick(seen.name, seen.named.sizes - 1, 0),
    "the first neighbour of the first event": lambda seen: seen.neighbour(0),
    "the first neighbour of the second event": lambda seen: seen.neighbour(1),
    "the first name by alphabet": lambda seen: seen.least_name,
    "the last name by alphabet": lambda seen: seen.greatest_name,
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
    second = words[1] if len(words) > 1 else None
    ends = words[0], second, words[-1], words[-1][:1], name[-1:], name[-2:]
    return name[:1], *ends, len(words), len(name), len(name) % 2 == 0


def _names(seen: Seen) -> Iterator[Values]:
    """The parts of the names of some events."""
    for event in _EVENTS.values():
        names = event(seen)
        yield from (seen.part(part).take(names) for part in _OF_NAME)


def _who(seen: Seen, names: Ints) -> Coded:
    first, second = seen.claimed
    role = np.where(names == first, _FIRST, np.where(names == second, _SECOND, _OTHER))
    return Coded(role, _WHO)


def _same(part: str, seen: Seen) -> Flags:
    codes = seen.part(part).codes
    same: Flags = codes[seen.claimed[0]] == codes[seen.claimed[1]]
    return same


def _ascending(seen: Seen) -> Ints:
    rows = seen.named.pairs()
    rising = seen.name[rows] < seen.name[rows + 1]
    return np.bincount(seen.named.of[rows[rising]], minlength=seen.named.items)


def _words_of_names(part: str, seen: Seen) -> Coded:
    return seen.part(part).take(seen.name)


def _longest_name(sign: int, seen: Seen) -> Coded:
    place = seen.named.largest(sign * seen.characters[seen.name])
    return _who(seen, seen.named.pick(seen.name, place, 0))


def _frequent_first_word(seen: Seen) -> Coded:
    found = _words_of_names("first word", seen)
    return Coded(seen.named.most(found.codes), found.values).filled("")


def _before(role: int, seen: Seen) -> Ints:
    return seen.named.number(seen.name < seen.claimed[role][seen.named.of])


_OF_ALL_NAMES: dict[str, Property] = {
    "the first event before the second by alphabet": lambda seen: seen.claimed[0] < seen.claimed[1],
    "the third event before the first by alphabet": lambda seen: seen.other(0) < seen.claimed[0],
    "the event named first before the first event by alphabet": lambda seen: (
        seen.named.pick(seen.name, 0, 0) < seen.claimed[0]
    ),
    "names before the first event by alphabet": partial(_before, 0),
    "names before the second event by alphabet": partial(_before, 1),
    "longer name of the claim": lambda seen: np.sign(
        seen.characters[seen.claimed[0]] - seen.characters[seen.claimed[1]]
    ),
    "initials of the claim's names are the same": partial(_same, "initial"),
    "first words of the claim's names are the same": partial(_same, "first word"),
    "second words of the claim's names are the same": partial(_same, "second word"),
    "last words of the claim's names are the same": partial(_same, "last word"),
    "event with the longest name": partial(_longest_name, 1),
    "event with the shortest name": partial(_longest_name, -1),
    "event with the first name by alphabet": lambda seen: _who(seen, seen.least_name),
    "event with the last name by alphabet": lambda seen: _who(seen, seen.greatest_name),
    "event named first": lambda seen: _who(seen, seen.named.pick(seen.name, 0, 0)),
    "event named last": lambda seen: _who(
        seen, seen.named.pick(seen.name, seen.named.sizes - 1, 0)
    ),
    "most frequent first word of a name": _frequent_first_word,
    "number of first words of names": lambda seen: seen.named.distinct(
        _words_of_names("first word", seen).codes
    ),
    "number of last words of names": lambda seen: seen.named.distinct(
        _words_of_names("last word", seen).codes
    ),
    "names are in the order of the alphabet": lambda seen: _ascending(seen) >= seen.named.sizes - 1,
    "neighbouring names in the order of the alphabet": _ascending,
    "characters of all names": lambda seen: seen.named.total(seen.characters[seen.name]),
}

# Where and how the claim's events are named

_SIDES = ("left", "right")
_HALVES = ("first", "second")


def _side(end: int, role: int, seen: Seen) -> Coded:
    left, _ = seen.sentences.mentioned[role]
    at = seen.ends_of_role[role][end]
    return Coded(seen.steps.pick((~left).astype(np.intp), at), _SIDES)


def _point(end: int, role: int, seen: Seen) -> Coded:
    stated, (left, _) = seen.sentences, seen.sentences.mentioned[role]
    point = np.where(left, stated.left_point, stated.right_point)
    return Coded(seen.steps.pick(point, seen.ends_of_role[role][end]), POINTS)


def _order(end: int, role: int, seen: Seen) -> Coded:
    return Coded(seen.steps.pick(seen.sentences.order, seen.ends_of_role[role][end]), ORDERS)


def _of_mentioned(count: Callable[[int, Seen], Ints], role: int, seen: Seen) -> Coded:
    """A number, where the event is mentioned."""
    known = seen.ends_of_role[role][0] >= 0
    return Coded.of_numbers(count(role, seen), known)


def _first_place(role: int, seen: Seen) -> Ints:
    return seen.ends_of_role[role][0]


def _last_place(role: int, seen: Seen) -> Ints:
    return seen.ends_of_role[role][1]


def _half(role: int, seen: Seen) -> Coded:
    at = _first_place(role, seen)
    return Coded(np.where(at < 0, -1, (2 * at >= seen.steps.sizes).astype(np.intp)), _HALVES)


def _even_first(role: int, seen: Seen) -> Coded:
    at = _first_place(role, seen)
    return Coded(np.where(at < 0, -1, at % 2), (True, False))


def _on_the_left(role: int, seen: Seen) -> Ints:
    left, right = seen.sentences.mentioned[role]
    return seen.steps.number(left) + seen.steps.number(left & right)


def _neighbours(role: int, seen: Seen) -> Ints:
    return seen.sentences.degree[seen.sentences.claims[role]]


def _of_neighbours(what: str, role: int, seen: Seen) -> Ints:
    """The sum of a number of all neighbours."""
    first, second = seen.sentences.neighbours
    values: Ints = getattr(seen.sentences, what)
    sums = np.bincount(first, values[second], len(seen.sentences.events)).astype(np.intp)
    return sums[seen.sentences.claims[role]]


def _most_neighbours(role: int, seen: Seen) -> Ints:
    first, second = seen.sentences.neighbours
    most = np.zeros(len(seen.sentences.events), np.intp)
    np.maximum.at(most, first, seen.sentences.degree[second])
    return most[seen.sentences.claims[role]]


_OF_ROLE: dict[str, Callable[[int, Seen], Values]] = {
    "place of the first sentence with": partial(_of_mentioned, _first_place),
    "place of the last sentence with": partial(_of_mentioned, _last_place),
    "half of the first sentence with": _half,
    "an even place of the first sentence with": _even_first,
    "side at first of": partial(_side, 0),
    "side at last of": partial(_side, 1),
    "point at first of": partial(_point, 0),
    "point at last of": partial(_point, 1),
    "order of the first sentence with": partial(_order, 0),
    "order of the last sentence with": partial(_order, 1),
    "times on the left, of": partial(_of_mentioned, _on_the_left),
    "neighbours of": partial(_of_mentioned, _neighbours),
    "neighbours of neighbours of": partial(_of_mentioned, partial(_of_neighbours, "degree")),
    "most neighbours of a neighbour of": partial(_of_mentioned, _most_neighbours),
    "mentions of neighbours of": partial(_of_mentioned, partial(_of_neighbours, "mentions")),
}

_OF_CLAIMED: dict[str, Property] = {
    f"{what} {who}": partial(look, role)
    for role, who in enumerate(("the first event", "the second event"))
    for what, look in _OF_ROLE.items()
}


def _named_before(end: int, seen: Seen) -> Coded:
    """Which event of the claim is named before the other, by their first or last sentences."""
    first, second = (at[end] for at in seen.ends_of_role)
    left = seen.steps.pick(seen.sentences.left, first)
    earlier = np.where(first == second, left == seen.claimed[0], first < second)
    who = np.where(earlier, _FIRST, _SECOND)
    return Coded(np.where((first < 0) | (second < 0), -1, who), _WHO)


def _shared_neighbours(seen: Seen) -> Ints:
    first, second = seen.sentences.neighbours
    order = np.searchsorted(first, np.arange(len(seen.sentences.events) + 1))
    size = len(seen.sentences.events)
    sides: list[Ints] = []
    for claims in seen.sentences.claims:
        of_item = Parts(order[claims + 1] - order[claims])
        sides.append(of_item.of * size + second[order[claims][of_item.of] + of_item.at])
    both = np.intersect1d(sides[0], sides[1], assume_unique=True)
    return np.bincount(both // size, minlength=seen.steps.items)


def _between(seen: Seen) -> Coded:
    first, second = (at[0] for at in seen.ends_of_role)
    return Coded.of_numbers(abs(first - second), (first >= 0) & (second >= 0))


def _names_claimed(place: Ints | int, seen: Seen) -> Flags:
    either = np.zeros(seen.steps.rows, bool)
    for role in (0, 1):
        left, right = seen.sentences.mentioned[role]
        either |= left | right
    found: Flags = seen.steps.pick(either.astype(np.intp), place, 0) == 1
    return found


_OF_BOTH: dict[str, Property] = {
    "event of the claim that is named first": partial(_named_before, 0),
    "event of the claim that is named last": partial(_named_before, 1),
    "neighbours that the claim's events share": _shared_neighbours,
    "sentences between the claim's events": _between,
    "the last sentence names an event of the claim": lambda seen: _names_claimed(
        seen.steps.sizes - 1, seen
    ),
    "the first sentence names an event of the claim": partial(_names_claimed, 0),
}

# Lengths and characters


def _of_texts(what: str, look: Callable[[str], int | bool], seen: Seen) -> NDArray[np.generic]:
    return np.array([look(text) for text in getattr(seen, what)])


def _premise(look: Callable[[str], int | bool]) -> Property:
    return partial(_of_texts, "premises", look)


def _claim(look: Callable[[str], int | bool]) -> Property:
    return partial(_of_texts, "claims", look)


def _longest(sign: int, seen: Seen) -> Ints:
    return seen.texts.largest(sign * seen.lengths)


def _first_half(sign: int, seen: Seen) -> Flags:
    return 2 * _longest(sign, seen) < seen.texts.sizes


def _first_length(seen: Seen) -> Ints:
    return seen.texts.pick(seen.lengths, 0)


def _last_length(seen: Seen) -> Ints:
    return seen.texts.pick(seen.lengths, seen.texts.sizes - 1)


_OF_LENGTHS: dict[str, Property] = {
    "characters": _premise(len),
    "an even number of characters": _premise(lambda text: len(text) % 2 == 0),
    "characters, by threes": _premise(lambda text: len(text) % 3),
    "words": _premise(lambda text: text.count(" ")),
    "an even number of words": _premise(lambda text: text.count(" ") % 2 == 1),
    "characters of the claim": _claim(len),
    "an even number of characters of the claim": _claim(lambda text: len(text) % 2 == 0),
    "words of the claim": _claim(lambda text: text.count(" ")),
    "place of the longest sentence": partial(_longest, 1),
    "half of the longest sentence": partial(_first_half, 1),
    "place of the shortest sentence": partial(_longest, -1),
    "half of the shortest sentence": partial(_first_half, -1),
    "characters of the first sentence": _first_length,
    "characters of the last sentence": _last_length,
    "the first sentence is longer than the last": lambda seen: (
        _first_length(seen) > _last_length(seen)
    ),
    "the first sentence is longer than the second": lambda seen: (
        _first_length(seen) > seen.texts.pick(seen.lengths, np.minimum(1, seen.texts.sizes - 1))
    ),
    "ends with a full stop": _premise(lambda text: text.rstrip().endswith(".")),
    "commas": _premise(lambda text: text.count(",")),
    "spaces in a row": _premise(lambda text: "  " in text),
    "other than plain characters": _premise(lambda text: not text.isascii()),
    "claim ends with a full stop": _claim(lambda text: text.rstrip().endswith(".")),
    "first letter of the claim is a capital": _claim(lambda text: text[:1].isupper()),
    "first letter is a capital": _premise(lambda text: text[:1].isupper()),
}

# Orders, points and wordings, in their sequence


def _turns(what: str, seen: Seen) -> Ints:
    values: Ints = getattr(seen.sentences, what)
    rows = seen.steps.pairs()
    changed = rows[values[rows] != values[rows + 1]]
    return np.bincount(seen.steps.of[changed], minlength=seen.steps.items)


def _sharing_rows(seen: Seen) -> tuple[Ints, Flags]:
    """The sentences that another one follows, and whether both are about one event."""
    rows, stated = seen.steps.pairs(), seen.sentences
    shared = np.zeros(len(rows), bool)
    for side in (stated.left, stated.right):
        for other in (stated.left, stated.right):
            shared |= side[rows] == other[rows + 1]
    return rows, shared


def _share(last: bool, seen: Seen) -> Coded:
    """Whether two sentences share an event."""
    rows, shared = _sharing_rows(seen)
    flags = np.zeros(seen.steps.rows, np.intp)
    flags[rows] = shared
    at = seen.steps.sizes - 2 if last else np.where(seen.steps.sizes > 1, 0, -1)
    return Coded(seen.steps.pick(flags, at), (False, True))


def _sharing(seen: Seen) -> Ints:
    rows, shared = _sharing_rows(seen)
    return np.bincount(seen.steps.of[rows[shared]], minlength=seen.steps.items)


def _number(order: int, seen: Seen) -> Ints:
    return seen.steps.number(seen.sentences.order == order)


def _even(order: int, seen: Seen) -> Flags:
    even: Flags = _number(order, seen) % 2 == 0
    return even


def _place(order: int, seen: Seen) -> Coded:
    at = seen.steps.first(seen.sentences.order == order)
    return Coded.of_numbers(at, at >= 0)


def _even_place(order: int, seen: Seen) -> Coded:
    at = seen.steps.first(seen.sentences.order == order)
    return Coded(np.where(at < 0, -1, at % 2), (True, False))


def _joined(what: str, words: Sequence[str], places: Sequence[int], seen: Seen) -> Coded:
    """The values at some places as a text; a place from the end is negative."""
    values: Ints = getattr(seen.sentences, what)
    size = len(words) + 1
    code = np.zeros(seen.steps.items, np.intp)
    for place in places:
        at = place if place >= 0 else seen.steps.sizes + place
        code = code * size + seen.steps.pick(values, at) + 1
    known, codes = np.unique(code, return_inverse=True)
    texts = []
    for number in known.tolist():
        digits = [number // size**power % size for power in reversed(range(len(places)))]
        texts.append(" ".join(words[digit - 1] for digit in digits if digit))
    return Coded(codes, texts)


def _agree(what: str, first: int, then: int, seen: Seen) -> Flags:
    """Whether the values at two places are the same, or both missing."""
    values: Ints = getattr(seen.sentences, what)
    ats = [place if place >= 0 else seen.steps.sizes + place for place in (first, then)]
    picked = [seen.steps.pick(values, at) for at in ats]
    same: Flags = picked[0] == picked[1]
    return same


def _most_of(what: str, words: Sequence[str], seen: Seen) -> Coded:
    """The most frequent value, the first by alphabet of several."""
    values: Ints = getattr(seen.sentences, what)
    ranked = sorted(words)
    rank = np.array([ranked.index(word) for word in words])
    return Coded(seen.steps.most(rank[values]), ranked).filled("")


def _words_of_wording(end: int, seen: Seen) -> Coded:
    worded = seen.worded
    blanks = seen.wordings.count(lambda wording: wording.count(" "))
    found = worded.pick(seen.wording, worded.sizes - 1 if end else 0)
    return Coded.of_numbers(blanks[found], worded.sizes > 0)


_COUNTED = ORDERS[:3]

_OF_SEQUENCES: dict[str, Property] = {
    "sentences": lambda seen: seen.steps.sizes,
    **{
        f"{name} {order} sentence{plural}": partial(look, code)
        for code, order in enumerate(_COUNTED)
        for name, plural, look in (
            ("number of", "s", _number),
            ("an even number of", "s", _even),
            ("place of the first", "", _place),
            ("even place of the first", "", _even_place),
        )
    },
    "more before than after": lambda seen: np.sign(_number(0, seen) - _number(1, seen)),
    "most left points": partial(_most_of, "left_point", POINTS),
    "left points that are starts": lambda seen: seen.steps.number(seen.sentences.left_point == 0),
    "an even number of left points that are starts": lambda seen: (
        seen.steps.number(seen.sentences.left_point == 0) % 2 == 0
    ),
    "most frequent order": partial(_most_of, "order", ORDERS),
    "first two orders": partial(_joined, "order", ORDERS, (0, 1)),
    "first three orders": partial(_joined, "order", ORDERS, (0, 1, 2)),
    "last two orders": partial(_joined, "order", ORDERS, (-2, -1)),
    "last three orders": partial(_joined, "order", ORDERS, (-3, -2, -1)),
    "first and third order are the same": lambda seen: (
        (seen.steps.sizes > 2) & _agree("order", 0, 2, seen)
    ),
    "first and last order": partial(_joined, "order", ORDERS, (0, -1)),
    "first and last order are the same": partial(_agree, "order", 0, -1),
    "first two orders are the same": partial(_agree, "order", 0, 1),
    "last two orders are the same": partial(_agree, "order", -1, -2),
    "first two left points": partial(_joined, "left_point", POINTS, (0, 1)),
    "last two left points": partial(_joined, "left_point", POINTS, (-2, -1)),
    "changes of order": partial(_turns, "order"),
    "longest run of an order": lambda seen: seen.steps.longest_run(seen.sentences.order),
    "changes of left point": partial(_turns, "left_point"),
    "the first two sentences share an event": partial(_share, False),
    "the last two sentences share an event": partial(_share, True),
    "neighbouring sentences that share an event": _sharing,
    "number of wordings": lambda seen: seen.worded.distinct(seen.wording),
    "number of verbs": lambda seen: seen.worded.distinct(seen.verb),
    "most frequent wording": lambda seen: Coded(
        seen.worded.most(seen.wording), seen.wordings.words
    ).filled(""),
    "most frequent verb": lambda seen: Coded(seen.worded.most(seen.verb), seen.verbs.words).filled(
        ""
    ),
    "wordings of the first and last sentence are the same": lambda seen: (
        seen.worded.pick(seen.wording, 0) == seen.worded.pick(seen.wording, seen.worded.sizes - 1)
    ),
    "words of the last wording": partial(_words_of_wording, 1),
    "words of the first wording": partial(_words_of_wording, 0),
}

_ALONE: dict[str, Property] = {
    **_OF_ALL_NAMES,
    **_OF_CLAIMED,
    **_OF_BOTH,
    **_OF_LENGTHS,
    **_OF_SEQUENCES,
}

PROPERTIES: tuple[str, ...] = (
    *(f"{part} of the {place} sentence" for place in _PLACES for part in _OF_SENTENCE),
    *(f"{part} of {event}" for event in _EVENTS for part in _OF_NAME),
    *_ALONE,
)
"""What the properties are called in findings."""


def values(seen: Seen) -> list[Coded]:
    """The values of the properties of all items."""
    alone = (look(seen) for look in _ALONE.values())
    found = (*_sentences(seen), *_names(seen), *alone)
    return [each if isinstance(each, Coded) else Coded.of_numbers(each) for each in found]
