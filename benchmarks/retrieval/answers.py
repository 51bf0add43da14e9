"""Reads a language model's answers to prompts and ranks the entities they name.

A line of the file holds ``id`` and one of: ``answer``, a text; ``answers``, texts, best first;
``scores``, an object of texts and their scores (such as log-probabilities), higher is better.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from grammar.index_answers import read_answer
from grammar.index_prompts import IndexPrompt
from solver.reading.failures import InputError
from solver.reading.lines import Line, lines
from solver.reading.source import open_input

_HINT = 'such as {"id": "bar-7", "answer": "0. 1071"}; or answers, a list; or scores'


class AnswerRow(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the file with exactly one of the last three; a null answer is empty."""

    id: str
    answer: str | msgspec.UnsetType | None = msgspec.UNSET
    answers: list[str] | None = None
    scores: dict[str, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFile:
    """Content of a file.

    Attributes:
        rows: the first answer to each prompt, by id.
        doubled: duplicate ids; later answers are ignored.
    """

    name: str
    rows: Mapping[str, AnswerRow]
    doubled: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Ranking of entities by an answer.

    Attributes:
        scores: scores of entities; higher is better.
        unread: number of texts that name no entity of the prompt.
    """

    scores: Mapping[int, float]
    unread: int

    def position(self, gold: int) -> tuple[int, int] | None:
        """Numbers of entities ranked above the gold entity and tied with it (itself included)."""
        if gold not in self.scores:
            return None
        own = self.scores[gold]
        values = self.scores.values()
        return sum(one > own for one in values), sum(one == own for one in values)


def read_answers(path: str) -> AnswerFile:
    """Read a file of answers.

    Raises:
        InputError: the file cannot be read, is empty, or a line is invalid.
    """
    found: dict[str, AnswerRow] = {}
    doubled: dict[str, None] = {}
    with open_input(path, "a file of answers") as source:
        for line in lines(source):
            if line.blank:
                continue
            row = _row(line, f"{source.name}:{line.number}")
            if row.id in found:
                doubled[row.id] = None
            else:
                found[row.id] = row
        name = source.name
    if not found:
        raise InputError("found no answer, expected one on each line", where=name, hint=_HINT)
    return AnswerFile(name=name, rows=found, doubled=tuple(doubled))


def ranking(row: AnswerRow, prompt: IndexPrompt) -> Ranking:
    """Rank the entities that an answer names.

    Entities of texts are ranked in order; of several texts with one entity the best counts.
    """
    if row.scores is not None:
        return _scored(row.scores, prompt.entities)
    texts: Sequence[str] = row.answers or [row.answer or ""]
    unread = 0
    order: dict[int, None] = {}
    for text in texts:
        entities = read_answer(text, prompt.entities)
        unread += not entities
        order |= dict.fromkeys(entities)
    scores = {entity: float(-place) for place, entity in enumerate(order)}
    return Ranking(scores=scores, unread=unread)


def _scored(scores: Mapping[str, float], entities: Sequence[int]) -> Ranking:
    found: dict[int, float] = {}
    unread = 0
    for text, score in scores.items():
        named = read_answer(text, entities)
        if len(named) != 1:
            unread += 1
        else:
            found[named[0]] = max(score, found.get(named[0], -math.inf))
    return Ranking(scores=found, unread=unread)


def _row(line: Line, where: str) -> AnswerRow:
    if line.error is not None:
        raise InputError(line.error.message, where=line.error.where, hint=line.error.hint)
    try:
        row = msgspec.json.decode(line.text, type=AnswerRow)
    except (msgspec.DecodeError, RecursionError) as error:
        hint = "JSON has no NaN and no Infinity" if "NaN" in line.text else _HINT
        raise InputError(f"found an invalid answer ({error})", where=where, hint=hint) from None
    given = (row.answer is not msgspec.UNSET, row.answers is not None, row.scores is not None)
    if sum(given) != 1:
        several = "several" if any(given) else "none"
        message = f"found {several} of answer, answers and scores, expected one"
        raise InputError(message, where=where, hint=_HINT)
    return row
