"""Prediction files: the answers of a model by id, with one policy for all commands that score them.

A file is JSON Lines, a table with tabs or commas, plain or gzip, or a log of inspect_ai or lm-eval
(``benchmarks.logs``). Items without an answer count
as wrong; their ids, and unknown and repeated ids (the first answer counts), are reported with exit
status 1. Rows that are not predictions are reported with exit status 2, as is a file none of whose
ids is that of an item.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Generic, TypeVar, cast

from benchmarks import logs
from grammar.errors import ExitStatus, HopcheckError, printable
from solver.io.json_lines import JsonDecoder
from solver.io.sources import InputError, Place, RowError, counted, open_input, shown

IDS = ("id", "index", "item", "item_id", "example_id")
ANSWERS = ("answer", "prediction", "predicted", "label", "response", "completion", "output", "text")
# Reasoning models think before they answer; the start of a thought may be part of the prompt.
_THOUGHT = re.compile(r"<(think|thinking)>.*?(?:</\1>|\Z)|\A.*</(?:think|thinking)>", re.DOTALL)
_MARK = re.compile(r".*\banswers?\s*:", re.IGNORECASE | re.DOTALL)
_CHOICE = re.compile(r"\s*(?:the\s+)?(?:answer is|option|choice)\s+", re.IGNORECASE)
_HINT = (
    f"JSONL or a table with the columns id ({', '.join(IDS)}) and answer ({', '.join(ANSWERS)}), "
    "or a log of inspect_ai or lm-eval"
)
_SHOWN = 10

_DECODER = JsonDecoder[object](object, hint="JSON has no NaN and no Infinity")

Answer = TypeVar("Answer")
Row = TypeVar("Row")


class PredictionError(InputError):
    """An invalid row of a prediction file."""

    code = "prediction"


class UnmatchedError(HopcheckError):
    """Predictions and items whose ids do not match."""

    code = "unmatched"


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictionRow:
    """A row of a prediction file.

    Attributes:
        where: its place, ``file:line``.
        values: the decoded JSON value; of a table or a log ``{"id": ..., "answer": ...}``.
        logged: whether it is from a log, whose answers are texts of a model.
    """

    where: str
    values: object
    logged: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Predictions(Generic[Answer]):
    """The predictions of a file.

    Attributes:
        name: the file, as given.
        answers: id -> the first answer.
        places: id -> ``file:line`` of the first answer.
        repeated: ids that occur more than once.
        broken: a message for each row that is not a prediction.
    """

    name: str
    answers: dict[str, Answer]
    places: dict[str, str]
    repeated: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()


def read_predictions(
    path: str,
    decode: Callable[[PredictionRow], tuple[str, Answer]],
    *,
    strict: bool = True,
    split: Callable[[PredictionRow], Iterable[PredictionRow]] | None = None,
) -> Predictions[Answer]:
    """Read predictions; ``-`` is standard input.

    Args:
        path: the file.
        decode: turns a row into an id and an answer, or raises a ``PredictionError``.
        strict: raise the error of the first invalid row; otherwise collect them in ``broken``.
        split: turns a row about several items into a row for each.

    Raises:
        InputError: the file cannot be read, or contains no prediction.
        PredictionError: a row is invalid.
    """
    answers: dict[str, Answer] = {}
    places: dict[str, str] = {}
    repeated: dict[str, None] = {}
    broken: list[str] = []
    name, rows = _opened(path)
    if split is not None:
        rows = chain.from_iterable(
            [row] if isinstance(row, PredictionError) else split(row) for row in rows
        )
    for row in rows:
        try:
            if isinstance(row, PredictionError):
                raise row
            id_, answer = decode(row)
        except PredictionError as error:
            if strict:
                raise
            broken.append(f"{error.where}: {error.message}")
            continue
        if id_ in answers:
            repeated[id_] = None
        else:
            answers[id_], places[id_] = answer, row.where
    if not answers:
        reason = broken[0] if broken else "the file is empty"
        raise InputError(f"found no prediction ({reason})", where=name, hint=_HINT)
    return Predictions(
        name=name, answers=answers, places=places, repeated=tuple(repeated), broken=tuple(broken)
    )


def _opened(path: str) -> tuple[str, Iterator[PredictionRow | PredictionError]]:
    """The name of a file, and its rows."""
    if logs.is_archive(path):
        return path, (
            PredictionRow(where=where, values=values, logged=True)
            for where, values in logs.archive_rows(path)
        )
    with open_input(path, "a file of answers") as source:
        data, name = source.whole(), source.name
    _require_text(data, name)
    return name, _rows(data, name)


def _require_text(data: bytes, name: str) -> None:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"byte {error.start + 1} is not UTF-8, expected text"
        raise InputError(message, where=f"{name}:{line}", hint=_HINT) from None
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        raise InputError("found a NUL character, expected text", where=f"{name}:{line}")


def _rows(data: bytes, name: str) -> Iterator[PredictionRow | PredictionError]:
    first = next(iter(data.split(maxsplit=1)), b"")[:1]
    if first == b"[":
        message = "found a JSON array, expected an object on each line"
        raise InputError(message, where=f"{name}:1", hint=_HINT)
    if first != b"{":
        return _table_rows(data.decode(), name)
    samples = logs.document_samples(data) if b'"samples"' in data else None
    return _json_rows(data, name) if samples is None else _sample_rows(samples, name)


def _sample_rows(samples: Iterable[object], name: str) -> Iterator[PredictionRow | PredictionError]:
    for number, sample in enumerate(samples, 1):
        where = f"{name}: sample {number}"
        try:
            yield PredictionRow(where=where, values=logs.inspect_row(sample, where), logged=True)
        except logs.LogError as error:
            yield PredictionError(error.message, where=error.where)


def _json_rows(data: bytes, name: str) -> Iterator[PredictionRow | PredictionError]:
    filters: set[str] = set()
    for number, line in enumerate(io.BytesIO(data), start=1):
        if not line.strip():
            continue
        place = Place(file=name, line=number)
        try:
            value = _DECODER.decode(line.removesuffix(b"\n").decode(), place)
            if logs.is_lm_eval(value):
                value = logs.lm_eval_row(cast(Mapping[str, Any], value), filters, place.at())
                yield PredictionRow(where=place.at(), values=value, logged=True)
            else:
                yield PredictionRow(where=place.at(), values=value)
        except (RowError, logs.LogError) as error:
            yield PredictionError(error.message, where=error.where, hint=error.hint)


def _table_rows(text: str, name: str) -> Iterator[PredictionRow | PredictionError]:
    delimiter = "\t" if "\t" in text.partition("\n")[0] else ","
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    columns: tuple[int, int] | None = None
    while True:
        try:
            row = next(rows, None)
        except csv.Error as error:
            message = f"{error}, expected a row of a table"
            yield PredictionError(message, where=f"{name}:{rows.line_num}", hint=_HINT)
            return
        if row is None:
            return
        if not any(cell.strip() for cell in row):
            continue
        where = f"{name}:{rows.line_num}"
        if columns is None:
            columns = _columns(row)
            if columns is not None:
                continue
            # Without a header, only two columns are unambiguous.
            if len(row) != 2:
                message = f"found {len(row)} columns without names, expected id and answer"
                yield PredictionError(message, where=where, hint=_HINT)
                return
            columns = (0, 1)
        if len(row) <= max(columns):
            message = f"found {len(row)} columns, expected at least {max(columns) + 1}"
            yield PredictionError(message, where=where, hint=_HINT)
        else:
            values = {"id": row[columns[0]].strip(), "answer": row[columns[1]]}
            yield PredictionRow(where=where, values=values)


def _columns(row: list[str]) -> tuple[int, int] | None:
    """The columns of id and answer, if the row is a header that names them."""
    names = [cell.strip().casefold() for cell in row]
    ids = [names.index(name) for name in IDS if name in names]
    answers = [names.index(name) for name in ANSWERS if name in names]
    return (ids[0], answers[0]) if ids and answers else None


def without_thoughts(text: str) -> str:
    """The text of a model without what it thinks between ``<think>`` and ``</think>``."""
    return _THOUGHT.sub(" ", text)


def answers_in(text: str) -> list[str]:
    """The answers in a text of a model, between semicolons or in lines of their own.

    They are what follows the last ``Answer:``, or the whole text, but for thoughts.
    """
    parts = re.split(r"[;\n]", _MARK.sub("", without_thoughts(text).strip()))
    names = (part.strip().strip('*`"').strip().removesuffix(".") for part in parts)
    return [name for name in names if name]


def chosen(text: str, answers: Mapping[str, str]) -> str | None:
    """The label that a text of a model gives, of some with their meanings; None if it gives none.

    It is given by itself, by its meaning, or by both, as in ``(B) Friday``.
    """
    first = next(iter(answers_in(text)), "")
    spellings = {_bare(first), _bare(_CHOICE.sub("", first))}
    found = {
        label for label, meaning in answers.items()
        if not spellings.isdisjoint(map(_bare, (label, meaning, f"{label} {meaning}")))
    }  # fmt: skip
    return found.pop() if len(found) == 1 else None


def _bare(text: str) -> str:
    return " ".join(re.sub(r"[^\w+:]", " ", text.casefold()).split())


def matching_status(*, unmatched: bool, broken: bool) -> ExitStatus:
    """The exit status of a command that scores predictions.

    Args:
        unmatched: whether an answer is missing, repeated, or to no item of the data.
        broken: whether a row is not a prediction.
    """
    if broken:
        return ExitStatus.UNREADABLE
    return ExitStatus.VIOLATIONS if unmatched else ExitStatus.OK


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchedPredictions(Generic[Answer]):
    """Predictions matched with items by id.

    Attributes:
        predictions: the predictions.
        answers: the answer to each item, in the order of the items; None if missing.
        missing: ids of items without an answer.
        unknown: ids of predictions without an item.
    """

    predictions: Predictions[Answer]
    answers: tuple[Answer | None, ...]
    missing: tuple[str, ...]
    unknown: tuple[str, ...]

    @property
    def exit_status(self) -> ExitStatus:
        """0 if every item has one answer and every answer an item; 2 with broken rows, else 1."""
        unmatched = bool(self.missing or self.unknown or self.predictions.repeated)
        return matching_status(unmatched=unmatched, broken=bool(self.predictions.broken))

    def as_json(self) -> dict[str, list[str]]:
        """The ids that are missing, unknown and repeated."""
        return {
            "missing": list(self.missing),
            "unknown": list(self.unknown),
            "doubled": list(self.predictions.repeated),
        }

    def notes(self, noun: str) -> Iterator[str]:
        """Describe in a line each what is missing, unknown, repeated or broken.

        Args:
            noun: an item, such as ``question``.
        """
        yield from unusable(noun, "without an answer", self.missing)
        yield from unusable(noun, "answered, but not in the data", self.unknown)
        what = "answered more than once; the first answer counts"
        yield from unusable(noun, what, self.predictions.repeated)
        yield from (
            f"not a prediction: {printable(message)}" for message in self.predictions.broken[:20]
        )


def unusable(noun: str, what: str, ids: Iterable[str]) -> Iterator[str]:
    """Describe some items with their first ids, such as ``2 items without an answer: 3, 7``."""
    named = list(ids)
    if named:
        more = ", …" if len(named) > _SHOWN else ""
        first = ", ".join(map(printable, named[:_SHOWN]))
        yield f"{counted(len(named), noun)} {what}: {first}{more}"


def distinct(rows: Iterable[Row], id_of: Callable[[Row], str], where: str = "") -> Iterator[Row]:
    """The rows of what finds them by their ids; other files may have an id several times.

    Raises:
        UnmatchedError: two rows share an id.
    """
    seen = set[str]()
    for row in rows:
        if (name := id_of(row)) in seen:
            message = f"found the id {shown(name)} several times, expected a different one for each"
            hint = "take files with the same ids one by one, or number the rows"
            raise UnmatchedError(message, where=where, hint=hint)
        seen.add(name)
        yield row


def match_predictions(
    predictions: Predictions[Answer], ids: Sequence[str], noun: str
) -> MatchedPredictions[Answer]:
    """Match predictions with items by id.

    Args:
        predictions: the predictions.
        ids: ids of the items.
        noun: an item, such as ``question``.

    Raises:
        UnmatchedError: two items share an id, or no prediction has the id of an item.
    """
    known = set(distinct(ids, str))
    unknown = tuple(answer for answer in predictions.answers if answer not in known)
    if ids and len(unknown) == len(predictions.answers):
        article = "an" if noun[0] in "aeiou" else "a"
        raise UnmatchedError(
            f"none of the {len(unknown):,} ids is that of {article} {noun}, such as {ids[0]!r}",
            where=predictions.name,
            hint=f"pass the {noun}s that were answered",
        )
    return MatchedPredictions(
        predictions=predictions,
        answers=tuple(predictions.answers.get(identifier) for identifier in ids),
        missing=tuple(identifier for identifier in ids if identifier not in predictions.answers),
        unknown=unknown,
    )
