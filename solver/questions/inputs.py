"""Reads the texts of questions and choices alone, from plain text, JSON Lines or Parquet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

import msgspec

from grammar.errors import HopcheckError, ParseError
from grammar.questions.model import QuestionKind
from solver.io.json_lines import JsonDecoder, Step, column_of_value
from solver.io.sources import Line, Place, RowError, open_input
from solver.questions.io import (
    FIELD,
    BrokenQuestion,
    PlacedQuestion,
    decode_choices,
    placed_questions,
    question_lines,
)
from solver.questions.model import LETTERS, Fact, Question, Triple

_CHOICE = re.compile(r"\s*([A-Z])\. ")
"""Prefix of a choice's line in a text file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedText:
    """A text and its place in the file.

    Attributes:
        id: id of the record, if present.
        letter: letter of a choice; empty for a question.
        choices: choices of a question.
        line: the whole line; empty in Parquet.
        path: path to the text in a line of JSON; empty if the line is plain text.
        column: column at which the text starts in a line of plain text, from 1.
    """

    place: Place
    text: str
    id: str | None = None
    letter: str = ""
    choices: tuple[PlacedText, ...] = ()
    line: str = ""
    path: tuple[Step, ...] = ()
    column: int = 1

    def located(self, error: HopcheckError) -> HopcheckError:
        """Add the place in the file to an error of the text."""
        prefix = f"choice {self.letter}: " if self.letter else ""
        where = self.place.at()
        if isinstance(error, ParseError):
            before = self.text[: error.column - 1]
            start = column_of_value(self.line, self.path) if self.path else self.column - 1
            if self.line and self.line[start : start + len(before)] == before:
                where = self.place.at(start + error.column)
            else:
                # JSON escapes before it shift the column.
                prefix += f"column {error.column} of the text: "
        return HopcheckError(prefix + error.message, where=where, hint=error.hint)


class _Choice(msgspec.Struct, frozen=True):
    text: str


class _Record(msgspec.Struct, frozen=True):
    text: str
    id: str | int | None = None
    choices: tuple[msgspec.Raw, ...] | None = None


_RECORD = JsonDecoder(_Record, what="text of a question")
_CHOICE_TEXT: JsonDecoder[_Choice | str] = JsonDecoder(_Choice | str, what="text of a choice")


def placed_texts(path: str) -> Iterator[PlacedText | HopcheckError]:
    """Read questions, one per line: plain text, or the ``text`` of a JSON object.

    Choices of an object are strings or objects with a ``text``. In plain text they are on the
    lines below their question, prefixed ``A. `` and so on.

    Raises:
        InputError: the file is missing, empty or damaged.
    """
    with open_input(path) as source:
        if source.parquet:
            for question in placed_questions(path):
                if isinstance(question.read, BrokenQuestion):
                    yield question.read.error
                else:
                    yield _of_table(question.place, question.read)
            return
        yield from _with_choices(
            line.error or _text(Place(file=source.name, line=line.number), line)
            for line in question_lines(source)
        )


def _of_table(place: Place, read: Question) -> PlacedText:
    choices = (
        PlacedText(place=place, text=choice.text, letter=letter)
        for letter, choice in zip(LETTERS, read.choices, strict=False)
    )
    return PlacedText(place=place, text=read.text, id=read.id, choices=tuple(choices))


def _text(place: Place, line: Line) -> PlacedText | HopcheckError:
    if not line.text.lstrip().startswith("{"):
        choice = _CHOICE.match(line.text)
        letter, start = ("", 0) if choice is None else (choice[1], choice.end())
        text = line.text[start:].rstrip()
        return PlacedText(place=place, text=text, letter=letter, line=line.text, column=start + 1)
    try:
        record = _RECORD.decode(line.text, place)
        choices = decode_choices(record.choices, _CHOICE_TEXT, place, line.text)
    except RowError as error:
        return error
    return PlacedText(
        place=place,
        text=record.text,
        id=None if record.id is None else str(record.id),
        line=line.text,
        path=("text",),
        choices=tuple(
            PlacedText(
                place=place,
                text=other_choice if isinstance(other_choice, str) else other_choice.text,
                letter=LETTERS[number],
                line=line.text,
                path=(FIELD, number) if isinstance(other_choice, str) else (FIELD, number, "text"),
            )
            for number, other_choice in enumerate(choices)
        ),
    )


