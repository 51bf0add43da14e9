"""Differences between the facts stated by a text and its reference facts."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from itertools import product

from grammar.dates import MONTHS, WEEKDAYS, FoundDate, find_dates
from grammar.texts.model import TextFact
from solver.texts.codes import CODES


class Difference(StrEnum):
    """Kinds of difference; finding codes of ``verify --kind texts``."""

    MISSING = "missing-fact"
    EXTRA = "extra-fact"
    DATE = "moved-date"
    NAME = "changed-name"
    RELATION = "changed-relation"


@dataclass(frozen=True, slots=True, kw_only=True)
class FactDifference:
    """A missing, extra or changed fact; ``expected`` or ``found`` is None if there is none."""

    kind: Difference
    expected: TextFact | None = None
    found: TextFact | None = None

    def __str__(self) -> str:
        """A message without a full stop."""
        return CODES[self.kind].message.format(expected=self.expected, found=self.found)


def differences(
    expected: Sequence[TextFact], found: Sequence[TextFact]
) -> Iterator[FactDifference]:
    """Compare two lists of facts as multisets.

    A missing and an extra fact are reported as one changed fact if they differ in one component,
    or if subject and object are swapped.
    """
    missing = list((Counter(expected) - Counter(found)).elements())
    extra = list((Counter(found) - Counter(expected)).elements())
    for kind in (Difference.DATE, Difference.NAME, Difference.RELATION):
        for fact, other in list(product(missing, extra)):
            if fact in missing and other in extra and _change(fact, other) is kind:
                missing.remove(fact)
                extra.remove(other)
                yield FactDifference(kind=kind, expected=fact, found=other)
    yield from (FactDifference(kind=Difference.MISSING, expected=fact) for fact in missing)
    yield from (FactDifference(kind=Difference.EXTRA, found=fact) for fact in extra)


def _change(fact: TextFact, other: TextFact) -> Difference | None:
    """The kind of change between two facts; None if more than one component differs."""
    same_names = (fact.subject, fact.object) == (other.subject, other.object)
    same_relation, same_date = fact.relation == other.relation, fact.date == other.date
    if same_names and same_relation:
        return Difference.DATE
    if same_names and same_date:
        return Difference.RELATION
    crossed = (fact.subject, fact.object) == (other.object, other.subject)
    shared = fact.subject == other.subject or fact.object == other.object
    return Difference.NAME if same_relation and same_date and (crossed or shared) else None


HEADLINE_DAYS = 7
"""Maximal distance in days between a headline and the nearest fact."""

_ESCAPE = re.compile(r"\b[Uu]([0-9A-Fa-f]{4})\b")
_BRACKETS = re.compile(r"\([^()]*\)")
_COMMON = frozenset(map(str.casefold, (*WEEKDAYS, *MONTHS)))
_COMMON |= frozenset(
    [
        "a",
        "an",
        "and",
        "after",
        "as",
        "at",
        "before",
        "but",
        "by",
        "for",
        "from",
        "he",
        "her",
        "his",
        "i",
        "in",
        "it",
        "its",
        "later",
        "meanwhile",
        "news",
        "of",
        "on",
        "she",
        "sports",
        "the",
        "their",
        "they",
        "this",
        "to",
        "today",
        "we",
    ]
)
_GENERIC = re.compile(r"\bgeneric instance\b", re.IGNORECASE)


class Fault(StrEnum):
    """What a text omits or gets wrong; finding codes of ``verify --kind texts``."""

    SUBJECT = "missing-subject"
    OBJECT = "missing-object"
    DATE = "missing-date"
    EXTRA_DATE = "extra-date"
    NO_DATE = "impossible-date"
    WEEKDAY = "wrong-weekday"


class Doubt(StrEnum):
    """What a text that cannot be parsed may state besides its facts; finding codes, too."""

    DENIAL = "polarity"
    EXTRA_NAME = "extra-name"


@dataclass(frozen=True, slots=True, kw_only=True)
class MentionFault:
    """A fault of a text, with a message and the affected fact."""

    fault: Fault | Doubt
    message: str
    fact: TextFact | None = None

    @classmethod
    def of(
        cls, fault: Fault | Doubt, fact: TextFact | None = None, **words: object
    ) -> MentionFault:
        """The fault with its message."""
        return cls(fault=fault, message=CODES[fault].message.format(**words), fact=fact)


def mention_faults(
    text: str, facts: Sequence[TextFact], *, normalised: bool = False
) -> Iterator[MentionFault]:
    """Find names and dates that a text omits, and dates that belong to no fact.

    Args:
        text: of any origin.
        facts: its reference facts; empty names are skipped.
        normalised: whether to compare names after ``normalise``, which undoes the encoding of
            names in the YAGO 2026 release; else names must occur verbatim.
    """
    dates = tuple(find_dates(text))
    meant = {found_date.date for found_date in dates}
    plain = normalise(text) if normalised else ""
    for fact in facts:
        for fault, name in ((Fault.SUBJECT, fact.subject), (Fault.OBJECT, fact.object)):
            there = mentions(plain, name) if normalised else name in text
            if name and not there:
                yield MentionFault.of(fault, fact, name=name)
        if fact.date not in meant:
            yield MentionFault.of(Fault.DATE, fact, date=fact.date)
    # A name may contain a date: Treaty of May 5th, 1990.
    named = {
        find_date.date
        for fact in facts
        for find_date in find_dates(f"{fact.subject}\n{fact.object}")
    }
    yield from _dates(dates, {fact.date for fact in facts}, named)


_DENIALS = re.compile(
    r"\b(?:not|never|neither|nor|without|[a-z]+n['’]t|cannot|den(?:y|ies|ied)|refus(?:e|es|ed)"
    r"|fail(?:s|ed)? to|declin(?:e|es|ed)|reject(?:s|ed)?|alleged(?:ly)?|reportedly|rumou?red"
    r"|cancel(?:s|led|ed)?|instead of|rather than|no longer)\b",
    re.IGNORECASE,
)
# A capitalised word that does not open a sentence or a clause in quotes.
_CAPITALISED = re.compile(r"(?<=[^\W_],\s)[^\W\d_a-z][\w'’-]+|(?<=[^\W_]\s)[^\W\d_a-z][\w'’-]+")


def statement_faults(text: str, facts: Sequence[TextFact]) -> Iterator[MentionFault]:
    """Find words that deny a fact, and names that no fact has.

    They are found by their words alone, so that their absence proves nothing.

    Args:
        text: of any origin.
        facts: its reference facts.
    """
    rest = text
    names = sorted({name for fact in facts for name in (fact.subject, fact.object)}, key=len)
    for name in [find_date.text for find_date in find_dates(text)] + names[::-1]:
        if name:
            rest = rest.replace(name, " , ")
    for word in denials(rest):
        yield MentionFault.of(Doubt.DENIAL, word=word)
    known = {normalise(word) for name in names for word in name.split()} | _COMMON
    for word in dict.fromkeys(found[0] for found in _CAPITALISED.finditer(rest)):
        if normalise(word) not in known:
            yield MentionFault.of(Doubt.EXTRA_NAME, name=word)


def denials(text: str) -> list[str]:
    """The words of a text that deny or doubt, each once."""
    return list(dict.fromkeys(found[0] for found in _DENIALS.finditer(text)))


def mentions(plain: str, name: str) -> bool:
    """Whether a normalised text contains a name, with or without its bracketed part.

    Escaped brackets (``U0028``) are part of the name.
    """
    bare = _BRACKETS.sub(" ", name)
    forms = (normalise(text) for text in (name, bare, _GENERIC.sub(" ", bare)))
    return any(form and form in plain for form in forms)


def normalise(text: str) -> str:
    """Reduce to lower-case letters and digits without accents, after decoding ``U002E``."""
    decoded = _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)
    return "".join(c for c in unicodedata.normalize("NFKD", decoded.casefold()) if c.isalnum())


def _dates(
    dates: Sequence[FoundDate], expected: set[date], named: set[date | None]
) -> Iterator[MentionFault]:
    headline = dates[0].date if dates else None
    for place, found_date in enumerate(dates):
        if found_date.date is None:
            yield MentionFault.of(Fault.NO_DATE, date=found_date.text)
            continue
        if found_date.weekday is not None and found_date.false_weekday:
            right = WEEKDAYS[found_date.date.weekday()]
            message = f"{found_date.date} is a {right}, found {WEEKDAYS[found_date.weekday]}"
            yield MentionFault.of(Fault.WEEKDAY, message=message)
        if found_date.date in expected or found_date.date in named:
            continue
        if found_date.date == headline and _near(found_date.date, expected):
            continue
        headline_too = "" if place else f", nor of a headline within {HEADLINE_DAYS} days"
        yield MentionFault.of(Fault.EXTRA_DATE, date=found_date.text, headline=headline_too)


def _near(day: date, expected: set[date]) -> bool:
    return any(abs((day - calendar_day).days) <= HEADLINE_DAYS for calendar_day in expected)
