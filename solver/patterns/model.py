"""Patterns: temporal implications over placeholders, from antecedents to a consequence.

Source: synthetic temporal knowledge graphs, section 4, Appendix B; see ``docs/patterns.md``.
``solver.patterns.engine`` decides their properties with ``encodings/patterns``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from grammar.errors import HopcheckError

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
        """Format as ``1 -1-> 2, 2 -2-> 3 => 1 -3-> 3``; ``read`` parses it."""
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


class Rule(StrEnum):
    """Validity rules, in the order of the algorithms."""

    TOO_MANY_HOPS = "too_many_hops"
    DUPLICATE_TRIPLE = "duplicate_triple"
    SELF_CONNECTION = "self_connection"
    NOT_ADJACENT = "not_adjacent"
    DEGREE_NOT_TWO = "degree_not_two"
    NOT_ONE_PIECE = "not_one_piece"
    EDGES_UNLIKE_ENTITIES = "edges_unlike_entities"
    NEW_ENTITY = "new_entity"
    NEW_RELATION = "new_relation"
    NOT_CONNECTED = "not_connected"


RULE_IN_WORDS = {
    Rule.TOO_MANY_HOPS: "more than three antecedents",
    Rule.DUPLICATE_TRIPLE: "a triple occurs twice",
    Rule.SELF_CONNECTION: "a triple is a self-loop",
    Rule.NOT_ADJACENT: "consecutive steps share no entity",
    Rule.DEGREE_NOT_TWO: "an entity does not have degree two",
    Rule.NOT_ONE_PIECE: "the edges are not connected",
    Rule.EDGES_UNLIKE_ENTITIES: "the numbers of edges and entities differ",
    Rule.NEW_ENTITY: "the consequence has an entity that is in no antecedent",
    Rule.NEW_RELATION: "the consequence's relation is in no antecedent",
    Rule.NOT_CONNECTED: "the antecedents are not connected, and no later step joins them",
}


class Shape(StrEnum):
    """The shapes of Table 4, and five more for the patterns of three hops outside the table."""

    REFLEXIVITY = "reflexivity"
    SELF_ENTAILMENT = "self_entailment"
    INVERSE = "inverse"
    TRANSITIVE_CLOSURE = "transitive_closure"
    REINFORCEMENT = "reinforcement"
    BRIDGE = "bridge"
    MULTI_DERIVATION = "multi_derivation"
    MULTI_STEP_CLOSURE = "multi_step_closure"
    SHORTCUT = "shortcut"
    RE_DERIVATION = "re_derivation"
    BRIDGING_COMPOSITION = "bridging_composition"
    CYCLIC_ENTAILMENT = "cyclic_entailment"
    STAR = "star"
    TRIANGLE = "triangle"
    TRIPLE_EDGE = "triple_edge"
    DOUBLE_EDGE_WITH_PENDANT = "double_edge_with_pendant"
    LATE_BRIDGE = "late_bridge"


UNLISTED_SHAPES = frozenset(
    {
        Shape.STAR,
        Shape.TRIANGLE,
        Shape.TRIPLE_EDGE,
        Shape.DOUBLE_EDGE_WITH_PENDANT,
        Shape.LATE_BRIDGE,
    }
)
"""Shapes not in Table 4; a pattern has at most one of them, and then no other."""


class EntityReuse(StrEnum):
    """Origin of the consequence's entities (the first two are in Table 3a)."""

    FULLY_REUSED = "fully_reused"
    BRIDGE_REUSE = "bridge_reuse"
    RECOMBINED = "recombined"
    COLLAPSED = "collapsed"


class RelationReuse(StrEnum):
    """Whether an antecedent has the consequence's relation (Table 3b)."""

    COPIED = "copied"
    NOVEL = "novel"


class AntecedentRelations(StrEnum):
    """Whether one relation holds more than half of the antecedents (Table 3b)."""

    HOMOGENEOUS = "homogeneous"
    HETEROGENEOUS = "heterogeneous"


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
