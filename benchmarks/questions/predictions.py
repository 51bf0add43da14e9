"""Prediction files: JSON Lines with a question's id and a ranking of answers, the best first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from grammar.questions.model import QuestionKind
from solver.eventhop.records import Place
from solver.io.sources import InputError, lines, open_input, shown
from solver.io.writing import line, packed
from solver.questions.model import LETTERS, UNKNOWN, YES

_HINT = 'expected lines such as {"id": "...", "ranking": ["best", "second", ...]}'
_EXPECTED = "an object with id and ranking"
_CLOSED = {
    QuestionKind.YES_UNKNOWN: (YES, UNKNOWN),
    QuestionKind.FACT_REASONING: tuple(LETTERS),
}
"""Possible answers of the kinds whose answers are not entities."""


class PredictionError(InputError):
    """An invalid line of a prediction file."""

    code = "prediction"


class _Row(msgspec.Struct, frozen=True):
    id: str
    ranking: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Predictions:
    """The contents of a prediction file.

    Attributes:
        name: path of the file, as given.
        rankings: question id -> answers, the best first, each once.
        places: question id -> place in the file.
    """

    name: str
    rankings: dict[str, tuple[str, ...]]
    places: dict[str, Place]


_DECODE = msgspec.json.Decoder(_Row).decode


def write_predictions(
    path: str | Path, ids: Iterable[str], rankings: Iterable[tuple[str, ...]]
) -> None:
    """Write answers in the order of the questions; gzip if the path ends in ``.gz``.

    Raises:
        OutputError: writing failed.
    """
    with packed(path) as file:
        for id_, ranking in zip(ids, rankings, strict=True):
            file.write(line({"id": id_, "ranking": ranking}))


def read_predictions(path: str | Path) -> Predictions:
    """Read predictions; ``-`` is standard input.

    Raises:
        InputError: the file cannot be read, or is empty.
        PredictionError: a line is malformed, repeats an id, or has a duplicate answer.
    """
    rankings: dict[str, tuple[str, ...]] = {}
    places: dict[str, Place] = {}
    with open_input(path) as source:
        for one in lines(source):
            if one.error is not None:
                raise one.error
            if one.blank:
                continue
            place = Place(file=source.name, line=one.number)
            row = _row(one.text, place)
            if row.id in rankings:
                first = places[row.id].line
                message = f"id: found {shown(row.id)} again, expected it once (first on line "
                raise PredictionError(f"{message}{first})", where=place.at())
            rankings[row.id], places[row.id] = row.ranking, place
        if source.fault is not None:
            raise InputError(source.fault.message, where=source.name, hint=source.fault.hint)
    if not rankings:
        raise InputError(
            "found nothing, expected predictions", where=f"{source.name}:1", hint=_HINT
        )
    return Predictions(name=source.name, rankings=rankings, places=places)


def _row(text: str, place: Place) -> _Row:
    try:
        row = _DECODE(text)
    except msgspec.ValidationError as error:
        message = f"found another shape ({_plain(error)}), expected {_EXPECTED}"
        raise PredictionError(message, where=place.at(), hint=_HINT) from None
    except (msgspec.DecodeError, RecursionError) as error:
        # NaN and Infinity are not JSON either.
        message = f"broken JSON ({_plain(error)}), expected {_EXPECTED}"
        raise PredictionError(message, where=place.at(), hint=_HINT) from None
    seen = set()
    for number, answer in enumerate(row.ranking, 1):
        if answer in seen:
            message = f"ranking: found {shown(answer)} again at place {number}, expected it once"
            raise PredictionError(message, where=place.at())
        seen.add(answer)
    return row


def _plain(error: Exception) -> str:
    reason = "too deeply nested" if isinstance(error, RecursionError) else str(error)
    reason = reason.removeprefix("JSON is malformed: ")
    return reason[:1].lower() + reason[1:]


def require_answers(ranking: tuple[str, ...], kind: QuestionKind, place: Place) -> None:
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
            raise PredictionError(message, where=place.at(), hint=f"of a {kind} question")
