"""Parsed and linked questions, and batches of them in columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec
import numpy as np

from grammar.errors import HopcheckError
from grammar.questions.model import Query, QuestionKind, Statement
from grammar.questions.reader import read_question, read_statement
from solver.graph.model import Ids, Index, Quadruples, Split, UnknownNameError
from solver.graph.queries import Queries
from solver.io.json_lines import JsonDecoder
from solver.io.sources import InputError, Place, open_input, shown
from solver.questions.io import BrokenQuestion, placed_questions, question_files, question_lines
from solver.questions.linking import (
    ASKED_ID,
    PARTY_ID,
    LinkedFact,
    LinkedQuery,
    LinkedTriple,
    linked_query,
    linked_statement,
)
from solver.questions.model import LETTERS
from solver.questions.names import Labels, NameChecker


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedQuestion:
    """A question parsed from its text, by ids.

    Attributes:
        choices: four facts for fact reasoning, else none.
    """

    query: LinkedQuery
    choices: tuple[LinkedFact, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TwoHops:
    """2-hop queries in columns: paths from an entity by a party to the answer, at one time.

    Relations are ``r`` or the inverse ``r + relations``, so that both lead away from the entity.

    Attributes:
        head: named entity.
        given: relation from it to the party.
        asked: relation from the party to the answer.
        time: time of both facts.
    """

    head: Ids
    given: Ids
    asked: Ids
    time: Ids

    def __len__(self) -> int:
        return len(self.head)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Batch:
    """Questions in columns, by kind; ``places`` are their numbers among all questions.

    Attributes:
        choices: choices of the fact-reasoning questions, four rows each.
    """

    one_hop: Queries
    two_hop: TwoHops
    yes_unknown: Quadruples
    reasoning: Quadruples
    choices: Quadruples
    places: dict[QuestionKind, Ids]

    @classmethod
    def of(cls, asked: Sequence[ParsedQuestion], places: Ids, relations: int) -> Batch:
        """Select questions by their numbers."""
        by_kind: dict[QuestionKind, list[int]] = {kind: [] for kind in QuestionKind}
        for place in places.tolist():
            by_kind[asked[place].query.kind].append(place)
        numbers = [_leaving(asked[n].query, relations) for n in by_kind[QuestionKind.ONE_HOP]]
        two = [_leaving(asked[n].query, relations) for n in by_kind[QuestionKind.TWO_HOP]]
        reasoning = by_kind[QuestionKind.FACT_REASONING]
        first, second = _columns(numbers, 3), _columns(two, 4)
        return cls(
            one_hop=Queries(head=first[0], relation=first[1], time=first[2]),
            two_hop=TwoHops(head=second[0], given=second[1], asked=second[2], time=second[3]),
            yes_unknown=_facts([_fact(asked[n]) for n in by_kind[QuestionKind.YES_UNKNOWN]]),
            reasoning=_facts([_fact(asked[n]) for n in reasoning]),
            choices=_facts([fact for n in reasoning for fact in asked[n].choices]),
            places={kind: np.array(rows, dtype=np.int64) for kind, rows in by_kind.items()},
        )

    def __len__(self) -> int:
        return sum(map(len, self.places.values()))


def batches(asked: Sequence[ParsedQuestion], relations: int) -> Iterator[Batch]:
    """Batches of questions that share a query time, and thus the facts they may use."""
    index = Index.of(np.array([question.query.time for question in asked], dtype=np.int64))
    for time in np.unique(index.keys).tolist():
        yield Batch.of(asked, index.rows(time), relations)


def _leaving(query: LinkedQuery, relations: int) -> tuple[int, ...]:
    """The named entity, the relations of the path to the answer, and the time."""
    *given, last = query.triples
    if not given:
        entity, relation = _from(last, last[0] != ASKED_ID, relations)
        return entity, relation, query.time
    (first,) = given
    entity, to_party = _from(first, first[0] != PARTY_ID, relations)
    _, to_answer = _from(last, last[0] == PARTY_ID, relations)
    return entity, to_party, to_answer, query.time


def _from(triple: LinkedTriple, forwards: bool, relations: int) -> tuple[int, int]:
    """The start of a path over a triple, and the relation in the path's direction."""
    subject, relation, end = triple
    return (subject, relation) if forwards else (end, relation + relations)


def _columns(rows: Sequence[tuple[int, ...]], width: int) -> Ids:
    return np.ascontiguousarray(np.array(rows, dtype=np.int64).reshape(-1, width).T)


def _fact(asked: ParsedQuestion) -> LinkedFact:
    (subject, relation, end), *_ = asked.query.triples
    return subject, relation, end, asked.query.time


def _facts(rows: Sequence[LinkedFact]) -> Quadruples:
    return Quadruples.of(np.array(rows, dtype=np.int64))


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


_DECODER = JsonDecoder(QuestionText, hint=_HINT)


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
            yield QuestionInput(place=place, question=_DECODER.decode(line.text, place))


def _from_table(path: Path) -> Iterator[QuestionInput]:
    for question in placed_questions(path):
        if isinstance(question.read, BrokenQuestion):
            raise question.read.error
        read = question.read
        choices = tuple(ChoiceText(text=choice.text) for choice in read.choices)
        yield QuestionInput(
            place=question.place, question=QuestionText(id=read.id, text=read.text, choices=choices)
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
    for entry in inputs:
        try:
            found.append(_asked(entry.question, names))
        except HopcheckError as error:
            where = f"{entry.place.at()}: {entry.question.id}"
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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class QuestionSet:
    """Parsed questions with their ids.

    Attributes:
        ids: unique ids.
        texts: their texts.
        asked: parsed questions.
    """

    ids: tuple[str, ...]
    texts: tuple[QuestionText, ...]
    asked: tuple[ParsedQuestion, ...]


def split_file(path: Path, split: Split) -> Path:
    """The file of a split in a folder of questions, or the path itself if it is a file.

    Raises:
        InputError: the folder has no such file.
    """
    if not path.is_dir():
        return path
    for file in question_files(path):
        if file.name.partition(".")[0] == split.value:
            return file
    message = f"found no questions of the split {split}, expected {split}.jsonl"
    raise InputError(message, where=str(path))


def read_question_set(
    path: Path, labels: Labels, each: Callable[[int], object] | None = None
) -> QuestionSet:
    """Read the texts of questions, and parse and link them.

    Raises:
        HopcheckError: the file or a text cannot be read, or an id occurs twice.
    """
    texts = list(read_texts(path))
    first: dict[str, QuestionInput] = {}
    for text in texts:
        other = first.setdefault(text.question.id, text)
        if other is not text:
            found = f"id: found {shown(text.question.id)} again, expected it once"
            raise InputError(f"{found} (first on line {other.place.line})", where=text.place.at())
    return QuestionSet(
        ids=tuple(first),
        texts=tuple(text.question for text in texts),
        asked=tuple(link_texts(texts, labels, each)),
    )
