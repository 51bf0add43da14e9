"""Reads and writes questions: JSON Lines (also gzip) and Parquet; file names of a data set.

Parquet has the same fields as JSON Lines, one row per question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import msgspec

from grammar.errors import HopcheckError
from solver.graph.model import Split
from solver.io.columns import SAME_NAMES, ColumnNames, arrow_schema, columns_of
from solver.io.json_lines import JsonDecoder, column_of_field, column_of_value
from solver.io.sources import (
    FieldError,
    InputError,
    Line,
    Place,
    RowError,
    Source,
    lines,
    open_input,
    require_text,
)
from solver.io.writing import line, packed
from solver.questions.linking import require_shape
from solver.questions.model import LETTERS, Question

if TYPE_CHECKING:
    import pyarrow as pa

    from solver.io.sources import Part

TRAIN, VALID, TEST = "train.jsonl", "valid.jsonl", "test.jsonl"
SPLITS = {TRAIN: Split.TRAIN, VALID: Split.VALID, TEST: Split.TEST}
RULES, CROSS_FITTED, FOLDS = "rules.jsonl", "rules_train.jsonl", "rule_folds.tsv"
TWO_HOP_RULES = "two_hop_rules.tsv"
STATISTICS = "statistics.json"
"""File names of a folder written by ``generate questions``."""

_DECODER = JsonDecoder(
    Question, hint=f"a question has {', '.join(name for name in Question.__dataclass_fields__)}"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenQuestion:
    """A row that is not a question; reading continues after it.

    Attributes:
        error: place, found, expected, and a hint.
    """

    error: HopcheckError


ReadQuestion: TypeAlias = Question | BrokenQuestion


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedQuestion:
    """A question or a broken row, and its place in the file; in Parquet a row counts as a line."""

    place: Place
    read: ReadQuestion


def question_files(folder: Path) -> list[Path]:
    """The files of a folder's splits, in order; JSON Lines is preferred to Parquet.

    Raises:
        InputError: there is no such file.
    """
    found = [path for name in SPLITS if (path := _split_file(folder, name)) is not None]
    # Those of an export are named after the kinds of their questions.
    found = found or sorted(folder.glob("*.parquet"))
    if not found:
        expected = f"expected one of {', '.join(SPLITS)}"
        raise InputError(f"found no questions, {expected}", where=str(folder))
    return found


def _split_file(folder: Path, name: str) -> Path | None:
    for ending in ("", ".gz"):
        if (folder / (name + ending)).is_file():
            return folder / (name + ending)
    other = (folder / name).with_suffix(".parquet")
    return other if other.is_file() else None


def read_questions(path: str | Path) -> Iterator[ReadQuestion]:
    """Read the questions of a file; see ``placed_questions``."""
    return (question.read for question in placed_questions(path))


def placed_questions(
    path: str | Path, columns: ColumnNames = SAME_NAMES
) -> Iterator[PlacedQuestion]:
    """Read the questions of a file lazily, with their places; columns may have other names.

    Raises:
        InputError: the file is missing, empty or damaged.
    """
    with open_input(path) as source:
        if source.parquet:
            some = False
            for row in _table_rows(source, columns):
                some = True
                yield row
            if not some:
                raise nothing_found(source.name, "row")
            return
        for question_line in question_lines(source):
            yield read_line(source.name, question_line, columns)


def question_parts(path: str) -> Iterable[Part] | None:
    """The parts of a file that workers read themselves; None if it cannot be cut."""
    from solver.io.ranges import group_parts, text_parts

    with open_input(path) as source:
        if source.packed:
            return None
        if source.parquet:
            # Without rows there is nothing to cut.
            return group_parts(path, "parquet") or None
        require_text(source)
        return text_parts(path, "jsonl")


def read_part(source: Source, columns: ColumnNames = SAME_NAMES) -> Iterator[Line | PlacedQuestion]:
    """The non-blank lines of a part of a file, or its rows: see ``solver.io.ranges``."""
    if source.part is not None and source.part.group is not None:
        return _table_rows(source, columns)
    return (each_line for each_line in lines(source) if not each_line.blank)


def question_lines(source: Source) -> Iterator[Line]:
    """The non-blank lines of a file.

    Raises:
        InputError: there is none, the file is binary, or the stream ended early.
    """
    require_text(source)
    some = False
    for each_line in lines(source):
        if not each_line.blank:
            some = True
            yield each_line
    if not some:
        raise nothing_found(source.name, "line")


def nothing_found(name: str, unit: str) -> InputError:
    """The error of a file without questions, of which each would be a line or a row."""
    message = f"found nothing, expected questions, one a {unit}"
    return InputError(message, where=f"{name}:1:1")


def read_line(file: str, read: Line, columns: ColumnNames = SAME_NAMES) -> PlacedQuestion:
    """Decode the question of a line."""
    place = Place(file=file, line=read.number)
    try:
        if read.error is not None:
            raise read.error
        question = _DECODER.with_names(columns).decode(read.text, place)
        require_shape(question)
    except RowError as error:
        return PlacedQuestion(place=place, read=BrokenQuestion(error=error))
    except FieldError as error:
        where = place.at(column_of_field(read.text, columns.in_file(error.field)))
        broken = RowError(str(error), where=where, hint=error.hint)
        return PlacedQuestion(place=place, read=BrokenQuestion(error=broken))
    return PlacedQuestion(place=place, read=question)


def _table_rows(source: Source, mapped: ColumnNames) -> Iterator[PlacedQuestion]:
    """Read the questions of a Parquet file.

    Raises:
        InputError: the file is damaged, or lacks a column.
    """
    from solver.io.parquet import read_rows

    def columns(names: Sequence[str]) -> Sequence[str]:
        missing = [
            mapped.in_file(column.name)
            for column in schema()
            if not column.nullable and mapped.in_file(column.name) not in names
        ]
        if missing:
            message = f"found no column {missing[0]}, expected those of questions"
            raise InputError(message, where=f"{source.name}:1:1")
        return [name for name in map(mapped.in_file, schema().names) if name in names]

    for place, values in read_rows(source, columns):
        try:
            question = msgspec.convert(_present(mapped.named(values)), Question)
            require_shape(question)
        except (msgspec.ValidationError, FieldError) as error:
            hint = error.hint if isinstance(error, FieldError) else ""
            broken = RowError(f"found no question ({error})", where=place.at(), hint=hint)
            yield PlacedQuestion(place=place, read=BrokenQuestion(error=broken))
        else:
            yield PlacedQuestion(place=place, read=question)


def _present(values: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that are not null."""
    return {
        name: _present(value) if isinstance(value, Mapping) else value
        for name, value in values.items()
        if value is not None
    }


