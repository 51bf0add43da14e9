"""Values of the calendar as texts: the forms of answers, and the sentences of a proof."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from grammar.calendar.steps import Step
from grammar.dates import MONTHS, WEEKDAYS
from solver.calendar.encode import Solved
from solver.calendar.model import (
    LABELS,
    ZONED,
    Bounds,
    CalendarError,
    Meeting,
    Order,
    Problem,
    Starts,
    Times,
    Value,
    is_day,
)
from solver.verification.outcomes import Verdict

FORMS = ("MM/DD/YYYY", "Mon, YYYY", "number", "weekday")
"""How answers are written; a text with fields such as ``$month $dd, $yyyy`` is a form as well."""

_FIELD = re.compile(r"\$([A-Za-z]+)")

_DAY = 24 * 60


def written(value: int, form: str) -> str:
    """A value in one of ``FORMS``, or in a text with fields.

    Raises:
        CalendarError: it has no such form, as a number that is no weekday.
    """
    try:
        return _written(value, form)
    except (IndexError, KeyError, ValueError, OverflowError) as error:
        raise CalendarError(
            f"found the value {value}, expected one of the form {form!r}"
        ) from error


def _written(value: int, form: str) -> str:
    if "$" in form:
        return _FIELD.sub(lambda found: _field(value, found[1], "$days" in form), form)
    match form:
        case "MM/DD/YYYY":
            day = date.fromordinal(value)
            return f"{day.month:02}/{day.day:02}/{day.year:04}"
        case "Mon, YYYY":
            return f"{MONTHS[value % 12][:3]}, {value // 12}"
        case "weekday":
            return WEEKDAYS[value]
    return str(value)


def _field(value: int, name: str, days: bool) -> str:
    """A part of a value: of a day, a year, a weekday, or a time in seconds.

    Args:
        value: the value.
        name: such as ``yyyy``.
        days: whether whole days are written apart from the hours.
    """
    match name:
        case "number":
            return str(value)
        case "weekday":
            return WEEKDAYS[value]
        case "leap":
            return "Yes" if value == 366 else "No"
        case "thousandths":
            seconds, rest = divmod(value, 1000)
            parts_of_time = (seconds // 3600, seconds // 60 % 60, seconds % 60)
            return ":".join(f"{part:02}" for part in parts_of_time) + f".{rest:03}"
        case "year" | "era":
            parts = (value, "AD") if value > 0 else (1 - value, "BC")
            return str(parts[name == "era"])
        case "counted":
            return f"{abs(value)} {'AD' if value > 0 else 'BC'}" if value else "0"
        case "day":
            return f"{value // (60 * _DAY):+d}" if value // (60 * _DAY) else "same_day"
        case "days":
            return str(value // (60 * _DAY))
        case "hours":
            return str(value % (60 * _DAY) // 3600 if days else value // 3600)
        case "HH":
            return f"{value % (60 * _DAY) // 3600:02}"
        case "minutes" | "MM":
            return f"{value % 3600 // 60:0{1 if name == 'minutes' else 2}}"
        case "seconds" | "SS":
            return f"{value % 60:0{1 if name == 'seconds' else 2}}"
    day = date.fromordinal(value)
    parts_of_day = {
        "yyyy": f"{day.year:04}",
        "mm": f"{day.month:02}",
        "dd": f"{day.day:02}",
        "d": f"{day.day}",
        "month": MONTHS[day.month - 1],
        "mon": MONTHS[day.month - 1][:3],
    }
    return parts_of_day[name]


def listed(order: Order, entrants: Sequence[int]) -> str:
    """Entrants in the form of the answer to a question about their order."""
    names = [order.entrants[number].name for number in entrants]
    name = names[0] if len(names) == 1 else "equal" if names else "none"
    return order.written.replace("$names", repr(names)).replace("$name", name)


def clock(minute: int) -> str:
    """A minute of a day: ``9:30 am``, ``12:00 pm``; a later day is numbered."""
    day, minute = divmod(minute, _DAY)
    hour, rest = divmod(minute, 60)
    later = f" of day {day + 1}" if day else ""
    return f"{(hour - 1) % 12 + 1}:{rest:02} {'am' if hour < 12 else 'pm'}{later}"


def in_words(value: int, steps: Sequence[Step], number: int) -> str:
    """A value of a step for reading: ``Friday 24 December 1937``."""
    if is_day(steps, number):
        if not 1 <= value <= date.max.toordinal():
            return f"day {value:,}"
        day = date.fromordinal(value)
        return f"{WEEKDAYS[day.weekday()]} {day.day} {MONTHS[day.month - 1]} {day.year}"
    step = steps[number]
    while step.op == "shift":
        step = steps[int(step.arguments[0])]
    if step.op in ZONED:
        day = date.fromordinal(value // _DAY)
        shown = "UTC" if step.op == "utc" else step.arguments[1]
        return f"{clock(value % _DAY)} on {day.day} {MONTHS[day.month - 1]} {day.year}, {shown}"
    if step.op == "month":
        return f"{MONTHS[value % 12]} {value // 12}"
    return WEEKDAYS[value] if step.op == "weekday" else f"{value:,}"


def proof(problem: Problem, solved: Solved, decided: str | None) -> Iterator[str]:
    """The evidence for what is decided, a sentence a line."""
    offered = set(problem.choices.values())
    for number, step in enumerate(problem.steps):
        if number not in offered:
            shown = [in_words(value, problem.steps, number) for value in solved.values[number]]
            yield f"{step.name or f'step {number}'}: {' or '.join(shown) or 'no such day'}"
    for number in solved.untrue:
        fact = problem.stated[number]
        value = in_words(solved.values[fact.step][0], problem.steps, fact.step)
        yield f"“{fact.text}” is false: it is {value}"
    if solved.verdict == Verdict.CONTRADICTORY:
        yield "no day, month or number fits the premise"
        return
    match problem.question:
        case Starts(written=form) as times:
            for start, end in solved.free:
                yield f"free from {clock(start)} to {clock(end)}"
            yield f"meetings of {times.length} minutes start every {times.grid} minutes"
            yield f"the answer is {decided}" + f" ({form})" * (decided is None)
        case Order() as order:
            yield f"{order.pick}: {listed(order, [entrant for entrant, _ in solved.picked])}"
            if decided is not None and decided == problem.void:
                yield f"there is no single answer: {decided}"
                return
            yield "the order is open" if decided is None else f"the answer is {decided}"
        case Value(written=form):
            if decided is not None and decided == problem.void:
                yield f"there is no single answer: {decided}"
                return
            answers = " or ".join(written(value, form) for value in solved.values[problem.asked[0]])
            yield f"the answer is {answers}" + _named(problem, decided)
        case Bounds() as bounds:
            yield from _bounds(bounds, solved, problem.steps, decided)
        case Meeting():
            yield from _meeting(solved)
        case Times() as times:
            yield from _times(times, solved)
            yield f"the answer is option {decided}" if decided else "no option is such a time"


def _meeting(solved: Solved) -> Iterator[str]:
    minutes, starts = solved.longest
    if not minutes:
        yield "no meeting is possible: at each start somebody is busy"
        return
    yield f"the longest meeting takes {minutes} minutes and can start at {starts} times"


def _named(problem: Problem, decided: str | None) -> str:
    if problem.open:
        return ""
    return ", which is no option" if decided is None else f", option {decided}"


def _bounds(
    bounds: Bounds, solved: Solved, steps: Sequence[Step], decided: str | None
) -> Iterator[str]:
    texts = []
    for side in (bounds.premise, bounds.claim):
        low, high = (
            f"{steps[step].name or in_words(solved.values[step][0], steps, step)}"
            for step in (side.low, side.high)
        )
        texts.append(f"{side.relation} {low}" + ("" if low == high else f" to {high}"))
    if decided is None:
        yield "the answer is open: a bound has several values"
        return
    label = LABELS[bounds.labels.index(str(decided))]
    holds = {
        "entailment": "every time that is {} is {}",
        "contradiction": "no time that is {} is {}",
        "neutral": "some times that are {} are {}, and some are not",
    }[label]
    scale = "on a dense line" if bounds.dense else f"in whole units of {bounds.grain}"
    yield f"{holds.format(*texts)} ({scale}): {decided}"


def _times(times: Times, solved: Solved) -> Iterator[str]:
    for start, end in solved.free:
        yield f"free from {clock(start)} to {clock(end)}: " + "; ".join(
            f"{person or 'the schedule'} {_around(times, person, start, end)}"
            for person in dict.fromkeys(entry.person for entry in times.entries)
        )
    if not solved.free:
        yield "there is no free time"


def _around(times: Times, person: str, start: int, end: int) -> str:
    """The entries of a person that leave a time free: the last before it, the first after it."""
    entries = [entry for entry in times.entries if entry.person == person]
    before = sorted((entry.end, entry.text) for entry in entries if entry.end <= start)[-1:]
    after = sorted((entry.start, entry.text) for entry in entries if entry.start >= end)[:1]
    parts = [f"is busy until {clock(minute)} ({text})" for minute, text in before]
    parts += [f"is busy from {clock(minute)} ({text})" for minute, text in after]
    return " and ".join(parts) or "has no entry"
