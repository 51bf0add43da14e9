"""What verbs and adverbials of a sentence state of its subjects, point by point."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

from lark import Token

_PART_OF = re.compile(r"[a-z]+ of ")
EQUAL = "A- = B-, A+ = B+"
SHARE = "A- < B+, B- < A+"

SUBJECT = ""
"""The event, in relations of a verb whose subjects are not yet known."""

Place: TypeAlias = tuple[str, str]
Stated: TypeAlias = tuple[Place, str, Place]
"""A relation of two points, each an event and - or +."""


Described: TypeAlias = tuple[str, tuple[Stated, ...], bool]
"""A name, what a relative clause states of it, and whether it has an article."""
Targets: TypeAlias = tuple[tuple[Place, ...], tuple[Stated, ...], bool, str]
"""Points, what relative clauses state of their events, whether a perfect verb states them, and the
bound of this verb if it may be of the last event alone."""
PointVerb: TypeAlias = tuple[str, bool, bool]
"""A bound, whether the verb is perfect, and whether it begins with a form of *be*."""
_Groups: TypeAlias = tuple[tuple[Stated, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """What a verb states of its subjects.

    Attributes:
        groups: statements about each subject, by object.
        extras: what relative clauses state of the objects.
        mutual: statements about each two subjects in a row, the second one as the object.
    """

    groups: _Groups = ()
    extras: tuple[Stated, ...] = ()
    mutual: tuple[Stated, ...] = ()


class Both(tuple[Described, ...]):
    """Events after or before *both*."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Adverbial:
    """What says when something was: ``before B began``, ``during B``.

    Attributes:
        kind: which sort of adverbial it is; see ``verb_when``.
        parts: its signs, points and events.
    """

    kind: str
    parts: tuple[Any, ...]


class NoReadingError(Exception):
    """Parts that the grammar joins, but that mean nothing together."""


OBJECT = "\0object"
"""The event of an object in a meaning."""


_COPULAS = (
    *("was", "is", "were", "are", "came", "comes", "come"),
    *("had been", "will be", "had come", "will come"),
)
"""Verbs of a whole event that say nothing without an order."""


def took_place(whole: Token, bound: str) -> str:
    """The bound, if the verb says that an event took place."""
    if whole in _COPULAS:
        raise NoReadingError
    return bound


def _may_be_whole(going: str) -> bool:
    """Whether "was on before lunch" may say that an event ended before, too."""
    return going == "continued" or (going.endswith(" on") and not going.endswith("going on"))


def extras_of(items: Iterable[Described]) -> tuple[Stated, ...]:
    """What relative clauses state of some events."""
    return tuple(stated for _, some, _ in items for stated in some)


def filled(stated: Stated, subject: Place, object_: Place) -> Stated:
    """A statement with its subject and object: events, or points if these have bounds.

    A place without a bound gets the one of the subject, if that has one.
    """

    def place(side: Place) -> Place:
        event, bound = {SUBJECT: subject, OBJECT: object_}.get(side[0], side)
        return event, bound or side[1] or subject[1]

    left, sign, right = stated
    return place(left), sign, place(right)


def stated_by(text: str) -> tuple[Stated, ...]:
    """The statements of a meaning such as ``A+ < B-``."""
    events = {"A": SUBJECT, "B": OBJECT}
    parts = (part.split() for part in text.split(", "))
    return tuple(
        ((events[left[0]], left[1:]), sign, (events[right[0]], right[1:]))
        for left, sign, right in parts
    )


def of_events(meaning: str, items: Iterable[Described]) -> Verb:
    """A verb that relates its subject to each of some events."""
    items = tuple(items)
    stated = stated_by(meaning)
    groups = tuple(
        tuple(filled(row, (SUBJECT, ""), (event, "")) for row in stated) for event, _, _ in items
    )
    return Verb(groups=groups, extras=extras_of(items))


def of_points(bound: str, sign: str, targets: Targets) -> Verb:
    """A verb that relates a point of its subject to each of some points."""
    places, extras, _, loose = targets
    # "After the race and the picnic started" may mean the end of the race.
    if loose and sign in ("<", ">") and loose != edge_before(sign):
        raise NoReadingError
    groups = tuple((((SUBJECT, bound), sign, place),) for place in places)
    return Verb(groups=groups, extras=extras)


def joined(verbs: Iterable[Verb]) -> Verb:
    """A verb that states all that some verbs state."""
    every = tuple(verbs)
    return Verb(
        groups=tuple(group for verb in every for group in verb.groups),
        extras=tuple(stated for verb in every for stated in verb.extras),
    )


def _timed(sign: str, word: str, perfect: bool, other: bool) -> str:
    """The sign of an order, of verbs that are perfect or not.

    "A had ended when B began" and "A began when B had ended" leave open when A ended or began.

    Raises:
        NoReadingError: the verbs do not say which of both is first.
    """
    if word not in ("SAME", "WHEN", "TOGETHER") or not (perfect or other):
        return sign
    if word != "WHEN" or (perfect and other):
        raise NoReadingError
    return "<=" if perfect else ">="


