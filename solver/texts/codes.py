"""Finding codes of texts."""

from __future__ import annotations

from solver.dataset.copies import COPIES
from solver.verification.report import SHORTCUT, Codes

_CHANGED = "the text states {found}, expected {expected}"

CODES = Codes(
    {
        "missing-fact": "the text does not state {expected}",
        "extra-fact": "the text states {found}, which is not in the references",
        "moved-date": (_CHANGED, "a fact is stated with another date"),
        "changed-name": (_CHANGED, "a fact is stated with another name, or with its names swapped"),
        "changed-relation": (_CHANGED, "a fact is stated with another relation"),
        "wrong-weekday": ("{message}", "a weekday contradicts the calendar"),
        "wrong-tense": ("{message}", "a tense contradicts the headline"),
        "wrong-order": ("{message}", "a connective contradicts the order of the sentences"),
        "wrong-title": ("{message}", "the headline names an entity of no fact"),
        "far-headline": "the headline is dated {day}, {days} days from the nearest fact",
        "unparsed": ("{message}", "a part of the text cannot be parsed; with its column"),
        "missing-text": "no text for these facts, the first of which is {first}",
        "extra-text": "no facts for this text: both files must have the same number of lines",
        "missing-subject": "{name!r} is not named",
        "missing-object": "{name!r} is not named",
        "missing-date": "{date} is not written in full",
        "extra-date": '"{date}" is the date of no fact{headline}',
        "impossible-date": '"{date}" is not a valid date',
        "polarity": '"{word}" denies or doubts a fact',
        "extra-name": "{name!r} is a name of no fact",
        "unverified": (
            "the names and dates are right, but not every sentence can be parsed to a fact"
        ),
        **COPIES,
        **SHORTCUT,
    }
)
