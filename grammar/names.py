"""Names in texts: quotes around hard ones, and abbreviations whose full stop ends no sentence."""

from __future__ import annotations

import re

OPEN, CLOSE = "“", "”"
_ESCAPE = re.compile(r"\\(?:u([0-9a-f]{4})|U(00(?:0[0-9a-f]|10)[0-9a-f]{4})|(.))", re.DOTALL)

ABBREVIATION = re.compile(
    r"St|Ste|Sta|Sto|Mt|Mts|Ft|Pt"
    r"|Dr|Mr|Mrs|Ms|Jr|Sr|Prof|Rev|Hon|Fr"
    r"|Gen|Col|Maj|Capt|Lt|Cpl|Sgt|Adm|Cmdr|Brig|Gov|Pres|Sen|Rep"
    r"|Bros|Co|Corp|Inc|Ltd|Dept|Univ|Assn"
    r"|No|Nos|Nr|Vol|Op|vs|ca|etc"
    r"|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
)
"""Words that may precede a full stop within a name, besides initials; after any other word, a full
stop ends the sentence."""


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
