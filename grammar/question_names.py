"""Names in questions: bare where they cannot be misread, else between quotes.

That depends on a name alone: no phrase begins or ends with part of another, so a text has a second
reading only if a whole phrase stands within one of its names; see ``question_phrases``. Between
quotes a backslash escapes as in ``fact_names``.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from grammar.errors import UnwritableError
from grammar.fact_names import quote_name
from grammar.question_parser import WORD, phrase_pattern
from grammar.question_phrases import GENERIC, Form

LONGEST = 200
"""Letters of a bare name, at most."""


@lru_cache(maxsize=1 << 16)
def write_name(name: str) -> str:
    """A name as it stands in questions and statements.

    Raises:
        UnwritableError: the name is empty.
    """
    if not name:
        raise UnwritableError("found an empty name, expected one", hint="name it or leave it out")
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
