"""Verifies questions over a graph: texts, answers, choices, certificates and checksums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import msgspec
import numpy as np

from grammar.questions.model import QuestionKind
from solver.encodings import ViolationAtom
from solver.graph.model import Quadruples, Split
from solver.io.json_lines import read_document
from solver.io.remote import Folder, changed_files
from solver.io.sources import MANIFEST, InputError, counted
from solver.probes.probe import ProbeLevel
from solver.processes import WORKER_LIFETIME, parallel_stream
from solver.questions.codes import CODES, FindingFormatter
from solver.questions.contributions import fold_of
from solver.questions.encode import ENCODINGS, NOT_RANKED_FIRST, QUESTIONS
from solver.questions.linking import LinkedQuestion, unpacked
from solver.questions.rows import (
    CheckedRow,
    LoadedGraph,
    Source,
    check_rows,
    load_graph,
    prepare,
)
from solver.questions.settings import QuestionSettings
from solver.rules.application import ranked_first_by_both
from solver.verification.report import Finding, Kind, Unreadable, VerifyReport, shortcut
from solver.verification.run import DisagreementError, difference, found_alone
from solver.verification.verifier import Execution, RunResult

if TYPE_CHECKING:
    from solver.questions.probes import QuestionProbe

ENGINES = ("asp", "join")
PASSED = "each answer follows, none is missing, and each text says what its question asks"
BATCH = 400
"""Questions per batch; a batch is larger where more questions share a query."""

_LIFETIME = max(WORKER_LIFETIME // BATCH, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Questions that are decided together, in file order.

    Attributes:
        numbers: numbers among all questions; places and ids: their positions in files, their ids.
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
    _by_time: dict[tuple[bool, int], list[tuple[int, bytes]]] = field(default_factory=dict)
    """By whether rules are applied to them, then by time."""
    _ids: list[str] = field(default_factory=list)
    _lines: list[tuple[int, int]] = field(default_factory=list)

    def add(self, file: str, line: int, name: str, data: bytes) -> None:
        """Add a question; ``data`` is empty if it cannot be decided."""
        if not self.files or self.files[-1] != file:
            self.files.append(file)
        number = len(self._ids)
        self._ids.append(name)
        self._lines.append((len(self.files) - 1, line))
        if data:
            query = unpacked(data).query
            ruled = query.kind is QuestionKind.FACT_REASONING
            self._by_time.setdefault((ruled, query.time), []).append((number, data))

    def __len__(self) -> int:
        return len(self._ids)

    @property
    def times(self) -> int:
        """Number of distinct query times."""
        return len({time for _, time in self._by_time})

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

    def by_split(self) -> dict[Split, list[tuple[str, LinkedQuestion]]]:
        """Ids and questions of each split, in file order."""
        listed = sorted(pair for some in self._by_time.values() for pair in some)
        found: dict[Split, list[tuple[str, LinkedQuestion]]] = {}
        for number, data in listed:
            question = unpacked(data)
            found.setdefault(question.split, []).append((self._ids[number], question))
        return found

    def name(self, number: int) -> str:
        """The id of a question."""
        return self._ids[number]

    def batches(self) -> Iterator[Batch]:
        """All questions; those with the same query are in the same batch.

        Those to which rules are applied come last: a batch of them is applied at once.
        """
        waiting: list[tuple[int, bytes]] = []
        for moment in sorted(self._by_time):
            # Packed questions start with the query, so equal queries are adjacent.
            day = sorted(self._by_time[moment], key=lambda pair: pair[1])
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
) -> Iterator[tuple[int, dict[int, list[Finding]]]]:
    """Decide all batches.

    Yields:
        The size of a batch, and its findings by question number.

    Raises:
        DisagreementError: the engines differ.
    """
    decide, ready = partial(decide_batch, source), partial(prepare, source)
    yield from parallel_stream(decide, batches, jobs, lifetime=_LIFETIME, prepare=ready)


def decide_batch(source: Source, batch: Batch) -> tuple[int, dict[int, list[Finding]]]:
    """Decide one batch; returns its size and its findings by question number."""
    world = load_graph(source)
    questions = [unpacked(data) for data in batch.packed]
    plain, fast = _not_first(world, questions)
    asp = world.asp_engine.findings(questions) | plain
    join = world.join_engine.findings(questions) | fast
    different = difference(ENGINES, asp, join)
    if different is not None:
        engine, first = different
        number, *others = first.numbers
        raise DisagreementError(
            found_alone(engine, first, tuple(others)),
            where=batch.places[number],
            hint=f"question {number}",
            name=Kind.QUESTIONS,
            program=str(world.asp_engine.program(questions)),
            encodings=(QUESTIONS,),
        )
    if not asp:
        return len(questions), {}
    formatter = FindingFormatter(world.world, questions, batch.places, batch.ids)
    found: dict[int, list[Finding]] = {}
    for finding in sorted(asp, key=lambda atom: (atom.numbers, atom.code)):
        number = batch.numbers[finding.numbers[0]]
        found.setdefault(number, []).append(formatter.finding(finding))
    return len(questions), found


def _not_first(
    world: LoadedGraph, questions: Sequence[LinkedQuestion]
) -> tuple[set[ViolationAtom], ...]:
    """Fact-reasoning questions whose object is not ranked first, by scans and by joins."""
    numbers = [
        number
        for number, question in enumerate(questions)
        if question.query.kind is QuestionKind.FACT_REASONING
    ]
    if not numbers:
        return set(), set()
    queries = [questions[number].query for number in numbers]
    rows = [(*query.triples[0], query.time) for query in queries]
    asked = Quadruples.of(np.array(rows, dtype=np.int64))
    folds = fold_of(world.folds, asked.time)
    first = np.zeros((2, len(asked)), dtype=np.bool_)
    for number, applications in enumerate(zip(world.plain, world.fast, strict=True)):
        some = folds == number
        if some.any():
            first[:, some] = ranked_first_by_both(*applications, asked.take(some))
    return tuple(
        {
            ViolationAtom(code=NOT_RANKED_FIRST, numbers=(number,))
            for number, right in zip(numbers, each, strict=True)
            if not right
        }
        for each in first.tolist()
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRow:
    """A checked row with its file."""

    file: str
    row: CheckedRow


class QuestionVerifier:
    """Checks files of questions, or a folder, as one data set without duplicates."""

    kind: ClassVar[str] = Kind.QUESTIONS

    def __init__(self, execution: Execution, settings: QuestionSettings | None = None) -> None:
        if settings is None:
            raise InputError("found no graph, expected the one that the questions are about")
        self._execution, self._settings = execution, settings
        self._questions = QuestionsByTime()
        self._kinds: Counter[QuestionKind] = Counter()
        self._source: Source | None = None
        self._probed: list[QuestionProbe] = []

    def read(self, source: Sequence[str | Path]) -> Iterator[FileRow | Unreadable]:
        """Read the questions, each checked on its own.

        Raises:
            InputError: a file cannot be read.
        """
        paths = [str(path) for path in source]
        self._source = Source.of(
            paths, self._settings.data, self._settings.rules, self._execution.columns
        )
        # Errors in the graph and its rules are raised before any question is read.
        load_graph(self._source)
        for file, rows in check_rows(self._source, self._execution.jobs):
            for row in rows:
                yield Unreadable.of(row.broken) if row.broken else FileRow(file=file, row=row)
            self._advance(len(rows))

    def decide(self, rows: Iterable[FileRow]) -> Iterator[Finding]:
        """Decide all questions, those with the same query together.

        Raises:
            InputError: rules are required and missing.
            DisagreementError: the two engines differ.
        """
        found = self._collect(rows)
        source = self._required()
        _require_rules(source, self._kinds)
        for size, wrong in decide_batches(source, self._questions.batches(), self._execution.jobs):
            for number, findings in wrong.items():
                found.setdefault(number, []).extend(findings)
            self._advance(size)
        for number, first in self._questions.repeated_ids():
            found.setdefault(number, []).append(_same_id(self._questions, number, first))
        yield from _digests(source)
        for number in sorted(found):
            yield from found[number]
        levels = self._execution.probes
        if levels is ProbeLevel.NONE:
            return
        from solver.questions.probes import probed

        world = load_graph(source).world
        for probe in probed(self._questions.by_split(), world.facts, world.vocabulary, levels):
            self._probed.append(probe)
            if probe.result.shortcut:
                yield shortcut(probe.result, probe.place)

    def report(self, _: RunResult) -> VerifyReport:
        """The report, with the questions of each kind."""
        source = self._required()
        kinds = {kind.value: self._kinds[kind] for kind in QuestionKind if self._kinds[kind]}
        rules = load_graph(source).world.two_hop
        checked = {"2-hop rules": "not checked" if rules is None else len(rules)}
        return VerifyReport(
            rows=len(self._questions),
            passed=PASSED,
            files=source.paths if source.folder is None else (str(source.folder),),
            metrics=kinds | {"times": self._questions.times} | checked,
            probed=tuple((probe.place, probe.result) for probe in self._probed),
            engines=ENGINES,
            config={
                "engines": list(ENGINES),
                "data": self._settings.data,
                "rules": Path(source.rules).name,
                "two_hop_rules": Path(source.two_hop).name,
            },
            encodings=ENCODINGS,
        )

    def _required(self) -> Source:
        if self._source is None:
            raise ValueError("questions are decided before they are read")
        return self._source

    def _collect(self, rows: Iterable[FileRow]) -> dict[int, list[Finding]]:
        """Store the questions by time; returns the findings of single questions by number."""
        found: dict[int, list[Finding]] = {}
        for file_row in rows:
            row = file_row.row
            if row.findings:
                found[len(self._questions)] = list(row.findings)
            if row.kind is not None:
                self._kinds[row.kind] += 1
            self._questions.add(file_row.file, row.line, row.id, row.linked)
        return found

    def _advance(self, number: int) -> None:
        if self._execution.progress is not None:
            self._execution.progress(number)


def _require_rules(source: Source, kinds: Counter[QuestionKind]) -> None:
    number = kinds[QuestionKind.FACT_REASONING]
    if number and not source.rules:
        message = f"found {counted(number, 'fact-reasoning question')}, no rules"
        raise InputError(message, where=source.paths[0], hint="pass the rules with --rules FILE")


def _same_id(days: QuestionsByTime, number: int, first: int) -> Finding:
    name = days.name(number)
    place, earlier = days.place(number), days.place(first)
    return CODES["repeated-id"].finding(place, {"question": name}, id=name, earlier=earlier)


class _Manifest(msgspec.Struct):
    outputs: dict[str, str]


def _digests(source: Source) -> Iterator[Finding]:
    """Files of a folder whose checksums differ from its manifest."""
    if source.folder is None or not (source.folder / MANIFEST).is_file():
        return
    outputs = read_document(source.folder / MANIFEST, _Manifest, "manifest").outputs
    for path, expected, found in changed_files(Folder(str(source.folder)), outputs):
        message = "its checksum differs from the manifest"
        if found is None:
            message = "it is missing, but listed in the manifest"
        shown_by = {"sha256": found, "manifest": expected}
        yield CODES["digest-differs"].finding(path, shown_by, message=message)
