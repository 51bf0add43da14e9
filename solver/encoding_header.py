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
    """A predicate as written in a header, and its meaning."""

    written: str
    meaning: str


@dataclass(slots=True, kw_only=True)
class Header:
    """The header of an encoding.

    Attributes:
        purpose: its first sentence.
        inputs: input predicates.
        outputs: output predicates.
        grounds: size of the grounding.
        lines: number of lines of the header.
    """

    purpose: str = ""
    inputs: dict[Signature, Entry] = field(default_factory=dict)
    outputs: dict[Signature, Entry] = field(default_factory=dict)
    grounds: str = ""
    lines: int = 0


def header(text: str) -> Header:
    """Parse the comment at the start of a file."""
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
    """Predicates on one line share the text after them and on its continuation lines."""
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
