"""Reads queries without their texts: the output of ``parse``, or questions of a data set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import msgspec

from grammar.question import QuestionKind
from solver.errors import HopcheckError
from solver.questions.files import BrokenQuestion, PlacedQuestion, placed_questions, question_lines
from solver.questions.question import Fact, Triple
from solver.questions.raw_choices import decode_choices
from solver.reading.failures import RowError
from solver.reading.jsonl import malformed
from solver.reading.lines import Line
from solver.reading.source import open_input
from solver.records import Place

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


class _Record(msgspec.Struct, frozen=True):
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


_DECODE = msgspec.json.Decoder(_Record).decode
_DECODE_OUTLINE = msgspec.json.Decoder(_Outline).decode
_DECODE_ALONE = msgspec.json.Decoder(_Alone).decode
_DECODE_CHOICE = msgspec.json.Decoder(WordedFact).decode


def placed_queries(path: str) -> Iterator[PlacedMeaning | HopcheckError]:
    """Read queries with their choices, or single choices, one JSON object a line.

    Rows of Parquet are questions of a data set.

    Raises:
        InputError: the file is missing, empty or damaged.
    """
    with open_input(path) as source:
        if source.parquet:
            yield from map(_of_table, placed_questions(path))
            return
        for line in question_lines(source):
            yield line.error or _meaning(Place(file=source.name, line=line.number), line)


def _of_table(row: PlacedQuestion) -> PlacedQuery | HopcheckError:
    read = row.read
    if isinstance(read, BrokenQuestion):
        return read.error
    return PlacedQuery(
        place=row.place,
        kind=read.kind,
        query=read.query,
        time=read.time,
        id=read.id,
        choices=tuple(WordedFact(fact=one.fact) for one in read.choices),
    )


def _meaning(place: Place, line: Line) -> PlacedMeaning | HopcheckError:
    what = "query"
    try:
        outline = _DECODE_OUTLINE(line.text)
        if outline.kind is None and outline.fact is not None:
            what = "fact of a choice"
            return _alone(place, _DECODE_ALONE(line.text))
        record = _DECODE(line.text)
        choices = decode_choices(record.choices, _DECODE_CHOICE, "fact", place, line.text)
    except msgspec.ValidationError as error:
        return RowError(f"found no {what}: {error}", where=place.at(), hint=_HINT)
    except (msgspec.DecodeError, RecursionError) as error:
        failure = malformed(line.text, place, error)
        return RowError(failure.message, where=failure.where, hint=_HINT)
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
