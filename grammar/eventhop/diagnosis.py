"""Explains why and where a text does not parse, in more detail than the parser's own error."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from grammar.errors import Fault, found_at, nearest, quoted
from grammar.eventhop.lexicon import ARTICLE, CLAIMS, GAP, ORDERS, AnyRelation, Boundaries, Lexicon
from grammar.eventhop.model import PUBLISHED_ORDERS, AllenRelation, ClaimRelation, Order
from grammar.eventhop.names import NAME_LIMIT, next_sentence, run_on


@dataclass(frozen=True, slots=True, kw_only=True)
class ParserStop:
    """Where a parser stopped, and the terminals it expected there."""

    position: int
    expected: frozenset[str]


class Diagnosis(Protocol):
    """Finds the fault of a text that does not parse."""

    def premise(self, text: str, stop: ParserStop, /) -> Fault:
        """The fault of a premise."""

    def claim(self, text: str, stop: ParserStop, /) -> Fault:
        """The fault of a claim."""


_SEARCHED = 4 * NAME_LIMIT
"""Number of characters of a sentence that are analysed."""

_NAME = f"a name of at most {NAME_LIMIT} characters on one line"


class ProseDiagnosis:
    """Analyses sentences that do not parse.

    Args:
        lexicon: the words of the domain.
        edges: the boundaries of its grammar.
        points: the terminals for points, the start first.
    """

    def __init__(self, lexicon: Lexicon, edges: Boundaries, points: Collection[str]) -> None:
        self._opening = re.compile(edges.opening)
        self._mark = re.compile(rf"(?:{ARTICLE})? ({edges.mark})")
        self._stop = re.compile(rf"\.\s{{1,20}}(?={edges.opening})")
        self._phrase = re.compile(rf"{edges.phrase}(?= |\Z)")
        self._link = re.compile(edges.link)
        self._close = re.compile(rf"{edges.close}(?=\.?\Z)")
        self._claim_phrase = re.compile(rf"{edges.claim_phrase}(?= |\Z)")
        self._lexicon = lexicon
        marks = [quoted(f"{lexicon.mark(point)}X") for point in points]
        self._point = f"a point such as {' or '.join(marks)}"

    def premise(self, text: str, stop: ParserStop) -> Fault:
        """The first fault in the sentence where the parser stopped, or in a later one."""
        for start, sentence in self._sentences(text, stop.position):
            fault = self._sentence(sentence)
            if fault is not None:
                return replace(fault, position=fault.position + start)
        return _fault(text, stop.position, self._point)

    def claim(self, text: str, _stop: ParserStop) -> Fault:
        """The fault of a claim about events, or about points if it begins like one."""
        text = text[:_SEARCHED]
        # A phrase may be in the place of the first name, and then has no space before it.
        phrase = self._claim_phrase.search(f" {text}")
        if phrase is not None:
            return self._around(text, max(phrase.start() - 1, 0), phrase.end() - 1)
        fault = self._sentence(text) if self._opening.match(text) else None
        return fault or self._no_relation(text, 0, CLAIMS.values(), ClaimRelation.BEFORE)

    def _sentences(self, text: str, position: int) -> Iterator[tuple[int, str]]:
        """Start and text of each sentence, from the one that contains a position."""
        start = 0
        for stop in self._stop.finditer(text):
            if stop.start() >= position:
                yield start, text[start : min(stop.start(), start + _SEARCHED)]
            start = stop.end()
        yield start, text[start : start + _SEARCHED]

    def _sentence(self, text: str) -> Fault | None:
        opening = self._opening.match(text)
        if opening is None:
            return _fault(text, 0, self._point)
        # From the mark's last space, as a phrase may be in the place of the name, to a space after
        # the end, as a mark may be there.
        link = self._link.search(f"{text} ", opening.end() - 1)
        if link is None:
            return self._no_link(text, opening.end())
        if link.start() < opening.end():
            return _fault(text, opening.end(), _NAME)
        return _name_fault(text, opening.end(), link.start()) or self._second_point(text, link)

    def _second_point(self, text: str, link: re.Match[str]) -> Fault | None:
        start, end = min(link.end(), len(text)), len(text)
        if (another := self._link.search(text, start)) is not None:
            stop = next_sentence(text[start : another.start()])
            if stop is not None:
                return run_on(text[start:], stop, start)
            return _fault(text, another.start() + 1, "the end of the sentence")
        for opens, closes in self._enclosing():
            if link[0].startswith(f" {opens.removesuffix(ARTICLE)}"):
                close = self._close.search(text, start)
                if close is None:
                    return _fault(text, end, quoted(closes))
                end = close.start()
        return _name_fault(text, start, end)

    def _enclosing(self) -> Iterator[tuple[str, str]]:
        for order in PUBLISHED_ORDERS:
            for phrase in self._lexicon.phrases(order):
                opens, gap, closes = phrase.partition(f" {GAP} ")
                if gap:
                    yield opens, closes

    def _no_link(self, text: str, start: int) -> Fault:
        phrase = self._phrase.search(text, start - 1)
        if phrase is not None:
            return _fault(text, phrase.end() + 1, self._point)
        mark = self._mark.search(text, start)
        return self._no_relation(
            text, start, PUBLISHED_ORDERS, Order.BEFORE, ends=mark and mark.start()
        )

    def _no_relation(
        self,
        text: str,
        start: int,
        relations: Iterable[AnyRelation],
        example: AnyRelation,
        *,
        ends: int | None = None,
    ) -> Fault:
        phrases = [phrase for relation in relations for phrase in self._lexicon.phrases(relation)]
        near = nearest(text, [_words(phrase) for phrase in phrases], start=start, ends=ends)
        if near is None:
            expected = f"a relation such as {quoted(self._lexicon.phrases(example)[0])}"
            return _fault(text, start, f"a name and {expected}")
        intended = next(phrase for phrase in phrases if _words(phrase) == near.phrase)
        return Fault(
            position=near.start,
            found=quoted(text[near.start : near.end]),
            expected=f"a relation such as {quoted(intended)}",
            hint=f"did you mean {quoted(intended)}?",
        )

    def _around(self, text: str, start: int, end: int) -> Fault:
        """The fault before or after a claim's phrase, which spans start to end."""
        if (another := self._claim_phrase.search(text, end)) is not None:
            return _fault(text, another.start() + 1, "the end of the claim")
        return (
            _name_fault(text, 0, start)
            or _name_fault(text, end + 1, len(text))
            or _fault(text, 0, f"{_NAME} on either side of the relation")
        )


