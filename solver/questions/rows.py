"""Checks of single questions: reading, linking, texts and certificates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from itertools import islice
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, TypeAlias

from grammar.errors import AmbiguousError, ParseError
from grammar.questions.model import QuestionKind, Statement
from grammar.questions.reader import read_question, read_statement
from solver.graph.io import read_dataset
from solver.graph.model import Dataset, UnknownNameError, Vocabulary
from solver.io.columns import SAME_NAMES, ColumnNames
from solver.io.sources import InputError, Line, is_uri, open_input, shown_path
from solver.processes import connected_cluster, parallel_stream
from solver.questions.check import Graph, certificate_faults
from solver.questions.codes import CODES
from solver.questions.contributions import Fold, between_two, everything, folder_rules
from solver.questions.encode import AspEngine
from solver.questions.engine import JoinEngine
from solver.questions.io import (
    RULES,
    SPLITS,
    TWO_HOP_RULES,
    BrokenQuestion,
    PlacedQuestion,
    fields,
    nothing_found,
    placed_questions,
    question_files,
    question_lines,
    question_parts,
    read_part,
)
from solver.questions.io import read_line as read_question_line
from solver.questions.linking import (
    LinkedQuestion,
    Names,
    labelled_query,
    labelled_statement,
    link,
    linked_query,
    linked_statement,
    packed,
)
from solver.questions.model import LETTERS, Question, read_two_hop_rules
from solver.questions.names import Labels, TimeIndex
from solver.questions.world import NO_RULES, World
from solver.rules.application import Application, PlainApplication
from solver.rules.io import read_rules
from solver.rules.model import RuleTable
from solver.verification.report import Finding

if TYPE_CHECKING:
    from solver.io.sources import Part


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Files of questions, with the graph and the rules to check them against.

    Attributes:
        paths: files of questions.
        folder: folder written by ``generate questions``, if one was given.
        data: path of the graph.
        rules: file of rules, or a folder with those of questions; two_hop: table of 2-hop rules;
            empty if there is none.
        columns: names of columns in the files of questions that differ from ours.
        run: unique token, so that runs do not share cached files that may have changed.
    """

    paths: tuple[str, ...]
    folder: Path | None
    data: str
    rules: str
    two_hop: str
    columns: tuple[tuple[str, str], ...] = ()
    run: str = field(default_factory=token_hex)

    @classmethod
    def of(
        cls,
        paths: Sequence[str],
        data: str | Path,
        rules: str | Path | None,
        columns: ColumnNames = SAME_NAMES,
    ) -> Source:
        """Resolve folders to their files.

        Raises:
            InputError: a folder has no questions, or several folders were given.
        """
        folders = [Path(path) for path in paths if Path(path).is_dir()]
        if len(folders) > 1:
            message = f"found {len(folders)} folders of questions, expected one at most"
            raise InputError(message, where=str(folders[1]), hint="check them one by one")
        files = [str(file) for path in paths for file in _files(path)]
        folder = folders[0] if folders else None
        home = Path(rules) if rules and Path(rules).is_dir() else folder
        return cls(
            paths=tuple(files),
            folder=folder,
            data=str(data),
            rules=str(rules or _sibling(folder, RULES)),
            two_hop=_sibling(home, TWO_HOP_RULES),
            columns=tuple(columns.columns.items()),
        )

    @property
    def names(self) -> ColumnNames:
        """The names of columns."""
        return ColumnNames(columns=dict(self.columns))


def _files(path: str) -> list[Path | str]:
    return [*question_files(Path(path))] if Path(path).is_dir() else [path]


def _sibling(folder: Path | None, name: str) -> str:
    if folder is None:
        return ""
    return next((str(p) for p in (folder / name, folder / f"{name}.gz") if p.is_file()), "")