def _with_choices(
    rows: Iterable[PlacedText | HopcheckError],
) -> Iterator[PlacedText | HopcheckError]:
    """Attach choices on lines of their own to the question above them."""
    asked: PlacedText | None = None
    for row in rows:
        if isinstance(row, PlacedText) and row.letter:
            # A JSON record contains its choices.
            below = asked is not None and not asked.path
            coming = LETTERS[len(asked.choices) :][:1] if asked is not None and below else ""
            if asked is not None and row.letter == coming:
                asked = replace(asked, choices=(*asked.choices, row))
            else:
                yield _misplaced(row, coming)
            continue
        if asked is not None:
            yield asked
        asked = None
        if isinstance(row, PlacedText):
            asked = row
        else:
            yield row
    if asked is not None:
        yield asked


def _misplaced(choice: PlacedText, coming: str) -> RowError:
    expected = f"a question or choice {coming}" if coming else "a question"
    where = choice.place.at(choice.column - len(f"{choice.letter}. "))
    return RowError(f"found choice {choice.letter}, expected {expected}", where=where)


_HINT = "one object as parse --kind questions prints them"


class WordedFact(msgspec.Struct, frozen=True):
    """The fact of a choice and its template variant."""

    fact: Fact
    variant: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedQuery:
    """A query and its place in the file.

    Attributes:
        variant: template variant.
        id: id of the record, if present.
    """

    place: Place
    kind: QuestionKind
    query: tuple[Triple, ...]
    time: str
    variant: int = 0
    id: str | None = None
    choices: tuple[WordedFact, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedChoice:
    """A choice without its question, and its place in the file."""

    place: Place
    choice: WordedFact
    id: str | None = None


PlacedMeaning: TypeAlias = PlacedQuery | PlacedChoice
"""Content of a line that can be realised as text."""


class _QueriesRecord(msgspec.Struct, frozen=True):
    kind: QuestionKind
    query: tuple[Triple, ...]
    time: str
    variant: int = 0
    id: str | int | None = None
    choices: tuple[msgspec.Raw, ...] | None = None


class _Alone(WordedFact, frozen=True):
    id: str | int | None = None


class _Outline(msgspec.Struct, frozen=True):
    kind: object = None
    fact: object = None


_QUERY = JsonDecoder(_QueriesRecord, what="query", hint=_HINT)
_OUTLINE = JsonDecoder(_Outline, what="query", hint=_HINT)
_ALONE = JsonDecoder(_Alone, what="fact of a choice", hint=_HINT)
_CHOICE_FACT = JsonDecoder(WordedFact, what="fact of a choice")


def placed_queries(path: str) -> Iterator[PlacedMeaning | HopcheckError]:
    """Read queries with their choices, or single choices, one JSON object a line.

    Rows of Parquet are questions of a data set.

    Raises:
        InputError: the file is missing, empty or damaged.
    """
    with open_input(path) as source:
        if source.parquet:
            yield from map(_of_table_queries, placed_questions(path))
            return
        for line in question_lines(source):
            yield line.error or _meaning(Place(file=source.name, line=line.number), line)


def _of_table_queries(row: PlacedQuestion) -> PlacedQuery | HopcheckError:
    read = row.read
    if isinstance(read, BrokenQuestion):
        return read.error
    return PlacedQuery(
        place=row.place,
        kind=read.kind,
        query=read.query,
        time=read.time,
        id=read.id,
        choices=tuple(WordedFact(fact=choice.fact) for choice in read.choices),
    )


def _meaning(place: Place, line: Line) -> PlacedMeaning | HopcheckError:
    try:
        outline = _OUTLINE.decode(line.text, place)
        if outline.kind is None and outline.fact is not None:
            return _alone(place, _ALONE.decode(line.text, place))
        record = _QUERY.decode(line.text, place)
        choices = decode_choices(record.choices, _CHOICE_FACT, place, line.text)
    except RowError as error:
        return error
    return PlacedQuery(
        place=place,
        kind=record.kind,
        query=record.query,
        time=record.time,
        variant=record.variant,
        id=None if record.id is None else str(record.id),
        choices=choices,
    )


def _alone(place: Place, record: _Alone) -> PlacedChoice:
    choice = WordedFact(fact=record.fact, variant=record.variant)
    return PlacedChoice(
        place=place, choice=choice, id=None if record.id is None else str(record.id)
    )
