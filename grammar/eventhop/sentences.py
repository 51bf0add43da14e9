"""Reads sentences about events, by ``sentences.lark``: ``Before Lunch began, Breakfast had ended``.

All readings of a sentence are found; one with several, or with none, is refused, as is a sentence
with a word that belongs neither to a phrase nor to a plain name (``words.py``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grammar.errors import FaultError
from grammar.eventhop.model import Bound, Domain, Order, Point, Relation, SpatialReading
from grammar.eventhop.words import (
    ENDS,
    IT,
    SIGNS,
    STARTS,
    Names,
    Phrases,
    phrases,
    table,
    tokens,
    unread,
)
from grammar.names import ABBREVIATION

if TYPE_CHECKING:
    from lark import Tree

    from grammar.earley import TokenParser
    from grammar.eventhop.verbs import Place, Stated

MOST = 2_000
"""Maximum number of characters of a sentence."""

MOST_WORDS = 200
"""Maximum number of names and phrases of a sentence."""

MOST_TEXT = 20_000
"""Maximum number of characters of a premise; others are read in the published wording alone."""

_PLAIN = str.maketrans({"’": "'", "ʼ": "'", "\n": " ", "\t": " ", "\r": " ", "\xa0": " "})
_BLANK = re.compile(r"(?<![.;!\s])(?:\s\s|[^\S ])")
"""Blanks other than one space, but at the end of a sentence."""
_STOP = re.compile(r"(?:(?<!\w)(\w*))?([.;!])\s+")
_ORDERS = {
    "<": Order.BEFORE,
    ">": Order.AFTER,
    "=": Order.SIMULTANEOUS,
    "<=": Order.NOT_AFTER,
    ">=": Order.NOT_BEFORE,
}


@cache
def _parser() -> TokenParser:
    from grammar.earley import TokenParser

    return TokenParser(Path(__file__).with_name("sentences.lark").read_text("utf-8"), "sentence")


@lru_cache(1 << 13)
def _parsed(types: tuple[str, ...]) -> Tree[Any] | int:
    """The parses of a sentence by the types of its tokens, or the first token that does not fit.

    Sentences that differ in names and in phrases of one category alone are parsed once.
    """
    return _parser().parse(types)


_LATER = re.compile(
    r"[.;](\s+)([Tt]hen|[Aa]fterwards?|[Ll]ater|[Ss]ubsequently|[Tt]hereafter|[Aa]fter that)"
    r"(?=,?\s)"
)
"""The start of a sentence about what comes after the one before it, of which it is a part."""
_AFTERWARDS = re.compile(
    r";(\s+)(?=[^.;!?]*\s(?:afterwards?|after that|later|thereafter|subsequently)(?:[.;!]|$))"
)
"""The same for what "began afterwards"."""


def split(text: str) -> Iterator[tuple[str, int]]:
    """The sentences of a text, and where each begins."""
    text = _LATER.sub(lambda found: f",{found[1]}{found[2].lower()}", text)
    text = _AFTERWARDS.sub(r",\1", text)
    begin = 0
    quotes = [part.span() for part in re.finditer(r'"[^"]*"|“[^”]*”', text)]
    for stop in _STOP.finditer(text):
        word = stop[1] or ""
        # A single letter may be a whole name, and is no initial here.
        short = stop[2] == "." and ABBREVIATION.fullmatch(word) is not None
        if short or any(first < stop.start(2) < last for first, last in quotes):
            continue
        yield text[begin : stop.start(2)], begin
        begin = stop.end()
    yield text[begin:], begin


def read(
    body: str,
    domain: Domain,
    spatial: SpatialReading,
    reads: Callable[..., Any] | None = None,
) -> tuple[tuple[Relation, ...], Names]:
    """The relations of a premise, and its names.

    Args:
        body: the premise, without blanks around it.
        domain: its domain.
        spatial: which edge of a place is its start.
        reads: reads a sentence instead of ``sentence_parts``, or ``comparison`` between symbols.

    Raises:
        FaultError: a sentence has no reading, or several.
    """
    blank = _BLANK.search(body)
    if blank is not None:
        raise FaultError(unread(body, blank.start()))
    if len(body) > MOST_TEXT:
        raise FaultError(unread(body, 0))
    if domain is Domain.LOGICAL:
        return _symbols(body, reads or comparison)
    words, names = phrases(domain, spatial), Names()
    parts: list[tuple[Stated, ...]] = []
    for sentence, begin in split(without_stop(body)):
        try:
            parts += (reads or sentence_parts)(sentence, words, names)
        except FaultError as error:
            raise FaultError(replace(error.fault, position=error.fault.position + begin)) from None
    stated = [row for part in _with_antecedents(parts, body) for row in part]
    lower = {
        name: name[:1].lower() + name[1:]
        for name in names.first - names.inner
        if name[:1].lower() + name[1:] in names.inner
    }
    return tuple(_relation(row, lower) for row in stated), names


def stopless(text: str) -> list[str]:
    """The sentences of a text without their stops."""
    return [sentence for sentence, _ in split(without_stop(text))]


def without_stop(text: str) -> str:
    """A text with plain blanks and apostrophes, without the stop of its last sentence."""
    text = text.translate(_PLAIN).rstrip()
    return text[:-1] if text.endswith((".", "!")) else text


SIDE = re.compile(r"[^\s<>=≤≥.,;:!?()\[\]{}\"]{1,200}")
_COMPARED = re.compile(r" ?(<=|>=|==|[<>=≤≥]) ?| ([a-z_]+(?: [a-z]+)*) ")
_PARTS = re.compile(r",? and |, | & |; |\.\s+")


def _symbols(
    body: str, reads: Callable[[str, Names], Iterable[Stated]]
) -> tuple[tuple[Relation, ...], Names]:
    """The relations of comparisons: ``gate2 = hill1 < hill2``, ``gate.end < hill.start``."""
    names = Names()
    stated: list[Stated] = []
    for part in comparisons(body):
        try:
            stated += reads(part, names)
        except FaultError as error:
            place = max(body.find(part), 0) + error.fault.position
            raise FaultError(replace(error.fault, position=place)) from None
    names.inner |= {event for row in stated for event, _ in (row[0], row[2])}
    return tuple(_relation(row, {}) for row in stated), names


def comparisons(body: str) -> list[str]:
    """The comparisons of a text between symbols."""
    return _PARTS.split(infixed(body.strip().removesuffix(".")))


_CALLED_POINT = re.compile(r"\b(start|begin|end|finish)\(([^\s()]+)\)")
_CALLED = re.compile(r"\b([a-z_]+)\(([^\s(),]+), ?([^\s(),]+)\)")


def infixed(text: str) -> str:
    """Comparisons without brackets: ``start(a) < end(b)``, ``before(a, b)``."""
    if "(" not in text:
        return text
    return _CALLED.sub(r"\2 \1 \3", _CALLED_POINT.sub(r"\2.\1", text))


def comparison(part: str, _names: Names) -> tuple[Stated, ...]:
    """The relations of a comparison.

    Raises:
        FaultError: it has no meaning.
    """
    words = _symbol_words()
    stated: list[Stated] = []
    pieces = _COMPARED.split(part)
    sides = pieces[::3]
    signs = [sign or word for sign, word in zip(pieces[1::3], pieces[2::3], strict=True)]
    if not signs:
        raise FaultError(unread(part, 0))
    for (left, right), sign in zip(pairwise(sides), signs, strict=True):
        stated += _compared(left, words.get(sign, (sign,)), right, part)
    return tuple(stated)


def _compared(left: str, words: Iterable[str], right: str, body: str) -> tuple[Stated, ...]:
    from grammar.eventhop.verbs import filled, stated_by

    first, second = _symbol_point(left), _symbol_point(right)
    for word in words:
        if word in SIGNS and first is not None and second is not None:
            return ((first, SIGNS[word], second),)
        if word[:2] in ("A-", "A+", "B-") and all(SIDE.fullmatch(side) for side in (left, right)):
            return tuple(filled(row, (left, ""), (right, "")) for row in stated_by(word))
    raise FaultError(unread(body, max(body.find(left), 0)))


def _symbol_point(side: str) -> Place | None:
    for ends, bound in (((*STARTS, "1"), "-"), ((*ENDS, "2"), "+")):
        for end in ends:
            if side.endswith(end) and SIDE.fullmatch(side.removesuffix(end)):
                return side.removesuffix(end), bound
    return None


@cache
def _symbol_words() -> Mapping[str, tuple[str, ...]]:
    """The sign between points, and the meaning between events, of words between two symbols."""
    rows = table()["logical"]
    found: dict[str, tuple[str, ...]] = {}
    for meanings in (rows["signs"], rows["relations"]):
        for meaning, texts in meanings.items():
            for text in texts:
                found[text] = (*found.get(text, ()), meaning)
    return found


def sentence_parts(sentence: str, words: Phrases, names: Names) -> tuple[tuple[Stated, ...], ...]:
    """The relations of each conjunct of a sentence; its names are added to ``names``.

    Raises:
        FaultError: it has no reading, or several.
    """
    from grammar.eventhop.meanings import Meanings, readings

    if len(sentence) > MOST or "?" in sentence:
        raise FaultError(unread(sentence, max(sentence.find("?"), 0)))
    found = tokens(sentence, words, names)
    if len(found) > MOST_WORDS:
        raise FaultError(unread(sentence, found[MOST_WORDS].start_pos or 0))
    tree = _parsed(tuple(token.type for token in found))
    if isinstance(tree, int):
        raise FaultError(unread(sentence, found[tree].start_pos or 0))
    every = readings(tree, Meanings(words), found)
    if len(every) != 1:
        raise FaultError(
            replace(
                unread(sentence, 0),
                hint="the sentence has two meanings" if every else "",
            )
        )
    return tuple(every[0])


def _with_antecedents(
    parts: Iterable[tuple[Stated, ...]], body: str
) -> Iterator[tuple[Stated, ...]]:
    """The parts of a text, each pronoun replaced by the only event that it can stand for."""
    known: dict[str, None] = {}
    for part in parts:
        named = dict.fromkeys(event for left, _, right in part for event, _ in (left, right))
        if IT in named:
            choices = [event for event in known if event not in named] or _objects(part, named)
            if len(choices) != 1:
                place = max(body.lower().find("it "), 0)
                fault = unread(body, place)
                raise FaultError(replace(fault, hint="the pronoun has not one antecedent"))
            part = tuple(
                (_named(left, choices[0]), sign, _named(right, choices[0]))
                for left, sign, right in part
            )
        known |= dict.fromkeys(name for name in named if name != IT)
        yield part


def _objects(part: Iterable[Stated], named: Iterable[str]) -> list[str]:
    """The events that a pronoun in their own sentence may stand for: none compared with it."""
    compared = {
        event
        for left, _, right in part
        if IT in (left[0], right[0])
        for event in (left[0], right[0])
    }
    return [event for event in named if event not in compared]


def _named(place: Place, antecedent: str) -> Place:
    return (antecedent, place[1]) if place[0] == IT else place


def _relation(stated: Stated, lower: Mapping[str, str]) -> Relation:
    def point(place: Place) -> Point:
        event, bound = place
        return Point(
            event=lower.get(event, event), bound=Bound.START if bound == "-" else Bound.END
        )

    left, sign, right = stated
    return Relation(left=point(left), order=_ORDERS[sign], right=point(right))
