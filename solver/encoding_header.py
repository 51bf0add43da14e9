"""Reads the header that opens each ASP file: purpose, inputs, outputs, size of the grounding."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

_NESTED = r"(?:[^()]|\((?:[^()]|\([^()]*\))*\))*"
_TERM = re.compile(rf"([a-z]\w*)\(({_NESTED})\)\s*")
_SECTION = re.compile(r"% (Source:|Input|Output|Const|Grounds)\s*(.*)")
_SENTENCE_END = re.compile(r"(?<=[.?]) (?=[A-Z])")


class Signature(NamedTuple):
    """Name and number of arguments of a predicate."""

    name: str
    arity: int


@dataclass(slots=True, kw_only=True)
class Entry:
    """A predicate as a header writes it, and what the header says of it."""

    written: str
    meaning: str


@dataclass(slots=True, kw_only=True)
class Header:
    """What a file says of itself.

    Attributes:
        purpose: its first sentence.
        inputs: the predicates that it takes.
        outputs: the predicates that it gives to others.
        grounds: what its grounding grows with.
        lines: how many lines the header has.
    """

    purpose: str = ""
    inputs: dict[Signature, Entry] = field(default_factory=dict)
    outputs: dict[Signature, Entry] = field(default_factory=dict)
    grounds: str = ""
    lines: int = 0


def header(text: str) -> Header:
    """Read the comment that a file begins with."""
    sections: dict[str, list[str]] = {"": []}
    name = ""
    found = Header()
    for line in text.splitlines():
        if not line.startswith("%"):
            break
        found.lines += 1
        opened = _SECTION.match(line)
        if opened:
            name = opened[1]
        sections.setdefault(name, []).append(opened[2] if opened else line[1:].strip())
    found.purpose = _SENTENCE_END.split(" ".join(sections[""]), maxsplit=1)[0]
    found.grounds = " ".join(sections.get("Grounds", [])).rstrip(".")
    found.inputs = _entries(sections.get("Input", []))
    found.outputs = _entries(sections.get("Output", []))
    return found


def _entries(lines: list[str]) -> dict[Signature, Entry]:
    """Predicates at the start of a line share what is said behind them, and on the lines below."""
    entries: dict[Signature, Entry] = {}
    latest: list[Entry] = []
    for line in lines:
        at = 0
        named: list[Entry] = []
        while term := _TERM.match(line, at):
            at = term.end()
            entry = Entry(written=term[0].strip(), meaning="")
            named.append(entry)
            entries[Signature(term[1], _arity(term[2]))] = entry
        latest = named or latest
        for entry in latest:
            entry.meaning = f"{entry.meaning} {' '.join(line[at:].split())}".strip()
    return entries


def _arity(arguments: str) -> int:
    depth = 0
    commas = 0
    for letter in arguments:
        depth += (letter == "(") - (letter == ")")
        commas += letter == "," and not depth
    return commas + 1
