"""Writes questions and statements; ``grammar.questions.reader`` reads them back.

Each shape of a question has the same number of variants: the time at the end or at the front, and
other words to ask with.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from types import MappingProxyType

from grammar.errors import UnwritableError
from grammar.names import OPEN, quote_name
from grammar.questions.model import (
    FactReasoning,
    Form,
    OneHop,
    Phrase,
    Query,
    QuestionKind,
    Role,
    Statement,
    TwoHop,
    YesUnknown,
    phrase_table,
)
from grammar.questions.parser import QUESTION, STATEMENT, spans, write_name

_OBJECT_ASKED = (
    "Who will {name} {base} {when}?",
    "{When}, who will {name} {base}?",
    "Which party will {name} {base} {when}?",
    "{When}, which party will {name} {base}?",
)
_SUBJECT_ASKED = tuple(name.replace("{name} {base}", "{base} {name}") for name in _OBJECT_ASKED)
_TWO_HOP = (
    "{When}, {given}. Who else will {asked} that day?",
    "{When}, {given}. Which other party will {asked} that day?",
    "{Given} {when}. Who else will {asked} that day?",
    "{Given} {when}. Which other party will {asked} that day?",
)
_PARTIES = (("someone", "they", "them"), ("a party", "it", "it"))
"""The party in the first sentence, and as a subject and an object in the second, in turn."""

_YES_UNKNOWN = (
    "Will {subject} {base} {object} {when}?",
    "{When}, will {subject} {base} {object}?",
    "Yes or unknown: will {subject} {base} {object} {when}?",
    "Yes or unknown: {when}, will {subject} {base} {object}?",
)
_FACT_REASONING = (
    "Why will {subject} {base} {object} {when}?",
    "{When}, why will {subject} {base} {object}?",
    "Which of these events best explains why {subject} will {base} {object} {when}?",
    "Which of these events makes it most likely that {subject} will {base} {object} {when}?",
)
_STATEMENT = ("{subject} {past} {object} {when}.", "{When}, {subject} {past} {object}.")

VARIANTS: Mapping[QuestionKind, int] = MappingProxyType(
    {
        QuestionKind.ONE_HOP: len(_OBJECT_ASKED),
        QuestionKind.TWO_HOP: len(_TWO_HOP),
        QuestionKind.YES_UNKNOWN: len(_YES_UNKNOWN),
        QuestionKind.FACT_REASONING: len(_FACT_REASONING),
    }
)
"""How many variants a kind has; they are counted from 0."""

STATEMENT_VARIANTS = len(_STATEMENT)


def write_question(query: Query, variant: int = 0) -> str:
    """Write a question, on one line.

    Raises:
        UnwritableError: a name is empty, or the time is neither a date nor a whole number.
        IndexError: there is no such variant.
    """
    match query:
        case OneHop():
            late, front = _when(query.time)
            phrase = phrase_table().of(query.relation)
            asks_object = query.asked is Role.OBJECT
            templates = _OBJECT_ASKED if asks_object else _SUBJECT_ASKED
            name = (
                _subject(query.entity, phrase.whole)
                if asks_object
                else _object(phrase, Form.BASE, query.entity)
            )
            base = phrase.whole if asks_object else phrase.base
            return templates[variant].format(name=name, base=base, when=late, When=front)
        case TwoHop():
            return _two_hop(query, variant)
        case YesUnknown():
            return _fact(_YES_UNKNOWN[variant], query.fact)
        case FactReasoning():
            return _fact(_FACT_REASONING[variant], query.fact)


def write_statement(statement: Statement, variant: int = 0) -> str:
    """Write a statement about the past, such as a choice, on one line.

    Raises:
        UnwritableError, IndexError: as for a question.
    """
    return _fact(_STATEMENT[variant], statement, Form.PAST)


def _fact(template: str, fact: Statement, form: Form = Form.BASE) -> str:
    phrase = phrase_table().of(fact.relation)
    late, front = _when(fact.time)
    return template.format(
        subject=_subject(fact.subject, phrase.form(form), form),
        object=_object(phrase, form, fact.object),
        base=phrase.base,
        past=phrase.past,
        when=late,
        When=front,
    )


def _two_hop(query: TwoHop, variant: int) -> str:
    someone, they, them = _PARTIES[variant % 2]
    asked, given = (phrase_table().of(arc.relation) for arc in (query.asked, query.given))
    if query.asked.shared is Role.SUBJECT:
        asking = f"{they} {asked.whole}"
    else:
        asking = f"{asked.base} {them}{_after(asked)}"
    if query.given.shared is Role.SUBJECT:
        stated = f"{someone} will {given.base} {_object(given, Form.BASE, query.entity)}"
        first = stated[0].upper() + stated[1:]
    else:
        name = _subject(query.entity, given.base)
        if not name.startswith(OPEN) and _OPENING.match(name):
            # At the start of the text it would open another question.
            name = quote_name(query.entity)
        stated = first = f"{name} will {given.base} {someone}{_after(given)}"
    late, front = _when(query.time)
    return _TWO_HOP[variant].format(asked=asking, given=stated, Given=first, when=late, When=front)


_OPENING = re.compile("(?:who|which|will|why|someone|a party|yes or|on|at)(?!\\w)", re.IGNORECASE)


def _after(phrase: Phrase) -> str:
    return f" {phrase.after}" if phrase.after else ""


@lru_cache(maxsize=1 << 16)
def _subject(name: str, words: str, form: Form = Form.BASE) -> str:
    """A name before a phrase, quoted if its last words would form another phrase with it."""
    written = write_name(name)
    start = len(written) + 2
    if written[0] != OPEN and _spans(f" {written} {words} ", form)[:1] not in (
        [(start, start + len(words))],
        [],
    ):
        return quote_name(name)
    return written


@lru_cache(maxsize=1 << 16)
def _object(phrase: Phrase, form: Form, name: str) -> str:
    """A name after a phrase with the words that follow it, quoted if they would be misread."""
    written, after, words = write_name(name), _after(phrase), phrase.form(form)
    if written[0] != OPEN:
        alone = _spans(f" {words} {written}{after} ", form) in ([(1, len(words) + 1)], [])
        others = phrase_table().by_words[form].get(words, ())
        longer = (text for text in others if len(text) > len(phrase.after))
        if not alone or any(f"{written}{after}".endswith(f" {text}") for text in longer):
            written = quote_name(name)
    return f"{written}{after}"


def _spans(text: str, form: Form) -> list[tuple[int, int]]:
    return spans(text, QUESTION if form is Form.BASE else STATEMENT)


@lru_cache(maxsize=1 << 14)
def _when(time: str) -> tuple[str, str]:
    """A time within a sentence and at its front."""
    if is_time(time):
        return (
            (f"on {time}", f"On {time}") if "-" in time else (f"at time {time}", f"At time {time}")
        )
    message = f"found the time {time!r}, expected a date such as 2026-01-11 or a whole number"
    raise UnwritableError(message)


def is_time(time: str) -> bool:
    """Whether a question may have this time: a date that there is, or at most 18 digits."""
    if re.fullmatch("[0-9]{1,18}", time):
        return True
    try:
        return date.fromisoformat(time).isoformat() == time
    except ValueError:
        return False
