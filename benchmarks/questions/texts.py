"""Reads what questions say: a text, and the texts of choices; gold answers are not looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from benchmarks.questions.asked import Asked
from grammar.question import QuestionKind
from grammar.question_reader import read_question, read_statement
from solver.errors import HopcheckError
from solver.questions.files import question_lines
from solver.questions.labels import Labels
from solver.questions.linking import linked_query, linked_statement
from solver.questions.question import LETTERS
from solver.reading.failures import InputError, RowError
from solver.reading.jsonl import malformed
from solver.reading.source import opened
from solver.records import Place

_HINT = "a question has id and text, and of fact reasoning choices with a text each"


class ChoiceText(msgspec.Struct, frozen=True):
    """A choice, as it is read to whoever answers."""

    text: str


class QuestionText(msgspec.Struct, frozen=True):
    """A question, as it is read to whoever answers."""

    id: str
    text: str
    choices: tuple[ChoiceText, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Put:
    """A question that is put, and where it stands."""

    place: Place
    question: QuestionText


_DECODE = msgspec.json.Decoder(QuestionText).decode


def read_texts(path: str | Path) -> Iterator[Put]:
    """Read the texts of a file of questions: JSON Lines, packed or not, or Parquet.

    Raises:
        InputError: the file is missing, holds nothing, or is damaged from a place on.
        RowError: a row is no question.
    """
    with opened(path) as source:
        if source.parquet:
            yield from _from_table(Path(path))
            return
        for line in question_lines(source):
            place = Place(file=source.name, line=line.number)
            if line.error is not None:
                raise line.error
            try:
                question = _DECODE(line.text)
            except (msgspec.DecodeError, RecursionError) as error:
                told = malformed(line.text, place, error)
                raise RowError(told.message, where=told.where, hint=_HINT) from None
            yield Put(place=place, question=question)


def _from_table(path: Path) -> Iterator[Put]:
    from solver.questions.files import BrokenQuestion, placed_questions

    for one in placed_questions(path):
        if isinstance(one.read, BrokenQuestion):
            raise one.read.error
        read = one.read
        choices = tuple(ChoiceText(text=choice.text) for choice in read.choices)
        yield Put(
            place=one.place, question=QuestionText(id=read.id, text=read.text, choices=choices)
        )


def understood(
    put: Sequence[Put], labels: Labels, each: Callable[[int], object] | None = None
) -> list[Asked]:
    """What each question asks, by ids of the graph.

    Args:
        put: the questions.
        labels: of the graph's names.
        each: told of each question that is read.

    Raises:
        InputError: a text cannot be read, or names what the graph has not; with its place.
    """
    known = frozenset(labels.entities).__contains__
    found = []
    for one in put:
        try:
            found.append(_asked(one.question, labels, known))
        except HopcheckError as error:
            where = f"{one.place.at()}: {one.question.id}"
            raise InputError(_message(error), where=where, hint=error.hint) from None
        if each is not None:
            each(1)
    return found


def _message(error: HopcheckError) -> str:
    """What is wrong, with its place in the text if there is one."""
    return f"{error.where}: {error.message}" if error.where else error.message


def _asked(question: QuestionText, labels: Labels, known: Callable[[str], bool]) -> Asked:
    query = linked_query(read_question(question.text, known).query, labels)
    if query.kind is not QuestionKind.FACT_REASONING:
        return Asked(query=query)
    if len(question.choices) != len(LETTERS):
        raise InputError(f"found {len(question.choices)} choices, expected {len(LETTERS)}")
    said = (read_statement(choice.text, known).statement for choice in question.choices)
    return Asked(query=query, choices=tuple(linked_statement(one, labels) for one in said))
