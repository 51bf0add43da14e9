"""What a check of files found, whatever their kind: violations, each with its certificate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from solver.wording import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """Something that is not as declared.

    Attributes:
        code: its kind, as in ``missing-closure``; the same word in every format.
        where: the place, as ``file:line`` or the name of the thing.
        message: what is wrong, in a sentence without its end.
        certificate: what shows it, as JSON values: the facts that clash, the path that fails.
    """

    code: str
    where: str
    message: str
    certificate: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """As a line of ``violations.jsonl``."""
        told = {"code": self.code, "where": self.where, "message": self.message}
        return told | ({"certificate": dict(self.certificate)} if self.certificate else {})


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The outcome of a check.

    Attributes:
        kind: of the files: a value of ``solver.verify.settings.Kind``.
        noun: what was counted, in the plural: ``patterns``.
        number: how many of them.
        right: what holds if there is no violation, as a sentence without its end.
        figures: further counts to show, as JSON values.
        unreadable: rows that could not be read, each told in one line.
        engines: those that agreed.
        seconds: wall time.
    """

    kind: str
    noun: str
    number: int
    right: str
    files: tuple[str, ...]
    violations: tuple[Violation, ...] = ()
    figures: Mapping[str, Any] = field(default_factory=dict)
    unreadable: tuple[str, ...] = ()
    engines: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def counted(self) -> str:
        """How many there are of what was counted: ``1 pattern``, ``2,000 patterns``."""
        return counted(self.number, self.noun.removesuffix("s"))

    @property
    def unread(self) -> str:
        """How many rows could not be read, of which nothing can be said; empty for none."""
        return counted(len(self.unreadable), "row") if self.unreadable else ""

    def counts(self) -> dict[str, int]:
        """How many violations there are of each code, sorted by it."""
        return dict(sorted(Counter(one.code for one in self.violations).items()))

    def as_json(self) -> dict[str, Any]:
        """What ``--json`` prints and ``summary.json`` holds."""
        return {
            "kind": self.kind,
            "files": list(self.files),
            self.noun: self.number,
            "unreadable": len(self.unreadable),
            "engines": list(self.engines),
            "violations": self.counts(),
            "figures": dict(self.figures),
            "seconds": round(self.seconds, 3),
        }
