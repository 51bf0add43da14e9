"""Patterns: temporal implications over placeholders, from antecedents to a consequence.

Source: synthetic temporal knowledge graphs, section 4, Appendix B; see ``docs/patterns.md``.
``solver.tkg.patterns`` decides their properties with ``encodings/patterns``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from solver.errors import HopcheckError

MOST_HOPS = 3
"""Maximum number of antecedents covered by the validity rules."""

LARGEST = 999_999_999
"""The largest placeholder; clingo's integers end at 2**31 - 1."""


class PatternError(HopcheckError):
    """An invalid pattern, flag or lag."""

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
        """Format as ``1 -2-> 3``."""
        return f"{self.head} -{self.relation}-> {self.tail}"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Lag:
    """Interval of time steps from one step of a pattern to the next; both ends included."""

    low: int
    high: int

    def __post_init__(self) -> None:
        if not 0 <= self.low <= self.high:
            raise PatternError(
                f"found lag [{self.low}, {self.high}], expected 0 <= low <= high",
                hint="a lag counts time steps forwards",
            )

    def __str__(self) -> str:
        """Format as ``[1, 3]``."""
        return f"[{self.low}, {self.high}]"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Pattern:
    """Antecedents in chronological order, and their consequence.

    The canonical form numbers entities and relations 1, 2, ... in order of first appearance.
    Patterns are ordered by the tuple of antecedents, then by the consequence.
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
        """Format as ``1 -1-> 2, 2 -2-> 3 => 1 -3-> 3``; ``solver.tkg.notation.read`` parses it."""
        return f"{', '.join(map(str, self.antecedents))} => {self.consequence}"


class Flag(StrEnum):
    """Optional validity constraints."""

    UNIQUE = "unique"
    NO_SELF = "no-self"
    NO_NEW_RELATION = "no-new-relation"
    SEQUENTIAL = "sequential"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class PatternFlags:
    """The four flags of Algorithms 8-10.

    Attributes:
        unique: no duplicate triples.
        prohibit_self: no self-loops.
        prohibit_new_relation: the consequence's relation occurs in an antecedent.
        sequential: the steps, as undirected edges, form a simple cycle in order (Algorithm 11).
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
        """Parse four digits (``1100``), comma-separated names, ``none`` or ``all``.

        Raises:
            PatternError: the text is none of these.
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
        """Format as ``unique,no-self``, or ``none``."""
        return ",".join(self.names) or "none"


class CycleReading(StrEnum):
    """Reading of Algorithm 10, line 22: when the first two antecedents are disjoint.

    ``literal``: unless the first contains both entities of the second, as printed.
    ``fixed``: if they share no entity.
    """

    LITERAL = "literal"
    FIXED = "fixed"
