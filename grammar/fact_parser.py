"""The parser of dated-fact texts: ``dated_facts.lark`` with phrases, dates and names filled in."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from lark import Lark
from lark.lexer import PatternRE, TerminalDef

from grammar import dates
from grammar.fact_phrases import phrase_table
from grammar.names import ABBREVIATION

TITLES = (
    "News in brief",
    "From our correspondents",
    "Notices of the week",
    "The record",
    "Around the world",
)
"""Titles of headlines."""

# Within quotes a backslash escapes quotes and unprintable characters; see grammar/fact_names.py.
_QUOTED = r"“(?:[^”\\]|\\.)+”"
_ODD = r"\s“”\x00-\x1f\x7f-\x9f\ud800-\udfff"
# A full stop belongs to a word before another letter, and after an initial or an abbreviation.
_WORD = (
    rf"(?:(?:(?:[^\W\d_]\.)+|(?:{ABBREVIATION.pattern})\.)(?= )"
    rf"|(?:[^.{_ODD}]|\.(?=[^.{_ODD}]))+)"
)


@cache
def places() -> dict[str, str]:
    """The regular expression for each ``@PLACEHOLDER@`` of the grammar file."""
    phrases = "|".join(
        sorted(map(re.escape, phrase_table().by_words), key=lambda one: (-len(one), one))
    )
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


@cache
def parser() -> Lark:
    """Build the parser of texts."""
    grammar = Path(__file__).with_name("dated_facts.lark").read_text(encoding="utf-8")
    return Lark(
        grammar,
        parser="lalr",
        lexer="contextual",
        start="text",
        maybe_placeholders=False,
        edit_terminals=_fill,
    )


@cache
def name_pattern(terminal: str) -> re.Pattern[str]:
    """The pattern of a name terminal of the parser: ``SUBJECT`` or one of the objects."""
    found = parser().get_terminal(terminal).pattern
    return re.compile(found.to_regexp())


def _fill(terminal: TerminalDef) -> None:
    pattern = terminal.pattern.value
    for place, filling in places().items():
        pattern = pattern.replace(place, filling)
    if pattern != terminal.pattern.value:
        terminal.pattern = PatternRE(pattern, terminal.pattern.flags)
