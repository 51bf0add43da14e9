"""Compact notation for facts and atoms, shared by the tests of the encodings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import pytest

from solver.asp import Program
from solver.encodings import Term

Solve = Callable[..., list[str]]
Given = Callable[..., str]

WORDS = {"<": "before", ">": "after", "=": "simultaneous"}
BOUNDS = {"-": "start", "+": "end"}
SIGNS = {"start": "-", "end": "+"}


def point(text: str) -> str:
    """``a-`` is the start of ``a``, ``a+`` its end."""
    return f"at({text[:-1]},{BOUNDS[text[-1]]})"


def written(term: Term) -> str:
    """Format as clingo does, but a point as ``a-``."""
    match term:
        case ("at", (event, bound)):
            return f"{event}{SIGNS[str(bound)]}"
        case (name, arguments):
            return f"{name}({','.join(map(written, arguments))})"
    return str(term)


@pytest.fixture(scope="session")
def solve() -> Solve:
    """Atoms of the given predicates (default: all shown) in the unique stable model."""

    def ask(
        encodings: Iterable[str], facts: str, *predicates: str, **constants: str | int
    ) -> list[str]:
        program = Program(encodings=tuple(encodings), constants=constants)
        atoms = program.unique_model(facts)
        return sorted(
            f"{atom.name}({','.join(map(written, atom.arguments))})"
            for atom in atoms
            if not predicates or atom.name in predicates
        )

    return ask


@pytest.fixture(scope="session")
def given() -> Given:
    """Facts of one item, from ``a+ < b-, b- = c+`` and a claim such as ``a before b``."""

    def make(premise: str, claim: str = "", *, item: int = 0) -> str:
        sentences = [text.split() for text in premise.split(", ") if text]
        lines = [
            f"relation({item},{n},{point(p)},{WORDS[sign]},{point(q)})."
            for n, (p, sign, q) in enumerate(sentences)
        ]
        if claim:
            left, word, right = claim.split()
            if word in WORDS:
                left, word, right = point(left), WORDS[word], point(right)
            lines.append(f"claim({item},{word},{left},{right}).")
        events = {p[:-1] for sentence in sentences for p in sentence[::2]}
        events |= set(re.findall(r"\b[a-z]\d*\b", claim))
        lines += [f"event({item},{event})." for event in sorted(events)]
        return "\n".join(lines)

    return make
