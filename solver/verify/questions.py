"""Verifies questions over a graph: texts, answers, choices, certificates and checksums."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from grammar.question import QuestionKind
from solver.manifest import sha256
from solver.questions.files import MANIFEST
from solver.reading.failures import InputError
from solver.verify.checked import VerifyReport, Violation
from solver.verify.questions_deciding import ENGINES, QuestionsByTime, decide_batches
from solver.verify.questions_reading import check_rows
from solver.verify.questions_source import LoadedGraph, Source, load_graph
from solver.verify.settings import Kind
from solver.wording import counted

Progress = Callable[[int], object]


def check(source: Source, *, jobs: int = 1, progress: Progress | None = None) -> VerifyReport:
    """Check files of questions, or a folder, as one data set without duplicates.

    Args:
        source: the files and the graph.
        jobs: number of worker processes.
        progress: called with the number of questions newly read, and newly decided.

    Raises:
        InputError: a file cannot be read, or rules are required and missing.
        QuestionDisagreementError: the two engines differ.
    """
    begun = time.perf_counter()
    # Errors in the graph and its rules are raised before any question is read.
    world = load_graph(source)
    reading = _Reading(source, jobs, progress)
    _require_rules(source, reading.kinds)
    found = reading.found
    for size, wrong in decide_batches(source, reading.days.batches(), jobs):
        for number, violations in wrong.items():
            found.setdefault(number, []).extend(violations)
        if progress is not None:
            progress(size)
    for number, first in reading.days.repeated_ids():
        found.setdefault(number, []).append(_same_id(reading.days, number, first))
    return VerifyReport(
        kind=Kind.QUESTIONS,
        noun="questions",
        number=len(reading.days),
        right="each answer follows, none is missing, and each text says what its question asks",
        files=source.paths if source.folder is None else (str(source.folder),),
        violations=(
            *_digests(source),
            *(one for number in sorted(found) for one in found[number]),
        ),
        figures=reading.figures | {"2-hop rules": _rules(world)},
        unreadable=tuple(reading.broken),
        engines=ENGINES,
        seconds=time.perf_counter() - begun,
    )


class _Reading:
    """The questions of a source after the checks of single questions.

    Attributes:
        days: the questions by time; kinds: number of questions of each kind.
        found: violations of single questions, by question number.
        broken: messages about unreadable rows.
    """

    def __init__(self, source: Source, jobs: int, progress: Progress | None) -> None:
        self.days = QuestionsByTime()
        self.kinds: Counter[QuestionKind] = Counter()
        self.found: dict[int, list[Violation]] = {}
        self.broken: list[str] = []
        for file, rows in check_rows(source, jobs):
            if file not in self.days.files:
                self.days.files.append(file)
            place = self.days.files.index(file)
            for row in rows:
                if row.kind is None:
                    self.broken.append(row.broken)
                    continue
                if row.violations:
                    self.found[len(self.days)] = list(row.violations)
                self.kinds[row.kind] += 1
                self.days.add(place, row.line, row.id, row.linked)
            if progress is not None:
                progress(len(rows))

    @property
    def figures(self) -> dict[str, int]:
        """Number of questions of each kind, and of query times."""
        kinds = {kind.value: self.kinds[kind] for kind in QuestionKind if self.kinds[kind]}
        return kinds | {"times": self.days.times}


def _require_rules(source: Source, kinds: Counter[QuestionKind]) -> None:
    number = kinds[QuestionKind.FACT_REASONING]
    if number and not source.rules:
        message = f"found {counted(number, 'fact-reasoning question')}, no rules"
        raise InputError(message, where=source.paths[0], hint="pass the rules with --rules FILE")


def _rules(world: LoadedGraph) -> int | str:
    """Number of 2-hop rules that were checked."""
    rules = world.world.two_hop
    return "not checked" if rules is None else len(rules)


def _same_id(days: QuestionsByTime, number: int, first: int) -> Violation:
    name = days.name(number)
    return Violation(
        code="repeated-id",
        where=days.place(number),
        message=f"{name} is also the id of the question at {days.place(first)}",
        certificate={"question": name},
    )


def _digests(source: Source) -> Iterator[Violation]:
    """Files of a folder whose checksums differ from its manifest."""
    if source.folder is None or not (source.folder / MANIFEST).is_file():
        return
    for name, expected in sorted(_outputs(source.folder / MANIFEST).items()):
        path = source.folder / name
        found = sha256(path)
        if found == expected:
            continue
        message = "its checksum differs from the manifest"
        if found is None:
            message = "it is missing, but listed in the manifest"
        shown_by = {"sha256": found, "manifest": expected}
        yield Violation(
            code="digest-differs", where=str(path), message=message, certificate=shown_by
        )


def _outputs(path: Path) -> dict[str, Any]:
    try:
        outputs = json.loads(path.read_bytes())["outputs"]
    except (ValueError, KeyError, TypeError, OSError):
        outputs = None
    if not isinstance(outputs, dict):
        raise InputError("found no manifest, expected one with outputs", where=str(path))
    return outputs
