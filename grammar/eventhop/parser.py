"""Turns tokens into model objects during parsing, without building a tree.

A point is a single token, name included (``The start of the Long Fair``). Since the same few points
recur, they are cached by the text of their token, across all texts of a reader.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from lark import Lark, Token
from lark.exceptions import UnexpectedInput

from grammar.errors import FaultError, parser_stop, placed
from grammar.eventhop.lexicon import CLAIMS, ORDERS, Lexicon, editor
from grammar.eventhop.model import Bound, Point, Relation
from grammar.eventhop.names import Names
from grammar.eventhop.plain import EventClaim, PlainProse

if TYPE_CHECKING:
    from grammar.eventhop.diagnosis import Diagnosis, ParserStop

POINTS_KEPT = 10_000
"""Maximum number of cached points."""


class ModelBuilder:
    """Lark transformer: callbacks of the grammar rules, each called with the rule's parts.

    Args:
        bounds: the bound of each terminal for points.
        names: extracts names from tokens.
    """

    def __init__(self, bounds: Mapping[str, Bound], names: Names) -> None:
        # A point enclosed by a phrase has the same bound.
        self._bounds = dict(bounds) | {f"INNER_{name}": bound for name, bound in bounds.items()}
        self._names = names
        self._points: dict[str, Point] = {}

    def premise(self, parts: list[list[Relation]]) -> list[Relation]:
        """Return the sentences, without a final full stop."""
        return parts[0]

    def sentences(self, parts: list[Any]) -> list[Relation]:
        """Append to one list: a copy for each sentence would take quadratic time."""
        if len(parts) == 1:
            return parts
        earlier: list[Relation] = parts[0]
        earlier.append(parts[1])
        return earlier

    def sentence(self, parts: list[Token]) -> Relation:
        """Relate two points; a fourth part is the end of a phrase that encloses the second."""
        return Relation(
            left=self._points.get(parts[0].value) or self._point(parts[0]),
            order=ORDERS[parts[1].type],
            right=self._points.get(parts[2].value) or self._point(parts[2]),
        )

    def claim(self, parts: list[Relation | EventClaim]) -> Relation | EventClaim:
        """Return the claim, without a final full stop."""
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


PREMISE, CLAIM = "premise", "claim"


def lark_parser(lexicon: Lexicon, builder: ModelBuilder | None = None) -> Lark:
    """The parser of a domain's premises and claims; without a builder it gives trees."""
    return Lark(
        lexicon.grammar,
        parser="lalr",
        lexer="contextual",
        start=[PREMISE, CLAIM],
        maybe_placeholders=False,
        transformer=builder,
        edit_terminals=editor(lexicon),
    )


class TextParser:
    """Parses premises and claims of a domain.

    Args:
        lexicon: the domain's grammar.
        bounds: the bound of each terminal for points.
        names: extracts names from tokens.
        diagnosis: returns what explains why a text does not parse.
        plain: reads plain texts instead of the parser.
    """

    def __init__(
        self,
        lexicon: Lexicon,
        bounds: Mapping[str, Bound],
        names: Names,
        diagnosis: Callable[[], Diagnosis],
        plain: PlainProse | None = None,
    ) -> None:
        self._diagnosis = diagnosis
        self._plain = plain
        self._lark = lark_parser(lexicon, ModelBuilder(bounds, names))

    def premise(self, text: str, expected: Sequence[Relation] = ()) -> tuple[Relation, ...]:
        """Parse a premise into its relations, in the order of the text; an empty text has none.

        Args:
            text: the premise.
            expected: as for ``PlainProse.premise``.

        Raises:
            ParseError: with the position of the fault.
        """
        # Typed as trees by Lark, but the transformer returns relations and claims.
        body = text.strip()
        if not body:
            return ()
        if self._plain is not None and (found := self._plain.premise(body, expected)) is not None:
            return found
        try:
            return tuple(cast("list[Relation]", self._lark.parse(body, start=PREMISE)))
        except UnexpectedInput as error:
            fault = self._diagnosis().premise(body, _stop(error, body))
        except FaultError as error:
            fault = error.fault
        raise placed(PREMISE, text, fault)

    def claim(self, text: str) -> Relation | EventClaim:
        """Parse a claim.

        Raises:
            ParseError: as for a premise; also for an empty claim.
        """
        body = text.strip()
        if self._plain is not None and (found := self._plain.claim(body)) is not None:
            return found
        try:
            return cast("Relation | EventClaim", self._lark.parse(body, start=CLAIM))
        except UnexpectedInput as error:
            fault = self._diagnosis().claim(body, _stop(error, body))
        except FaultError as error:
            fault = error.fault
        raise placed(CLAIM, text, fault)


def _stop(error: UnexpectedInput, text: str) -> ParserStop:
    from grammar.eventhop.diagnosis import ParserStop

    position, expected = parser_stop(error, text)
    return ParserStop(position=position, expected=expected)
