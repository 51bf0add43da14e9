"""Audits files of a set: reads every row, decides it under each reading, and collects verdicts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from benchmarks.audits.files import AuditFile, read_file
from benchmarks.audits.model import (
    AuditedItem,
    AuditTask,
    ItemRead,
    Reading,
    Row,
    UnreadError,
    combined,
    unread,
)
from benchmarks.audits.registry import task_of, tasks_of
from benchmarks.audits.report import AuditedFile, AuditReport
from solver.processes import parallel_map

_BATCH = 250
"""Items that are decided at once."""


def audit(
    name: str,
    paths: Sequence[str | Path],
    *,
    reading: Mapping[str, str] | None = None,
    jobs: int = 1,
    progress: Callable[[int], object] | None = None,
) -> AuditReport:
    """Audit files of a set.

    Args:
        name: of the set.
        paths: its files, plain or gzip.
        reading: values of conventions that are fixed, instead of the default and the tried ones.
        jobs: number of worker processes.
        progress: called with the number of items newly decided.

    Raises:
        InputError: the set is not known, a file cannot be read or is of no task of the set, or
            none of the files has a convention of the reading.
        DisagreementError: the engines disagree about an item.
    """
    return AuditReport(
        set=name,
        files=tuple(
            _audited(name, read_file(path), reading or {}, jobs, progress) for path in paths
        ),
    )


def _audited(
    name: str,
    file: AuditFile,
    chosen: Reading,
    jobs: int,
    progress: Callable[[int], object] | None,
) -> AuditedFile:
    task, rows = task_of(name, file)
    readings = task.readings(chosen)
    # Puzzles of few, large items are shared among the workers as well.
    size = max(1, min(_BATCH, len(rows) // (8 * jobs)))
    batches = [rows[start : start + size] for start in range(0, len(rows), size)]
    decide = partial(_of_batch, name, task.name, readings)
    items: list[AuditedItem] = []
    for batch in parallel_map(decide, batches, jobs):
        items += batch
        if progress is not None:
            progress(len(batch))
    return AuditedFile(
        file=file, task=task, rows=tuple(rows), readings=readings, items=tuple(items)
    )


def _of_batch(
    name: str, task_name: str, readings: Sequence[Reading], rows: Sequence[Row]
) -> list[AuditedItem]:
    """The results about some rows; runs in a worker process, which finds the task by its name."""
    task = next(task for task in tasks_of(name) if task.name == task_name)
    return decided(task, readings, rows)


def decided(task: AuditTask, readings: Sequence[Reading], rows: Sequence[Row]) -> list[AuditedItem]:
    """The results about some rows of a task, in order."""
    read: dict[int, ItemRead] = {}
    items: dict[int, AuditedItem] = {}
    for row in rows:
        try:
            read[row.id] = task.read(row)
        except UnreadError as error:
            items[row.id] = unread(row, error)
    problems = list(read.values())
    outcomes = [task.decide(problems, reading) for reading in readings] if problems else []
    known = {row.id: row for row in rows}
    for index, (number, item) in enumerate(read.items()):
        under = [of_reading[index] for of_reading in outcomes]
        items[number] = combined(known[number], item, task.kind, readings, under)
    return [items[row.id] for row in rows]
