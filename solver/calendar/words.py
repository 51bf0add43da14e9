"""Values of the calendar as texts: the forms of answers, and the steps of a proof."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from grammar.dates import MONTHS, WEEKDAYS
from solver.calendar.model import Problem, Step

FORMS = ("MM/DD/YYYY", "Mon, YYYY", "number", "weekday")
"""How answers are written."""


def written(value: int, form: str) -> str:
    """A value in one of ``FORMS``."""
    match form:
        case "MM/DD/YYYY":
            return f"{date.fromordinal(value):%m/%d/}{date.fromordinal(value).year:04}"
        case "Mon, YYYY":
            return f"{MONTHS[value % 12][:3]}, {value // 12}"
        case "weekday":
            return WEEKDAYS[value]
    return str(value)


def in_words(value: int, sort: str) -> str:
    """A value of a step for reading: ``Friday 24 December 1937``."""
    if sort == "day" and 1 <= value <= date.max.toordinal():
        day = date.fromordinal(value)
        return f"{WEEKDAYS[day.weekday()]} {day.day} {MONTHS[day.month - 1]} {day.year}"
    if sort == "month":
        return f"{MONTHS[value % 12]} {value // 12}"
    return WEEKDAYS[value] if sort == "weekday" else f"{value:,}"


def sort_of(steps: Sequence[Step], number: int) -> str:
    """What a step is: ``day``, ``month``, ``weekday`` or ``count``."""
    step = steps[number]
    if step.op == "shift":
        return sort_of(steps, int(step.arguments[0]))
    if step.op in ("date", "nth", "bound", "palindrome"):
        return "day"
    return step.op if step.op in ("month", "weekday") else "count"


def steps_in_words(problem: Problem, values: Sequence[int | None], last: int) -> Iterator[str]:
    """The steps of the premise, one sentence each."""
    for number, step in enumerate(problem.steps[:last]):
        value = values[number]
        shown = "no such day" if value is None else in_words(value, sort_of(problem.steps, number))
        yield f"{step.name or f'step {number}'}: {shown}"
