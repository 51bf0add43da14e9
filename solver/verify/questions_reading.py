"""Checks of single questions: reading, linking, texts and certificates."""

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
from solver.processes import parallel_stream
from solver.questions.files import (
    SPLITS,
    BrokenQuestion,
    PlacedQuestion,
    placed_questions,
    question_lines,
)
from solver.questions.files import read_line as read_question_line
from solver.questions.labels import Labels
from solver.questions.linking import (
    LinkedQuestion,
    labelled_query,
    labelled_statement,
    link,
    linked_query,
    linked_statement,
    packed,
)
from solver.questions.question import LETTERS, Question
from solver.questions.replay import failures
from solver.reading.lines import Line
from solver.reading.source import open_input
from solver.tkg.naming import UnknownNameError
from solver.verify.checked import Violation
from solver.verify.questions_source import Source, load_graph

_TASK = 256
_FOREVER = 1 << 40

Row: TypeAlias = Line | PlacedQuestion


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """Rows of a file that are checked in one task: lines, or rows of Parquet."""

    file: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedRow:
    """Result of checking a row.

    Attributes:
        line: line in its file, from 1.
        id: id of the question; empty if the row is unreadable.
        linked: packed question by ids; empty if it has unknown names.
        broken: why the row is unreadable; empty if it is readable.
    """

    line: int
    id: str = ""
    kind: QuestionKind | None = None
    linked: bytes = b""
    violations: tuple[Violation, ...] = ()
    broken: str = ""


def check_rows(source: Source, jobs: int) -> Iterator[tuple[str, list[CheckedRow]]]:
    """Check all rows of all files, in order.

    Yields:
        The name of a file, and some of its checked rows.

    Raises:
        InputError: a file cannot be read, or is damaged.
    """
    tasks = (task for path in source.paths for task in _tasks(path))
    yield from parallel_stream(partial(check_task, source), tasks, jobs, lifetime=_FOREVER)


def _tasks(path: str) -> Iterator[Rows]:
    with open_input(path) as file:
        rows: Iterable[Row] = placed_questions(path) if file.parquet else question_lines(file)
        coming = iter(rows)
        while some := tuple(islice(coming, _TASK)):
            yield Rows(file=file.name, rows=some)


def check_task(source: Source, task: Rows) -> tuple[str, list[CheckedRow]]:
    """Check some rows; returns their file's name and the results."""
    checker = _RowChecker(source, task.file)
    return task.file, [checker.check(row) for row in task.rows]


class _RowChecker:
    """Checks the rows of one file."""

    def __init__(self, source: Source, file: str) -> None:
        self._graph = load_graph(source)
        self._file = file
        folder = source.folder
        inside = folder is not None and Path(file).parent == folder
        name = Path(file).name.removesuffix(".gz")
        name = f"{name.removesuffix('.parquet')}.jsonl" if name.endswith(".parquet") else name
        self._split = SPLITS.get(name) if inside else None

    def check(self, row: Row) -> CheckedRow:
        placed = read_question_line(self._file, row) if isinstance(row, Line) else row
        question, line = placed.read, placed.place.line
        if isinstance(question, BrokenQuestion):
            return CheckedRow(line=line, broken=str(question.error))
        where = placed.place.at()
        found: list[Violation] = []
        linked = b""
        try:
            known = link(question, self._graph.names)
        except UnknownNameError as error:
            found.append(
                self._violation(where, question, "unknown-name", *_message_and_hint(error))
            )
        else:
            linked = packed(known)
            found += self._texts(where, question, known)
            for problem in failures(question, self._graph.known):
                found.append(self._violation(where, question, "certificate-fails", problem))
        for code, problem in _listed(question.answers):
            found.append(self._violation(where, question, code, problem))
        if self._split is not None and question.split is not self._split:
            problem = f"its split is {question.split}, but it is in the file of {self._split}"
            found.append(self._violation(where, question, "outside-its-split", problem))
        return CheckedRow(
            line=line,
            id=question.id,
            kind=question.kind,
            linked=linked,
            violations=tuple(found),
        )

    def _violation(
        self, where: str, question: Question, code: str, message: str, hint: str = ""
    ) -> Violation:
        shown_by = {"question": question.id} | ({"hint": hint} if hint else {})
        return Violation(code=code, where=where, message=message, certificate=shown_by)

    def _texts(self, where: str, question: Question, linked: LinkedQuestion) -> Iterator[Violation]:
        """Violations of the texts of a question and its choices."""
        labels = self._graph.labels
        texts = [(question.text, partial(_query_differs, question.text, linked, labels))]
        for letter, choice, fact in zip(LETTERS, question.choices, linked.choices, strict=False):
            expected = labelled_statement(fact, labels)
            texts.append(
                (choice.text, partial(_choice_differs, letter, choice.text, expected, labels))
            )
        for text, differs in texts:
            try:
                problem = differs()
            except UnknownNameError as error:
                message, hint = _message_and_hint(error)
                yield self._violation(where, question, "unknown-name", f"its text: {message}", hint)
                continue
            except ParseError as error:
                code = "ambiguous" if isinstance(error, AmbiguousError) else "unparsed"
                message = f"{error.where}: {error.message}, in {text!r}"
                yield self._violation(where, question, code, message, error.hint)
                continue
            if problem:
                yield self._violation(where, question, "text-differs", problem)


def _listed(answers: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Violations of the list of answers, which must be sorted and without duplicates."""
    for answer, times in Counter(answers).items():
        if times > 1:
            yield "repeated-answer", f"{answer} is answered {times} times, expected once"
    if list(answers) != sorted(answers):
        yield "answers-not-sorted", f"found {', '.join(answers)}, expected them sorted"


def _query_differs(text: str, linked: LinkedQuestion, labels: Labels) -> str:
    read = read_question(text).query
    expected = labelled_query(linked.query, labels)
    if read == expected:
        return ""
    # Unknown names are a finding of their own.
    linked_query(read, labels)
    return f"its text asks for {read}, expected {expected}"


def _choice_differs(letter: str, text: str, expected: Statement, labels: Labels) -> str:
    read = read_statement(text).statement
    if read == expected:
        return ""
    linked_statement(read, labels)
    return f"the text of choice {letter} states {read}, expected {expected}"


def _message_and_hint(error: UnknownNameError) -> tuple[str, str]:
    return error.message, error.hint