class LoadedGraph:
    """The graph and the rules of a source, with lazily built indexes and engines.

    Raises:
        InputError: one of the files cannot be read.
    """

    def __init__(self, source: Source) -> None:
        self.dataset: Dataset = read_dataset(source.data, ordered=False)
        size = self.dataset.vocabulary
        self.rules, self.folds = _rules(source, size)
        self._two_hop = read_two_hop_rules(source.two_hop) if source.two_hop else None

    @cached_property
    def names(self) -> Names:
        """Names of the graph."""
        return Names.of(self.dataset.vocabulary)

    @cached_property
    def labels(self) -> Labels:
        """Labels used in texts."""
        return Labels.of(self.dataset.vocabulary)

    @cached_property
    def checked(self) -> Graph:
        """The graph and the rules as the certificate checker has them: by names."""
        size = self.dataset.vocabulary
        entities = [size.entity(number) for number in range(size.entities)]
        relations = [size.relation(number) for number in range(size.relations)]
        facts = self.dataset.facts()
        columns = (facts.head, facts.relation, facts.tail, facts.time)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        times = {number: size.time(number) for number in set(facts.time.tolist())}
        graph = Graph(
            ((entities[s], relations[r], entities[o], times[t]) for s, r, o, t in rows),
            relations,
            TimeIndex(size),
        )
        for rule in self.rules:
            graph.add_rule(rule.as_json())
        graph.folds = [(fold.begin, fold.end, fold.first, fold.rules) for fold in self.folds]
        return graph

    @cached_property
    def world(self) -> World:
        """Background knowledge of both engines."""
        return World.of(self.dataset, rules=self.rules, folds=self.folds, two_hop=self._two_hop)

    @cached_property
    def asp_engine(self) -> AspEngine:
        """The ASP engine."""
        return AspEngine(self.world)

    @cached_property
    def join_engine(self) -> JoinEngine:
        """The join engine."""
        return JoinEngine(self.world)

    @cached_property
    def plain(self) -> tuple[Application, ...]:
        """Rule application of each fold by scans, for the ASP engine."""
        world = self.world
        return self._by_fold(PlainApplication(NO_RULES, world.facts, world.vocabulary))

    @cached_property
    def fast(self) -> tuple[Application, ...]:
        """Rule application of each fold by joins, for the join engine."""
        world = self.world
        return self._by_fold(Application(NO_RULES, world.facts, world.vocabulary))

    def _by_fold(self, application: Application) -> tuple[Application, ...]:
        rules = self.world.rules
        inside = (rules.take(fold.rows) for fold in self.world.folds)
        return tuple(application.with_rules(between_two(some)) for some in inside)


def _rules(source: Source, size: Vocabulary) -> tuple[RuleTable, tuple[Fold, ...]]:
    """Rules of a source with their folds; those of its folder, unless others are given."""
    if source.folder is not None and source.rules == _sibling(source.folder, RULES) != "":
        return folder_rules(source.folder, size)
    if source.rules and Path(source.rules).is_dir():
        if not _sibling(Path(source.rules), RULES):
            message = f"found no {RULES}, expected a file of rules, or a folder with one"
            raise InputError(message, where=source.rules)
        return folder_rules(Path(source.rules), size)
    rules = read_rules(source.rules, relations=size.relations) if source.rules else NO_RULES
    return rules, everything(rules)


@lru_cache(maxsize=1)
def load_graph(source: Source) -> LoadedGraph:
    """Load the graph of a source, once per process."""
    return LoadedGraph(source)


def prepare(source: Source) -> None:
    """Load the graph of a source with all its indexes, once for all workers."""
    graph = load_graph(source)
    graph.names, graph.labels, graph.checked  # noqa: B018 - cached properties
    graph.asp_engine, graph.join_engine, graph.plain, graph.fast  # noqa: B018


_TASK = 256
_FOREVER = 1 << 40

Row: TypeAlias = Line | PlacedQuestion


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """Rows of a file that are checked in one task: lines, or rows of Parquet.

    Attributes:
        rows: empty if the worker reads them itself; part: where it does.
    """

    file: str
    rows: tuple[Row, ...] = ()
    part: Part | None = None


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
    findings: tuple[Finding, ...] = ()
    broken: str = ""


def check_rows(source: Source, jobs: int) -> Iterator[tuple[str, list[CheckedRow]]]:
    """Check all rows of all files, in order.

    Yields:
        The name of a file, and some of its checked rows.

    Raises:
        InputError: a file cannot be read, or is damaged.
    """
    tasks = (task for path in source.paths for task in _tasks(path, source.names))
    check, ready = partial(check_task, source), partial(prepare, source)
    yield from parallel_stream(check, tasks, jobs, lifetime=_FOREVER, prepare=ready)


def _tasks(path: str, columns: ColumnNames) -> Iterator[Rows]:
    if is_uri(path) and connected_cluster() is not None:
        parts = question_parts(path)
        if parts is not None:
            yield from _tasks_of_parts(path, iter(parts), columns)
            return
    with open_input(path) as file:
        rows: Iterable[Row] = (
            placed_questions(path, columns) if file.parquet else question_lines(file)
        )
        coming = iter(rows)
        while some := tuple(islice(coming, _TASK)):
            yield Rows(file=file.name, rows=some)


