"""Reads stories of families; the wording is in ``story.lark``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from grammar.errors import HopcheckError


class StoryError(HopcheckError):
    """A text that is no story of a family, or one that names people in two roles."""

    code = "family"


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """A family, and a question about it.

    Attributes:
        text: the story with its question.
        couples: two names each.
        children: for each couple the names of its children.
        asked: how the first is related to the second.
    """

    text: str
    couples: tuple[tuple[str, str], ...]
    children: tuple[tuple[str, ...], ...]
    asked: tuple[str, str]

    @property
    def people(self) -> tuple[str, ...]:
        """All names, in the order of the text."""
        named = (
            name
            for couple, children in zip(self.couples, self.children, strict=True)
            for name in (*couple, *children)
        )
        return tuple(dict.fromkeys(named))


@cache
def _parser() -> Lark:
    source = Path(__file__).with_name("story.lark").read_text(encoding="utf-8")
    return Lark(source, parser="lalr")


def read_family(text: str) -> Family:
    """Read a story with its question.

    Raises:
        StoryError: it has another form, or somebody is in two couples or the child of two.
    """
    try:
        tree: Tree[Token] = _parser().parse(text)
    except UnexpectedInput as error:
        raise StoryError(f"found another story at character {error.pos_in_stream}") from None
    *couples, question = (child for child in tree.children if isinstance(child, Tree))
    pairs = tuple((str(couple.children[0]), str(couple.children[1])) for couple in couples)
    children = tuple(
        tuple(str(name) for each in couple.find_data("children") for name in each.children)
        for couple in couples
    )
    family = Family(
        text=text,
        couples=pairs,
        children=children,
        asked=(str(question.children[0]), str(question.children[1])),
    )
    spouses = [name for pair in pairs for name in pair]
    born = [name for names in children for name in names]
    if len(set(spouses)) < len(spouses) or len(set(born)) < len(born):
        raise StoryError("found somebody in two couples, or a child of two couples")
    unknown = [name for name in family.asked if name not in family.people]
    if unknown or family.asked[0] == family.asked[1]:
        raise StoryError(f"found a question about {' and '.join(family.asked)}")
    return family
