"""Explains a chain of thought: the verdict of each step, and the proof of the first wrong one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from grammar.errors import HopcheckError
from grammar.traces.model import StatementKind
from solver.traces.decide import DecidedTrace, certified, crosschecked
from solver.traces.io import read_traces
from solver.traces.model import DeclaredTrace, Statement, StepVerdict
from solver.traces.settings import TraceSettings
from solver.verification.report import Unreadable

Line: TypeAlias = Sequence[Sequence[Any]]
"""A timeline: points with their instants."""

_MEANINGS = {
    StepVerdict.CONTRADICTS: "contradicts the premise",
    StepVerdict.OPEN: "is left open by the premise",
    StepVerdict.CARRIED: "follows from an earlier wrong step alone",
    StepVerdict.UNREAD: "was not read",
    StepVerdict.WITHDRAWN: "is taken back",
    StepVerdict.FOLLOWS: "follows",
    StepVerdict.RESTATED: "is stated by the premise or an earlier step",
    StepVerdict.NONE: "states nothing",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceExplanation:
    """The explanation of a chain of thought.

    Attributes:
        row: the row.
        result: its verdicts.
        line: its line with certificates, which the checker has accepted.
    """

    row: DeclaredTrace
    result: DecidedTrace
    line: dict[str, Any]

    def as_json(self) -> dict[str, Any]:
        """The line with certificates."""
        return self.line

    @property
    def proof(self) -> list[str]:
        """Why the first wrong step is wrong, as lines; empty if there is none."""
        return [
            line for statement, parts in self._wrong for line in self._reasons(statement, parts)
        ]

    @property
    def timelines(self) -> list[tuple[str, Line]]:
        """The timelines of its proof: what each shows, and instants of points."""
        return [pair for statement, parts in self._wrong for pair in _timelines(statement, parts)]

    @property
    def _wrong(self) -> Iterator[tuple[Statement, dict[str, Any]]]:
        """The wrong statements of the first wrong step, with their certificates."""
        place = self.result.verdict.first_error
        if place < 0:
            return
        statements = self.result.verdict.steps[place].statements
        written = self.line["steps"][place]["statements"]
        for statement, row in zip(statements, written, strict=True):
            if statement.verdict in (StepVerdict.CONTRADICTS, StepVerdict.OPEN):
                yield statement, row["certificate"]

    def _reasons(self, statement: Statement, parts: dict[str, Any]) -> Iterator[str]:
        yield f"{self.stated(statement)}: {_MEANINGS[statement.verdict]}"
        if statement.kind is StatementKind.ANSWER:
            status, label = self.result.premise.status, self.result.premise.label
            yield f"  the claim is {status}, its label is {label}"
        shown = [f"  {name}: {_written(line)}" for name, line in _timelines(statement, parts)]
        if statement.verdict is StepVerdict.OPEN:
            yield "  two timelines fit the premise"
            yield from shown
            return
        for name in ("walk", "cycle"):
            found = parts.get("denied", parts)
            if name in found:
                yield f"  {self._walk(found[name])}"
        for walk in parts.get("walks", ()):
            yield f"  {self._walk(walk)}"
        yield from shown

    def stated(self, statement: Statement) -> str:
        """A statement in its normal form."""
        names = self.result.premise.points
        orders = " and ".join(f"{names[p]} {sign} {names[q]}" for p, sign, q in statement.orders)
        shown = orders or (statement.stated.label or "")
        instants = ", ".join(f"{names[p]} at {at:g}" for p, at in statement.stated.instants)
        kind = "" if statement.kind is StatementKind.HOLDS else f"{statement.kind}: "
        return f"{kind}{shown}{instants}".strip(": ")

    def _walk(self, walk: dict[str, Any]) -> str:
        """A walk in words: each point, and the sentence that leads on."""
        names, premise = self.result.premise.points, self.result.premise
        here = names.index(walk["from"])
        parts = [names[here]]
        for step in walk["steps"]:
            if step is None:
                here, sign, by = here + 1, "<", "duration"
            elif isinstance(step, int):
                p, order, q = premise.relations[step]
                here, sign, by = (q if p == here else p), order, f"sentence {step + 1}"
            else:
                return f"{' '.join(parts)} ... (with {step})"
            parts.append(f"{sign} {names[here]} ({by})")
        return " ".join(parts)


def _timelines(statement: Statement, parts: dict[str, Any]) -> list[tuple[str, Line]]:
    """The timelines of a certificate, and what each shows."""
    if statement.verdict is StepVerdict.OPEN:
        return [
            ("as stated", _line_of(parts["undenied"])),
            ("otherwise", _line_of(parts["underivable"])),
        ]
    if "undenied" in parts:
        return [("a timeline that fits", _line_of(parts["undenied"]))]
    return []


def _line_of(part: dict[str, Any]) -> Line:
    first: Line = next(iter(part.get("timelines", ())), [])
    return part.get("model") or part.get("timeline") or first


def _written(line: Line) -> str:
    return ", ".join(f"{name} {instant}" for name, instant in sorted(line, key=lambda row: row[1]))


def explain(path: str, name: str, settings: TraceSettings | None = None) -> TraceExplanation:
    """Explain the trace of a file that has an id.

    Raises:
        HopcheckError: the file has no such trace, or it cannot be read.
    """
    for row in read_traces(path, settings or TraceSettings()):
        if isinstance(row, Unreadable):
            continue
        if row.id == name:
            (result,) = crosschecked([row.trace])
            return TraceExplanation(row=row, result=result, line=certified(row, result))
    raise HopcheckError(f"found no trace with the id {name!r}", where=path)
