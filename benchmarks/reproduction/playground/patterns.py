"""Regular expressions of Python as those of JavaScript with the flag ``u``."""

from __future__ import annotations

import re
import sys
from functools import cache

_CLASSES = ("s", "w")
_ANCHORS = {"A": "^", "Z": "$"}
_SYNTAX = frozenset("^$\\.*+?()[]{}|/")
_TOKEN = re.compile(r"\\.|\(\?P<|\(\?|.", re.DOTALL)


def to_javascript(pattern: str) -> str:
    r"""Translate a pattern that uses no flags.

    The two languages differ in ``\s``, ``\w`` and ``.``, in anchors, in named groups, and in what
    may be escaped.

    Raises:
        ValueError: the pattern has an escape that is not translated.
    """
    translated: list[str] = []
    within = False
    for token in _TOKEN.findall(pattern):
        if token == "[":
            # A bracket within a class needs an escape in neither language.
            translated.append(r"\[" if within else token)
            within = True
        elif token == "]":
            within = False
            translated.append(token)
        elif token == "(?P<":
            translated.append("(?<")
        elif token == "." and not within:
            translated.append(r"[^\n]")
        elif token.startswith("\\"):
            translated.append(_escape(token[1], within=within))
        else:
            translated.append(token)
    return "".join(translated)


@cache
def _class(letter: str) -> str:
    """The characters of a class; looking at all of Unicode takes a third of a second."""
    if letter == "w":
        return r"\p{L}\p{N}_"
    every = map(chr, range(sys.maxunicode + 1))
    return "".join(rf"\u{ord(name):04x}" for name in every if name.isspace())


def _escape(letter: str, *, within: bool) -> str:
    if letter in _CLASSES:
        return _class(letter) if within else f"[{_class(letter)}]"
    if letter.lower() in _CLASSES and not within:
        return f"[^{_class(letter.lower())}]"
    if letter in _ANCHORS and not within:
        return _ANCHORS[letter]
    if letter == "n":
        return r"\n"
    if letter.isalnum():
        raise ValueError(f"the escape \\{letter} is not translated")
    return f"\\{letter}" if letter in _SYNTAX or (within and letter == "-") else letter
