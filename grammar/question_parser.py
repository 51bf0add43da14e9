"""The grammar of questions, made whole: ``questions.lark`` with phrases, times and names."""

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
"""What is parsed, and what errors call it."""

HIDDEN = "\x00"
"""Stands for each letter between quotes while a text is parsed."""

_DAY = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_NUMBER = "[0-9]{1,18}"
TIME = f"(?:on {_DAY}|at time {_NUMBER})"
FRONT = f"(?:On {_DAY}|At time {_NUMBER})"
APART = rf"(?:[Oo]n {_DAY}|[Aa]t time [0-9]|(?:a|this) (?:third )?party(?!\w))"
"""What no bare name holds."""

WORD = rf"(?!{APART})[^\s“”{HIDDEN}]+"
"""A word of a bare name; a single blank stands between two."""


@cache
def phrase_pattern(*forms: Form) -> str:
    """A regular expression of all phrases in some forms; it has no groups that count."""
    words = sorted(one for form in forms for one in phrase_table().by_words[form])
    generic = [
        f"{re.escape(before)}“{HIDDEN}+”{re.escape(after)}"
        for before, after in (GENERIC[form] for form in forms)
    ]
    return f"(?:{'|'.join((_any_of(words), *generic))})"


@cache
def parser() -> Lark:
    """The parser of questions and statements; both are its starts."""
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
    """One of some sorted words, which share what they begin with; so a miss is told early."""
    branches = []
    for letter, group in groupby(words, key=lambda word: word[:1]):
        if not letter:
            continue
        alike = list(group)
        # They are sorted: what the first and the last share, all share.
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
