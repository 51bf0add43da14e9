"""Rewrites premises about events as the sentences about points that the grammar reads.

``Breakfast happened before Lunch`` becomes ``The end of Breakfast happened before the start of
Lunch``. A sentence is one statement, or several joined by *and*; a statement has one phrase:

- two events: ``X happened before Y``, Allen's thirteen relations, ``X overlapped with Y``;
- two boundaries: ``X ended before Y began``;
- two points: ``the end of X was before the start of Y``, and every phrase of the grammar.

A text that can be divided in more than one way, as by an *and* in a name, is refused; a comma
before an *and* decides. So is the claims' *happens before*: it includes meeting, which no order
of points says.
Source: Allen (1983) for the relations; the meaning of each is that of a claim of the same name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from grammar.errors import ParseError
from grammar.eventhop.lexicon import lexicon
from grammar.eventhop.model import Domain, Item, Order
from grammar.eventhop.names import NAME_LIMIT
from grammar.eventhop.reader import Reader
from grammar.names import ABBREVIATION

EVENTS = {
    "happened before": "A+ < B-",
    "happened entirely before": "A+ < B-",
    "happened strictly before": "A+ < B-",
    "happens strictly before": "A+ < B-",
    "took place before": "A+ < B-",
    "occurred before": "A+ < B-",
    "was before": "A+ < B-",
    "came before": "A+ < B-",
    "preceded": "A+ < B-",
    "happened after": "A- > B+",
    "happened entirely after": "A- > B+",
    "happened strictly after": "A- > B+",
    "happens strictly after": "A- > B+",
    "took place after": "A- > B+",
    "occurred after": "A- > B+",
    "was after": "A- > B+",
    "came after": "A- > B+",
    "happened directly before": "A+ = B-",
    "happens directly before": "A+ = B-",
    "met": "A+ = B-",
    "happened directly after": "A- = B+",
    "happens directly after": "A- = B+",
    "was met by": "A- = B+",
    "overlapped with": "A- < B+, B- < A+",
    "overlaps with": "A- < B+, B- < A+",
    "overlapped the beginning of": "A- < B-, B- < A+, A+ < B+",
    "overlaps the beginning of": "A- < B-, B- < A+, A+ < B+",
    "overlapped the ending of": "B- < A-, A- < B+, B+ < A+",
    "overlaps the ending of": "B- < A-, A- < B+, B+ < A+",
    "ended with but started before": "A- < B-, A+ = B+",
    "ends with but starts before": "A- < B-, A+ = B+",
    "ended with but started after": "A- > B-, A+ = B+",
    "ends with but starts after": "A- > B-, A+ = B+",
    "started with but ended before": "A- = B-, A+ < B+",
    "starts with but ends before": "A- = B-, A+ < B+",
    "started with but ended after": "A- = B-, A+ > B+",
    "starts with but ends after": "A- = B-, A+ > B+",
    "started and ended with": "A- = B-, A+ = B+",
    "starts and ends with": "A- = B-, A+ = B+",
    "happened at the same time as": "A- = B-, A+ = B+",
    "happened strictly around": "A- < B-, B+ < A+",
    "happens strictly around": "A- < B-, B+ < A+",
    "contained": "A- < B-, B+ < A+",
    "happened strictly within": "B- < A-, A+ < B+",
    "happens strictly within": "B- < A-, A+ < B+",
    "happened during": "B- < A-, A+ < B+",
    "was during": "B- < A-, A+ < B+",
}
"""What each phrase between two events A and B says of their starts (-) and ends (+)."""

VERBS = {"began": "-", "started": "-", "ended": "+", "finished": "+"}
WHEN = {
    "before": "<",
    "after": ">",
    "when": "=",
    "as": "=",
    "at the same time as": "=",
    "at the same time that": "=",
}
POINTS = {"was before": "<", "was after": ">", "was at the same time as": "=", "was at": "="}
"""Phrases between two points, besides those of the grammar."""

FORMATS = (
    '"The end of X happened before the start of Y", "X happened before Y", '
    '"X ended before Y began" or "X overlapped with Y"'
)

_WORDS = {"<": "happened before", ">": "happened after", "=": "happened simultaneous to"}
_SIGNS = {Order.BEFORE: "<", Order.AFTER: ">", Order.SIMULTANEOUS: "="}
_BOUNDS = {"-": "start", "+": "end"}
_POINT = re.compile(r"(?:the )?(start|end) of (.+)", re.IGNORECASE)
_POINT_INSIDE = re.compile(r"(?:^|\s)(?:start|end) of ", re.IGNORECASE)
_STOP = re.compile(r"(?<!\w)(\w*)\.\s{1,20}")
_AND = re.compile(r"(?<!,)(?= and \S)|,(?= and \S)")
_JOIN = len(" and ")
_MOST_CUTS = 20
_MOST_DIVISIONS = 100


def read(reader: Reader, item_id: str, premise: str, claim: str) -> tuple[Item, str]:
    """Parse an item whose premise may be about events; gives its premise about points, too.

    Raises:
        ParseError: as ``Reader.read``; its hint names what is read if the premise names no point.
    """
    try:
        return reader.read(item_id, premise, claim), premise
    except ParseError as error:
        if reader.domain is not Domain.TEMPORAL or error.part != "premise":
            raise
        points = as_points(premise)
        if points is None:
            if not error.hint and not _POINT_INSIDE.search(premise):
                error.hint = f"sentences that are read: {FORMATS}"
            raise
    return reader.read(item_id, points, claim), points


def as_points(premise: str) -> str | None:
    """The sentences about points; None if the premise is not understood, or in two ways."""
    body = " ".join(premise.split()).removesuffix(".")
    read = [_statements(sentence) for sentence in _sentences(body)]
    if not read or None in read:
        return None
    found = [statements for statements in read if statements]
    inside = {
        name for some in found for n, (a, _, b) in enumerate(some) for name in (a, b)[not n :]
    }
    parts = []
    for some in found:
        for number, (left, relations, right) in enumerate(some):
            lower = left[:1].lower() + left[1:]
            # A sentence begins with a capital.
            subject = lower if not number and left not in inside and lower in inside else left
            parts += [_sentence(one, {"A": subject, "B": right}) for one in relations.split(", ")]
    return ". ".join(parts)


def _sentence(relation: str, names: dict[str, str]) -> str:
    left, sign, right = relation.split()
    first, second = (f"{_BOUNDS[one[1]]} of {names[one[0]]}" for one in (left, right))
    return f"The {first} {_WORDS[sign]} the {second}"


def _sentences(body: str) -> Iterator[str]:
    begin = 0
    for stop in _STOP.finditer(body):
        initial = len(stop[1]) == 1 and stop[1].isupper()
        if not initial and not ABBREVIATION.fullmatch(stop[1]):
            yield body[begin : stop.start(0) + len(stop[1])]
            begin = stop.end()
    yield body[begin:]


_Statement = tuple[str, str, str]
"""Name of A, relations of their points, name of B."""


def _statements(sentence: str) -> list[_Statement] | None:
    """The statements of a sentence; None if there is not exactly one way to divide it."""
    phrases = list(_phrases().finditer(sentence))
    gaps = [_cuts(sentence, one.end(), other.start()) for one, other in pairwise(phrases)]
    if any(len(cuts) > _MOST_CUTS for cuts in gaps):
        return None
    ways: list[tuple[int, list[_Statement]]] = [(0, [])]
    for number, phrase in enumerate(phrases):
        last = number == len(phrases) - 1
        ends = [(len(sentence), 0)] if last else gaps[number]
        ways = [
            (begin, [*read, statement])
            for start, read in ways
            for end, begin in ends
            if (statement := _statement(sentence[start : phrase.start()], phrase[1],
                                        sentence[phrase.end() + 1 : end]))
        ]  # fmt: skip
        if len(ways) > _MOST_DIVISIONS:
            return None
    return ways[0][1] if phrases and len(ways) == 1 else None


def _cuts(sentence: str, begin: int, end: int) -> list[tuple[int, int]]:
    """Where the statements before and after an *and* end and begin."""
    found = list(_AND.finditer(sentence, begin, end))
    commas = [cut for cut in found if cut[0]]
    return [(cut.start(), cut.end() + _JOIN) for cut in commas or found]


def _statement(left: str, phrase: str, right: str) -> _Statement | None:
    """Two names and their relations; None if these are no two points, events or verbs."""
    verb, _, when = phrase.partition(" ")
    if verb in VERBS and when in WHEN:
        right, _, second = right.rpartition(" ")
        if second not in VERBS:
            return None
        return _named(left, f"A{VERBS[verb]} {WHEN[when]} B{VERBS[second]}", right)
    first, other = _POINT.fullmatch(left), _POINT.fullmatch(right)
    if first and other and phrase in _orders():
        signs = ["-+"[point[1].lower() == "end"] for point in (first, other)]
        return _named(first[2], f"A{signs[0]} {_orders()[phrase]} B{signs[1]}", other[2])
    return _named(left, EVENTS[phrase], right) if phrase in EVENTS else None


def _named(left: str, relations: str, right: str) -> _Statement | None:
    names = [re.sub("^[Tt]he ", "", name) for name in (left, right)]
    plain = all(
        0 < len(name) <= NAME_LIMIT and name == name.strip(" ,") and not _POINT_INSIDE.search(name)
        for name in names
    )
    return (names[0], relations, names[1]) if plain else None


@cache
def _orders() -> dict[str, str]:
    """The sign of each phrase between two points."""
    words = lexicon(Domain.TEMPORAL)
    return POINTS | {
        phrase.removesuffix(" the"): sign
        for order, sign in _SIGNS.items()
        for phrase in words.phrases(order)
        if "…" not in phrase
    }


@cache
def _phrases() -> re.Pattern[str]:
    """All phrases between blanks, the longest first."""
    verbs = [f"{verb} {when}" for verb in VERBS for when in WHEN]
    every = sorted({*EVENTS, *verbs, *_orders()}, key=lambda phrase: (-len(phrase), phrase))
    return re.compile(f" ({'|'.join(map(re.escape, every))})(?= )")
