"""Reads plain texts of the prose domains without the parser, in a fifth of the time.

A text is plain if a full stop and a space separate its sentences, and its names contain no full
stops, repeated spaces or marks of points. Every other text, and so every faulty one, is left to the
grammar. What is read here, the grammar reads in the same way, which is tested: test_plain.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import TypeVar

from grammar.eventhop.lexicon import ARTICLE, CLAIMS, ORDERS, Lexicon
from grammar.eventhop.model import AllenRelation, Bound, ClaimRelation, Order, Point, Relation
from grammar.eventhop.names import NAME_LIMIT

HALVES_KEPT = 8_192
"""Maximum number of cached halves of sentences, of each kind."""

_STOP = ". "
# Spaces within a name are single, so that cutting it at a phrase leaves none at its ends.
_NAME = re.compile(r"[^\s.]+(?: [^\s.]+)*")
_ARTICLE = "the "
# After "The " or within the mark that opens a sentence, wherever that begins.
_AFTER_OPENING = 4

Half = TypeVar("Half")


@dataclass(frozen=True, slots=True, kw_only=True)
class EventClaim:
    """A parsed claim about two events, with the position of its second name."""

    left: str
    relation: ClaimRelation | AllenRelation
    right: str
    position: int


class PlainProse:
    """Reads the plain texts of a prose domain.

    Args:
        lexicon: the domain's words.
        bounds: the bound of each terminal for points.
    """

    def __init__(self, lexicon: Lexicon, bounds: Mapping[str, Bound]) -> None:
        words = lexicon.literals
        self._marks = {words[f"{name}_MARK"][0]: bound for name, bound in bounds.items()}
        self._first, self._second = (f" {mark}" for mark in self._marks)
        opening = "|".join(f"[{m[0]}{m[0].upper()}]{re.escape(m[1:])}" for m in self._marks)
        self._opening = re.compile(f"(?:[Tt]he )?({opening})")
        self._orders = dict(_orders(words))
        # The earliest phrase that extends to the end of the half.
        self._phrase = re.compile(f"(.*?) ({_any(self._orders)})(?:{ARTICLE})?")
        self._relations = {text: claim for name, claim in CLAIMS.items() for text in words[name]}
        self._claimed = re.compile(f" ({_any(self._relations)}) ")
        self._lefts: dict[str, tuple[Point, Order, str]] = {}
        self._rights: dict[str, Point] = {}

    def premise(self, body: str, expected: Sequence[Relation] = ()) -> tuple[Relation, ...] | None:
        """The relations of a premise without spaces around it; None unless it is plain.

        Those that are equal to the expected ones, in the order of the text, are not made again.
        """
        lefts, rights, first, second = self._lefts, self._rights, self._first, self._second
        relations: list[Relation] = []
        known = iter(expected)
        body = body.removesuffix(".")
        begin, size = 0, len(body)
        # Not split at once: most pieces of a hostile text need not even be made.
        while begin <= size:
            end = body.find(_STOP, begin)
            sentence = body[begin:] if end < 0 else body[begin:end]
            begin = size + 1 if end < 0 else end + len(_STOP)
            cut, other = sentence.find(first, _AFTER_OPENING), sentence.find(second, _AFTER_OPENING)
            if cut < 0 or -1 < other < cut:
                cut = other
            if cut < 0:
                return None
            half = sentence[:cut]
            left = lefts.get(half) or self._left(half)
            if left is None:
                return None
            point, order, close = left
            half = sentence[cut + 1 :]
            if close:
                if not half.endswith(close):
                    return None
                half = half.removesuffix(close)
            right = rights.get(half) or self._right(half)
            if right is None:
                return None
            relation = next(known, None)
            if (
                relation is None
                or relation.order is not order
                or relation.left.event != point.event
                or relation.left.bound is not point.bound
                or relation.right.event != right.event
                or relation.right.bound is not right.bound
            ):
                relation = Relation(left=point, order=order, right=right)
            relations.append(relation)
        return tuple(relations)

    def claim(self, body: str) -> EventClaim | None:
        """A claim about events without spaces around it; None unless it is plain."""
        phrase = self._claimed.search(body)
        if phrase is None or self._claimed.search(body, phrase.end() - 1):
            return None
        left = self._name(body[: phrase.start()])
        right = self._name(body[phrase.end() :].removesuffix("."))
        if left is None or right is None:
            return None
        return EventClaim(
            left=left, relation=self._relations[phrase[1]], right=right, position=phrase.end()
        )

    def _left(self, half: str) -> tuple[Point, Order, str] | None:
        """The first point, the order, and the words after the second point."""
        opening = self._opening.match(half)
        phrase = opening and self._phrase.fullmatch(half, opening.end())
        if not opening or not phrase:
            return None
        name = self._name(phrase[1])
        if name is None:
            return None
        point = Point(event=name, bound=self._marks[opening[1].lower()])
        return _kept(self._lefts, half, (point, *self._orders[phrase[2]]))

    def _right(self, half: str) -> Point | None:
        """The second point, whose name contains no further mark."""
        opening = self._opening.match(half)
        if opening is None or self._first in half or self._second in half:
            return None
        name = self._name(half[opening.end() :])
        if name is None:
            return None
        return _kept(self._rights, half, Point(event=name, bound=self._marks[opening[1]]))

    def _name(self, text: str) -> str | None:
        """A name without its article; None if it is not plain."""
        name = text.removeprefix(_ARTICLE)
        plain = len(name) <= NAME_LIMIT and not f"{name} ".startswith(_ARTICLE)
        return name if plain and _NAME.fullmatch(name) else None


def _orders(words: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, tuple[Order, str]]]:
    """Each phrase with its order and the words that it has after the second point."""
    for name, order in ORDERS.items():
        opens = words.get(name, ())
        stem, enclosing, _ = name.partition("_OPEN")
        closes = [f" {close}" for close in words[f"{stem}_CLOSE"]] if enclosing and opens else ()
        for begin, close in zip(opens, closes or repeat(""), strict=False):
            yield begin.removesuffix(ARTICLE), (order, close)


def _kept(cache: dict[str, Half], text: str, half: Half) -> Half:
    if len(cache) >= HALVES_KEPT:
        cache.clear()
    cache[text] = half
    return half


def _any(phrases: Mapping[str, object]) -> str:
    return "|".join(map(re.escape, sorted(phrases, key=len, reverse=True)))