def _words(phrase: str) -> str:
    return phrase.partition(f" {GAP}")[0].removesuffix(ARTICLE)


def _name_fault(text: str, start: int, end: int) -> Fault | None:
    """Why the text between two positions is not a name; None if it is one."""
    name = text[start:end]
    if not name.strip() or name[0].isspace():
        return _fault(text, start, _NAME)
    if name.startswith("the the ") or len(name.removeprefix("the ")) > NAME_LIMIT:
        return _fault(text, start, _NAME)
    if "\n" in name:
        return _fault(text, start + name.index("\n"), _NAME)
    return None


def _fault(text: str, position: int, expected: str) -> Fault:
    return Fault(position=position, found=found_at(text, position), expected=expected)


_LONG_NAME = re.compile(rf"[^\s<>=.]{{{NAME_LIMIT + 2}}}")


class SymbolDiagnosis:
    """Reports which kind of symbol is missing.

    Args:
        lexicon: the words of the domain.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        symbols = [quoted(lexicon.phrases(order)[0]) for order in PUBLISHED_ORDERS]
        word = quoted(lexicon.phrases(AllenRelation.MEETS)[0])
        start, end = (quoted(f"mill{lexicon.mark(point)}") for point in ("START", "END"))
        self._order = f"{', '.join(symbols[:-1])} or {symbols[-1]}"
        self._relation = f"{', '.join(symbols)} or a word such as {word}"
        self._point = f"a point such as {start} or {end}"

    def premise(self, text: str, stop: ParserStop) -> Fault:
        """The fault of a premise: a point, an order or the end of the sentence is expected."""
        if not ORDERS.keys().isdisjoint(stop.expected):
            return _fault_symbols(text, stop.position, self._order)
        if "DOT" in stop.expected:
            return _fault_symbols(text, stop.position, "the end of the sentence")
        return _fault_symbols(text, stop.position, self._point)

    def claim(self, text: str, stop: ParserStop) -> Fault:
        """The fault of a claim: an event, a relation or the end of the claim is expected."""
        if not CLAIMS.keys().isdisjoint(stop.expected):
            return _fault_symbols(text, stop.position, self._relation)
        if "DOT" in stop.expected:
            return _fault_symbols(text, stop.position, "the end of the claim")
        return _fault_symbols(text, stop.position, 'an event such as "mill"')


def _fault_symbols(text: str, position: int, expected: str) -> Fault:
    while position < len(text) and text[position].isspace():
        position += 1
    hint = ""
    if _LONG_NAME.match(text, position):
        hint = f"a name has at most {NAME_LIMIT} characters"
    return Fault(position=position, found=found_at(text, position), expected=expected, hint=hint)
