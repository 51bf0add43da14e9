"""From tokens to the model, while they are parsed: no tree is built.

A point's token is the whole of it, name included (``The start of the Long Fair``). The same few
points are named again and again, so each is made once and looked up by its token's text from then
on, across all texts that a reader reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lark import Token

from grammar.lexicon import CLAIMS, ORDERS
from grammar.names import Names
from solver.model import AllenRelation, Bound, ClaimRelation, Point, Relation

POINTS_KEPT = 10_000
"""How many wordings of points are remembered at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventClaim:
    """A claim about two events as it stands, with the position of its second name."""

    left: str
    relation: ClaimRelation | AllenRelation
    right: str
    position: int


class Meaning:
    """Callbacks of the grammars' rules, each called with the rule's parts.

    Args:
        bounds: the bound that each terminal for a point means.
        names: what takes the names out of tokens.
    """

    def __init__(self, bounds: Mapping[str, Bound], names: Names) -> None:
        # An end that is embraced by a phrase is the same end.
        self._bounds = dict(bounds) | {f"INNER_{name}": bound for name, bound in bounds.items()}
        self._names = names
        self._points: dict[str, Point] = {}

    def premise(self, parts: list[list[Relation]]) -> list[Relation]:
        """Take the sentences; a final full stop says nothing."""
        return parts[0]

    def sentences(self, parts: list[Any]) -> list[Relation]:
        """Collect in one list that grows: a copy for each sentence would take quadratic time."""
        if len(parts) == 1:
            return parts
        earlier: list[Relation] = parts[0]
        earlier.append(parts[1])
        return earlier

    def sentence(self, parts: list[Token]) -> Relation:
        """Relate two points; a fourth part is the end of a phrase that embraces the second."""
        return Relation(
            left=self._points.get(parts[0].value) or self._point(parts[0]),
            order=ORDERS[parts[1].type],
            right=self._points.get(parts[2].value) or self._point(parts[2]),
        )

    def claim(self, parts: list[Relation | EventClaim]) -> Relation | EventClaim:
        """Take the claim; a final full stop says nothing."""
        return parts[0]

    def event_claim(self, parts: list[Token]) -> EventClaim:
        """Relate two events."""
        return EventClaim(
            left=self._names.of_event(parts[0]),
            relation=CLAIMS[parts[1].type],
            right=self._names.of_event(parts[2]),
            position=parts[2].start_pos or 0,
        )

    def _point(self, token: Token) -> Point:
        point = Point(event=self._names.of_point(token), bound=self._bounds[token.type])
        if len(self._points) >= POINTS_KEPT:
            self._points.clear()
        self._points[token.value] = point
        return point
