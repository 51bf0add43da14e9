"""Parses texts of dated facts."""

from __future__ import annotations

from lark import Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from grammar.dates import WrittenDate, read_date
from grammar.errors import Fault, FaultError, found_at
from grammar.fact_names import read_name
from grammar.fact_parser import parser
from grammar.fact_phrases import phrase_table
from grammar.fact_text import FactText, Headline, Link, Sentence
from grammar.parser import placed

PART = "text"
"""The name of the input in error messages."""

_LINKS = {"LATER": Link.LATER, "SAME_DAY": Link.SAME_DAY, "MEANWHILE": Link.MEANWHILE}
_EXPECTED = {
    "HEADLINE": "a headline",
    "SUBJECT": "a name and a phrase after it",
    "PHRASE": "a phrase such as joined",
    "DATED_OBJECT": "a name and the date of the fact, as in Rovers on 2026-01-11.",
    "LAST_OBJECT": "a name at the end of its sentence",
    "DATE": "a date",
    "STOP": "the end of the sentence",
    "$END": "the end of the text",
}


def read_text(text: str) -> FactText:
    """Parse a text.

    Raises:
        ParseError: a part of the text states no fact; gives the position.
    """
    body = text.strip()
    try:
        return _text(parser().parse(body))
    except UnexpectedInput as error:
        fault = _fault(body, error)
    except FaultError as error:
        fault = error.fault
    raise placed(PART, text, fault)


def _text(tree: Tree[Token]) -> FactText:
    headline = None
    sentences = []
    for child in tree.children:
        if isinstance(child, Tree):
            sentences.append(_sentence(child))
        else:
            day, _, title = child.removesuffix(". ").partition(" – ")
            headline = Headline(written_date=_date(child, day, 0), title=title)
    return FactText(sentences=tuple(sentences), headline=headline)


def _sentence(tree: Tree[Token]) -> Sentence:
    tokens = {one.type: one for one in tree.children if isinstance(one, Token)}
    front = "FRONT" in tokens
    day = tokens["FRONT"] if front else tokens["DATE"]
    written = day[3:-2] if front else day[4:]
    written_date = _date(day, written, 3 if front else 4)
    return Sentence(
        subject=read_name(tokens["SUBJECT"]),
        phrase=phrase_table().by_words[tokens["PHRASE"][1:-1]],
        object=read_name(tokens["LAST_OBJECT" if front else "DATED_OBJECT"]),
        written_date=written_date,
        front=front,
        link=next((_LINKS[name] for name in _LINKS if name in tokens), Link.NONE),
    )


def _date(token: Token, written: str, offset: int) -> WrittenDate:
    try:
        return read_date(written)
    except ValueError as error:
        position = (token.start_pos or 0) + offset
        found = f'"{written}"'
        raise FaultError(Fault(position=position, found=found, expected=str(error))) from None


def _fault(text: str, error: UnexpectedInput) -> Fault:
    if isinstance(error, UnexpectedToken):
        at_end = error.token.type == "$END"
        position = len(text) if at_end else error.token.start_pos or 0
        allowed = set(error.expected)
    else:
        position = error.pos_in_stream or 0
        allowed = set(error.allowed or ()) if isinstance(error, UnexpectedCharacters) else set()
    expected = [words for name, words in _EXPECTED.items() if name in allowed]
    return Fault(
        position=position,
        found=found_at(text, position),
        expected=" or ".join(expected) or _EXPECTED["SUBJECT"],
    )
