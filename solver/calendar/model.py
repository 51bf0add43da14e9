"""Problems of the calendar: a premise in steps, a question, options, and the label to check.

The notation is JSON: see docs/calendar.md. Numbers of days count from 1 January of year 1, which is
day 1; months are ``12 * year + month - 1``; weekdays count from Monday, which is 0; times of day
are minutes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import TypeAlias

import msgspec

from grammar.calendar.steps import ARITIES, Stated, Step
from grammar.calendar.zones import (
    FIRST_YEAR,
    LAST_YEAR,
    Offset,
    known_zones,
    minute_of,
    offsets_near,
)
from grammar.dates import WEEKDAYS
from grammar.errors import HopcheckError


class CalendarError(HopcheckError):
    """A problem that is not well formed."""

    code = "calendar"


_WORDS = {"unit": ("day", "month", "count"), "side": ("first", "last")}
_MOVED = ("shift", "either", "recur")
ZONED = ("utc", "local")
"""Operations whose last argument is a time zone."""
_DAYS = ("date", "nth", "bound", "palindrome")
_OF_DAYS = ("nth", "bound", "weekday", "within")
_OF_NUMBERS = ("cycle", "size", *ZONED)
_NUMBERS = {
    "month": range(100),
    "day": range(100),
    "weekday": range(len(WEEKDAYS)),
    "months": (1, 2, 3, 4, 6, 12),
    "length": range(1, 2**31),
    "over": range(1, 2**31),
}
"""The values of arguments that are not any number."""

LABELS = ("entailment", "contradiction", "neutral")
"""The labels of a question about bounds."""


RELATIONS = ("at", "before", "after", "from", "until")
"""Relations of a time to a period."""


class Value(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="value"):
    """The question which value a step has.

    Attributes:
        step: the step.
        written: form of the answer, one of ``solver.calendar.words.FORMS``.
        options: for each option the step that it is; empty if the label is the answer itself.
        label: step of the label if there are no options; -1 if its text is no such value.
        void: the answer that there is none, or several, if the question offers that.
    """

    step: int
    written: str
    options: Mapping[str, int] = {}
    label: int = -1
    void: str = ""


class Side(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """What a premise or a claim says of a time, by its relation to a period.

    Attributes:
        relation: one of ``RELATIONS``; ``from`` and ``until`` include the period.
        low: step of the first value of the period.
        high: step of the last one; the same step for a moment.
    """

    relation: str
    low: int
    high: int


class Bounds(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="bounds"):
    """The question whether the premise about a time entails or contradicts the claim.

    Attributes:
        premise: what is known of the time.
        claim: what is claimed of it.
        grain: the time is a whole number of so many units.
        dense: the time is any number instead, and periods are moments.
        labels: the three labels of ``LABELS`` as the file writes them.
    """

    premise: Side
    claim: Side
    labels: tuple[str, str, str]
    grain: int = 1
    dense: bool = False


class Entry(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A time at which somebody is busy, from a minute up to another one."""

    person: str
    start: int
    end: int
    text: str


class Times(msgspec.Struct, frozen=True, kw_only=True, tag="times"):
    """The question at which time all people are free.

    Attributes:
        window: only minutes from the first up to the second one count.
        entries: when the people are busy.
        options: first minute of each option, and the minute at which it ends.
    """

    window: tuple[int, int]
    entries: tuple[Entry, ...]
    options: Mapping[str, tuple[int, int]]


class Starts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="starts"):
    """The question how many starts a meeting of all people can have.

    Attributes:
        window: only minutes from the first up to the second one count.
        entries: when the people are busy.
        length: minutes that the meeting takes.
        grid: it starts at a whole number of so many minutes.
        label: the number that the label is; -1 if its text is no number.
        written: form of the answer, as in ``Value``.
    """

    window: tuple[int, int]
    entries: tuple[Entry, ...]
    length: int
    grid: int
    written: str
    label: int = -1


