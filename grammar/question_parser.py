"""Builds the parser of questions: ``questions.lark`` completed by phrases, times and names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from itertools import groupby, takewhile
from pathlib import Path

from lark import Lark
from lark.lexer import PatternRE, TerminalDef

from grammar.question_phrases import GENERIC, Form, phrase_table

QUESTION, STATEMENT = "question", "statement"
"""Start symbols, and their names in error messages."""

HIDDEN = "\x00"
"""Placeholder for each character within quotes during parsing."""

_DAY = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_NUMBER = "[0-9]{1,18}"
TIME = f"(?:on {_DAY}|at time {_NUMBER})"
FRONT = f"(?:On {_DAY}|At time {_NUMBER})"
APART = rf"(?:[Oo]n {_DAY}|[Aa]t time [0-9]|(?:a|this) (?:third )?party(?!\w))"
"""Pattern not allowed in unquoted names."""

WORD = rf"(?!{APART})[^\s“”{HIDDEN}]+"
"""A word of an unquoted name; words are separated by single blanks."""


@cache
def phrase_pattern(*forms: Form) -> str:
    """A regular expression of all phrases in some forms, without capturing groups."""
    words = sorted(one for form in forms for one in phrase_table().by_words[form])
    generic = [
        f"{re.escape(before)}“{HIDDEN}+”{re.escape(after)}"
        for before, after in (GENERIC[form] for form in forms)
    ]
    return f"(?:{'|'.join((_any_of(words), *generic))})"


@cache
def parser() -> Lark:
    """The parser of questions and statements, its two start symbols."""
    grammar = Path(__file__).with_name("questions.lark").read_text(encoding="utf-8")
    return Lark(
        grammar,
        parser="lalr",
        lexer="contextual",
        start=[QUESTION, STATEMENT],
        maybe_placeholders=False,
        edit_terminals=_fill,
    )


def _any_of(words: Iterable[str]) -> str:
    """A regular expression of sorted words as a prefix tree, so that mismatches fail early."""
    branches = []
    for letter, group in groupby(words, key=lambda word: word[:1]):
        if not letter:
            continue
        alike = list(group)
        # The words are sorted: a prefix of the first and the last is common to all.
        shared = takewhile(lambda pair: pair[0] == pair[1], zip(alike[0], alike[-1], strict=False))
        stem = "".join(letter for letter, _ in shared)
        rests = [word[len(stem) :] for word in alike]
        branch = re.escape(stem)
        if any(rests):
            branch += _any_of(rests) + ("?" if "" in rests else "")
        branches.append(branch)
    return f"(?:{'|'.join(branches)})"


@cache
def _places() -> dict[str, str]:
    return {
        "@FRONT@": FRONT,
        "@TIME@": TIME,
        "@QUOTED@": f"“{HIDDEN}+”",
        "@WORD@": WORD,
        **{f"@{form.name}@": phrase_pattern(form) for form in Form},
    }


def _fill(terminal: TerminalDef) -> None:
    pattern = terminal.pattern.value
    for place, filling in _places().items():
        pattern = pattern.replace(place, filling)
    if pattern != terminal.pattern.value:
        terminal.pattern = PatternRE(pattern, terminal.pattern.flags)
