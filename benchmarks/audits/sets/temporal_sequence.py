"""``temporal_sequence`` of BIG-Bench Extra Hard: the longest meeting of several people in a week.

What people ask of the meeting is in ``grammar/calendar/meetings.toml``. Times without a half of the
day are those of a working day: 1:00 is in the afternoon.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from benchmarks.audits.model import AuditTask, ItemRead, Reading, Row, UnreadError
from grammar.calendar.phrases import Match, matches, phrase_table
from grammar.calendar.slots import clock, number, read_duration, weekday_number
from grammar.dates import WEEKDAYS
from solver.calendar.decide import decide
from solver.calendar.model import Entry, Meeting, Need, Problem
from solver.verification.outcomes import Outcome

_TABLE = "meetings.toml"
_DAYS, _DAY, _GRID = 5, 24 * 60, 30
_LINE = re.compile(
    r"(?P<day>[A-Z][a-z]+): (?P<kind>Booked|Free only) at the following times: ?(?P<times>.*)"
)
_WHOLE = re.compile(r"(?P<day>[A-Z][a-z]+): (?P<kind>Free|Booked) all day")
_TIME = re.compile(
    r"from (?P<a>[0-9]{1,2}:[0-9]{2}) to (?P<b>[0-9]{1,2}:[0-9]{2})"
    r"|anytime before (?P<before>[0-9]{1,2}:[0-9]{2})|anytime after (?P<after>[0-9]{1,2}:[0-9]{2})"
)
_ANSWER = re.compile(r"\s*([0-9]+)\s*,\s*([0-9]+)\s*")


@dataclass(slots=True, kw_only=True)
class _Person:
    """What is known of a person, in local time.

    Attributes:
        hours: the working hours of each day.
        busy: the booked times of each day.
        zone: how many minutes the local time is ahead.
    """

    hours: list[int]
    busy: list[list[tuple[int, int]]] = field(default_factory=lambda: [[] for _ in range(_DAYS)])
    zone: int = 0
    before: int = 0
    after: int = 0
    least: list[int] = field(default_factory=lambda: [0] * _DAYS)
    most: list[int] = field(default_factory=lambda: [-1] * _DAYS)


def _unread(row: Row, text: str) -> UnreadError:
    return UnreadError(f"found {text!r}, which no phrase reads", where=row.where)


def _phrase(row: Row, role: str, text: str) -> Match:
    found = next(matches(phrase_table(_TABLE), role, text), None)
    if found is None:
        raise _unread(row, text)
    return found


def _afternoon(hour: int) -> int:
    """An hour of a working day from its number without a half of the day."""
    return hour + 12 if hour < 8 else hour


def _minute(text: str) -> int:
    hour, _, minute = text.partition(":")
    return 60 * _afternoon(int(hour)) + int(minute)


def _read(row: Row) -> ItemRead:
    lines = [line.strip() for line in row.text("input").splitlines() if line.strip()]
    if len(lines) < 3:
        raise _unread(row, row.text("input"))
    head = _phrase(row, "head", lines[0])
    _phrase(row, "question", lines[-1])
    names = re.split(r", | and ", head.slots["people"])
    hours = [60 * _afternoon(number(head.slots[name])) for name in "ab"]
    people = {name: _Person(hours=list(hours)) for name in names}
    used, current = [head.phrase.text], None
    for line in lines[1:-1]:
        person = _schedule(row, line, people)
        if person is not None:
            current = person
        elif current is not None and (_LINE.fullmatch(line) or _WHOLE.fullmatch(line)):
            _book(row, line, current)
        else:
            match = _phrase(row, "need", line)
            if match.slots["person"] not in people:
                raise _unread(row, line)
            _ask(row, match, people[match.slots["person"]])
            used.append(match.phrase.text)
    gold = row.text("target")
    stated = _ANSWER.fullmatch(gold)
    meeting = Meeting(
        grid=_GRID,
        needs=tuple(
            Need(person=name, before=person.before, after=person.after,
                 least=tuple(person.least), most=tuple(person.most))
            for name, person in people.items()
        ),
        entries=tuple(entry for name in people for entry in _entries(name, people[name])),
        stated=(int(stated[1]), int(stated[2])) if stated else (),
    )  # fmt: skip
    problem = Problem(question=meeting, gold=gold)
    return ItemRead(problem=problem, gold=gold, templates=tuple(dict.fromkeys(used)))


def _schedule(row: Row, line: str, people: dict[str, _Person]) -> _Person | None:
    found = next(matches(phrase_table(_TABLE), "schedule", line), None)
    if found is None:
        return None
    if found.slots["person"] not in people:
        raise _unread(row, line)
    return people[found.slots["person"]]


def _book(row: Row, line: str, person: _Person) -> None:
    """Add the booked times of a day; of free times, what is between them."""
    whole, listed = _WHOLE.fullmatch(line), _LINE.fullmatch(line)
    start, end = person.hours
    if whole is not None:
        day, times = whole["day"], [(start, end)] if whole["kind"] == "Booked" else []
        free = False
    else:
        assert listed is not None
        day, free = listed["day"], listed["kind"] == "Free only"
        times = []
        for text in listed["times"].split(", ") if listed["times"] else ():
            found = _TIME.fullmatch(text)
            if found is None:
                raise _unread(row, text)
            first = start if found["before"] else _minute(found["a"] or found["after"])
            last = end if found["after"] else _minute(found["b"] or found["before"])
            if first < last:
                times.append((first, last))
    if day not in WEEKDAYS[:_DAYS]:
        raise _unread(row, line)
    person.busy[WEEKDAYS.index(day)] = list(_between(times, start, end)) if free else times


def _between(times: Sequence[tuple[int, int]], start: int, end: int) -> Iterator[tuple[int, int]]:
    for first, last in sorted(times):
        if start < first:
            yield start, first
        start = max(start, last)
    if start < end:
        yield start, end


def _ask(row: Row, match: Match, person: _Person) -> None:
    """Note what a person asks of the meeting."""
    slots = match.slots
    minutes = 0
    if "duration" in slots:
        amounts = read_duration(slots["duration"]).amounts
        if not amounts.keys() <= {"minute", "hour"}:
            raise _unread(row, slots["duration"])
        minutes = amounts.get("minute", 0) + 60 * amounts.get("hour", 0)
    match match.phrase.tag:
        case "zone":
            person.zone = minutes if slots["direction"] == "ahead" else -minutes
        case "miss-last":
            person.after = -minutes
        case "miss-first":
            person.before = -minutes
        case "before":
            person.before = minutes
        case "after":
            person.after = minutes
        case "stay":
            person.hours[1] = _clock(row, slots["clock"])
        case "come":
            person.hours[0] = _clock(row, slots["clock"])
        case "end":
            person.hours[1] = min(person.hours[1], _clock(row, slots["clock"]))
        case "lunch":
            day = weekday_number(slots["weekday"])
            person.busy[day].append((_minute(slots["a"]), _minute(slots["b"])))
        case "clear":
            person.busy = [[t for t in times if t[1] - t[0] > minutes] for times in person.busy]
        case "morning":
            first, last = _minute(slots["a"]), _minute(slots["b"])
            person.busy = [list(_without(times, first, last)) for times in person.busy]
        case "least" | "most" as limit:
            days = {weekday_number(slots["d"]), weekday_number(slots["e"])}
            for day in days & set(range(_DAYS)):
                (person.least if limit == "least" else person.most)[day] = minutes


def _clock(row: Row, text: str) -> int:
    minute = clock(text)
    if minute is None:
        raise _unread(row, text)
    return minute


def _without(times: Sequence[tuple[int, int]], first: int, last: int) -> Iterator[tuple[int, int]]:
    for start, end in times:
        for part in ((start, min(end, first)), (max(start, last), end)):
            if part[0] < part[1]:
                yield part


def _entries(name: str, person: _Person) -> Iterator[Entry]:
    """The entries of a person in the time of the others."""
    for day, times in enumerate(person.busy):
        outside = [(0, person.hours[0] - person.zone), (person.hours[1] - person.zone, _DAY)]
        shifted = [(start - person.zone, end - person.zone) for start, end in times]
        for (start, end), text in (
            *((time, "not at work") for time in outside),
            *((time, "booked") for time in sorted(shifted)),
        ):
            start, end = max(start, 0), min(end, _DAY)
            if start < end:
                begin = day * _DAY + start
                yield Entry(person=name, start=begin, end=day * _DAY + end, text=text)


def _decide(items: Sequence[ItemRead], _: Reading) -> Sequence[Outcome]:
    return decide([item.problem for item in items])


def _correct(_: Row, outcome: Outcome) -> dict[str, object]:
    return {"target": outcome.decided}


def _recognises(rows: Sequence[Row]) -> bool:
    texts = [str(row.fields.get("input", "")).strip().splitlines() for row in rows]
    return any(
        True for lines in texts for line in lines[:1]
        for _ in matches(phrase_table(_TABLE), "head", line)
    )  # fmt: skip


TASK = AuditTask(
    name="temporal_sequence",
    kind="calendar",
    title="the longest meeting of several people in a week, and the number of its starts",
    recognises=_recognises,
    read=_read,
    decide=_decide,
    correct=_correct,
)
