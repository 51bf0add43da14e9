"""Explains why and where a text does not parse, in more detail than the parser's own error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from grammar.errors import Fault


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
