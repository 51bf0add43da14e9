"""Verifies questions over a graph: texts, answers, choices, certificates and checksums."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from grammar.errors import ExitStatus, HopcheckError
from grammar.questions.model import QuestionKind
from solver.atoms import Finding
from solver.eventhop.messages import counted
from solver.graph.model import Quadruples
from solver.io.sources import InputError
from solver.io.writing import atomic
from solver.manifest import sha256
from solver.processes import WORKER_LIFETIME, parallel_stream
from solver.questions.contributions import NOT_RANKED_FIRST, ranked_first
from solver.questions.encode import QUESTIONS
from solver.questions.io import MANIFEST
from solver.questions.linking import LinkedQuestion, unpacked
from solver.questions.messages import MessageFormatter
from solver.questions.rows import LoadedGraph, Source, check_rows, load_graph
from solver.rules.application import Application
from solver.verification.checked import VerifyReport, Violation
from solver.verification.settings import Kind

ENGINES = ("asp", "join")
BATCH = 400
"""Questions per batch; a batch is larger where more questions share a query."""

_LIFETIME = max(WORKER_LIFETIME // BATCH, 1)


class QuestionDisagreementError(HopcheckError):
    """The ASP engine and the join engine differ on a batch."""

    code = "disagreement"
    exit_status = ExitStatus.DISAGREEMENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Questions that are decided together, in file order.

    Attributes:
        numbers: numbers among all questions; places and ids: their places in files, their ids.
        packed: packed questions by ids.
    """

    numbers: tuple[int, ...]
    places: tuple[str, ...]
    ids: tuple[str, ...]
    packed: tuple[bytes, ...]


@dataclass(slots=True)
class QuestionsByTime:
    """All questions by query time, packed to save memory.

    Attributes:
        files: names of their files.
    """

    files: list[str] = field(default_factory=list)
    _by_time: dict[int, list[tuple[int, bytes]]] = field(default_factory=dict)
    _ids: list[str] = field(default_factory=list)
    _lines: list[tuple[int, int]] = field(default_factory=list)

    def add(self, file: int, line: int, name: str, data: bytes) -> None:
        """Add a question; ``data`` is empty if it cannot be decided."""
        number = len(self._ids)
        self._ids.append(name)
        self._lines.append((file, line))
        if data:
            time = unpacked(data).query.time
            self._by_time.setdefault(time, []).append((number, data))

    def __len__(self) -> int:
        return len(self._ids)

    @property
    def times(self) -> int:
        """Number of distinct query times."""
        return len(self._by_time)

    def place(self, number: int) -> str:
        """File and line of a question."""
        file, line = self._lines[number]
        return f"{self.files[file]}:{line}"

    def repeated_ids(self) -> Iterator[tuple[int, int]]:
        """Pairs of a question and the first question with the same id."""
        first: dict[str, int] = {}
        for number, name in enumerate(self._ids):
            before = first.setdefault(name, number)
            if before != number:
                yield number, before

    def name(self, number: int) -> str:
        """The id of a question."""
        return self._ids[number]

    def batches(self) -> Iterator[Batch]:
        """All questions; those with the same query are in the same batch."""
        waiting: list[tuple[int, bytes]] = []
        for moment in sorted(self._by_time):
            # Packed questions start with the query, so equal queries are adjacent.
            day = sorted(self._by_time[moment], key=lambda one: one[1])
            asked = None
            for number, data in day:
                query = unpacked(data).query if len(waiting) >= BATCH else None
                if query is not None and query != asked:
                    yield self._batch(waiting)
                    waiting = []
                waiting.append((number, data))
                asked = unpacked(data).query if len(waiting) >= BATCH else None
        if waiting:
            yield self._batch(waiting)

    def _batch(self, waiting: Sequence[tuple[int, bytes]]) -> Batch:
        ordered = sorted(waiting)
        numbers = tuple(number for number, _ in ordered)
        return Batch(
            numbers=numbers,
            places=tuple(map(self.place, numbers)),
            ids=tuple(self._ids[number] for number in numbers),
            packed=tuple(data for _, data in ordered),
        )


def decide_batches(
    source: Source, batches: Iterable[Batch], jobs: int
) -> Iterator[tuple[int, dict[int, list[Violation]]]]:
    """Decide all batches.

    Yields:
        The size of a batch, and its violations by question number.

    Raises:
        QuestionDisagreementError: the engines differ; the ASP instance is written to
            ``disagreement-questions.lp`` in the working folder.
    """
    yield from parallel_stream(partial(decide_batch, source), batches, jobs, lifetime=_LIFETIME)


def decide_batch(source: Source, batch: Batch) -> tuple[int, dict[int, list[Violation]]]:
    """Decide one batch; returns its size and its violations by question number."""
    world = load_graph(source)
    questions = [unpacked(data) for data in batch.packed]
    asp = world.asp_engine.findings(questions) | _not_first(world, questions, fast=False)
    join = world.join_engine.findings(questions) | _not_first(world, questions, fast=True)
    if asp != join:
        raise _disagreement(world.asp_engine.program(questions), asp, join, batch)
    formatter = MessageFormatter(world.world, questions, batch.places, batch.ids)
    found: dict[int, list[Violation]] = {}
    for finding in sorted(asp, key=lambda one: (one.numbers, one.code)):
        number = batch.numbers[finding.numbers[0]]
        found.setdefault(number, []).append(formatter.violation(finding))
    return len(questions), found


def _not_first(
    world: LoadedGraph, questions: Sequence[LinkedQuestion], *, fast: bool
) -> set[Finding]:
    """Fact-reasoning questions whose object is not ranked first by the rules."""
    numbers = [
        number
        for number, one in enumerate(questions)
        if one.query.kind is QuestionKind.FACT_REASONING
    ]
    if not numbers:
        return set()
    queries = [questions[number].query for number in numbers]
    rows = [(*query.triples[0], query.time) for query in queries]
    application: Application = world.fast if fast else world.plain
    first = ranked_first(application, Quadruples.of(np.array(rows, dtype=np.int64)))
    return {
        Finding(code=NOT_RANKED_FIRST, numbers=(number,))
        for number, right in zip(numbers, first.tolist(), strict=True)
        if not right
    }


def _disagreement(
    program: str, asp: set[Finding], join: set[Finding], batch: Batch
) -> QuestionDisagreementError:
    home = Path("disagreement-questions.lp")
    with atomic(home) as file:
        file.write(f"{program}\n".encode())
    first = min(asp ^ join)
    engine = ENGINES[first in join]
    number, *others = first.numbers
    shown = f"{first.code}({', '.join(map(str, others))})"
    message = f"engines disagree: {shown} is found by {engine} alone"
    hint = f"reproduce with clingo encodings/{QUESTIONS} {home}, question {number}"
    return QuestionDisagreementError(message, where=batch.places[number], hint=hint)


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
