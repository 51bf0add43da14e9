"""Takes the place of ``solver/asp.py`` in the page: programs are solved by the page's clingo."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from js import solve

from solver.encodings import INCLUDE, Atom, FactTable, Term, encoding, with_included

_FLAT = re.compile(r"(\w+)\(([\w,]*)\)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """Encodings with their constants, as those of ``solver/asp.py``."""

    encodings: tuple[str, ...]
    constants: Mapping[str, str | int] = field(default_factory=dict)

    def unique_model(self, facts: str | FactTable) -> list[Atom]:
        """The shown atoms of the unique stable model, whose arguments are numbers and words."""
        texts = (encoding(name).read_text("utf-8") for name in with_included(self.encodings))
        program = "\n".join((*(INCLUDE.sub("", text) for text in texts), str(facts)))
        constants = " ".join(f"-c {name}={value}" for name, value in self.constants.items())
        return list(map(_atom, json.loads(solve(program, f"{constants} 1"))))


def _atom(text: str) -> Atom:
    found = _FLAT.fullmatch(text)
    if found is None:
        raise ValueError(f"found the atom {text}, expected one of numbers and words")
    name, arguments = found.groups()
    return Atom(name=name, arguments=tuple(map(_term, arguments.split(","))))


def _term(text: str) -> Term:
    return int(text) if text.isdigit() else text
