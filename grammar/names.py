"""Names as they stand in a sentence: what belongs to them, and where one goes too far."""

from __future__ import annotations

import re
from typing import Protocol

from lark import Token

from grammar.boundaries import Boundaries
from grammar.errors import Fault, FaultError, found_at

NAME_LIMIT = 200
"""The longest name, in characters; the grammars' patterns hold the same number."""

_ARTICLE = "the "
_STOP_INSIDE = re.compile(r"(?<!\w)(?P<word>\w*)\.\s+(?P<next>\S)")

ABBREVIATION = re.compile(
    r"St|Ste|Sta|Sto|Mt|Mts|Ft|Pt"
    r"|Dr|Mr|Mrs|Ms|Jr|Sr|Prof|Rev|Hon|Fr"
    r"|Gen|Col|Maj|Capt|Lt|Cpl|Sgt|Adm|Cmdr|Brig|Gov|Pres|Sen|Rep"
    r"|Bros|Co|Corp|Inc|Ltd|Dept|Univ|Assn"
    r"|No|Nos|Nr|Vol|Op|vs|ca|etc"
    r"|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
)
"""Words that a full stop may follow within a name, besides initials; after any other it ends a
sentence."""


class Names(Protocol):
    """Takes the names out of the tokens that hold them."""

    def of_point(self, token: Token) -> str:
        """The event whose point a token is."""

    def of_event(self, token: Token) -> str:
        """The event that a token names in a claim."""


class SymbolNames:
    """Names of the logical domain: a point is a name and a digit."""

    def of_point(self, token: Token) -> str:
        """``mill`` of ``mill1``; the token may hold the full stop before it."""
        return str(token.value).split()[-1][:-1]

    def of_event(self, token: Token) -> str:
        """A side of a claim, as it stands."""
        return str(token.value)


class ProseNames:
    """Names of the other domains: what is left without the marks and a small article.

    Args:
        edges: the boundaries of the grammar.
    """

    def __init__(self, edges: Boundaries) -> None:
        self._opening = re.compile(edges.opening)

    def of_point(self, token: Token) -> str:
        """``Long Fair`` of ``The start of the Long Fair``; the token may hold the full stop."""
        opening = self._opening.search(token.value)
        return self._name(token, opening.end() if opening else 0)

    def of_event(self, token: Token) -> str:
        """``Long Fair`` of ``the Long Fair``; a capital article is left for ``settled``."""
        return self._name(token, 0)

    def _name(self, token: Token, start: int) -> str:
        name = str(token.value)[start:].removeprefix(_ARTICLE).rstrip()
        stop = self._sentence_inside(name)
        if stop is not None:
            position = (token.start_pos or 0) + token.value.index(name, start)
            raise FaultError(run_on(name, stop, position))
        return name

    def _sentence_inside(self, name: str) -> int | None:
        stop = next_sentence(name)
        if stop is None and ". " in name:
            opening = self._opening.search(name, name.index(". "))
            return opening.start() if opening else None
        return stop


def next_sentence(name: str) -> int | None:
    """Where a sentence begins in what should be a name: after a full stop of no abbreviation."""
    for stop in _STOP_INSIDE.finditer(name):
        if not _abbreviates(stop):
            return stop.start("next")
    return None


def run_on(name: str, stop: int, position: int) -> Fault:
    """The fault of a name that runs on into the next sentence.

    Args:
        name: what should be a name.
        stop: where in it the next sentence begins.
        position: where in the text it stands.
    """
    return Fault(
        position=position + stop,
        found=found_at(name, stop),
        expected="a point at the start of the sentence",
        hint="within a name, a full stop may follow an abbreviation, as in St. Mary's Fair",
    )


def _abbreviates(stop: re.Match[str]) -> bool:
    initial = len(stop["word"]) == 1 and not stop["next"].islower()
    return initial or ABBREVIATION.fullmatch(stop["word"]) is not None
