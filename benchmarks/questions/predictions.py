"""Files of answers: JSON Lines with the id of a question and its answers, the best first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from grammar.question import QuestionKind
from solver.questions.question import LETTERS, UNKNOWN, YES
from solver.reading.failures import InputError, shown
from solver.reading.lines import lines
from solver.reading.source import opened
from solver.records import Place
from solver.writing.jsonl import line
from solver.writing.packing import packed

_HINT = 'a line reads {"id": "...", "ranking": ["best", "second", ...]}'
_EXPECTED = "an object with id and ranking"
_CLOSED = {
    QuestionKind.YES_UNKNOWN: (YES, UNKNOWN),
    QuestionKind.FACT_REASONING: tuple(LETTERS),
}
"""All that may be answered to questions of a kind, where it is not an entity."""


class PredictionError(InputError):
    """A line of predictions that cannot be used."""

    code = "prediction"


class _Row(msgspec.Struct, frozen=True):
    id: str
    ranking: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Predictions:
    """What a file holds.

    Attributes:
        name: of the file, as it was given.
        rankings: id of the question -> answers, the best first, each once.
        places: id -> where it stands.
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
        OutputError: the system refuses to write.
    """
    with packed(path) as file:
        for id_, ranking in zip(ids, rankings, strict=True):
            file.write(line({"id": id_, "ranking": ranking}))


def read_predictions(path: str | Path) -> Predictions:
    """Read answers; ``-`` is standard input.

    Raises:
        InputError: the file cannot be read, or holds nothing.
        PredictionError: a line is no prediction, repeats an id, or names an answer twice.
    """
    rankings: dict[str, tuple[str, ...]] = {}
    places: dict[str, Place] = {}
    with opened(path) as source:
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
        # NaN and Infinity are no JSON either.
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
    said = "too deeply nested" if isinstance(error, RecursionError) else str(error)
    said = said.removeprefix("JSON is malformed: ")
    return said[:1].lower() + said[1:]


def require_answers(ranking: tuple[str, ...], kind: QuestionKind, place: Place) -> None:
    """Refuse an answer that no question of this kind has.

    Raises:
        PredictionError: naming it.
    """
    allowed = _CLOSED.get(kind)
    if allowed is None:
        return
    for answer in ranking:
        if answer not in allowed:
            message = f"ranking: found {shown(answer)}, expected {' or '.join(allowed)}"
            raise PredictionError(message, where=place.at(), hint=f"of a {kind} question")
