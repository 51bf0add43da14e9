"""Reads a model's predictions: JSON Lines, or a table with tabs or commas, plain or gzip."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import msgspec

from benchmarks.nli.answers import read_answer
from solver.model import Label
from solver.reading.failures import InputError
from solver.reading.source import open_input

IDS = ("id", "index", "item", "item_id", "example_id")
ANSWERS = ("answer", "prediction", "predicted", "label", "response", "completion", "output", "text")
_HINT = f"JSONL or a table with the columns id ({', '.join(IDS)}) and answer ({', '.join(ANSWERS)})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """A model's answer to an item; ``label`` is None if the text contains none."""

    id: str
    text: str
    label: Label | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Predictions:
    """The predictions of a file.

    Attributes:
        name: the file, as given.
        answers: id -> the first prediction for it.
        doubled: ids that occur more than once; later predictions are ignored.
        broken: a message for each row that is not a prediction.
    """

    name: str
    answers: dict[str, Prediction]
    doubled: tuple[str, ...]
    broken: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Row:
    """The position of a row, with its prediction or an error message."""

    where: str
    found: Prediction | str


def read_predictions(path: str) -> Predictions:
    """Read predictions; ``-`` is standard input.

    Raises:
        InputError: the file cannot be read, or contains no prediction.
    """
    with open_input(path, "a file of answers") as source:
        data, name = source.whole(), source.name
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        message = f"byte {error.start + 1} is not UTF-8, expected text"
        raise InputError(message, where=name, hint=_HINT) from None
    if text.lstrip().startswith("["):
        message = "found a JSON array, expected an object on each line"
        raise InputError(message, where=f"{name}:1", hint=_HINT)
    rows = _json_rows(text, name) if text.lstrip().startswith("{") else _table_rows(text, name)
    return _gathered(name, rows)


def _gathered(name: str, rows: Iterable[_Row]) -> Predictions:
    answers: dict[str, Prediction] = {}
    doubled: dict[str, None] = {}
    broken: list[str] = []
    for row in rows:
        if isinstance(row.found, str):
            broken.append(f"{row.where}: {row.found}")
        elif row.found.id in answers:
            doubled[row.found.id] = None
        else:
            answers[row.found.id] = row.found
    if not answers:
        reason = broken[0] if broken else "the file is empty"
        raise InputError(f"found no prediction ({reason})", where=name, hint=_HINT)
    return Predictions(name=name, answers=answers, doubled=tuple(doubled), broken=tuple(broken))


def _json_rows(text: str, name: str) -> Iterator[_Row]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{name}:{number}"
        try:
            values = msgspec.json.decode(line)
        except (msgspec.DecodeError, RecursionError) as error:
            yield _Row(where, f"broken JSON ({error}), expected an object")
            continue
        if not isinstance(values, dict):
            yield _Row(where, "found no object, expected one with id and answer")
            continue
        fields = {key.casefold(): value for key, value in values.items()}
        yield _Row(where, _prediction(_first(fields, IDS), _first(fields, ANSWERS)))


def _table_rows(text: str, name: str) -> Iterator[_Row]:
    delimiter = "\t" if "\t" in text.partition("\n")[0] else ","
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    columns: tuple[int, int] | None = None
    while True:
        try:
            row = next(rows, None)
        except csv.Error as error:
            yield _Row(f"{name}:{rows.line_num}", f"{error}, expected a row of a table")
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
                yield _Row(where, f"found {len(row)} columns without names, expected id and answer")
                return
            columns = (0, 1)
        if len(row) <= max(columns):
            yield _Row(where, f"found {len(row)} columns, expected at least {max(columns) + 1}")
        else:
            yield _Row(where, _prediction(row[columns[0]], row[columns[1]]))


def _columns(row: list[str]) -> tuple[int, int] | None:
    """The columns of id and answer, if the row is a header that names them."""
    names = [cell.strip().casefold() for cell in row]
    ids = [names.index(name) for name in IDS if name in names]
    answers = [names.index(name) for name in ANSWERS if name in names]
    return (ids[0], answers[0]) if ids and answers else None


def _first(values: dict[str, object], names: Iterable[str]) -> object:
    return next((values[name] for name in names if name in values), None)


def _prediction(item: object, answer: object) -> Prediction | str:
    if isinstance(item, bool) or not isinstance(item, str | int):
        return "found no id, expected a string or a whole number"
    # An empty answer (null) is an unreadable answer, not a broken row.
    text = "" if answer is None else str(answer)
    return Prediction(id=str(item).strip(), text=text, label=read_answer(text))
