"""Reads questions about the calendar in the wording of ``grammar/calendar/generated.toml``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from grammar.calendar.phrases import (
    Match,
    PhraseError,
    matches,
    phrase_table,
    read,
    slot_value,
)
from grammar.calendar.slots import date_parts, second_of_day
from grammar.calendar.steps import Step
from grammar.dates import WEEKDAYS
from grammar.options import OptionsError, split_options
from solver.calendar.model import CalendarError, Entry, Problem, Times, Value

_TABLE = phrase_table("generated.toml")
_SENTENCE = re.compile(r"(?<=[.?]) ")


def _date(text: str) -> tuple[int, ...] | None:
    return date_parts(text)


def _weekday(text: str) -> tuple[int, ...] | None:
    return (WEEKDAYS.index(text),) if text in WEEKDAYS else None


def _number(text: str) -> tuple[int, ...] | None:
    return (int(text),) if re.fullmatch("[0-9]+", text) else None


def _clock(text: str) -> tuple[int, ...] | None:
    second = second_of_day(text) if re.fullmatch("[0-9]{2}:[0-9]{2}", text) else None
    return None if second is None else (second,)


_FORMS: Mapping[str, tuple[str, str, Callable[[str], tuple[int, ...] | None]]] = {
    "date": ("date", "$d $month $yyyy", _date),
    "weekday": ("count", "weekday", _weekday),
    "number": ("count", "number", _number),
    "clock": ("count", "$HH:$MM", _clock),
}
"""The operation of an option, the form of the answer, and what reads it, by the question."""


def problem_of(text: str, gold: str) -> Problem:
    """The problem of a text: sentences, a question, options.

    Raises:
        CalendarError: it is not read, or the label is no option.
    """
    try:
        body, options = split_options(text)
        problem = _read(" ".join(body.split()), options, gold)
    except (PhraseError, OptionsError) as error:
        raise CalendarError(error.message, hint=error.hint) from None
    if gold not in options:
        raise CalendarError(f"found the label {gold!r}, expected an option")
    return problem


def _read(body: str, options: Mapping[str, str], gold: str) -> Problem:
    *sentences, asked = _SENTENCE.split(body)
    questions = list(matches(_TABLE, "question", asked))
    if len(questions) != 1:
        raise PhraseError(f"found {asked!r}, expected one of the questions")
    (question,) = questions
    if question.phrase.tag == "times":
        return _free(question, sentences, options, gold)
    chain = read(_TABLE, "question", asked, read(_TABLE, "premise", " ".join(sentences)))
    op, form, value = _FORMS[question.phrase.tag]
    steps, offered = list(chain.steps), dict[str, int]()
    for name, option in options.items():
        arguments = value(option)
        if arguments is None:
            raise PhraseError(f"found the option {option!r}, expected a {question.phrase.tag}")
        offered[name] = len(steps)
        steps.append(Step(name=f"option {name}", op=op, arguments=arguments))
    return Problem(
        question=Value(step=chain.names["the_answer"], written=form, options=offered),
        gold=gold,
        steps=tuple(steps),
        stated=tuple(chain.stated),
        same=tuple(chain.same),
    )


def _minute(match: Match, name: str) -> int:
    value = slot_value("clock", match.slots[name])
    assert isinstance(value, int)
    return value


def _free(question: Match, sentences: list[str], options: Mapping[str, str], gold: str) -> Problem:
    """The question when all people are free."""
    entries = []
    for sentence in sentences:
        found = list(matches(_TABLE, "entry", sentence))
        if len(found) != 1:
            raise PhraseError(f"found {sentence!r}, expected when somebody is busy")
        (match,) = found
        start, end = _minute(match, "a"), _minute(match, "b")
        entries.append(Entry(person=match.slots["p"], start=start, end=end, text="busy"))
    offered = {}
    for name, option in options.items():
        span = re.fullmatch("from ([0-9]{2}:[0-9]{2}) to ([0-9]{2}:[0-9]{2})", option)
        if span is None:
            raise PhraseError(f"found the option {option!r}, expected a time of the day")
        first, last = (slot_value("clock", part) for part in span.groups())
        assert isinstance(first, int)
        assert isinstance(last, int)
        offered[name] = (first, last)
    times = Times(
        window=(_minute(question, "a"), _minute(question, "b")),
        entries=tuple(entries),
        options=offered,
    )
    return Problem(question=times, gold=gold)
