"""Parses texts of dated facts."""

from __future__ import annotations

import re
from functools import lru_cache, partial
from pathlib import Path

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.lexer import PatternRE, TerminalDef

from grammar import dates
from grammar.dates import WrittenDate, read_date
from grammar.errors import Fault, FaultError, UnwritableError, found_at, placed
from grammar.names import ABBREVIATION, OPEN, quote_name, read_name
from grammar.texts.model import FactText, Headline, Link, Sentence
from grammar.texts.phrases import PhraseTable, phrase_table

TITLES = (
    "News in brief",
    "From our correspondents",
    "Notices of the week",
    "The record",
    "Around the world",
)
"""Titles of headlines."""

# Within quotes a backslash escapes quotes and unprintable characters; see grammar/names.py.
_QUOTED = r"“(?:[^”\\]|\\.)+”"
_ODD = r"\s“”\x00-\x1f\x7f-\x9f\ud800-\udfff"
# A full stop belongs to a word before another letter, and after an initial or an abbreviation.
_WORD = (
    rf"(?:(?:(?:[^\W\d_]\.)+|(?:{ABBREVIATION.pattern})\.)(?= )"
    rf"|(?:[^.{_ODD}]|\.(?=[^.{_ODD}]))+)"
)


_TABLES = 64
"""Maximum number of tables of phrases whose parsers are kept."""


@lru_cache(maxsize=_TABLES)
def places(table: PhraseTable) -> dict[str, str]:
    """The regular expression for each ``@PLACEHOLDER@`` of the grammar file."""
    phrases = "|".join(sorted(map(re.escape, table.by_words), key=lambda one: (-len(one), one)))
    titles = "|".join(map(re.escape, TITLES))
    opening = rf"On {dates.PATTERN}, |Later, |On the same day, |Meanwhile, |{dates.PATTERN} – "
    return {
        "@OPENING@": opening,
        "@PHRASE@": f"(?:{phrases})",
        "@TITLE@": f"(?:{titles})",
        "@DATE@": dates.PATTERN,
        "@QUOTED@": _QUOTED,
        "@WORD@": _WORD,
    }


@lru_cache(maxsize=_TABLES)
def parser(table: PhraseTable) -> Lark:
    """Build the parser of texts with the phrases of a table."""
    grammar = Path(__file__).with_name("dated_facts.lark").read_text(encoding="utf-8")
    return Lark(
        grammar,
        parser="lalr",
        lexer="contextual",
        start="text",
        maybe_placeholders=False,
        edit_terminals=partial(_fill, table),
    )


@lru_cache(maxsize=3 * _TABLES)
def name_pattern(terminal: str, table: PhraseTable) -> re.Pattern[str]:
    """The pattern of a name terminal of the parser: ``SUBJECT`` or one of the objects."""
    found = parser(table).get_terminal(terminal).pattern
    return re.compile(found.to_regexp())


def _fill(table: PhraseTable, terminal: TerminalDef) -> None:
    pattern = terminal.pattern.value
    for place, filling in places(table).items():
        pattern = pattern.replace(place, filling)
    if pattern != terminal.pattern.value:
        terminal.pattern = PatternRE(pattern, terminal.pattern.flags)


def write_name(name: str, terminal: str, rest: str, table: PhraseTable) -> str:
    """Write a name for a given context, with quotes if needed.

    Args:
        name: not empty.
        terminal: the grammar terminal of the name.
        rest: the text that follows it.
        table: the phrases of the text.

    Raises:
        UnwritableError: the name is empty.
    """
    if not name:
        raise UnwritableError("found an empty name, expected one", hint="name it or leave it out")
    found = None if name.startswith(OPEN) else name_pattern(terminal, table).match(name + rest)
    if found is not None and found.end() == len(name):
        return name
    return quote_name(name)


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


def read_text(text: str, table: PhraseTable | None = None) -> FactText:
    """Parse a text.

    Args:
        text: sentences, each of which states a fact.
        table: the phrases; by default those of ``phrases.tsv``.

    Raises:
        ParseError: a part of the text states no fact; gives the position.
    """
    body = text.strip()
    table = phrase_table() if table is None else table
    try:
        return _text(parser(table).parse(body), table)
    except UnexpectedInput as error:
        fault = _fault(body, error)
    except FaultError as error:
        fault = error.fault
    raise placed(PART, text, fault)


def _text(tree: Tree[Token], table: PhraseTable) -> FactText:
    headline = None
    sentences = []
    for child in tree.children:
        if isinstance(child, Tree):
            sentences.append(_sentence(child, table))
        else:
            day, _, title = child.removesuffix(". ").partition(" – ")
            headline = Headline(written_date=_date(child, day, 0), title=title)
    return FactText(sentences=tuple(sentences), headline=headline)


def _sentence(tree: Tree[Token], table: PhraseTable) -> Sentence:
    tokens = {one.type: one for one in tree.children if isinstance(one, Token)}
    front = "FRONT" in tokens
    day = tokens["FRONT"] if front else tokens["DATE"]
    written = day[3:-2] if front else day[4:]
    written_date = _date(day, written, 3 if front else 4)
    return Sentence(
        subject=read_name(tokens["SUBJECT"]),
        phrase=table.by_words[tokens["PHRASE"][1:-1]],
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
