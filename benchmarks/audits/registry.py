"""The sets that can be audited, each with its tasks; a task is found by the name of its module.

Other distributions add tasks by entry points of the group ``hopcheck.audits``, whose names are
``SET.TASK`` and whose objects are ``AuditTask``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points

from benchmarks.audits.files import AuditFile, rows_of
from benchmarks.audits.model import AuditTask, Row
from solver import NAMESPACE
from solver.io.sources import InputError

GROUP = "hopcheck.audits"
"""Group of the entry points by which other distributions declare tasks."""

_HEAD = 20
"""Rows that a task is recognised by."""

TITLES: Mapping[str, str] = {
    "bbh": "BIG-Bench Hard",
    "bbeh": "BIG-Bench Extra Hard",
    "bigbench": "BIG-bench",
    "stepgame": "StepGame",
    "babi": "bAbI",
    "tempreason": "TempReason",
    "timex-nli": "TimeX-NLI",
    "tot": "Test of Time",
    "reasoning-gym": "reasoning-gym",
}

_PLACES: Mapping[str, tuple[str, ...]] = {
    "timex-nli": (
        "benchmarks.audits.sets.timex_nli:DURATION",
        "benchmarks.audits.sets.timex_nli:ORDER",
        "benchmarks.audits.sets.timex_nli:CONVERSION",
    ),
    "stepgame": ("benchmarks.audits.sets.positions:STEPGAME",),
    "babi": (
        "benchmarks.audits.sets.positions:QA14",
        "benchmarks.audits.sets.positions:QA17",
        "benchmarks.audits.sets.positions:QA19",
    ),
    "bbh": (
        "benchmarks.audits.sets.date_understanding:HARD",
        "benchmarks.audits.sets.temporal_sequences:TASK",
        "benchmarks.audits.sets.assignments:LOGICAL_DEDUCTION",
    ),
    "bbeh": (
        "benchmarks.audits.sets.temporal_sequence:TASK",
        "benchmarks.audits.sets.assignments:ZEBRA_PUZZLES",
    ),
    "bigbench": ("benchmarks.audits.sets.date_understanding:BIG_BENCH",),
    "tot": ("benchmarks.audits.sets.tot:ARITHMETIC",),
    "reasoning-gym": (
        "benchmarks.audits.sets.reasoning_gym:CALENDAR",
        "benchmarks.audits.sets.reasoning_gym:INTERVALS",
        "benchmarks.audits.sets.reasoning_gym:FAMILY",
    ),
    "tempreason": ("benchmarks.audits.sets.tempreason:DATE_ARITHMETIC",),
}
"""For each set, ``module:name`` of its tasks."""


@cache
def tasks() -> Mapping[str, tuple[AuditTask, ...]]:
    """The tasks of each set, by the name of the set.

    Raises:
        InputError: one of another distribution cannot be loaded.
    """
    known: dict[str, list[AuditTask]] = {name: [] for name in TITLES}
    for name, places in _PLACES.items():
        for place in places:
            module, _, attribute = place.partition(":")
            known[name].append(getattr(import_module(NAMESPACE + module), attribute))
    for entry in sorted(entry_points(group=GROUP)):
        try:
            task = entry.load()
        except Exception as error:
            reason = f"{type(error).__name__}: {error}".splitlines()[0]
            raise InputError(f"cannot be loaded: {reason}", where=f"audit {entry.name}") from error
        if not isinstance(task, AuditTask):
            message = f"found a {type(task).__name__}, expected an AuditTask"
            raise InputError(message, where=f"audit {entry.name}")
        known.setdefault(entry.name.partition(".")[0], []).append(task)
    return {name: tuple(found) for name, found in known.items() if found}


def tasks_of(name: str) -> tuple[AuditTask, ...]:
    """The tasks of a set.

    Raises:
        InputError: no such set is known.
    """
    known = tasks()
    if name not in known:
        hint = f"known: {', '.join(known)}"
        raise InputError(f"found the set {name!r}, expected one that is known", where="audit",
                         hint=hint)  # fmt: skip
    return known[name]


def task_of(name: str, file: AuditFile) -> tuple[AuditTask, Sequence[Row]]:
    """The task of a set that a file is of, and the rows of the file.

    Raises:
        InputError: the file is of no task of the set.
    """
    faults = []
    for task in tasks_of(name):
        try:
            rows = rows_of(task, file)
        except InputError as error:
            faults.append(error)
            continue
        if task.recognises(rows[:_HEAD]):
            return task, rows
    known = ", ".join(task.name for task in tasks_of(name))
    if len(faults) == len(tasks_of(name)):
        raise faults[0]
    message = f"found rows of another form, expected a task of {name}"
    raise InputError(message, where=file.name, hint=f"known: {known}")
