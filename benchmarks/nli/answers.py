"""Extracts the label from a model's answer, or none.

There is no guessing: a text that names two labels, or negates the only one it names, has no label,
unless it contains a marked answer ("answer: false").
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from solver.model import Label
from solver.reading.fields import LABELS

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
