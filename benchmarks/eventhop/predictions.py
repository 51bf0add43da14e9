"""Labels in a model's answers to items."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

from benchmarks.predictions import (
    ANSWERS,
    IDS,
    MatchedPredictions,
    PredictionError,
    PredictionRow,
    Predictions,
    read_predictions,
    without_thoughts,
)
from grammar.eventhop.model import Label
from solver.eventhop.labels import LabelScheme
from solver.eventhop.records import LABELS

LONGEST = 100_000
"""Number of characters that are read, from the end of an answer."""

_MARK = r"\b(?:answer|label|verdict|prediction|classification|conclusion|output|response|result)\b"
_DENIAL = (
    r"(?:\b(?:not|never|nor|neither|cannot be|rather than|instead of)|n't)\s+"
    r"(?:(?:be|been|a|an|simply|necessarily|entirely|clearly)\s+)*"
)
_DOUBT = (
    r"\b(?:not the case|not (?:clear|certain|possible|known|sure)|"
    r"(?:cannot|can't) (?:conclude|say|tell|be sure))\b[^.;!?\n]*?"
)
_SENTENCE = re.compile(r"[.!?;\n]+")
_LETTERS = {"t": Label.TRUE, "f": Label.FALSE, "u": Label.UNDEFINED}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What an answer says.

    Attributes:
        label: the label; None if there is none.
        ambiguous: whether there is none because the answer asserts several.
    """

    label: str | None
    ambiguous: bool = False


def read_answer(
    text: str, words: Mapping[str, Label] | None = None, scheme: LabelScheme | None = None
) -> str | None:
    """Extract the label from an answer; None if there is none (see ``AnswerReader``)."""
    return reader_of(words, scheme).read(text).label


def reader_of(
    words: Mapping[str, Label] | None = None, scheme: LabelScheme | None = None
) -> AnswerReader:
    """The reader of our labels and of further words, in lower case, or of a scheme; cached."""
    return _cached(tuple(sorted((words or {}).items())), scheme)


@cache
def _cached(words: tuple[tuple[str, Label], ...], scheme: LabelScheme | None) -> AnswerReader:
    return AnswerReader(dict(words), scheme)


class AnswerReader:
    """Reads labels from answers.

    In this order: a text that is a label, or its first letter; the last label that is marked as the
    answer; the only label that occurs; the only one in the last sentence that contains any. What a
    model thinks between ``<think>`` and ``</think>`` is skipped.

    Args:
        words: words that are labels besides ours, such as ``yes``.
        scheme: the labels instead of ours; a number alone is the label of that number.
    """

    def __init__(self, words: Mapping[str, Label], scheme: LabelScheme | None = None) -> None:
        self._labels: dict[str, str] = {**LABELS, **words}
        self._alone: Mapping[str, str] = _LETTERS
        self._joined: tuple[tuple[re.Pattern[str], str], ...] = ()
        if scheme is not None:
            spelt = {_plain(text): word for text, word in scheme.spellings.items()}
            self._alone = {text: word for text, word in spelt.items() if text.isdigit()}
            self._labels = {
                _joined(text): word for text, word in spelt.items() if text not in self._alone
            }
            # "not entailment" is a label, and not the denial of another one.
            self._joined = tuple(
                (re.compile(rf"\b{re.escape(text)}\b"), _joined(text))
                for text in sorted(spelt, key=len, reverse=True)
                if _joined(text) != text
            )
        label = "|".join(re.escape(name) for name in sorted(self._labels, key=len, reverse=True))
        word = rf"\b(?P<label>{label})\b"
        # "true, false or undefined": a repetition of the choices, not an answer.
        self._choices = re.compile(rf"\b(?:{label})\b(?:\s*(?:,|/|\||\bor\b)+\s*\b(?:{label})\b)+")
        # Between the mark and the label: a sign or "is", and optionally the number of the item or
        # choice.
        self._marked = re.compile(
            rf"{_MARK}\s*(?:[^\w\s]|\b(?:is|would be|should be|must be)\b)\W*(?:is\b\W*)?"
            rf"(?:\d+\W*)?(?:(?:the|therefore|thus)\b\W*)?{word}"
        )
        self._named = re.compile(rf"(?P<denied>{_DENIAL}|{_DOUBT})?{word}")

    def read(self, text: str) -> Reading:
        """The label of an answer, or whether it asserts several."""
        plain = _plain(without_thoughts(text[-LONGEST:]))
        for spelling, word in self._joined:
            plain = spelling.sub(word, plain)
        bare = plain.strip(" .,:;!?()[]{}<>#-\"'")
        if bare in self._labels:
            return Reading(label=self._labels[bare])
        if bare in self._alone:
            return Reading(label=self._alone[bare])
        statement = self._choices.sub(" ", plain)
        marked = [self._labels[match["label"]] for match in self._marked.finditer(statement)]
        if marked:
            return Reading(label=marked[-1])
        sentences = [self._sentence(part) for part in _SENTENCE.split(statement)]
        label = _conclusion(sentences)
        asserted = frozenset[str]().union(*(sentence.named for sentence in sentences))
        return Reading(label=label, ambiguous=label is None and len(asserted) > 1)

    def _sentence(self, text: str) -> _Sentence:
        found = [
            (self._labels[match["label"]], bool(match["denied"]))
            for match in self._named.finditer(text)
        ]
        return _Sentence(
            named=frozenset(label for label, denied in found if not denied),
            denied=frozenset(label for label, denied in found if denied),
        )


