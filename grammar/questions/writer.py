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
from grammar.questions.model import (
    FactReasoning,
    OneHop,
    Query,
    QuestionKind,
    Role,
    Statement,
    TwoHop,
    YesUnknown,
    phrase_table,
)
from grammar.questions.parser import write_name

_OBJECT_ASKED = (
    "Who will {name} {base} {when}?",
    "{When}, who will {name} {base}?",
    "Which party will {name} {base} {when}?",
    "{When}, which party will {name} {base}?",
)
_SUBJECT_ASKED = tuple(one.replace("{name} {base}", "{base} {name}") for one in _OBJECT_ASKED)
_TWO_HOP = (
    "Who else will {asked}, while {given} {when}?",
    "{When}, while {given}, which other party will {asked}?",
    "Which other party will {asked}, while {given} {when}?",
    "{When}, while {given}, who else will {asked}?",
)
_PARTIES = (
    ("a party", "this party"),
    ("this third party", "a third party"),
    ("a third party", "this third party"),
    ("this party", "a party"),
)
"""By variant, what the party is called in the part that is asked and in the one that is given."""

_YES_UNKNOWN = (
    "Will {subject} {base} {object} {when}?",
    "{When}, will {subject} {base} {object}?",
    "Is it known that {subject} will {base} {object} {when}?",
    "Can it be said that {subject} will {base} {object} {when}?",
)
_FACT_REASONING = (
    "Why will {subject} {base} {object} {when}?",
    "{When}, why will {subject} {base} {object}?",
    "Which earlier event best explains why {subject} will {base} {object} {when}?",
    "Which of these facts makes it most likely that {subject} will {base} {object} {when}?",
)
_STATEMENT = (
    "{subject} {past} {object} {when}.",
    "{When}, {subject} {past} {object}.",
    "It was {when} that {subject} {past} {object}.",
)

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
            templates = _OBJECT_ASKED if query.asked is Role.OBJECT else _SUBJECT_ASKED
            late, front = _when(query.time)
            return templates[variant].format(
                name=write_name(query.entity),
                base=phrase_table().of(query.relation).base,
                when=late,
                When=front,
            )
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
    return _fact(_STATEMENT[variant], statement)


def _fact(template: str, fact: Statement) -> str:
    phrase = phrase_table().of(fact.relation)
    late, front = _when(fact.time)
    return template.format(
        subject=write_name(fact.subject),
        object=write_name(fact.object),
        base=phrase.base,
        past=phrase.past,
        when=late,
        When=front,
    )


def _two_hop(query: TwoHop, variant: int) -> str:
    asking, given_as = _PARTIES[variant]
    name = write_name(query.entity)
    base = phrase_table().of(query.asked.relation).base
    present = phrase_table().of(query.given.relation).present
    asks_object = query.asked.shared is Role.SUBJECT
    asked = f"{asking} {base}" if asks_object else f"{base} {asking}"
    party_first = query.given.shared is Role.SUBJECT
    given = f"{given_as} {present} {name}" if party_first else f"{name} {present} {given_as}"
    late, front = _when(query.time)
    return _TWO_HOP[variant].format(asked=asked, given=given, when=late, When=front)


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
