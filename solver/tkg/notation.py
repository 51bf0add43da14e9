"""Parses the notation of patterns: ``1 -1-> 2, 2 -2-> 3 => 1 -3-> 3``.

A triple is ``head -relation-> tail`` with whole numbers from 1; commas separate the antecedents
and ``=>`` precedes the consequence. Blanks are allowed between tokens.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from solver.tkg.pattern import LARGEST, Pattern, PatternError, Triple

_TOKEN = re.compile(r"\s*(?:(?P<number>[0-9]+)|(?P<sign>->|=>|-|,)|(?P<other>\S)|(?P<end>$))")
_HINT = "such as: 1 -1-> 2, 2 -2-> 3 => 1 -3-> 3"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Token:
    """A number or a sign; ``text`` is empty at the end. ``column`` counts from 1."""

    text: str
    column: int

    @property
    def shown(self) -> str:
        return repr(self.text) if self.text else "the end"


def read(text: str, *, where: str = "", column: int = 1) -> Pattern:
    """Parse a pattern.

    Args:
        text: a single line.
        where: location prefix for errors, ``file:line``.
        column: column of that line where the text begins.

    Raises:
        PatternError: the text is invalid, located as ``where:column`` or ``column N``.
    """
    return _PatternParser(text, where, column).pattern()


class _PatternParser:
    """Recursive-descent parser over the tokens of one text."""

    def __init__(self, text: str, where: str, column: int) -> None:
        self._tokens = [
            _Token(text=found[found.lastgroup or "end"], column=column + found.end() - length)
            for found in _TOKEN.finditer(text)
            if (length := len(found[found.lastgroup or "end"])) or found.lastgroup == "end"
        ]
        self._where = where
        self._at = 0

    def pattern(self) -> Pattern:
        antecedents = [self._triple()]
        while self._next.text == ",":
            self._at += 1
            antecedents.append(self._triple())
        self._sign("=>", "',' or '=>'")
        consequence = self._triple()
        if self._next.text:
            raise self._unexpected("the end")
        return Pattern(antecedents=tuple(antecedents), consequence=consequence)

    def _triple(self) -> Triple:
        head = self._number("an entity")
        self._sign("-")
        relation = self._number("a relation")
        self._sign("->")
        return Triple(head=head, relation=relation, tail=self._number("an entity"))

    def _number(self, kind: str) -> int:
        text = self._next.text
        short = text.isascii() and text.isdecimal() and len(text.lstrip("0")) <= len(str(LARGEST))
        if not short or not 1 <= int(text) <= LARGEST:
            raise self._unexpected(f"{kind}, a whole number from 1 to {LARGEST:,}")
        self._at += 1
        return int(text)

    def _sign(self, sign: str, expected: str = "") -> None:
        if self._next.text != sign:
            raise self._unexpected(expected or repr(sign))
        self._at += 1

    @property
    def _next(self) -> _Token:
        return self._tokens[self._at]

    def _unexpected(self, expected: str) -> PatternError:
        found = self._next
        where = f"{self._where}:{found.column}" if self._where else f"column {found.column}"
        message = f"found {found.shown[:40]}, expected {expected}"
        return PatternError(message, where=where, hint=_HINT)
