"""Extracts names from tokens, and detects names that run into the next sentence."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Protocol

from lark import Token

from grammar.errors import Fault, FaultError, found_at, quoted
from grammar.eventhop.lexicon import Boundaries
from grammar.eventhop.model import Item, Point, Relation
from grammar.names import ABBREVIATION

NAME_LIMIT = 200
"""Maximum length of a name, in characters; the grammars' patterns repeat this number."""

_ARTICLE = "the "
_STOP_INSIDE = re.compile(r"(?<!\w)(?P<word>\w*)\.\s+(?P<next>\S)")


class Names(Protocol):
    """Extracts names from tokens."""

    def of_point(self, token: Token) -> str:
        """The event of a token that is a point."""

    def of_event(self, token: Token) -> str:
        """The event of a token that is a side of a claim."""


class SymbolNames:
    """Names of the logical domain: a point is a name and a digit."""

    def of_point(self, token: Token) -> str:
        """``mill`` of ``mill1``; the token may include the preceding full stop."""
        return str(token.value).split()[-1][:-1]

    def of_event(self, token: Token) -> str:
        """The token itself."""
        return str(token.value)


class ProseNames:
    """Names of the other domains: the text without marks and a lower-case article.

    Args:
        edges: the boundaries of the grammar.
    """

    def __init__(self, edges: Boundaries) -> None:
        self._opening = re.compile(edges.opening)

    def of_point(self, token: Token) -> str:
        """``Long Fair`` of ``The start of the Long Fair``, perhaps after a full stop."""
        opening = self._opening.search(token.value)
        return self._name(token, opening.end() if opening else 0)

    def of_event(self, token: Token) -> str:
        """``Long Fair`` of ``the Long Fair``; a capital article is handled below."""
        return self._name(token, 0)

    def _name(self, token: Token, start: int) -> str:
        name = str(token.value)[start:].removeprefix(_ARTICLE).rstrip()
        if name == ".":
            position = (token.start_pos or 0) + len(token.value) - 1
            raise FaultError(
                Fault(
                    position=position,
                    found=quoted(name),
                    expected="a name",
                    hint="the text ends before the name of the second event",
                )
            )
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
    """Where a name runs into the next sentence: after a full stop that is not an abbreviation."""
    for stop in _STOP_INSIDE.finditer(name):
        if not _abbreviates(stop):
            return stop.start("next")
    return None


def run_on(name: str, stop: int, position: int) -> Fault:
    """The fault of a name that runs into the next sentence.

    Args:
        name: the supposed name.
        stop: where the next sentence begins in it.
        position: where it begins in the text.
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


_ARTICLE_SETTLED = "The "
_APOSTROPHES = str.maketrans({"’": "'", "ʼ": "'"})


def spellings(names: Iterable[str]) -> dict[str, str]:
    """Map the normal form of each name to its first spelling."""
    first: dict[str, str] = {}
    for name in names:
        first.setdefault(_folded(name), name)
    return first


def normalize_subject(name: str, known: Mapping[str, str]) -> str:
    """Match the name at the start of a claim to a known name, apart from its capital letter.

    Args:
        name: the name as written.
        known: the spellings of all other names of the item.
    """
    bare = name.removeprefix(_ARTICLE_SETTLED)
    for candidate in (name, bare, _uncapitalised(bare)):
        spelled = known.get(_folded(candidate))
        if spelled is not None:
            return spelled
    return bare


def normalize_openings(item: Item) -> Item:
    """Lower capitals at the start of sentences, where the logical domain has names."""
    fixed = set(item.names[1::2])
    lower = {name for name in item.names if not name[0].isupper()}
    renamed = {
        name: _uncapitalised(name)
        for name in item.names
        if name not in fixed and _uncapitalised(name) in lower
    }
    return _renamed(item, renamed)


def normalize_spellings(item: Item) -> Item:
    """Replace each name by its first spelling."""
    first = spellings(item.names)
    return _renamed(item, {name: first[_folded(name)] for name in item.names})


def _folded(name: str) -> str:
    if name.isascii():
        return name
    return unicodedata.normalize("NFC", name).translate(_APOSTROPHES)


def _uncapitalised(name: str) -> str:
    return name[:1].lower() + name[1:]


def _renamed(item: Item, names: Mapping[str, str]) -> Item:
    if all(old == new for old, new in names.items()):
        return item
    claim = item.claim
    return replace(
        item,
        premise=tuple(_relations(item.premise, names)),
        claim=next(_relations([claim], names))
        if isinstance(claim, Relation)
        else replace(
            claim,
            left=names.get(claim.left, claim.left),
            right=names.get(claim.right, claim.right),
        ),
    )


def _relations(relations: Iterable[Relation], names: Mapping[str, str]) -> Iterator[Relation]:
    for relation in relations:
        yield replace(
            relation, left=_point(relation.left, names), right=_point(relation.right, names)
        )


def _point(point: Point, names: Mapping[str, str]) -> Point:
    return replace(point, event=names.get(point.event, point.event))