def _tasks_of_parts(path: str, parts: Iterator[Part], columns: ColumnNames) -> Iterator[Rows]:
    """Tasks whose workers read the rows.

    Raises:
        InputError: the file has no rows, or a part of it cannot be read.
    """
    from solver.io.ranges import Scanner, Shard

    name, some = shown_path(path), False
    scanner = Scanner(
        read=partial(read_part, columns=columns), line=_line_of, digest=_nothing, size=_TASK
    )
    for shard in scanner.shards(parts):
        some = True
        if isinstance(shard, Shard):
            yield Rows(file=name, part=shard.part)
        else:
            yield Rows(file=name, rows=(shard,))
    if not some:
        raise nothing_found(name, "line")


def _line_of(row: Row) -> int:
    return row.number if isinstance(row, Line) else row.place.line


def _nothing(row: Row) -> None:
    """What the driver needs of a row."""
    del row


def check_task(source: Source, task: Rows) -> tuple[str, list[CheckedRow]]:
    """Check some rows; returns their file's name and the results.

    Raises:
        InputError: the worker cannot read them.
    """
    checker = _RowChecker(source, task.file)
    if task.part is None:
        return task.file, [checker.check(row) for row in task.rows]
    from solver.io.ranges import open_part

    with open_part(task.part) as (opened, _):
        return task.file, [checker.check(row) for row in read_part(opened, source.names)]


class _RowChecker:
    """Checks the rows of one file."""

    def __init__(self, source: Source, file: str) -> None:
        self._graph = load_graph(source)
        self._file, self._columns = file, source.names
        folder = source.folder
        inside = folder is not None and Path(file).parent == folder
        name = Path(file).name.removesuffix(".gz")
        name = f"{name.removesuffix('.parquet')}.jsonl" if name.endswith(".parquet") else name
        self._split = SPLITS.get(name) if inside else None

    def check(self, row: Row) -> CheckedRow:
        placed = (
            read_question_line(self._file, row, self._columns) if isinstance(row, Line) else row
        )
        question, line = placed.read, placed.place.line
        if isinstance(question, BrokenQuestion):
            return CheckedRow(line=line, broken=str(question.error))
        where = placed.place.at()
        found: list[Finding] = []
        linked = b""
        try:
            known = link(question, self._graph.names)
        except UnknownNameError as error:
            found.append(self._finding(where, question, "unknown-name", *_message_and_hint(error)))
        else:
            linked = packed(known)
            found += self._texts(where, question, known)
            for problem in certificate_faults(self._graph.checked, fields(question)):
                found.append(self._finding(where, question, "certificate-fails", problem))
        for code, problem in _listed(question.answers):
            found.append(self._finding(where, question, code, problem))
        if self._split is not None and question.split is not self._split:
            problem = f"its split is {question.split}, but it is in the file of {self._split}"
            found.append(self._finding(where, question, "outside-its-split", problem))
        return CheckedRow(
            line=line,
            id=question.id,
            kind=question.kind,
            linked=linked,
            findings=tuple(found),
        )

    def _finding(
        self, where: str, question: Question, code: str, message: str, hint: str = ""
    ) -> Finding:
        shown_by = {"question": question.id} | ({"hint": hint} if hint else {})
        return Finding(code=code, where=where, message=message, certificate=shown_by)

    def _texts(self, where: str, question: Question, linked: LinkedQuestion) -> Iterator[Finding]:
        """Findings about the texts of a question and its choices."""
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
                yield self._finding(where, question, "unknown-name", f"its text: {message}", hint)
                continue
            except ParseError as error:
                code = "ambiguous" if isinstance(error, AmbiguousError) else "unparsed"
                fault = f"{error.where}: {error.message}"
                found = CODES[code].message.format(error=fault, text=text)
                yield self._finding(where, question, code, found, error.hint)
                continue
            if problem:
                yield self._finding(where, question, "text-differs", problem)


def _listed(answers: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Findings about the list of answers, which must be sorted and without duplicates."""
    for answer, times in Counter(answers).items():
        if times > 1:
            message = CODES["repeated-answer"].message
            yield "repeated-answer", message.format(answer=answer, times=times)
    if list(answers) != sorted(answers):
        message = CODES["answers-not-sorted"].message
        yield "answers-not-sorted", message.format(answers=", ".join(answers))


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
