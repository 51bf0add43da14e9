"""The first look at questions, one by one: read, linked, their texts and certificates checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from grammar.errors import AmbiguousError, ParseError
from grammar.question import QuestionKind, Statement
from grammar.question_reader import read_question, read_statement
from solver.processes import streamed
from solver.questions.files import SPLITS, BrokenQuestion, Placed, placed_questions, question_lines
from solver.questions.files import read_line as read_question_line
from solver.questions.labels import Labels
from solver.questions.linking import (
    LinkedQuestion,
    link,
    linked_query,
    linked_statement,
    packed,
    said_query,
    said_statement,
)
from solver.questions.question import LETTERS, Question
from solver.questions.replay import failures
from solver.reading.lines import Line
from solver.reading.source import opened
from solver.tkg.naming import UnknownNameError
from solver.verify.checked import Violation
from solver.verify.questions_source import Source, held

_TASK = 256
_FOREVER = 1 << 40

Row: TypeAlias = Line | Placed


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """Rows of a file that are looked at together: lines, or what Parquet holds."""

    file: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """What became of a row.

    Attributes:
        line: of its file, from 1.
        id: of the question; empty if the row is none.
        linked: the question by ids, packed; empty if it names what the graph has not.
        broken: why the row cannot be read; empty if it can.
    """

    line: int
    id: str = ""
    kind: QuestionKind | None = None
    linked: bytes = b""
    violations: tuple[Violation, ...] = ()
    broken: str = ""


def looked_at(source: Source, jobs: int) -> Iterator[tuple[str, list[Looked]]]:
    """Look at all rows of all files, in their order.

    Yields:
        The name of a file, and some of its rows.

    Raises:
        InputError: a file cannot be read, from some place on.
    """
    tasks = (task for path in source.paths for task in _tasks(path))
    yield from streamed(partial(look_at, source), tasks, jobs, lifetime=_FOREVER)


def _tasks(path: str) -> Iterator[Rows]:
    with opened(path) as file:
        rows: Iterable[Row] = placed_questions(path) if file.parquet else question_lines(file)
        coming = iter(rows)
        while some := tuple(islice(coming, _TASK)):
            yield Rows(file=file.name, rows=some)


def look_at(source: Source, task: Rows) -> tuple[str, list[Looked]]:
    """Look at some rows: their file's name, and what became of each."""
    look = _Look(source, task.file)
    return task.file, [look.at(row) for row in task.rows]


class _Look:
    """Looks at the rows of one file."""

    def __init__(self, source: Source, file: str) -> None:
        self._held = held(source)
        self._file = file
        folder = source.folder
        inside = folder is not None and Path(file).parent == folder
        name = Path(file).name.removesuffix(".gz")
        name = f"{name.removesuffix('.parquet')}.jsonl" if name.endswith(".parquet") else name
        self._split = SPLITS.get(name) if inside else None

    def at(self, row: Row) -> Looked:
        placed = read_question_line(self._file, row) if isinstance(row, Line) else row
        question, line = placed.read, placed.place.line
        if isinstance(question, BrokenQuestion):
            return Looked(line=line, broken=str(question.error))
        where = placed.place.at()
        found: list[Violation] = []
        linked = b""
        try:
            known = link(question, self._held.names)
        except UnknownNameError as error:
            found.append(self._told(where, question, "unknown-name", *_said(error)))
        else:
            linked = packed(known)
            found += self._texts(where, question, known)
            for told in failures(question, self._held.known):
                found.append(self._told(where, question, "certificate-fails", told))
        for code, told in _listed(question.answers):
            found.append(self._told(where, question, code, told))
        if self._split is not None and question.split is not self._split:
            told = (
                f"it says that it is of {question.split}, but stands in the file of {self._split}"
            )
            found.append(self._told(where, question, "outside-its-split", told))
        return Looked(
            line=line,
            id=question.id,
            kind=question.kind,
            linked=linked,
            violations=tuple(found),
        )

    def _told(
        self, where: str, question: Question, code: str, message: str, hint: str = ""
    ) -> Violation:
        shown_by = {"question": question.id} | ({"hint": hint} if hint else {})
        return Violation(code=code, where=where, message=message, certificate=shown_by)

    def _texts(self, where: str, question: Question, linked: LinkedQuestion) -> Iterator[Violation]:
        """What is wrong with the text of a question, and with those of its choices."""
        labels = self._held.labels
        texts = [(question.text, partial(_query_differs, question.text, linked, labels))]
        for letter, choice, fact in zip(LETTERS, question.choices, linked.choices, strict=False):
            said = said_statement(fact, labels)
            texts.append((choice.text, partial(_choice_differs, letter, choice.text, said, labels)))
        for text, differs in texts:
            try:
                told = differs()
            except UnknownNameError as error:
                message, hint = _said(error)
                yield self._told(where, question, "unknown-name", f"its text: {message}", hint)
                continue
            except ParseError as error:
                code = "ambiguous" if isinstance(error, AmbiguousError) else "unparsed"
                message = f"{error.where}: {error.message}, in {text!r}"
                yield self._told(where, question, code, message, error.hint)
                continue
            if told:
                yield self._told(where, question, "text-differs", told)


def _listed(answers: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """What is wrong with answers as a list: each is to stand there once, in the order of names."""
    for answer, times in Counter(answers).items():
        if times > 1:
            yield "repeated-answer", f"{answer} is answered {times} times, expected once"
    if list(answers) != sorted(answers):
        yield "answers-not-sorted", f"{', '.join(answers)}: expected them sorted"


def _query_differs(text: str, linked: LinkedQuestion, labels: Labels) -> str:
    read = read_question(text).query
    expected = said_query(linked.query, labels)
    if read == expected:
        return ""
    # A name that the graph has not is a finding of its own.
    linked_query(read, labels)
    return f"its text asks for {read}, expected {expected}"


def _choice_differs(letter: str, text: str, expected: Statement, labels: Labels) -> str:
    read = read_statement(text).statement
    if read == expected:
        return ""
    linked_statement(read, labels)
    return f"the text of choice {letter} says {read}, expected {expected}"


def _said(error: UnknownNameError) -> tuple[str, str]:
    return error.message, error.hint
