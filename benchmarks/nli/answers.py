"""Reads a model's answer: a label, however it is wrapped; or none.

Nothing is guessed: a text that names two labels, or denies the only one it names, has no label,
unless it ends in an answer ("answer: false").
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from solver.model import Label
from solver.reading.fields import LABELS

LONGEST = 100_000
"""Characters of an answer that are read: the last ones."""

_LABEL = "|".join(LABELS)
_WORD = rf"\b(?P<label>{_LABEL})\b"
# "true, false or undefined": the choices told again, not an answer.
_CHOICES = re.compile(rf"\b(?:{_LABEL})\b(?:\s*(?:,|/|\||\bor\b)+\s*\b(?:{_LABEL})\b)+")
_MARK = r"\b(?:answer|label|verdict|prediction|classification|conclusion|output|response|result)\b"
# Between the mark and the label a sign or "is" has to stand; a number may, of the item or choice.
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
    """The label that a text answers; None if it does not tell one.

    In this order: a text that is a label, or its first letter; the last label that is marked as
    the answer; the only label that is named; the only one in the last sentence that names any.
    """
    plain = _plain(text[-LONGEST:])
    bare = plain.strip(" .,:;!?()[]{}<>#-\"'")
    if bare in LABELS:
        return LABELS[bare]
    if bare in _LETTERS:
        return _LETTERS[bare]
    said = _CHOICES.sub(" ", plain)
    marked = [LABELS[match["label"]] for match in _MARKED.finditer(said)]
    if marked:
        return marked[-1]
    return _concluded([_sentence(part) for part in _SENTENCE.split(said)])


@dataclass(frozen=True, slots=True)
class _Sentence:
    """The labels that a sentence names, and those that it denies."""

    named: frozenset[Label]
    denied: frozenset[Label]


def _sentence(text: str) -> _Sentence:
    found = [(LABELS[match["label"]], bool(match["denied"])) for match in _NAMED.finditer(text)]
    return _Sentence(
        named=frozenset(label for label, denied in found if not denied),
        denied=frozenset(label for label, denied in found if denied),
    )


def _concluded(sentences: list[_Sentence]) -> Label | None:
    speaking = [one for one in sentences if one.named or one.denied]
    naming = [one.named for one in speaking if one.named]
    if not naming:
        return None
    every = frozenset[Label]().union(*naming)
    said = every if len(every) == 1 else naming[-1]
    # Whoever denies in the end what was named before has no answer.
    if len(said) != 1 or said & speaking[-1].denied:
        return None
    return next(iter(said))


def _plain(text: str) -> str:
    """Small letters, without marks of emphasis, markup and boxes."""
    text = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    text = re.sub(r"\\(?:boxed|text|textbf)\s*\{([^{}]*)\}", r" \1 ", text)
    return re.sub(r"[*_`~$]+", " ", text).strip()