def schema() -> pa.Schema:
    """The columns of a Parquet file of questions."""
    return arrow_schema(Question)


def write_questions(path: str | Path, questions: Iterable[Question]) -> None:
    """Write JSON Lines atomically; gzip if the path ends in ``.gz``.

    Raises:
        OutputError: writing failed.
    """
    with packed(path) as file:
        for question in questions:
            file.write(question_line(question))


def write_parquet_questions(path: str | Path, questions: Iterable[Question]) -> None:
    """Write Parquet atomically.

    Raises:
        OutputError: writing failed.
    """
    from solver.io.parquet import write_rows

    write_rows(path, schema, map(fields, questions))


def question_line(question: Question) -> bytes:
    """Encode a question as a line of JSON."""
    return line(fields(question))


def fields(question: Question) -> dict[str, Any]:
    """A question as JSON values; fields that do not apply to its kind are omitted."""
    found: dict[str, Any] = msgspec.to_builtins(question)
    evidence = found["certificate"].items()
    found["certificate"] = {name: value for name, value in evidence if value}
    # The answer may be empty, and rule 0 exists.
    return {name: value for name, value in found.items() if value or name in _ALWAYS or value == 0}


_ALWAYS = {known.name for known in columns_of(Question).values() if known.required}
T = TypeVar("T")
FIELD = "choices"


def decode_choices(
    raw: Sequence[msgspec.Raw] | None, decoder: JsonDecoder[T], place: Place, line: str
) -> tuple[T, ...]:
    """Decode the choices of a record; none if the field is absent.

    Args:
        raw: undecoded values.
        decoder: decodes one value.
        place: place of the line.
        line: the whole line.

    Raises:
        RowError: there are too many choices, or one is malformed; with its letter and column.
    """
    found: list[T] = []
    if raw is not None and len(raw) > len(LETTERS):
        where = place.at(column_of_value(line, (FIELD,)))
        raise RowError(f"found {len(raw)} choices, expected at most {len(LETTERS)}", where=where)
    for number, other_raw in enumerate(raw or ()):
        start = partial(column_of_value, line, (FIELD, number))
        try:
            found.append(decoder.decode(bytes(other_raw), place, start))
        except RowError as error:
            message = f"choice {LETTERS[number]}: {error.message}"
            raise RowError(message, where=error.where) from None
    return tuple(found)
