"""Rewrites premises about events as the sentences about points that the grammar reads.

``Breakfast happened before Lunch`` becomes ``The end of Breakfast happened before the start of
Lunch``. Sentences are read by ``events.lark``: a sentence is one statement, or several joined by
*and*; a statement has one phrase:

- two events: ``X happened before Y``, Allen's thirteen relations, ``X overlapped with Y``;
- two boundaries: ``X ended before Y began``;
- two points: ``the end of X was before the start of Y``, and every phrase of a premise.

A text that can be divided in more than one way, as by an *and* in a name, is refused; a comma
before an *and* decides. So is the claims' *happens before*: it includes meeting, which no order
of points says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from grammar.errors import ParseError
from grammar.eventhop.events import statements
from grammar.eventhop.model import Domain, Item
from grammar.eventhop.reader import Reader
from grammar.names import ABBREVIATION

FORMATS = (
    '"The end of X happened before the start of Y", "X happened before Y", '
    '"X ended before Y began" or "X overlapped with Y"'
)

_WORDS = {"<": "happened before", ">": "happened after", "=": "happened simultaneous to"}
_BOUNDS = {"-": "start", "+": "end"}
_POINT_INSIDE = re.compile(r"(?:^|\s)(?:start|end) of ", re.IGNORECASE)
_STOP = re.compile(r"(?<!\w)(\w*)\.\s{1,20}")


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
    found = []
    for sentence in _sentences(body):
        read = statements(sentence)
        if read is None:
            return None
        found.append(read)
    inside = {
        name for some in found for n, (a, _, b) in enumerate(some) for name in (a, b)[not n :]
    }
    parts = []
    for some in found:
        for number, (left, relations, right) in enumerate(some):
            lower = left[:1].lower() + left[1:]
            # A sentence begins with a capital.
            subject = lower if not number and left not in inside and lower in inside else left
            parts += [_sentence(part, {"A": subject, "B": right}) for part in relations.split(", ")]
    return ". ".join(parts)


def _sentence(relation: str, names: dict[str, str]) -> str:
    left, sign, right = relation.split()
    first, second = (f"{_BOUNDS[name[1]]} of {names[name[0]]}" for name in (left, right))
    return f"The {first} {_WORDS[sign]} the {second}"


def _sentences(body: str) -> Iterator[str]:
    begin = 0
    for stop in _STOP.finditer(body):
        initial = len(stop[1]) == 1 and stop[1].isupper()
        if not initial and not ABBREVIATION.fullmatch(stop[1]):
            yield body[begin : stop.start(0) + len(stop[1])]
            begin = stop.end()
    yield body[begin:]
