"""Result of verifying files of any kind: violations, each with its certificate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from solver.wording import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """A difference between a file and what it declares.

    Attributes:
        code: finding code, such as ``missing-closure``.
        where: the position as ``file:line``, or the name of the object.
        message: a sentence without full stop.
        certificate: the evidence as JSON values, such as the conflicting facts.
    """

    code: str
    where: str
    message: str
    certificate: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """A line of ``violations.jsonl``."""
        row = {"code": self.code, "where": self.where, "message": self.message}
        return row | ({"certificate": dict(self.certificate)} if self.certificate else {})


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyReport:
    """The result of verifying files.

    Attributes:
        kind: kind of the files: a value of ``solver.verify.settings.Kind``.
        noun: what was counted, in the plural: ``patterns``.
        number: the count.
        right: the message if there is no violation, a sentence without full stop.
        figures: further counts to report, as JSON values.
        unreadable: one message per row that could not be read.
        engines: the engines, which agreed.
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
        """The count with its noun: ``1 pattern``, ``2,000 patterns``."""
        return counted(self.number, self.noun.removesuffix("s"))

    @property
    def unread(self) -> str:
        """The number of unreadable rows with its noun; empty for none."""
        return counted(len(self.unreadable), "row") if self.unreadable else ""

    def counts(self) -> dict[str, int]:
        """Number of violations by code, sorted by code."""
        return dict(sorted(Counter(one.code for one in self.violations).items()))

    def as_json(self) -> dict[str, Any]:
        """The object printed by ``--json`` and written to ``summary.json``."""
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
