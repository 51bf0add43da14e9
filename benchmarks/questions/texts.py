"""Reads what questions say: a text, and the texts of choices; gold answers are not looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec

from benchmarks.questions.asked import Asked
from grammar.question import Query, QuestionKind, Statement
from grammar.question_reader import read_question, read_statement
from solver.errors import HopcheckError
from solver.questions.files import question_lines
from solver.questions.labels import Labels
from solver.questions.linking import LinkedFact, linked_query, linked_statement
from solver.questions.question import LETTERS
from solver.questions.said_names import SaidNames
from solver.reading.failures import InputError, RowError
from solver.reading.jsonl import malformed
from solver.reading.source import opened
from solver.records import Place
from solver.tkg.naming import UnknownNameError

_HINT = "a question has id and text, and of fact reasoning choices with a text each"

Said = TypeVar("Said", Query, Statement)
Linked = TypeVar("Linked")


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
    names = SaidNames(labels)
    found = []
    for one in put:
        try:
            found.append(_asked(one.question, names))
        except HopcheckError as error:
            where = f"{one.place.at()}: {one.question.id}"
            raise InputError(_message(error), where=where, hint=error.hint) from None
        if each is not None:
            each(1)
    return found


def _message(error: HopcheckError) -> str:
    """What is wrong, with its place in the text if there is one."""
    return f"{error.where}: {error.message}" if error.where else error.message


def _asked(question: QuestionText, names: SaidNames) -> Asked:
    said = read_question(question.text, names.knows).query
    query = _found(linked_query, said, question.text, names)
    if query.kind is not QuestionKind.FACT_REASONING:
        return Asked(query=query)
    if len(question.choices) != len(LETTERS):
        raise InputError(f"found {len(question.choices)} choices, expected {len(LETTERS)}")
    return Asked(
        query=query,
        choices=tuple(
            _choice(letter, choice.text, names)
            for letter, choice in zip(LETTERS, question.choices, strict=True)
        ),
    )


def _choice(letter: str, text: str, names: SaidNames) -> LinkedFact:
    try:
        said = read_statement(text, names.knows).statement
        return _found(linked_statement, said, text, names)
    except HopcheckError as error:
        raise InputError(f"choice {letter}: {_message(error)}", hint=error.hint) from None


def _found(
    link: Callable[[Said, Labels], Linked], said: Said, text: str, names: SaidNames
) -> Linked:
    """What is said, by ids; or else the first name that the graph has not, with its place."""
    try:
        return link(said, names.labels)
    except UnknownNameError as error:
        # Who is called as a mark is known, and yet not to be linked.
        raise next(iter(names.unknown(said, text)), error) from None
