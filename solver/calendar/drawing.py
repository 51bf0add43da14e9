"""Draws a problem: months with the days of its steps, or a day with the times of its entries."""

from __future__ import annotations

import calendar
from collections.abc import Iterator
from datetime import date
from itertools import groupby

from grammar.dates import MONTHS, WEEKDAYS
from solver.calendar.model import Problem, Times, is_day
from solver.calendar.words import clock
from solver.drawing.canvas import (
    EVENT_FILL,
    EVENT_INK,
    FAINT_INK,
    INK,
    ROW,
    RULE,
    Canvas,
    Role,
    Spot,
    canvas,
    display_names,
    render,
)

_MARGIN, _CELL, _NAMES, _WIDTH = 0.3, 0.36, 2.2, 7.5
_MOST_MONTHS = 6


def picture(
    problem: Problem, values: list[list[int]], free: list[list[int]], form: str
) -> bytes | None:
    """The drawing as the bytes of a file; None for a problem without days and times."""
    if isinstance(problem.question, Times):
        times = problem.question
        return render(lambda: _day_plan(times, free).figure, salt=str(times), form=form,
                      title="Free times")  # fmt: skip
    days = sorted(set(_days(problem, values)))
    if not days:
        return None
    return render(lambda: _months(days).figure, salt=str(days), form=form, title="Days of a chain")


def _days(problem: Problem, values: list[list[int]]) -> Iterator[tuple[date, str]]:
    """The days of the premise with their names."""
    offered = set(problem.choices.values())
    for number, step in enumerate(problem.steps):
        if number not in offered and is_day(problem.steps, number):
            for value in values[number]:
                if 1 <= value <= date.max.toordinal():
                    yield date.fromordinal(value), step.name or f"step {number}"


def _months(days: list[tuple[date, str]]) -> Canvas:
    """One plan a month: weeks as rows from Monday, the days of the chain as numbered badges."""
    months = [
        (year, month, list(group))
        for (year, month), group in groupby(days, key=lambda row: (row[0].year, row[0].month))
    ][:_MOST_MONTHS]
    numbers = {name: str(n) for n, name in enumerate(dict.fromkeys(name for _, name in days), 1)}
    width = _MARGIN + len(months) * (7 * _CELL + _MARGIN)
    height = 0.9 + 7 * _CELL + ROW * 0.7 * len(numbers)
    sheet = canvas(max(width, 4.0), height)
    for place, (year, month, group) in enumerate(months):
        left = _MARGIN + place * (7 * _CELL + _MARGIN)
        sheet.write(Spot(x=left, y=0.3), f"{MONTHS[month - 1]} {year}", size=10.5, bold=True)
        for column, weekday in enumerate(WEEKDAYS):
            spot = Spot(x=left + (column + 0.5) * _CELL, y=0.6)
            sheet.write(spot, weekday[:2], size=8, colour=FAINT_INK, align="center")
        named: dict[int, list[str]] = {}
        for day, name in group:
            named.setdefault(day.day, []).append(numbers[name])
        for row, week in enumerate(calendar.Calendar().monthdayscalendar(year, month)):
            for column, number in enumerate(week):
                spot = Spot(x=left + (column + 0.5) * _CELL, y=0.9 + row * _CELL)
                if number in named:
                    sheet.badge(spot, f"{number}", EVENT_INK[Role.LEFT])
                    below = Spot(x=spot.x, y=spot.y + 0.17)
                    text = ",".join(named[number])
                    sheet.write(below, text, size=6, colour=EVENT_INK[Role.LEFT], align="center")
                elif number:
                    sheet.write(spot, f"{number}", size=8.5, align="center")
    for name, shown in numbers.items():
        y = 0.95 + 6.4 * _CELL + (int(shown) - 1) * ROW * 0.7
        sheet.write(Spot(x=_MARGIN, y=y), f"{shown}  {name}", size=8.5, colour=INK)
    return sheet


def _day_plan(times: Times, free: list[list[int]]) -> Canvas:
    """One row a person with the busy times, and a last row with the free times."""
    start, end = times.window
    people = list(dict.fromkeys(entry.person for entry in times.entries))
    shown = display_names([person or "the schedule" for person in people], 24)
    rows = len(people) + 1
    sheet = canvas(_MARGIN * 2 + _NAMES + _WIDTH, 0.8 + ROW * rows)
    left = _MARGIN + _NAMES

    def place(minute: int) -> float:
        return left + _WIDTH * (min(max(minute, start), end) - start) / (end - start)

    marks = {start, end, *(m for entry in times.entries for m in (entry.start, entry.end))}
    bottom = 0.55 + ROW * rows
    for minute in sorted(mark for mark in marks if start <= mark <= end):
        sheet.rule(Spot(x=place(minute), y=0.45), Spot(x=place(minute), y=bottom), RULE)
        text = clock(minute).replace(":00", "")
        sheet.write(Spot(x=place(minute), y=0.3), text, size=7, colour=FAINT_INK, align="center")
    for row, person in enumerate(people):
        y = 0.7 + ROW * row
        sheet.write(Spot(x=_MARGIN, y=y), shown[person or "the schedule"])
        for entry in times.entries:
            if entry.person == person and place(entry.start) < place(entry.end):
                spot = Spot(x=place(entry.start), y=y)
                sheet.bar(spot, place(entry.end), EVENT_FILL[Role.OTHER])
    y = 0.7 + ROW * len(people)
    sheet.write(Spot(x=_MARGIN, y=y), "free", bold=True)
    for begin, stop in free:
        sheet.bar(Spot(x=place(begin), y=y), place(stop), EVENT_FILL[Role.LEFT])
    return sheet