@dataclass(frozen=True, slots=True)
class _Sentence:
    """The labels that a sentence asserts, and those that it negates."""

    named: frozenset[str]
    denied: frozenset[str]


def _conclusion(sentences: list[_Sentence]) -> str | None:
    relevant = [sentence for sentence in sentences if sentence.named or sentence.denied]
    naming = [sentence.named for sentence in relevant if sentence.named]
    if not naming:
        return None
    every = frozenset[str]().union(*naming)
    concluded = every if len(every) == 1 else naming[-1]
    # An answer that is negated in the last relevant sentence does not count.
    if len(concluded) != 1 or concluded & relevant[-1].denied:
        return None
    return next(iter(concluded))


def _joined(text: str) -> str:
    """A label as one word."""
    return re.sub(r"\W+", "", text)


def _plain(text: str) -> str:
    """Normalise to lower case without emphasis, markup and boxes."""
    text = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    text = re.sub(r"\\(?:boxed|text|textbf)\s*\{([^{}]*)\}", r" \1 ", text)
    return re.sub(r"[*_`~$]+", " ", text).strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """A model's answer to an item.

    Attributes:
        id: id of the item.
        text: the answer.
        label: its label; None if the text contains none, or several.
        ambiguous: whether it contains several.
    """

    id: str
    text: str
    label: str | None
    ambiguous: bool = False


def read_label_predictions(
    path: str, words: Mapping[str, Label] | None = None, scheme: LabelScheme | None = None
) -> Predictions[Prediction]:
    """Read predictions of labels; ``-`` is standard input. Invalid rows are collected.

    Args:
        path: the file.
        words: words that are labels besides ours.
        scheme: the labels instead of ours.

    Raises:
        InputError: the file cannot be read, or contains no prediction.
    """
    reader = reader_of(words, scheme)
    return read_predictions(path, lambda row: _prediction(row, reader), strict=False, split=_each)


_NUMBERED = re.compile(
    r"^[^\w\n]*(?:item\s+)?(\d{1,4})\s*[.):\]](?!\d)", re.MULTILINE | re.IGNORECASE
)


def _each(row: PredictionRow) -> Iterator[PredictionRow]:
    """A row for each item of a batch: a row with ``ids`` and an answer with numbered lines."""
    values = row.values
    if not isinstance(values, dict) or not isinstance(values.get("ids"), list):
        yield row
        return
    text = next((str(values[name]) for name in ANSWERS if values.get(name) is not None), "")
    parts = numbered_parts(text)
    for number, item in enumerate(values["ids"], 1):
        yield replace(row, values={IDS[0]: item, ANSWERS[0]: parts.get(number, "")})


def numbered_parts(text: str) -> dict[int, str]:
    """The text after each number that begins a line, up to the next; the last one counts."""
    text = without_thoughts(text)
    marks = list(_NUMBERED.finditer(text))
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    return {int(mark[1]): text[mark.end() : end] for mark, end in zip(marks, ends, strict=True)}


def _prediction(row: PredictionRow, reader: AnswerReader) -> tuple[str, Prediction]:
    if not isinstance(row.values, dict):
        raise PredictionError("found no object, expected one with id and answer", where=row.where)
    fields = {str(key).casefold(): value for key, value in row.values.items()}
    item, answer = (
        next((fields[name] for name in names if name in fields), None) for names in (IDS, ANSWERS)
    )
    if isinstance(item, bool) or not isinstance(item, str | int):
        raise PredictionError("found no id, expected a string or a whole number", where=row.where)
    # An empty answer (null) is an unreadable answer, not a broken row.
    text = "" if answer is None else str(answer)
    id_ = str(item).strip()
    found = reader.read(text)
    return id_, Prediction(id=id_, text=text, label=found.label, ambiguous=found.ambiguous)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerReport:
    """What all results of a run on a model's answers contain.

    Attributes:
        data: names of the item files, as given.
        matched: the predictions, matched with the items.
        unparsed: number of rows of the data that cannot be parsed as items.
        config: the run's options.
    """

    data: tuple[str, ...]
    matched: MatchedPredictions[Prediction]
    unparsed: int
    config: dict[str, object]
    seed: int

    @property
    def predictions(self) -> Predictions[Prediction]:
        """The predictions."""
        return self.matched.predictions


def answered_labels(matched: MatchedPredictions[Prediction]) -> tuple[str | None, ...]:
    """The answered label of each item; None if unreadable or missing."""
    return tuple(None if answer is None else answer.label for answer in matched.answers)


def unreadable(matched: MatchedPredictions[Prediction]) -> tuple[Prediction, ...]:
    """The answers to items whose text contains no label."""
    return tuple(
        answer for answer in matched.answers if answer is not None and answer.label is None
    )
