"""Checks the labels of problems of the calendar: JSON Lines in the notation of docs/calendar.md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from solver.calendar.decide import decide
from solver.calendar.encode import PROBLEMS
from solver.calendar.engine import THEORY
from solver.calendar.model import CalendarError, Problem, checked
from solver.io.json_lines import BrokenRow, JsonDecoder
from solver.io.sources import open_input
from solver.io.writing import json_lines
from solver.processes import parallel_map
from solver.verification.outcomes import Outcome, Verdict, judged
from solver.verification.report import Codes, Finding, Kind, Unreadable, VerifyReport
from solver.verification.verifier import Execution, RunResult

CODES = Codes(
    {
        "wrong": ("gold {gold}, decided {decided}: {proof}", "another label is right"),
        "no-right-option": ("gold {gold}: {proof}", "no option is right"),
        "contradictory": ("gold {gold}: {proof}", "the premise has no model"),
        "unanswerable": ("gold {gold}: {proof}", "several answers fit"),
        "false-premise": ("gold {gold} is right, but {proof}", "a stated weekday is false"),
    }
)

_BATCH = 250
_ONLY = "the only one"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedProblem:
    """A problem with its place."""

    where: str
    problem: Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarReport(VerifyReport):
    """The report of a verification, with a line for each problem."""

    lines: tuple[dict[str, Any], ...] = field(default=(), repr=False)

    def _certificates(self, folder: Path) -> list[Path]:
        path = folder / "items.jsonl"
        with json_lines(path) as rows:
            for line in self.lines:
                rows.write(line)
        return [path]


class CalendarVerifier:
    """Decides problems by ASP and z3, and checks each certificate."""

    kind: ClassVar[str] = Kind.CALENDAR

    def __init__(self, execution: Execution, _: object = None) -> None:
        self._execution = execution
        self._lines: list[dict[str, Any]] = []

    def read(self, source: Sequence[str | Path]) -> Iterator[PlacedProblem | Unreadable]:
        """Read problems, one a line.

        Raises:
            InputError: a file cannot be read.
        """
        decoder = JsonDecoder(Problem, what="problem", hint="see docs/calendar.md")
        for path in source:
            with open_input(path, "problems as JSON lines") as opened:
                for row in decoder.rows(opened):
                    if isinstance(row, BrokenRow):
                        yield Unreadable.of(row.error)
                        continue
                    where = row.place.at()
                    try:
                        yield PlacedProblem(where=where, problem=checked(row.value))
                    except CalendarError as error:
                        yield Unreadable(where=where, message=error.message)

    def decide(self, rows: Iterable[PlacedProblem]) -> Iterator[Finding]:
        """Decide the problems with both engines.

        Raises:
            DisagreementError: they disagree.
        """
        placed = list(rows)
        batches = [placed[start : start + _BATCH] for start in range(0, len(placed), _BATCH)]
        decided = parallel_map(_decided, batches, self._execution.jobs)
        for batch, outcomes in zip(batches, decided, strict=True):
            for row, outcome in zip(batch, outcomes, strict=True):
                gold = row.problem.gold
                line = {"id": len(self._lines), **judged(self.kind, gold, {_ONLY: outcome})}
                self._lines.append(line)
                if outcome.verdict is not Verdict.RIGHT:
                    yield CODES[outcome.verdict].finding(
                        row.where,
                        outcome.certificate,
                        gold=gold,
                        decided=outcome.decided,
                        proof="; ".join(outcome.proof.splitlines()),
                    )
            if self._execution.progress is not None:
                self._execution.progress(len(batch))

    def report(self, run: RunResult) -> CalendarReport:
        """The report."""
        return CalendarReport(
            kind=self.kind,
            noun="problems",
            rows=len(self._lines),
            passed="every label is the answer, and its certificate was checked",
            files=run.files,
            findings=run.findings,
            unreadable=run.unreadable,
            engines=("asp", "smt"),
            seconds=run.seconds,
            encodings=(PROBLEMS, THEORY),
            lines=tuple(self._lines),
        )


def _decided(rows: Sequence[PlacedProblem]) -> list[Outcome]:
    return decide([row.problem for row in rows])
