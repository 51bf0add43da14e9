"""Names in texts of dated facts: written bare where they parse unambiguously, else quoted.

A name is bare if the parser's own pattern, in its context, matches exactly the name. Otherwise it
is enclosed in “ and ”, where a backslash escapes ”, the backslash and unprintable characters, so a
text is always one line.
"""

from __future__ import annotations

import re

from grammar.errors import UnwritableError
from grammar.fact_parser import name_pattern

OPEN, CLOSE = "“", "”"
_ESCAPE = re.compile(r"\\(?:u([0-9a-f]{4})|U(00(?:0[0-9a-f]|10)[0-9a-f]{4})|(.))", re.DOTALL)


def write_name(name: str, terminal: str, rest: str) -> str:
    """Write a name for a given context, with quotes if needed.

    Args:
        name: not empty.
        terminal: the grammar terminal of the name.
        rest: the text that follows it.

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
    """Enclose a name in quotes."""
    return f"{OPEN}{''.join(map(_escaped, name))}{CLOSE}"


def read_name(written: str) -> str:
    """Read a written name, bare or quoted."""
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
