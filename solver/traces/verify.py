"""Verifies chains of thought: what a file declares of their steps, against what is proved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from grammar.traces.model import StatementKind
from solver.eventhop.certificates.proved import Judgement, compiled, require_agreement
from solver.io.sources import row_files
from solver.io.writing import json_lines, make_folder
from solver.processes import WORKER_LIFETIME, parallel_stream
from solver.traces.codes import CODES
from solver.traces.dataset import TwinFolder, differing_fields
from solver.traces.decide import certified, crosschecked
from solver.traces.encode import VERDICTS
from solver.traces.io import read_traces
from solver.traces.model import DeclaredTrace, StepVerdict, TraceVerdict
from solver.traces.settings import ENGINES, TraceSettings
from solver.verification.report import Finding, Kind, Unreadable, VerifyReport
from solver.verification.verifier import Execution, RunResult

ROWS = "items.jsonl"
PASSED = "every first error and step verdict is as declared, and each certificate was checked"
PROVED = ", also by the proved checker ({})"
BATCH = 32
_LIFETIME = max(WORKER_LIFETIME // BATCH, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class DecidedRow:
    """A row that is decided: its line, its findings and what it counts for.

    Attributes:
        judged: what the compiled checker has to accept, with its place.
    """

    line: dict[str, Any]
    findings: tuple[Finding, ...]
    counts: Counter[str]
    judged: tuple[tuple[str, Judgement], ...]


@dataclass(slots=True)
class _Counts:
    traces: int = 0
    by_name: Counter[str] = field(default_factory=Counter)


class TraceVerifier:
    """Decides chains of thought and compares what their files declare."""

    kind: ClassVar[str] = Kind.TRACES

    def __init__(self, execution: Execution, settings: TraceSettings | None = None) -> None:
        self._execution = execution
        self._settings = settings or TraceSettings()
        self._counts = _Counts()
        self._written: list[Path] = []
        self._folders: list[TwinFolder] = []

    def read(self, source: Sequence[str | Path]) -> Iterator[DeclaredTrace | Unreadable]:
        """Read the rows of files.

        Raises:
            InputError: a file cannot be read.
        """
        for path in map(str, source):
            folder = TwinFolder.of(path)
            if folder is None:
                for file in row_files([path]):
                    yield from read_traces(file, self._settings)
            else:
                self._folders.append(folder)
                yield from folder.read(self._settings)

    def decide(self, rows: Iterable[DeclaredTrace]) -> Iterator[Finding]:
        """Decide rows by both engines; their lines are written to the folder of the run.

        Raises:
            DisagreementError: the engines disagree.
            RejectedTraceError: a certificate does not prove its verdict.
            CheckersDifferError: the compiled checker does not accept a certificate.
        """
        checker = compiled() if self._settings.proved else None
        decide = partial(decide_batch, numbered=checker is not None)
        folder = self._execution.folder
        if folder is not None:
            make_folder(folder)
            self._written.append(folder / ROWS)
        with nullcontext() if folder is None else json_lines(folder / ROWS) as file:
            batches = _batches(rows)
            for decided in parallel_stream(
                decide, batches, self._execution.jobs, lifetime=_LIFETIME
            ):
                if checker is not None:
                    judged = [known for row in decided for known in row.judged]
                    require_agreement(judged, checker)
                for row in decided:
                    self._counts.traces += 1
                    self._counts.by_name += row.counts
                    yield from row.findings
                    if file is not None:
                        file.write(row.line)
                if self._execution.progress is not None:
                    self._execution.progress(len(decided))
        for twins in self._folders:
            yield from twins.findings()

    def report(self, run: RunResult) -> VerifyReport:
        """The report, with the verdicts of steps and statements."""
        return TraceReport(
            kind=self.kind,
            noun="traces",
            rows=self._counts.traces,
            passed=PASSED + (PROVED.format(compiled().name) if self._settings.proved else ""),
            files=run.files,
            findings=run.findings,
            unreadable=run.unreadable,
            metrics=_metrics(self._counts.by_name),
            engines=ENGINES,
            seconds=run.seconds,
            config=self._settings.as_config(),
            encodings=(VERDICTS,),
            written=tuple(self._written),
            equal=tuple(name for twins in self._folders for name in twins.equal),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceReport(VerifyReport):
    """The report of chains of thought.

    Attributes:
        written: the files with their lines.
    """

    written: tuple[Path, ...] = ()

    def _certificates(self, _folder: Path) -> list[Path]:
        return list(self.written)


def _batches(rows: Iterable[DeclaredTrace]) -> Iterator[tuple[DeclaredTrace, ...]]:
    rows = iter(rows)
    while batch := tuple(islice(rows, BATCH)):
        yield batch


def decide_batch(rows: Sequence[DeclaredTrace], *, numbered: bool) -> list[DecidedRow]:
    """Decide some rows, in one call of clingo; if asked, in numbers for the compiled checker."""
    found = []
    for row, result in zip(rows, crosschecked([row.trace for row in rows]), strict=True):
        judged: list[tuple[str, Judgement]] = []
        verdict = result.verdict
        line = msgspec.to_builtins(certified(row, result, judged if numbered else None))
        findings = list(_findings(row, verdict))
        if row.fields is not None and not findings:
            findings = list(_field_findings(row, verdict, line))
        found.append(
            DecidedRow(
                line=line,
                findings=tuple(findings),
                counts=_counted(verdict),
                judged=tuple(judged),
            )
        )
    return found


def _findings(row: DeclaredTrace, verdict: TraceVerdict) -> Iterator[Finding]:
    if row.label is not None and row.label is not verdict.label:
        found = {"found": verdict.label.value, "declared": row.label.value}
        yield _finding(row, "", "wrong-label", **found)
    place = verdict.first_error
    if row.first_error is not None and row.first_error != place:
        text = verdict.steps[place].text if place >= 0 else ""
        yield _finding(row, text, "wrong-first-error", found=place, declared=row.first_error)
    for place, (step, allowed) in enumerate(zip(verdict.steps, row.verdicts, strict=False)):
        if allowed and step.verdict not in allowed:
            words = {"step": place, "found": step.verdict.value, "declared": "/".join(allowed)}
            yield _finding(row, step.text, "wrong-step-verdict", **words)


def _field_findings(
    row: DeclaredTrace, verdict: TraceVerdict, line: dict[str, Any]
) -> Iterator[Finding]:
    right = verdict.answer is verdict.label
    for code, message in differing_fields(row, line, answer_correct=right):
        yield _finding(row, "", code, message=message)


def _finding(row: DeclaredTrace, text: str, code: str, **words: object) -> Finding:
    shown = {**words, "text": text} if text else words
    return replace(CODES[code].finding(row.where, shown, id=row.id, **words), id=row.id)


def _counted(verdict: TraceVerdict) -> Counter[str]:
    counts: Counter[str] = Counter()
    counts["steps"] = len(verdict.steps)
    counts[verdict.support.value] += 1
    counts["right"] += verdict.first_error < 0
    counts["lucky"] += verdict.lucky
    counts["answered_correctly"] += verdict.answer is verdict.label
    for step in verdict.steps:
        for statement in step.statements:
            unread = statement.kind is StatementKind.UNREAD
            counts["unread_clauses" if unread else "statements"] += 1
            counts[f"verdict {statement.verdict}"] += 1
    return counts


_FIGURES = (
    "steps", "statements", "unread_clauses", "right", "answered_correctly", "lucky", "supported",
    "leaping", "unsupported",
)  # fmt: skip


def _metrics(counts: Counter[str]) -> dict[str, Any]:
    return {
        **{name: counts[name] for name in _FIGURES},
        "verdicts": {
            verdict.value: counts[f"verdict {verdict}"]
            for verdict in StepVerdict
            if counts[f"verdict {verdict}"]
        },
    }
