"""Wraps a domain's Lark parser, which returns relations and claims or raises a located error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from lark import Lark
from lark.exceptions import UnexpectedInput, UnexpectedToken

from grammar.boundaries import editor
from grammar.diagnosis import Diagnosis, ParserStop
from grammar.errors import Fault, FaultError, ParseError
from grammar.lexicon import Lexicon
from grammar.meaning import EventClaim, ModelBuilder
from grammar.names import Names
from solver.model import Bound, Relation

PREMISE, CLAIM = "premise", "claim"


class TextParser:
    """Parses premises and claims of a domain.

    Args:
        lexicon: the domain's grammar.
        bounds: the bound of each terminal for points.
        names: extracts names from tokens.
        diagnosis: explains why a text does not parse.
    """

    def __init__(
        self, lexicon: Lexicon, bounds: Mapping[str, Bound], names: Names, diagnosis: Diagnosis
    ) -> None:
        self._diagnosis = diagnosis
        self._lark = Lark(
            lexicon.grammar,
            parser="lalr",
            lexer="contextual",
            start=[PREMISE, CLAIM],
            maybe_placeholders=False,
            transformer=ModelBuilder(bounds, names),
            edit_terminals=editor(lexicon),
        )

    def premise(self, text: str) -> tuple[Relation, ...]:
        """Parse a premise into its relations, in the order of the text; an empty text has none.

        Raises:
            ParseError: with the position of the fault.
        """
        # Typed as trees by Lark, but the transformer returns relations and claims.
        body = text.strip()
        if not body:
            return ()
        try:
            return tuple(cast("list[Relation]", self._lark.parse(body, start=PREMISE)))
        except UnexpectedInput as error:
            fault = self._diagnosis.premise(body, _stop(error, body))
        except FaultError as error:
            fault = error.fault
        raise placed(PREMISE, text, fault)

    def claim(self, text: str) -> Relation | EventClaim:
        """Parse a claim.

        Raises:
            ParseError: as for a premise; also for an empty claim.
        """
        body = text.strip()
        try:
            return cast("Relation | EventClaim", self._lark.parse(body, start=CLAIM))
        except UnexpectedInput as error:
            fault = self._diagnosis.claim(body, _stop(error, body))
        except FaultError as error:
            fault = error.fault
        raise placed(CLAIM, text, fault)


def placed(part: str, text: str, fault: Fault) -> ParseError:
    """Make the error of a fault whose position does not count the text's leading whitespace."""
    blanks = len(text) - len(text.lstrip())
    fault = replace(fault, position=fault.position + blanks)
    return ParseError.of(fault, part=part, text=text)


def _stop(error: UnexpectedInput, text: str) -> ParserStop:
    if isinstance(error, UnexpectedToken):
        at_end = error.token.type == "$END"
        position = len(text) if at_end else error.token.start_pos
        return ParserStop(position=position or 0, expected=frozenset(error.expected))
    position, allowed = error.pos_in_stream, getattr(error, "allowed", None)
    return ParserStop(position=position or 0, expected=frozenset(allowed or ()))
