"""Decides questions a batch at a time, by two engines which have to find the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np

from grammar.question import QuestionKind
from solver.errors import ExitStatus, HopcheckError
from solver.processes import RENEWED, streamed
from solver.questions.entailed import QUESTIONS
from solver.questions.linking import LinkedQuestion, unpacked
from solver.questions.ranked import NOT_RANKED_FIRST, ranked_first
from solver.rules.application import Application
from solver.tkg.proof import Finding
from solver.tkg.quadruples import Quadruples
from solver.verify.checked import Violation
from solver.verify.questions_source import Held, Source, held
from solver.verify.questions_telling import Telling
from solver.writing.atomic import atomic

ENGINES = ("asp", "join")
BATCH = 400
"""Questions that clingo is asked about at once, unless more of them are the same."""

_LIFETIME = max(RENEWED // BATCH, 1)


class QuestionDisagreementError(HopcheckError):
    """The encoding and the joins differ on a batch: one of them is wrong."""

    code = "disagreement"
    exit_status = ExitStatus.DISAGREEMENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Questions that are decided together, in the order of their files.

    Attributes:
        numbers: of the questions among all; places and ids: where they stand, what they are called.
        packed: each question, by ids.
    """

    numbers: tuple[int, ...]
    places: tuple[str, ...]
    ids: tuple[str, ...]
    packed: tuple[bytes, ...]


@dataclass(slots=True)
class Days:
    """All questions, by the time that they ask about; packed, so that memory holds many.

    Attributes:
        files: their names.
    """

    files: list[str] = field(default_factory=list)
    _by_time: dict[int, list[tuple[int, bytes]]] = field(default_factory=dict)
    _ids: list[str] = field(default_factory=list)
    _lines: list[tuple[int, int]] = field(default_factory=list)

    def add(self, file: int, line: int, name: str, data: bytes) -> None:
        """Add a question; one that cannot be decided has no data."""
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
        """How many times are asked about."""
        return len(self._by_time)

    def place(self, number: int) -> str:
        """The file and the line of a question."""
        file, line = self._lines[number]
        return f"{self.files[file]}:{line}"

    def repeated_ids(self) -> Iterator[tuple[int, int]]:
        """Questions whose name an earlier one has, and that earlier one."""
        first: dict[str, int] = {}
        for number, name in enumerate(self._ids):
            before = first.setdefault(name, number)
            if before != number:
                yield number, before

    def name(self, number: int) -> str:
        """What a question is called."""
        return self._ids[number]

    def batches(self) -> Iterator[Batch]:
        """All questions; those that ask the same are in one batch."""
        waiting: list[tuple[int, bytes]] = []
        for time in sorted(self._by_time):
            # What asks the same stands together then, for that comes first in the bytes.
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


def decided(
    source: Source, batches: Iterable[Batch], jobs: int
) -> Iterator[tuple[int, dict[int, list[Violation]]]]:
    """What is wrong with questions, batch after batch.

    Yields:
        How many questions a batch had, and what was found, by the number of the question.

    Raises:
        QuestionDisagreementError: the engines differ; what they were asked is kept in
            ``disagreement-questions.lp`` of the working folder.
    """
    yield from streamed(partial(decide, source), batches, jobs, lifetime=_LIFETIME)


def decide(source: Source, batch: Batch) -> tuple[int, dict[int, list[Violation]]]:
    """Decide one batch, as ``decided`` does."""
    world = held(source)
    questions = [unpacked(data) for data in batch.packed]
    asp = world.entailment.findings(questions) | _not_first(world, questions, fast=False)
    join = world.joining.findings(questions) | _not_first(world, questions, fast=True)
    if asp != join:
        raise _disagreement(world.entailment.program(questions), asp, join, batch)
    telling = Telling(world.world, questions, batch.places, batch.ids)
    found: dict[int, list[Violation]] = {}
    for finding in sorted(asp, key=lambda one: (one.numbers, one.code)):
        number = batch.numbers[finding.numbers[0]]
        found.setdefault(number, []).append(telling.violation(finding))
    return len(questions), found


def _not_first(world: Held, questions: Sequence[LinkedQuestion], *, fast: bool) -> set[Finding]:
    """Of fact reasoning the facts whose object rules do not rank first."""
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
    who = ENGINES[first in join]
    number, *others = first.numbers
    told = f"{first.code}({', '.join(map(str, others))})"
    message = f"engines disagree: {told} is found by {who} alone"
    hint = f"clingo encodings/{QUESTIONS} {home} shows it, question {number}"
    return QuestionDisagreementError(message, where=batch.places[number], hint=hint)
