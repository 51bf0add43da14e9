"""Disagreements of two engines: what only one of them finds, and the input to reproduce it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from grammar.errors import ExitStatus, HopcheckError
from solver.io.writing import atomic

if TYPE_CHECKING:
    from solver.atoms import Finding as EngineFinding


class DisagreementError(HopcheckError):
    """Two engines disagree, so at least one of them is wrong.

    Attributes:
        name: kind of the input, for the name of the file.
        program: the input as ASP facts.
        encodings: the encodings that decide it.
    """

    code = "disagreement"
    exit_status = ExitStatus.DISAGREEMENT

    def __init__(
        self,
        message: str,
        *,
        where: str = "",
        hint: str = "",
        name: str = "",
        program: str = "",
        encodings: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message, where=where, hint=hint)
        self.name, self.program, self.encodings = name, program, encodings

    def write_reproducer(self, folder: Path) -> Path:
        """Write the input facts, name the command to run in the hint, and return the path."""
        path = folder / f"disagreement-{self.name}.lp"
        with atomic(path) as file:
            file.write(f"{self.program}\n".encode())
        used = " ".join(f"encodings/{name}" for name in self.encodings)
        also = f", {self.hint}" if self.hint else ""
        self.hint = f"reproduce with: clingo {used} {path}{also}"
        return path


def difference(
    engines: tuple[str, str], one: Iterable[EngineFinding], other: Iterable[EngineFinding]
) -> tuple[str, EngineFinding] | None:
    """The first finding of only one engine, as a multiset, with that engine; None if equal."""
    found = Counter(one), Counter(other)
    only = found[0] - found[1], found[1] - found[0]
    first = min([*only[0], *only[1]], default=None)
    return None if first is None else (engines[first in only[1]], first)


def found_alone(engine: str, finding: EngineFinding, numbers: tuple[int, ...] | None = None) -> str:
    """The message about a finding of one engine: ``…: unlabelled(4) is found by asp alone``."""
    shown = finding.numbers if numbers is None else numbers
    named = f"{finding.code}({', '.join(map(str, shown))})"
    return f"engines disagree: {named} is found by {engine} alone"