class Entrant(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """Somebody or something with a time: two steps, of which the second one breaks ties."""

    name: str
    step: int
    finer: int


class Order(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="order"):
    """The question which entrants come first or last, before, after or at a limit, or in order.

    Attributes:
        entrants: in the order of the text.
        pick: one of ``PICKS``.
        limit: two steps, as of an entrant; their values may be several.
        label: the entrants that the label names, in its order; None if it names others.
        written: form of the answer, with ``$names`` or ``$name``.
        void: the answer that there is none, or several, if the question offers that.
    """

    entrants: tuple[Entrant, ...]
    pick: str
    written: str
    limit: tuple[int, int] | None = None
    label: tuple[int, ...] | None = None
    void: str = ""


PICKS = ("first", "last", "before", "after", "at", "ascending", "descending")
"""What a question about an order picks; the last two put all entrants in order."""


class Need(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """What a person asks of a meeting.

    Attributes:
        person: the person.
        before: minutes that have to be free before it; a negative number may be missed of it.
        after: the same for its end.
        least: for each day from 0, the minutes that a meeting takes at least.
        most: for each day, the minutes that it takes at most; -1 for any number.
    """

    person: str
    before: int
    after: int
    least: tuple[int, ...]
    most: tuple[int, ...]


class Meeting(msgspec.Struct, frozen=True, kw_only=True, tag="meeting"):
    """The question for the longest meeting of all people, and its number of starts.

    Minutes count from the beginning of the first day; the label is ``minutes, starts``.

    Attributes:
        grid: a meeting starts at a multiple of so many minutes.
        needs: of each person.
        entries: when the people are busy, which includes what is not their working time.
        stated: the two numbers of the label; empty if it is none.
    """

    grid: int
    needs: tuple[Need, ...]
    entries: tuple[Entry, ...]
    stated: tuple[int, ...]

    @property
    def starts(self) -> range:
        """The minutes at which the meeting may start."""
        return range(0, 24 * 60 * len(self.needs[0].least), self.grid)


Question: TypeAlias = Value | Bounds | Times | Starts | Order | Meeting


class Problem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A question about the calendar.

    Attributes:
        question: what is asked.
        gold: the label: an option, or a text in the form of the answer.
        steps: the chain; a step refers to earlier ones by their numbers, from 0.
        stated: facts that the text states.
        same: pairs of steps that the text names as the same day.
        overflow: whether a day that a month lacks goes on into the next month.
    """

    question: Question
    gold: str
    steps: tuple[Step, ...] = ()
    stated: tuple[Stated, ...] = ()
    same: tuple[tuple[int, int], ...] = ()
    overflow: bool = False

    @property
    def choices(self) -> dict[str, int]:
        """The options that are steps; of an open question, the label."""
        if not isinstance(self.question, Value):
            return {}
        if self.question.options:
            return dict(self.question.options)
        return {self.gold: self.question.label} if self.question.label >= 0 else {}

    @property
    def options(self) -> tuple[str, ...]:
        """The names of all options, by their numbers in the encodings."""
        match self.question:
            case Bounds(labels=labels):
                return labels
            case Starts(label=label):
                return (self.gold,) if label >= 0 else ()
            case Order(label=places):
                return () if places is None else (self.gold,)
            case Meeting(stated=stated):
                return (self.gold,) if stated else ()
        return tuple(self.question.options if isinstance(self.question, Times) else self.choices)

    @property
    def open(self) -> bool:
        """Whether the label is not chosen among options."""
        match self.question:
            case Value(options=options):
                return not options
        return isinstance(self.question, Starts | Order | Meeting)

    @property
    def void(self) -> str:
        """The answer that there is no single one; empty if the question does not offer that."""
        return self.question.void if isinstance(self.question, Value | Order) else ""

    @property
    def asked(self) -> tuple[int, ...]:
        """The steps that the question is about."""
        match self.question:
            case Value():
                return (self.question.step,)
            case Bounds(premise=premise, claim=claim):
                return (premise.low, premise.high, claim.low, claim.high)
            case Order(entrants=entrants, limit=limit):
                steps = (step for entrant in entrants for step in (entrant.step, entrant.finer))
                return (*steps, *(limit or ()))
        return ()


def _fits(op: str, name: str, value: int | str, number: int) -> bool:
    """Whether an argument of the step of this number has a value that it may have."""
    if name in _WORDS:
        return value in _WORDS[name]
    if name == "zone":
        return value in known_zones()
    if not isinstance(value, int):
        return False
    if name in ("from", "to"):
        return 0 <= value < number
    if name == "year" and op != "month":
        return 1 <= value <= date.max.year
    if name == "number" and op == "nth":
        return value != 0
    if name == "number" and op == "within":
        return 0 <= value <= len(WEEKDAYS)
    return name not in _NUMBERS or value in _NUMBERS[name]


def _sort(step: Step, sorts: Sequence[str]) -> str:
    """Whether a step is a ``day``, a ``month`` or a ``count``, by what those before it are.

    Raises:
        CalendarError: it takes one of these for another.
    """
    sides = {sorts[int(step.named[name])] for name in ("from", "to") if name in step.named}
    unit = step.named.get("unit")
    if (
        (sides != {"day"} if step.op in _OF_DAYS else {"day"} < sides)
        or ("day" in sides and (step.op in _OF_NUMBERS or unit == "count"))
        or ("count" in sides and unit == "month")
        or ("day" not in sides and unit == "day")
    ):
        message = f"found {step.op}{step.arguments} of {' and '.join(sorted(sides))}"
        raise CalendarError(message, where=step.name)
    if step.op in _MOVED:
        return sorts[int(step.named["from"])]
    return "day" if step.op in _DAYS else "month" if step.op == "month" else "count"


def ranges_of(steps: Sequence[Step]) -> list[tuple[float, float]]:
    """Two numbers for each step between which its value is."""
    ranges: list[tuple[float, float]] = []
    for step in steps:
        ranges.append(_range(step, ranges))
    return ranges


def offsets(steps: Sequence[Step], number: int) -> list[Offset]:
    """The offsets of the zone of a step that may count for it."""
    step = steps[number]
    low, high = ranges_of(steps[: number + 1])[int(step.named["from"])]
    return offsets_near(str(step.named["zone"]), low, high)


def is_day(steps: Sequence[Step], number: int) -> bool:
    """Whether a step is a day."""
    while steps[number].op in _MOVED:
        number = int(steps[number].arguments[0])
    return steps[number].op in _DAYS


_LARGEST = 2_000_000_000
"""No value is larger: clingo has 32 bits."""
_LARGEST_WINDOW = 400 * 24 * 60
"""No window ends later: the checker tries its minutes one by one."""
_LARGEST_SPAN = 999_999
"""No number of days between two is: the checker counts them one by one."""
_LARGEST_BOUND = 500_000_000
"""No value or grain of bounds is: `encodings/calendar/bounds.lp` counts in half units."""


def _range(step: Step, ranges: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Two numbers between which the value of a step is, by those of earlier steps."""
    named = step.named
    low, high = ranges[int(named["from"])] if "from" in named else (0.0, 0.0)
    other = ranges[int(named["to"])] if "to" in named else (low, high)
    numbers = [v for name, v in named.items() if name not in ("from", "to") and isinstance(v, int)]
    most = max(map(abs, numbers), default=0)
    match step.op:
        case "count":
            return (numbers[0], numbers[0])
        case "cycle" | "weekday":
            return (-most - 7, most + 7)
        case "date":
            # A day that does not exist has no value, and no step that follows from it has one.
            year, month, day = numbers
            first = date(year, max(1, min(month, 12)), max(1, min(day, 28))).toordinal()
            return (first, first + max(0, min(day, 31) - 28))
        case "palindrome":
            return (date(numbers[0], 1, 1).toordinal(), date(numbers[0], 12, 31).toordinal())
        case "bound":
            return (max(1, low - 366), min(date.max.toordinal(), high + 366))
        case "month":
            return (12 * numbers[0] + numbers[1] - 1,) * 2
        case "elapsed":
            return (other[0] - high, other[1] - low)
        case "ratio":
            factor = int(named["times"]) / int(named["over"])
            return (min(low * factor, high * factor) - 1, max(low * factor, high * factor) + 1)
        case "shift":
            move = int(named["amount"]) * (31 if named["unit"] == "month" else 1)
            return (low + min(0, move), high + max(0, move))
        case "utc" | "local":
            return (low - 24 * 60, high + 24 * 60)
        case "size":
            return (0, max(abs(low), abs(high)))
        case "within":
            return (0, max(0, other[1] - low))
    return (min(low, other[0]) - 31 * most - 31, max(high, other[1]) + 31 * most + 31)


def _needed(problem: Problem) -> set[int]:
    """The steps that are asked about, and those that lead to them."""
    found, waiting = set[int](), [*problem.asked]
    while waiting:
        number = waiting.pop()
        if number not in found:
            found.add(number)
            named = problem.steps[number].named
            waiting += [int(named[name]) for name in ("from", "to") if name in named]
    return found


def checked(problem: Problem) -> Problem:
    """The problem, if it is well formed.

    Raises:
        CalendarError: an operation is unknown, or refers to a step that is not earlier.
    """
    ranges = _checked_steps(problem.steps)
    named = (
        *(*problem.asked, *problem.choices.values()),
        *(fact.step for fact in problem.stated),
        *(step for pair in problem.same for step in pair),
    )
    if not all(0 <= step < len(problem.steps) for step in named):
        raise CalendarError("found a question about a step that does not exist")
    if _needed(problem) & {*problem.choices.values()}:
        raise CalendarError("found an option that the answer depends on, expected one of its own")
    match problem.question:
        case Bounds():
            _check_bounds(problem.question, ranges)
        case Meeting():
            _check_meeting(problem.question)
        case Order():
            _check_order(problem.question)
        case Times() | Starts():
            _check_window(problem.question)
    return problem


def _checked_steps(steps: Sequence[Step]) -> list[tuple[float, float]]:
    """The least and the largest value of each step."""
    ranges: list[tuple[float, float]] = []
    sorts: list[str] = []
    for number, step in enumerate(steps):
        if step.op not in ARITIES or len(ARITIES[step.op]) != len(step.arguments):
            raise CalendarError(f"found the step {step.op}{step.arguments}", where=step.name)
        for name, value in step.named.items():
            if not _fits(step.op, name, value, number):
                raise CalendarError(f"found {name} {value!r} of {step.op}", where=step.name)
        sorts.append(_sort(step, sorts))
        ranges.append(_range(step, ranges))
        if sorts[-1] == "day" and not 1 <= ranges[-1][0] <= ranges[-1][1] <= date.max.toordinal():
            message = f"found a day outside the years 1 to {date.max.year}"
            raise CalendarError(message, where=step.name)
        if step.op in ZONED:
            low, high = ranges[int(step.named["from"])]
            if not minute_of(FIRST_YEAR) <= low <= high < minute_of(LAST_YEAR + 1):
                message = f"found a moment outside the years {FIRST_YEAR} to {LAST_YEAR}"
                raise CalendarError(message, where=step.name)
        largest = _LARGEST_SPAN if step.op == "within" else _LARGEST
        size = max(map(abs, ranges[-1]))
        if step.op == "ratio":
            size *= max(1, abs(int(step.named["over"])))
        if size > largest:
            expected = f"expected values of at most {largest:,}"
            raise CalendarError(
                f"found {step.op}{step.arguments}, {expected}"[:160], where=step.name
            )
    return ranges


def _check_bounds(question: Bounds, ranges: Sequence[tuple[float, float]]) -> None:
    for side in (question.premise, question.claim):
        if side.relation not in RELATIONS:
            expected = f"expected one of {', '.join(RELATIONS)}"
            raise CalendarError(f"found {side.relation!r}, {expected}")
        sizes = (abs(end) for step in (side.low, side.high) for end in ranges[step])
        if (size := max(sizes)) > _LARGEST_BOUND:
            raise CalendarError(f"found a bound up to {size:,}, expected {_LARGEST_BOUND:,}")
    if not 1 <= question.grain <= _LARGEST_BOUND:
        expected = f"expected 1 to {_LARGEST_BOUND:,}"
        raise CalendarError(f"found grain {question.grain}, {expected}")


def _check_meeting(meeting: Meeting) -> None:
    days = {len(days) for need in meeting.needs for days in (need.least, need.most)}
    if len(days) != 1 or not 1 <= meeting.grid <= 24 * 60 or len(meeting.stated) not in (0, 2):
        raise CalendarError("found a meeting without days, or with another grid")
    if {entry.person for entry in meeting.entries} - {need.person for need in meeting.needs}:
        raise CalendarError("found an entry of a person who does not attend")
    if any(e.start // 1440 != (e.end - 1) // 1440 or e.start >= e.end for e in meeting.entries):
        raise CalendarError("found an entry of several days, expected one a day")


def _check_order(question: Order) -> None:
    pick, limit = question.pick, question.limit
    if pick not in PICKS or (pick in ("before", "after", "at")) != (limit is not None):
        raise CalendarError(f"found {pick!r} with the limit {limit}")
    entrants = range(len(question.entrants))
    if any(number not in entrants for number in question.label or ()):
        raise CalendarError("found a label that names no entrant")


def _check_window(question: Times | Starts) -> None:
    if isinstance(question, Starts) and min(question.length, question.grid) < 1:
        raise CalendarError("found a length or a grid of no minutes")
    spans = [(entry.start, entry.end) for entry in question.entries]
    if isinstance(question, Times):
        spans += question.options.values()
    for start, end in (*spans, question.window):
        if start >= end:
            raise CalendarError(f"found the time from {start} to {end}")
    first, last = question.window
    if first < 0 or last > _LARGEST_WINDOW:
        expected = f"expected minutes from 0 to {_LARGEST_WINDOW:,}"
        raise CalendarError(f"found the window from {first} to {last}, {expected}")
