"""Reads and links the texts of questions and choices, without their gold answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec

from benchmarks.questions.asked import ParsedQuestion
from grammar.question import Query, QuestionKind, Statement
from grammar.question_reader import read_question, read_statement
from solver.errors import HopcheckError
from solver.questions.files import question_lines
from solver.questions.labels import Labels
from solver.questions.linking import LinkedFact, linked_query, linked_statement
from solver.questions.question import LETTERS
from solver.questions.said_names import NameChecker
from solver.reading.failures import InputError, RowError
from solver.reading.jsonl import malformed
from solver.reading.source import open_input
from solver.records import Place
from solver.tkg.naming import UnknownNameError

_HINT = "expected id and text, and choices with a text each for fact reasoning"

Meaning = TypeVar("Meaning", Query, Statement)
Linked = TypeVar("Linked")


class ChoiceText(msgspec.Struct, frozen=True):
    """A choice without its fact."""

    text: str


class QuestionText(msgspec.Struct, frozen=True):
    """A question without its query and answers."""

    id: str
    text: str
    choices: tuple[ChoiceText, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionInput:
    """The text of a question and its place in the file."""

    place: Place
    question: QuestionText


_DECODE = msgspec.json.Decoder(QuestionText).decode


def read_texts(path: str | Path) -> Iterator[QuestionInput]:
    """Read the texts of a file of questions: JSON Lines, also gzip, or Parquet.

    Raises:
        InputError: the file is missing, empty or damaged.
        RowError: a row is not a question.
    """
    with open_input(path) as source:
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
                failure = malformed(line.text, place, error)
                raise RowError(failure.message, where=failure.where, hint=_HINT) from None
            yield QuestionInput(place=place, question=question)


def _from_table(path: Path) -> Iterator[QuestionInput]:
    from solver.questions.files import BrokenQuestion, placed_questions

    for one in placed_questions(path):
        if isinstance(one.read, BrokenQuestion):
            raise one.read.error
        read = one.read
        choices = tuple(ChoiceText(text=choice.text) for choice in read.choices)
        yield QuestionInput(
            place=one.place, question=QuestionText(id=read.id, text=read.text, choices=choices)
        )


def link_texts(
    inputs: Sequence[QuestionInput], labels: Labels, each: Callable[[int], object] | None = None
) -> list[ParsedQuestion]:
    """Parse questions and link them to the graph.

    Args:
        inputs: texts of the questions.
        labels: labels of the graph.
        each: called with 1 after each question.

    Raises:
        InputError: a text cannot be parsed, or has an unknown name; with its place.
    """
    names = NameChecker(labels)
    found = []
    for one in inputs:
        try:
            found.append(_asked(one.question, names))
        except HopcheckError as error:
            where = f"{one.place.at()}: {one.question.id}"
            raise InputError(_message(error), where=where, hint=error.hint) from None
        if each is not None:
            each(1)
    return found


def _message(error: HopcheckError) -> str:
    """The message of an error with its place in the text, if known."""
    return f"{error.where}: {error.message}" if error.where else error.message


def _asked(question: QuestionText, names: NameChecker) -> ParsedQuestion:
    meaning = read_question(question.text, names.knows).query
    query = _found(linked_query, meaning, question.text, names)
    if query.kind is not QuestionKind.FACT_REASONING:
        return ParsedQuestion(query=query)
    if len(question.choices) != len(LETTERS):
        raise InputError(f"found {len(question.choices)} choices, expected {len(LETTERS)}")
    return ParsedQuestion(
        query=query,
        choices=tuple(
            _choice(letter, choice.text, names)
            for letter, choice in zip(LETTERS, question.choices, strict=True)
        ),
    )


def _choice(letter: str, text: str, names: NameChecker) -> LinkedFact:
    try:
        meaning = read_statement(text, names.knows).statement
        return _found(linked_statement, meaning, text, names)
    except HopcheckError as error:
        raise InputError(f"choice {letter}: {_message(error)}", hint=error.hint) from None


def _found(
    link: Callable[[Meaning, Labels], Linked], meaning: Meaning, text: str, names: NameChecker
) -> Linked:
    """Link a parsed text; raises the error of its first unknown name, with the place."""
    try:
        return link(meaning, names.labels)
    except UnknownNameError as error:
        # An entity named like a query variable is known, but cannot be linked.
        raise next(iter(names.unknown(meaning, text)), error) from None
