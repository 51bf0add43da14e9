"""Result of verifying files of any kind: violations, each with its certificate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from solver.eventhop.messages import counted
from solver.io.writing import json_lines, make_folder
from solver.report.model import Report, Section, Table
from solver.report.numbers import left_out


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
        kind: kind of the files: a value of ``solver.verification.settings.Kind``.
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


_SHOWN = 200


def write_report(
    checked: VerifyReport,
    folder: Path,
    *,
    config: Mapping[str, object],
    encodings: tuple[str, ...],
    sections: tuple[Section, ...] = (),
) -> Path:
    """Write the report folder; returns the path of the page."""
    from solver.report import page

    make_folder(folder)
    rows = folder / "violations.jsonl"
    with json_lines(rows) as file:
        for one in checked.violations:
            file.write(one.as_json())
    return page.write_report(
        folder,
        _report(checked, sections),
        figures=checked.as_json(),
        summary="summary.json",
        config={"kind": checked.kind, **config},
        encodings=encodings,
        inputs=checked.files,
        outputs=[rows],
        timed=True,
    )


def _report(checked: VerifyReport, sections: tuple[Section, ...]) -> Report:
    counts = checked.counts()
    flawed = ", ".join(f"{number:,} {code}" for code, number in counts.items())
    unread = f"{checked.unread} unread" if checked.unread else ""
    return Report(
        title=f"{checked.counted}: {flawed or unread or 'as declared'}",
        lead="" if flawed or unread else f"{checked.right}.",
        facts={
            "files": ", ".join(checked.files),
            "engines": " = ".join(checked.engines) or "none",
            "unreadable rows": f"{len(checked.unreadable):,}",
            **{
                name.replace("_", " "): str(value)
                for name, value in checked.figures.items()
                if not isinstance(value, Mapping | list | tuple)
            },
        },
        sections=(*_violations(checked), *sections),
    )


def _violations(checked: VerifyReport) -> Iterator[Section]:
    if not checked.violations:
        return
    left = len(checked.violations) - _SHOWN
    yield Section(
        title="Violations",
        text=left_out(left, "violations.jsonl"),
        tables=(
            Table(
                columns=("where", "code", "problem", "certificate"),
                rows=tuple(
                    (one.where, one.code, one.message, _evidence(one.certificate))
                    for one in checked.violations[:_SHOWN]
                ),
            ),
        ),
    )


def _evidence(certificate: Mapping[str, object]) -> str:
    return "; ".join(f"{name.replace('_', ' ')}: {value}" for name, value in certificate.items())
