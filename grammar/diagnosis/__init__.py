"""Why a text does not parse, and where: what a parser's own error leaves open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from grammar.errors import Fault


@dataclass(frozen=True, slots=True, kw_only=True)
class Halt:
    """Where a parser stopped, and the terminals that could have stood there."""

    position: int
    expected: frozenset[str]


class Diagnosis(Protocol):
    """Finds the fault of a text that does not parse."""

    def premise(self, text: str, halt: Halt, /) -> Fault:
        """The fault of a premise."""

    def claim(self, text: str, halt: Halt, /) -> Fault:
        """The fault of a claim."""
