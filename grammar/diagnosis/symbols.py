"""Faults of the logical domain, where the parser stops exactly at the fault."""

from __future__ import annotations

import re

from grammar.diagnosis import ParserStop
from grammar.errors import Fault, found_at, quoted
from grammar.lexicon import CLAIMS, ORDERS, Lexicon
from grammar.names import NAME_LIMIT
from solver.model import AllenRelation, Order

_LONG_NAME = re.compile(rf"[^\s<>=.]{{{NAME_LIMIT + 2}}}")


class SymbolDiagnosis:
    """Reports which kind of symbol is missing.

    Args:
        lexicon: the words of the domain.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        symbols = [quoted(lexicon.phrases(order)[0]) for order in Order]
        word = quoted(lexicon.phrases(AllenRelation.MEETS)[0])
        start, end = (quoted(f"mill{lexicon.mark(point)}") for point in ("START", "END"))
        self._order = f"{', '.join(symbols[:-1])} or {symbols[-1]}"
        self._relation = f"{', '.join(symbols)} or a word such as {word}"
        self._point = f"a point such as {start} or {end}"

    def premise(self, text: str, stop: ParserStop) -> Fault:
        """The fault of a premise: a point, an order or the end of the sentence is expected."""
        if not ORDERS.keys().isdisjoint(stop.expected):
            return _fault(text, stop.position, self._order)
        if "DOT" in stop.expected:
            return _fault(text, stop.position, "the end of the sentence")
        return _fault(text, stop.position, self._point)

    def claim(self, text: str, stop: ParserStop) -> Fault:
        """The fault of a claim: an event, a relation or the end of the claim is expected."""
        if not CLAIMS.keys().isdisjoint(stop.expected):
            return _fault(text, stop.position, self._relation)
        if "DOT" in stop.expected:
            return _fault(text, stop.position, "the end of the claim")
        return _fault(text, stop.position, 'an event such as "mill"')


def _fault(text: str, position: int, expected: str) -> Fault:
    while position < len(text) and text[position].isspace():
        position += 1
    hint = ""
    if _LONG_NAME.match(text, position):
        hint = f"a name has at most {NAME_LIMIT} characters"
    return Fault(position=position, found=found_at(text, position), expected=expected, hint=hint)
