"""Prompts about chains of thought: to write one, or to find the first wrong step of one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Any

from benchmarks.eventhop.prompts import WORDINGS, Prompter, Variant
from benchmarks.predictions import distinct
from solver.io.sources import InputError, row_files
from solver.traces.io import read_traces
from solver.traces.model import DeclaredTrace
from solver.traces.settings import TraceSettings
from solver.verification.report import Unreadable


class Task(StrEnum):
    """What is asked for.

    ``critique``: the first wrong step of each chain. ``solve``: a chain about each item.
    """

    CRITIQUE = "critique"
    SOLVE = "solve"


CRITIQUE = (
    "Someone has reasoned about the claim in steps, which are numbered from 0. A step is wrong if "
    "the statements and durations alone do not force what it says: it contradicts them, or they "
    "leave it open. A step that only repeats a statement, or that says nothing about the order, is "
    "not wrong.\n\n"
    "Go through the steps in turn. Then end your reply with one line of the form\n"
    "First wrong step: NUMBER\nor, if no step is wrong,\nFirst wrong step: none"
)
_VERDICT = re.compile(r"first wrong step(?: is)?\W+(none|no step|-1|\d+)\b", re.IGNORECASE)


def critique_of(text: str) -> int | None:
    """The first wrong step that a reply names, -1 for none; None if it names no step, or several.

    What counts is the last line that names any.
    """
    for line in reversed(text.splitlines()):
        named = {word.lower() for word in _VERDICT.findall(line)}
        if named:
            word = named.pop()
            several = bool(named)
            return None if several else int(word) if word.lstrip("-").isdigit() else -1
    return None


def prompt(row: DeclaredTrace, task: Task) -> str:
    """The prompt about a chain, or about its item."""
    domain = row.trace.item.domain
    if task is Task.SOLVE:
        return Prompter(domain, Variant.COT).prompt(row.premise, row.claim)
    steps = "\n".join(f"Step {number}: {text}" for number, text in enumerate(row.trace.texts))
    return (
        f"{WORDINGS[domain].task}\n\n{CRITIQUE}\n\n"
        f"Statements: {row.premise}\nClaim: {row.claim}\nSteps:\n{steps}\n"
    )


def prompts(paths: Sequence[str], task: Task) -> Iterator[dict[str, Any]]:
    """A row for each chain: id, task and prompt.

    Raises:
        InputError: a file or a row cannot be read.
    """
    for row in distinct(_chains(paths), lambda row: row.id):
        yield {"id": row.id, "task": task.value, "prompt": prompt(row, task)}


def _chains(paths: Sequence[str]) -> Iterator[DeclaredTrace]:
    for path in row_files(paths):
        some = False
        for row in read_traces(path, TraceSettings()):
            if isinstance(row, Unreadable):
                raise InputError(row.message, where=row.where)
            some = True
            yield row
        if not some:
            raise InputError("found no chain, expected at least one", where=path)
