"""Labels in a model's answers to items."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from benchmarks.predictions import (
    ANSWERS,
    IDS,
    MatchedPredictions,
    PredictionError,
    PredictionRow,
    Predictions,
    read_predictions,
)
from grammar.eventhop.model import Label
from solver.eventhop.records import LABELS

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """A model's answer to an item; ``label`` is None if the text contains none."""

    id: str
    text: str
    label: Label | None


def read_label_predictions(path: str) -> Predictions[Prediction]:
    """Read predictions of labels; ``-`` is standard input. Invalid rows are collected.

    Raises:
        InputError: the file cannot be read, or contains no prediction.
    """
    return read_predictions(path, _prediction, strict=False)


def _prediction(row: PredictionRow) -> tuple[str, Prediction]:
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
    return id_, Prediction(id=id_, text=text, label=read_answer(text))


def answered_labels(matched: MatchedPredictions[Prediction]) -> tuple[Label | None, ...]:
    """The answered label of each item; None if unreadable or missing."""
    return tuple(None if one is None else one.label for one in matched.answers)


def unreadable(matched: MatchedPredictions[Prediction]) -> tuple[Prediction, ...]:
    """The answers to items whose text contains no label."""
    return tuple(one for one in matched.answers if one is not None and one.label is None)
