"""What kinds of problems share: rows of JSON Lines, each decided alone, with a label to check."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Generic, TypeVar

import msgspec

from grammar.errors import HopcheckError
from solver.io.columns import column
from solver.io.json_lines import BrokenRow, JsonDecoder
from solver.io.sources import RowError, open_input, row_files
from solver.io.writing import json_lines
from solver.processes import parallel_map
from solver.verification.outcomes import Outcome, Verdict, judged
from solver.verification.report import Codes, Finding, Unreadable, VerifyReport
from solver.verification.run import DisagreementError
from solver.verification.verifier import Execution, RunResult

Row = TypeVar("Row", bound=msgspec.Struct)
Problem = TypeVar("Problem")

CODES = Codes(
    {
        "wrong": ("gold {gold}, decided {decided}: {proof}", "another label is right"),
        "no-right-option": ("gold {gold}: {proof}", "no option is right"),
        "contradictory": ("gold {gold}: {proof}", "the premise has no model"),
        "unanswerable": ("gold {gold}: {proof}", "several answers fit"),
        "false-premise": ("gold {gold} is right, but {proof}", "a stated weekday is false"),
    }
)

ROWS = "items.jsonl"

_BATCH = 250
_ONLY = "the only one"


class Named(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a generated row has beside its problem.

    Attributes:
        id: its name.
        family: what it is about.
        level: its difficulty, from 1 to 5.
        hops: number of sentences that its answer needs.
    """

    id: Annotated[str, column("its name", example="test-000001")] = ""
    family: Annotated[str, column("what it is about", example="weekday")] = ""
    level: Annotated[int, column("its difficulty, from 1 to 5", example=2)] = 0
    hops: Annotated[int, column("the sentences that its answer needs", example=3)] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed(Generic[Problem]):
    """A problem with its place, its name and its label."""

    where: str
    id: str
    problem: Problem
    gold: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemReport(VerifyReport):
    """The report of a verification, with a line for each problem."""

    lines: tuple[dict[str, Any], ...] = field(default=(), repr=False)

    def _certificates(self, folder: Path) -> list[Path]:
        path = folder / ROWS
        with json_lines(path) as rows:
            for line in self.lines:
                rows.write(line)
        return [path]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemTheory(Generic[Row, Problem]):
    """What distinguishes a kind of problems from the others.

    Attributes:
        kind, noun: its name, and what is counted.
        rows: struct of its rows, which have ``id`` and ``gold``.
        problem: the problem of a row; raises a ``HopcheckError`` if its text is not read.
        answers: the possible answers to a problem, each with its meaning in words.
        text: the row as one text.
        decided: decides problems by two engines; raises ``DisagreementError``.
        encodings: what they decide by.
    """

    kind: str
    noun: str
    rows: type[Row]
    problem: Callable[[Row], Problem]
    answers: Callable[[Row], Mapping[str, str]]
    text: Callable[[Row], str]
    decided: Callable[[Sequence[Problem]], list[Outcome]]
    encodings: tuple[str, ...]


class ProblemVerifier(Generic[Row, Problem]):
    """Decides problems by two engines, and checks each certificate."""

    def __init__(
        self, theory: ProblemTheory[Row, Problem], execution: Execution, _: object = None
    ) -> None:
        self.kind = theory.kind
        self._theory = theory
        self._execution = execution
        self._lines: list[dict[str, Any]] = []

    def read(self, source: Sequence[str | Path]) -> Iterator[Placed[Problem] | Unreadable]:
        """Read problems, one a line, of files or of folders of ``generate``.

        Raises:
            InputError: a file cannot be read.
        """
        for path in row_files(source):
            for row in self._rows(path):
                if isinstance(row, Unreadable):
                    yield row
                    continue
                where, value = row
                try:
                    problem = self._theory.problem(value)
                except HopcheckError as error:
                    yield Unreadable(where=where, message=error.message)
                    continue
                yield Placed(where=where, id=value.id, problem=problem, gold=value.gold)

    def _rows(self, path: str) -> Iterator[tuple[str, Any] | Unreadable]:
        """The rows of JSON Lines or Parquet, with their places."""
        hint = f"see docs/{self.kind}.md"
        theory = self._theory
        decoder: JsonDecoder[Any] = JsonDecoder(theory.rows, what=theory.noun, hint=hint)
        with open_input(path, "problems as JSON lines") as opened:
            for row in decoder.rows(opened):
                if isinstance(row, BrokenRow):
                    yield Unreadable.of(row.error)
                else:
                    yield row.place.at(), row.value

    def decide(self, rows: Iterable[Placed[Problem]]) -> Iterator[Finding]:
        """Decide the problems with both engines.

        Raises:
            DisagreementError: they disagree.
        """
        placed = list(rows)
        batches = [placed[start : start + _BATCH] for start in range(0, len(placed), _BATCH)]
        decided = parallel_map(
            partial(_located, self._theory.decided), batches, self._execution.jobs
        )
        for batch, outcomes in zip(batches, decided, strict=True):
            for row, outcome in zip(batch, outcomes, strict=True):
                line = {"id": len(self._lines), **judged(self.kind, row.gold, {_ONLY: outcome})}
                self._lines.append(line)
                if outcome.verdict is not Verdict.RIGHT:
                    found = CODES[outcome.verdict].finding(
                        row.where,
                        outcome.certificate,
                        gold=row.gold,
                        decided=outcome.decided,
                        proof="; ".join(outcome.proof.splitlines()),
                    )
                    yield replace(found, id=row.id or None)
            if self._execution.progress is not None:
                self._execution.progress(len(batch))

    def report(self, run: RunResult) -> ProblemReport:
        """The report."""
        return ProblemReport(
            kind=self.kind,
            noun=self._theory.noun,
            rows=len(self._lines),
            passed="every label is the answer, and its certificate was checked",
            files=run.files,
            findings=run.findings,
            unreadable=run.unreadable,
            engines=("asp", "smt"),
            seconds=run.seconds,
            encodings=self._theory.encodings,
            lines=tuple(self._lines),
        )


def _located(
    decided: Callable[[Sequence[Problem]], list[Outcome]], rows: Sequence[Placed[Problem]]
) -> list[Outcome]:
    """Decide the problems of some rows; an answer that has no such form is one of a row.

    Raises:
        DisagreementError: the engines disagree.
        RowError: an answer cannot be written.
    """
    try:
        return decided([row.problem for row in rows])
    except DisagreementError:
        raise
    except HopcheckError:
        for row in rows:
            try:
                decided([row.problem])
            except HopcheckError as error:
                raise RowError(error.message, where=row.where, hint=error.hint) from None
        raise
