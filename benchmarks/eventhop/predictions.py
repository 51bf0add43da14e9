"""Reads a model's predictions: JSON Lines, or a table with tabs or commas, plain or gzip."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import msgspec

from benchmarks.eventhop.cases import Case
from grammar.errors import HopcheckError
from grammar.eventhop.model import Label
from solver.eventhop.records import LABELS
from solver.io.sources import InputError, open_input

LONGEST = 100_000
"""Number of characters that are read, from the end of an answer."""

_LABEL = "|".join(LABELS)
_WORD = rf"\b(?P<label>{_LABEL})\b"
# "true, false or undefined": a repetition of the choices, not an answer.
_CHOICES = re.compile(rf"\b(?:{_LABEL})\b(?:\s*(?:,|/|\||\bor\b)+\s*\b(?:{_LABEL})\b)+")
_MARK = r"\b(?:answer|label|verdict|prediction|classification|conclusion|output|response|result)\b"
# Between the mark and the label: a sign or "is", and optionally the number of the item or choice.
_MARKED = re.compile(
    rf"{_MARK}\s*(?:[^\w\s]|\b(?:is|would be|should be|must be)\b)\W*(?:is\b\W*)?"
    rf"(?:\d+\W*)?(?:(?:the|therefore|thus)\b\W*)?{_WORD}"
)
_DENIAL = (
    r"(?:\b(?:not|never|nor|neither|cannot be|rather than|instead of)|n't)\s+"
    r"(?:(?:be|been|a|an|simply|necessarily|entirely|clearly)\s+)*"
)
_DOUBT = (
    r"\b(?:not the case|not (?:clear|certain|possible|known|sure)|"
    r"(?:cannot|can't) (?:conclude|say|tell|be sure))\b[^.;!?\n]*?"
)
_NAMED = re.compile(rf"(?P<denied>{_DENIAL}|{_DOUBT})?{_WORD}")
_SENTENCE = re.compile(r"[.!?;\n]+")
_LETTERS = {"t": Label.TRUE, "f": Label.FALSE, "u": Label.UNDEFINED}


def read_answer(text: str) -> Label | None:
    """Extract the label from an answer; None if there is none.

    In this order: a text that is a label, or its first letter; the last label that is marked as
    the answer; the only label that occurs; the only one in the last sentence that contains any.
    """
    plain = _plain(text[-LONGEST:])
    bare = plain.strip(" .,:;!?()[]{}<>#-\"'")
    if bare in LABELS:
        return LABELS[bare]
    if bare in _LETTERS:
        return _LETTERS[bare]
    statement = _CHOICES.sub(" ", plain)
    marked = [LABELS[match["label"]] for match in _MARKED.finditer(statement)]
    if marked:
        return marked[-1]
    return _conclusion([_sentence(part) for part in _SENTENCE.split(statement)])


@dataclass(frozen=True, slots=True)
class _Sentence:
    """The labels that a sentence asserts, and those that it negates."""

    named: frozenset[Label]
    denied: frozenset[Label]


def _sentence(text: str) -> _Sentence:
    found = [(LABELS[match["label"]], bool(match["denied"])) for match in _NAMED.finditer(text)]
    return _Sentence(
        named=frozenset(label for label, denied in found if not denied),
        denied=frozenset(label for label, denied in found if denied),
    )


def _conclusion(sentences: list[_Sentence]) -> Label | None:
    relevant = [one for one in sentences if one.named or one.denied]
    naming = [one.named for one in relevant if one.named]
    if not naming:
        return None
    every = frozenset[Label]().union(*naming)
    concluded = every if len(every) == 1 else naming[-1]
    # An answer that is negated in the last relevant sentence does not count.
    if len(concluded) != 1 or concluded & relevant[-1].denied:
        return None
    return next(iter(concluded))


def _plain(text: str) -> str:
    """Normalise to lower case without emphasis, markup and boxes."""
    text = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    text = re.sub(r"\\(?:boxed|text|textbf)\s*\{([^{}]*)\}", r" \1 ", text)
    return re.sub(r"[*_`~$]+", " ", text).strip()


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


class UnmatchedError(HopcheckError):
    """Predictions and items whose ids do not match."""

    code = "unmatched"


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchedAnswers:
    """The answers to items, in the order of the items.

    Attributes:
        labels: the answered label of each item; None if unreadable or missing.
        missing: ids of items without a prediction.
        unknown: ids of predictions without an item.
        unreadable: predictions whose text contains no label.
    """

    labels: tuple[Label | None, ...]
    missing: tuple[str, ...]
    unknown: tuple[str, ...]
    unreadable: tuple[Prediction, ...]


def match(cases: Sequence[Case], predictions: Predictions) -> MatchedAnswers:
    """Match by id.

    Raises:
        UnmatchedError: two items share an id, or no prediction has the id of an item.
    """
    ids = [case.record.id for case in cases]
    doubled = [one for one, count in Counter(ids).items() if count > 1]
    if doubled:
        raise UnmatchedError(
            f"{len(doubled):,} ids occur several times in the data, such as {doubled[0]!r}; "
            "expected unique ids",
            hint="score files with the same ids separately",
        )
    found = [predictions.answers.get(one) for one in ids]
    answered = [one for one in found if one is not None]
    if not answered:
        raise UnmatchedError(
            f"none of the {len(predictions.answers):,} ids is that of an item, such as {ids[0]!r}",
            where=predictions.name,
            hint="pass the items that were answered: --data PATH",
        )
    known = set(ids)
    return MatchedAnswers(
        labels=tuple(None if one is None else one.label for one in found),
        missing=tuple(one for one, given in zip(ids, found, strict=True) if given is None),
        unknown=tuple(one for one in predictions.answers if one not in known),
        unreadable=tuple(one for one in answered if one.label is None),
    )
