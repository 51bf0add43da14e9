"""Names in questions: quoted only where they are ambiguous.

This depends on the name alone: phrases do not overlap, so a text is ambiguous only if one of its
names contains a whole phrase; see ``question_phrases``. Within quotes a backslash escapes as in
``fact_names``.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from grammar.errors import UnwritableError
from grammar.fact_names import quote_name
from grammar.question_parser import WORD, phrase_pattern
from grammar.question_phrases import GENERIC, Form

LONGEST = 200
"""Maximal length of an unquoted name."""


@lru_cache(maxsize=1 << 16)
def write_name(name: str) -> str:
    """Format a name for questions and statements.

    Raises:
        UnwritableError: the name is empty.
    """
    if not name:
        raise UnwritableError("found an empty name, expected one", hint="name it or omit it")
    return name if is_plain(name) else quote_name(name)


def is_plain(name: str) -> bool:
    """Whether a name needs no quotes."""
    return (
        len(name) <= LONGEST
        and name.isprintable()
        and _words().fullmatch(name) is not None
        and _phrase().search(f" {name} ") is None
    )


@cache
def _words() -> re.Pattern[str]:
    return re.compile(f"{WORD}(?: {WORD})*")


@cache
def _phrase() -> re.Pattern[str]:
    generic = "|".join(before.strip() for before, _ in GENERIC.values())
    return re.compile(f" (?:{phrase_pattern(*Form)}|{generic})[ ,?.]")
