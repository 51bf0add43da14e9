"""Files of which only the texts of questions and choices are read: text, JSON Lines, Parquet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import msgspec

from grammar.errors import ParseError
from solver.errors import HopcheckError
from solver.questions.files import BrokenQuestion, placed_questions, question_lines
from solver.questions.question import LETTERS, Question
from solver.questions.raw_choices import FIELD, decoded
from solver.reading.failures import RowError
from solver.reading.json_places import Step, column_of_value
from solver.reading.jsonl import malformed
from solver.reading.lines import Line
from solver.reading.source import opened
from solver.records import Place

_CHOICE = re.compile(r"\s*([A-Z])\. ")
"""Begins the line of a choice in a file of text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedText:
    """A text, and where it stands.

    Attributes:
        id: of its record, if it has one.
        letter: of a choice; empty for a question.
        choices: of a question.
        line: all of the line; empty in Parquet.
        path: to the text in a line of JSON; empty if the line is text.
        column: of a line of text, at which this one starts, from 1.
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
        """An error of the text with its place in the file."""
        told = f"choice {self.letter}: " if self.letter else ""
        where = self.place.at()
        if isinstance(error, ParseError):
            before = self.text[: error.column - 1]
            start = column_of_value(self.line, self.path) if self.path else self.column - 1
            if self.line and self.line[start : start + len(before)] == before:
                where = self.place.at(start + error.column)
            else:
                # Escapes of JSON stand before it.
                told += f"column {error.column} of the text: "
        return HopcheckError(told + error.message, where=where, hint=error.hint)


class _Choice(msgspec.Struct, frozen=True):
    text: str


class _Record(msgspec.Struct, frozen=True):
    text: str
    id: str | int | None = None
    choices: tuple[msgspec.Raw, ...] | None = None


_DECODE = msgspec.json.Decoder(_Record).decode
_DECODE_CHOICE = msgspec.json.Decoder(_Choice | str).decode


def placed_texts(path: str) -> Iterator[PlacedText | HopcheckError]:
    """The questions of a file, a line each: as they are, or the ``text`` of a JSON object.

    The choices of an object are texts, or have one each. In a file of text they stand in the lines
    below their question, after ``A. `` and so on.

    Raises:
        InputError: the file is missing, empty or damaged.
    """
    with opened(path) as source:
        if source.parquet:
            for one in placed_questions(path):
                if isinstance(one.read, BrokenQuestion):
                    yield one.read.error
                else:
                    yield _of_table(one.place, one.read)
            return
        yield from _with_choices(
            line.error or _text(Place(file=source.name, line=line.number), line)
            for line in question_lines(source)
        )


def _of_table(place: Place, read: Question) -> PlacedText:
    choices = (
        PlacedText(place=place, text=one.text, letter=letter)
        for letter, one in zip(LETTERS, read.choices, strict=False)
    )
    return PlacedText(place=place, text=read.text, id=read.id, choices=tuple(choices))


def _text(place: Place, line: Line) -> PlacedText | HopcheckError:
    if not line.text.lstrip().startswith("{"):
        choice = _CHOICE.match(line.text)
        letter, start = ("", 0) if choice is None else (choice[1], choice.end())
        text = line.text[start:].rstrip()
        return PlacedText(place=place, text=text, letter=letter, line=line.text, column=start + 1)
    try:
        record = _DECODE(line.text)
        choices = decoded(record.choices, _DECODE_CHOICE, "text", place, line.text)
    except msgspec.ValidationError as error:
        return RowError(f"found no text of a question: {error}", where=place.at())
    except (msgspec.DecodeError, RecursionError) as error:
        return malformed(line.text, place, error)
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
                text=one if isinstance(one, str) else one.text,
                letter=LETTERS[number],
                line=line.text,
                path=(FIELD, number) if isinstance(one, str) else (FIELD, number, "text"),
            )
            for number, one in enumerate(choices)
        ),
    )


def _with_choices(
    rows: Iterable[PlacedText | HopcheckError],
) -> Iterator[PlacedText | HopcheckError]:
    """The questions, each with the choices from the lines of text below it."""
    asked: PlacedText | None = None
    for one in rows:
        if isinstance(one, PlacedText) and one.letter:
            # A line of JSON has its choices in it.
            below = asked is not None and not asked.path
            coming = LETTERS[len(asked.choices) :][:1] if asked is not None and below else ""
            if asked is not None and one.letter == coming:
                asked = replace(asked, choices=(*asked.choices, one))
            else:
                yield _misplaced(one, coming)
            continue
        if asked is not None:
            yield asked
        asked = None
        if isinstance(one, PlacedText):
            asked = one
        else:
            yield one
    if asked is not None:
        yield asked


def _misplaced(choice: PlacedText, coming: str) -> RowError:
    expected = f"a question or choice {coming}" if coming else "a question"
    where = choice.place.at(choice.column - len(f"{choice.letter}. "))
    return RowError(f"found choice {choice.letter}, expected {expected}", where=where)
