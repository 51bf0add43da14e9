"""A domain's Lark parser, wrapped: relations and claims come out, or an error with its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from lark import Lark
from lark.exceptions import UnexpectedInput, UnexpectedToken

from grammar.boundaries import editor
from grammar.diagnosis import Diagnosis, Halt
from grammar.errors import Fault, FaultError, ParseError
from grammar.lexicon import Lexicon
from grammar.meaning import EventClaim, Meaning
from grammar.names import Names
from solver.model import Bound, Relation

PREMISE, CLAIM = "premise", "claim"


class TextParser:
    """Parses the two kinds of text of a domain.

    Args:
        lexicon: the domain's grammar.
        bounds: what its terminals for points mean.
        names: what takes the names out of tokens.
        diagnosis: what says why a text does not parse.
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
            transformer=Meaning(bounds, names),
            edit_terminals=editor(lexicon),
        )

    def premise(self, text: str) -> tuple[Relation, ...]:
        """The relations of a premise, in the order of the text; none if it is empty.

        Raises:
            ParseError: with the place of what does not belong there.
        """
        # The transformer gives relations and claims where Lark's type says trees.
        body = text.strip()
        if not body:
            return ()
        try:
            return tuple(cast("list[Relation]", self._lark.parse(body, start=PREMISE)))
        except UnexpectedInput as error:
            fault = self._diagnosis.premise(body, _halt(error, body))
        except FaultError as error:
            fault = error.fault
        raise placed(PREMISE, text, fault)

    def claim(self, text: str) -> Relation | EventClaim:
        """The claim that a text makes.

        Raises:
            ParseError: as for a premise; an empty claim is one as well.
        """
        body = text.strip()
        try:
            return cast("Relation | EventClaim", self._lark.parse(body, start=CLAIM))
        except UnexpectedInput as error:
            fault = self._diagnosis.claim(body, _halt(error, body))
        except FaultError as error:
            fault = error.fault
        raise placed(CLAIM, text, fault)


def placed(part: str, text: str, fault: Fault) -> ParseError:
    """The error of a fault whose position leaves out the blanks that a text begins with."""
    blanks = len(text) - len(text.lstrip())
    fault = replace(fault, position=fault.position + blanks)
    return ParseError.of(fault, part=part, text=text)


def _halt(error: UnexpectedInput, text: str) -> Halt:
    if isinstance(error, UnexpectedToken):
        at_end = error.token.type == "$END"
        position = len(text) if at_end else error.token.start_pos
        return Halt(position=position or 0, expected=frozenset(error.expected))
    position, allowed = error.pos_in_stream, getattr(error, "allowed", None)
    return Halt(position=position or 0, expected=frozenset(allowed or ()))
