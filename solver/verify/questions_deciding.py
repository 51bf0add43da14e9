"""Decides questions in batches by two engines, whose findings must agree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np

from grammar.question import QuestionKind
from solver.errors import ExitStatus, HopcheckError
from solver.processes import WORKER_LIFETIME, parallel_stream
from solver.questions.entailed import QUESTIONS
from solver.questions.linking import LinkedQuestion, unpacked
from solver.questions.ranked import NOT_RANKED_FIRST, ranked_first
from solver.rules.application import Application
from solver.tkg.proof import Finding
from solver.tkg.quadruples import Quadruples
from solver.verify.checked import Violation
from solver.verify.questions_source import LoadedGraph, Source, load_graph
from solver.verify.questions_telling import MessageFormatter
from solver.writing.atomic import atomic

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
        for time in sorted(self._by_time):
            # Packed questions start with the query, so equal queries are adjacent.
            day = sorted(self._by_time[time], key=lambda one: one[1])
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