def in_order(items: Iterable[Described]) -> tuple[Stated, ...]:
    """Each of some events ends before the next one starts."""
    return tuple(
        ((left, "+"), "<", (right, "-")) for (left, _, _), (right, _, _) in pairwise(items)
    )


def beyond(sign: str) -> str:
    """A whole event before or after another one."""
    return "A+ < B-" if sign == "<" else "A- > B+"


def edge_before(sign: str) -> str:
    """The point of an event that something is before, or after, if it is so of the whole event."""
    return "-" if sign == "<" else "+"


def one_place(place: Place) -> Targets:
    """A point alone."""
    return (place,), (), False, ""


HAPPENED = Token("WHOLE", "took place")


def verb_when(main: PointVerb | Token, adverbial: Adverbial, *, first: bool = False) -> Verb:
    """What a verb and an adverbial state of the subject.

    Args:
        main: a bound and whether it is perfect, a verb of a whole event, or of one that goes on.
        adverbial: when that was.
        first: whether the adverbial is before the subject.

    Raises:
        NoReadingError: they mean nothing together.
    """
    bound, perfect = ("", False) if isinstance(main, Token) else main[:2]
    sort = main.type if isinstance(main, Token) else "POINT"
    low, high = (bound, bound) if sort == "POINT" else ("-", "+")
    match sort, adverbial.kind, adverbial.parts:
        case "POINT", "points", (sign, word, _, targets):
            # No noun of a point is ordered by *when* and a perfect verb.
            perfect = perfect or (not bound and targets[2])
            return of_points(bound, _timed(sign, word, perfect, targets[2]), targets)
        case "WHOLE", "points", (sign, "BEFORE" | "AFTER" | "EARLIER" | "LATER", _, targets):
            return of_points("+" if sign == "<" else "-", sign, targets)
        case "GOING", "points", (sign, "BEFORE" | "AFTER" | "EARLIER" | "LATER", _, targets):
            if not _may_be_whole(str(main)):
                return of_points(edge_before(sign), sign, targets)
        case "GOING", "points", (_, word, text, targets):
            # "By the time B began": "not after" would say something else.
            timed = word in ("SAME", "WHEN") or text.startswith("by the time")
            if timed and not targets[2]:
                return _goes_on(targets)
        case "POINT", "events", (sign, True, items):
            # "The middle of the race" is a point that has no noun here, not an event.
            if not bound and any(_PART_OF.match(event) for event, _, _ in items):
                raise NoReadingError
            return of_events(f"A{bound} {sign} B{edge_before(sign)}", items)
        case "WHOLE", "events", (sign, _, items):
            return of_events(beyond(sign), items)
        case "GOING", "events", (sign, _, items):
            if not _may_be_whole(str(main)):
                return of_events(f"A{edge_before(sign)} {sign} B{edge_before(sign)}", items)
        case "POINT", "mark", (targets,) if first or not perfect:
            return of_points(bound, "<=" if perfect else "=", targets)
        case "GOING", "mark", (targets,):
            return _goes_on(targets)
        case "POINT" | "WHOLE", "between", (early, late):
            after = of_events(f"A{low} > B+", [early])
            return joined((after, of_events(f"A{high} < B-", [late])))
        case "POINT" | "WHOLE", "between points", (early, late):
            return Verb(groups=((((SUBJECT, low), ">", early), ((SUBJECT, high), "<", late)),))
        case "POINT" | "WHOLE", "inside", (items,):
            return of_events(f"A{low} > B-, A{high} < B+", items)
        case "POINT", "inside what goes on", (items,) if bound:
            return of_events(f"A{bound} > B-, A{bound} < B+", items)
        case "GOING", "around", (items,):
            return of_events("A- < B-, A+ > B+", items)
        case "GOING", "all through", (items,):
            return of_events("A- <= B-, A+ >= B+", items)
        case "GOING", "until", (targets,):
            return of_points("+", "=", targets)
    raise NoReadingError


def verb_both(first: PointVerb, second: PointVerb, adverbial: Adverbial) -> Verb:
    """What ``began and ended`` and an adverbial state."""
    if first[0] == second[0]:
        raise NoReadingError
    if adverbial.kind in ("inside", "between", "between points"):
        return verb_when(HAPPENED, adverbial)
    return joined(verb_when(verb, adverbial) for verb in (first, second))


def _goes_on(targets: Targets) -> Verb:
    """Each of some points is between the start and the end of the subject."""
    places, extras, _, _ = targets
    groups = tuple((((SUBJECT, "-"), "<", spot), ((SUBJECT, "+"), ">", spot)) for spot in places)
    return Verb(groups=groups, extras=extras)
