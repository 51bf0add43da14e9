"""Names in texts of dated facts: bare where the reader takes them whole, else between quotes.

A name needs no marks as long as the reader's own pattern, at the very place, ends where the name
does. Otherwise it stands between “ and ”, where a backslash escapes ”, the backslash itself and all
that cannot be printed, so that a text is always one line.
"""

from __future__ import annotations

import re

from grammar.errors import UnwritableError
from grammar.fact_parser import name_pattern

OPEN, CLOSE = "“", "”"
_ESCAPE = re.compile(r"\\(?:u([0-9a-f]{4})|U(00(?:0[0-9a-f]|10)[0-9a-f]{4})|(.))", re.DOTALL)


def write_name(name: str, terminal: str, rest: str) -> str:
    """A name as it stands before the rest of its text.

    Args:
        name: any text but the empty one.
        terminal: which name of a sentence it is.
        rest: all that follows it.

    Raises:
        UnwritableError: the name is empty.
    """
    if not name:
        raise UnwritableError("found an empty name, expected one", hint="name it or leave it out")
    found = None if name.startswith(OPEN) else name_pattern(terminal).match(name + rest)
    if found is not None and found.end() == len(name):
        return name
    return quote_name(name)


def quote_name(name: str) -> str:
    """A name between its quotes."""
    return f"{OPEN}{''.join(map(_escaped, name))}{CLOSE}"


def read_name(written: str) -> str:
    """The name that was written."""
    if not written.startswith(OPEN):
        return str(written)
    return _ESCAPE.sub(_unescaped, written[1:-1])


def _escaped(letter: str) -> str:
    if letter in (CLOSE, "\\"):
        return f"\\{letter}"
    if letter.isprintable():
        return letter
    number = ord(letter)
    return f"\\u{number:04x}" if number < 1 << 16 else f"\\U{number:08x}"


def _unescaped(found: re.Match[str]) -> str:
    number = found[1] or found[2]
    return chr(int(number, 16)) if number else found[3]
