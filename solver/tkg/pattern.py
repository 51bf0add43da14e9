"""A pattern over placeholders: what happened before lets one expect what happens next.

Source: synthetic temporal knowledge graphs, section 4, Appendix B; see ``docs/patterns.md``. What
is true of a pattern is asked of ``encodings/patterns`` by ``solver.tkg.patterns``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from solver.errors import HopcheckError

MOST_HOPS = 3
"""Antecedents of the longest patterns that the validity rules speak of."""

LARGEST = 999_999_999
"""The largest number of a placeholder: clingo counts to 2**31 - 1."""


class PatternError(HopcheckError):
    """A text that is no pattern, or a number that no pattern, flag or lag can have."""

    code = "pattern"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Triple:
    """An entity, a relation, an entity: placeholders, numbered from 1."""

    head: int
    relation: int
    tail: int

    def __post_init__(self) -> None:
        for name in (self.head, self.relation, self.tail):
            if not 1 <= name <= LARGEST:
                raise PatternError(f"found placeholder {name}, expected 1 to {LARGEST:,}")

    def __str__(self) -> str:
        """Read as ``1 -2-> 3``."""
        return f"{self.head} -{self.relation}-> {self.tail}"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Lag:
    """How many time steps pass from one step of a pattern to the next; both ends included."""

    low: int
    high: int

    def __post_init__(self) -> None:
        if not 0 <= self.low <= self.high:
            raise PatternError(
                f"found lag [{self.low}, {self.high}], expected 0 <= low <= high",
                hint="a lag counts time steps forwards",
            )

    def __str__(self) -> str:
        """Read as ``[1, 3]``."""
        return f"[{self.low}, {self.high}]"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Pattern:
    """Antecedents in order of time, and the consequence that follows them.

    The canonical form numbers entities and relations 1, 2, ... in order of first appearance.
    Patterns are ordered as the tuples of their antecedents are, then by their consequence.
    """

    antecedents: tuple[Triple, ...]
    consequence: Triple

    def __post_init__(self) -> None:
        if not self.antecedents:
            raise PatternError("found no antecedent, expected at least one")

    @property
    def hops(self) -> int:
        """The number of antecedents."""
        return len(self.antecedents)

    @property
    def steps(self) -> tuple[Triple, ...]:
        """The antecedents and then the consequence."""
        return (*self.antecedents, self.consequence)

    def __str__(self) -> str:
        """Read as ``1 -1-> 2, 2 -2-> 3 => 1 -3-> 3``; ``solver.tkg.notation.read`` reads it."""
        return f"{', '.join(map(str, self.antecedents))} => {self.consequence}"


class Flag(StrEnum):
    """What may be asked of a pattern beyond what holds of all."""

    UNIQUE = "unique"
    NO_SELF = "no-self"
    NO_NEW_RELATION = "no-new-relation"
    SEQUENTIAL = "sequential"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class PatternFlags:
    """The four flags of Algorithms 8-10.

    Attributes:
        unique: no triple occurs twice.
        prohibit_self: no triple leads from an entity to itself.
        prohibit_new_relation: an antecedent has the consequence's relation.
        sequential: all steps, as edges, form one simple cycle in their order (Algorithm 11).
    """

    unique: bool = False
    prohibit_self: bool = False
    prohibit_new_relation: bool = False
    sequential: bool = False

    @classmethod
    def of(cls, flags: frozenset[Flag]) -> PatternFlags:
        """From the flags that are set."""
        return cls(
            unique=Flag.UNIQUE in flags,
            prohibit_self=Flag.NO_SELF in flags,
            prohibit_new_relation=Flag.NO_NEW_RELATION in flags,
            sequential=Flag.SEQUENTIAL in flags,
        )

    @classmethod
    def read(cls, text: str) -> PatternFlags:
        """From four digits (``1100``), names joined by commas, ``none`` or ``all``.

        Raises:
            PatternError: it is none of these.
        """
        if len(text) == len(Flag) and set(text) <= set("01"):
            chosen = {f for f, digit in zip(Flag, text, strict=True) if digit == "1"}
            return cls.of(frozenset(chosen))
        if text in ("none", "all"):
            return cls.of(frozenset(Flag if text == "all" else ()))
        names = [name.strip() for name in text.split(",")]
        for name in names:
            if name not in set(Flag):
                expected = f"some of {', '.join(Flag)}, none, all, or four digits such as 1100"
                raise PatternError(f"found flag {name!r}, expected {expected}")
        return cls.of(frozenset(map(Flag, names)))

    @property
    def values(self) -> tuple[bool, ...]:
        """The four values in the order of ``Flag``."""
        return (
            self.unique, self.prohibit_self, self.prohibit_new_relation, self.sequential
        )  # fmt: skip

    @property
    def code(self) -> str:
        """Four digits, in the order of ``Flag``: ``1100``."""
        return "".join("1" if value else "0" for value in self.values)

    @property
    def names(self) -> tuple[Flag, ...]:
        """The flags that are set."""
        return tuple(flag for flag, value in zip(Flag, self.values, strict=True) if value)

    def __str__(self) -> str:
        """Read as ``unique,no-self``, or ``none``."""
        return ",".join(self.names) or "none"


class CycleReading(StrEnum):
    """Algorithm 10, line 22: when the first two antecedents lie apart.

    ``literal``: unless both ends of the second are ends of the first, as printed.
    ``fixed``: if they share no entity.
    """

    LITERAL = "literal"
    FIXED = "fixed"
