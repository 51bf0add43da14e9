"""Predicted answers to questions: rankings of answers by question id, the best first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeAlias

import msgspec

from benchmarks.predictions import (
    PredictionError,
    PredictionRow,
    Predictions,
    answers_in,
    read_predictions,
)
from grammar.questions.model import QuestionKind
from solver.io.sources import shown, uncapitalised
from solver.io.writing import line, packed
from solver.questions.model import LETTERS, UNKNOWN, YES, Question
from solver.questions.names import entity_label, with_blanks

Ranking: TypeAlias = tuple[str, ...]
"""Answers to a question, the best first, each once."""


class FreeRanking(Ranking):
    """Answers in the wording of a model, which ``spelled`` compares with those of the question."""

    __slots__ = ()


_HINT = 'expected lines such as {"id": "...", "ranking": ["best", "second", ...]}'
_EXPECTED = "an object with id and ranking"
_CLOSED = {
    QuestionKind.YES_UNKNOWN: (YES, UNKNOWN),
    QuestionKind.FACT_REASONING: tuple(LETTERS),
}
"""Possible answers of the kinds whose answers are not entities."""


class _Row(msgspec.Struct, frozen=True):
    id: str
    ranking: tuple[str, ...]


class _AnswerRow(msgspec.Struct, frozen=True):
    """A row of a table, or an object with a single answer."""

    id: str
    answer: str


def write_predictions(path: str | Path, ids: Iterable[str], rankings: Iterable[Ranking]) -> None:
    """Write answers in the order of the questions; gzip if the path ends in ``.gz``.

    Raises:
        OutputError: writing failed.
    """
    with packed(path) as file:
        for id_, ranking in zip(ids, rankings, strict=True):
            file.write(line({"id": id_, "ranking": ranking}))


def read_rankings(path: str | Path) -> Predictions[Ranking]:
    """Read predictions; ``-`` is standard input.

    Raises:
        InputError: the file cannot be read, or is empty.
        PredictionError: a row is malformed, or has a duplicate answer.
    """
    return read_predictions(str(path), _ranking)


def _ranking(row: PredictionRow) -> tuple[str, Ranking]:
    values = row.values
    if row.logged and isinstance(values, dict):
        return values["id"], FreeRanking(read_names(str(values["answer"])))
    try:
        if isinstance(values, dict) and "answer" in values and "ranking" not in values:
            answer_row = msgspec.convert(values, _AnswerRow)
            return answer_row.id, (answer_row.answer,) if answer_row.answer else ()
        found = msgspec.convert(values, _Row)
    except msgspec.ValidationError as error:
        message = f"found another shape ({uncapitalised(str(error))}), expected {_EXPECTED}"
        raise PredictionError(message, where=row.where, hint=_HINT) from None
    seen = set()
    for number, answer in enumerate(found.ranking, 1):
        if answer in seen:
            message = f"ranking: found {shown(answer)} again at place {number}, expected it once"
            raise PredictionError(message, where=row.where)
        seen.add(answer)
    return found.id, found.ranking


def read_names(text: str) -> Ranking:
    """The answers in a text of a model, each once: after the last ``Answer:``, or the whole text.

    Several answers, best first, are separated by semicolons or lines. Thoughts are skipped.
    """
    return tuple(dict.fromkeys(answers_in(text)))


def spelled(names: Sequence[str], question: Question) -> Ranking:
    """The answers in a model's wording, spelled as in the question, each once.

    Names of gold answers are recognised as texts write them: without underscores, in the plural,
    in any case. A choice may be given by its letter or its text. What is no answer to a question
    of yes or unknown, or with choices, is left out.

    Args:
        names: the answers, best first.
        question: the question, with gold answers.
    """
    match question.kind:
        case QuestionKind.YES_UNKNOWN:
            found = (match and match[0] for match in map(_YES_UNKNOWN.match, map(_plain, names)))
        case QuestionKind.FACT_REASONING:
            choices = zip(LETTERS, question.choices, strict=False)
            texts = {_plain(choice.text): letter for letter, choice in choices}
            found = (_letter(name) or texts.get(_plain(name)) for name in names)
        case _:
            gold: dict[str, str] = {}
            for answer in question.answers:
                for form in (answer, with_blanks(answer), entity_label(answer)):
                    gold.setdefault(_plain(form), answer)
            found = (gold.get(_plain(name), name) for name in names)
    return tuple(dict.fromkeys(place for place in found if place))


_YES_UNKNOWN = re.compile(rf"(?:{YES}|{UNKNOWN})\b")
_LETTER = re.compile(rf"(?:(?:choice|option)\s+)?\(?([{LETTERS}])\)?(?=[.:)]|$)", re.IGNORECASE)


def _plain(name: str) -> str:
    return " ".join(name.casefold().removeprefix("the ").removesuffix(".").split())


def _letter(name: str) -> str | None:
    found = _LETTER.match(name)
    return None if found is None else found[1].upper()


def require_answers(ranking: Ranking, kind: QuestionKind, where: str) -> None:
    """Reject answers that are not possible for this kind.

    Raises:
        PredictionError: naming the first such answer.
    """
    allowed = _CLOSED.get(kind)
    if allowed is None:
        return
    for answer in ranking:
        if answer not in allowed:
            message = f"ranking: found {shown(answer)}, expected {' or '.join(allowed)}"
            raise PredictionError(message, where=where, hint=f"of a {kind} question")
