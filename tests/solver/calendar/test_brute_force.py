"""Random problems: both engines and the checker find what a walk over days and minutes finds."""

from __future__ import annotations

import calendar
import random
from collections.abc import Sequence
from datetime import date, timedelta

import pytest

from grammar.calendar.steps import Stated, Step
from solver.calendar.decide import decide
from solver.calendar.model import Bounds, Entry, Meeting, Need, Problem, Side, Times, Value

ONE = timedelta(days=1)
LABELS = ("yes", "no", "maybe")


def drawn_date(draw: random.Random) -> tuple[int, int, int]:
    """Often near the ends of months, of February in particular."""
    year = draw.choice([1, 4, 100, 400, 1582, 1600, 1900, 1999, 2000, 2024, 2100, 3999])
    month = draw.choice([1, 2, 2, 3, 12, draw.randint(1, 12)])
    return year, month, draw.choice([1, 28, 29, 30, 31, draw.randint(1, 28)])


def exists(year: int, month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= calendar.monthrange(year, month)[1]


def months_later(day: date, months: int) -> date:
    """One month after the other by the lengths of months, then clipped."""
    year, month = day.year, day.month
    for _ in range(abs(months)):
        month += 1 if months > 0 else -1
        if month in (0, 13):
            year, month = (year - 1, 12) if month == 0 else (year + 1, 1)
    return date(year, month, min(day.day, calendar.monthrange(year, month)[1]))


def nth(day: date, weekday: int, number: int) -> date:
    days = (day + ONE * n * (1 if number > 0 else -1) for n in range(40))
    return [each for each in days if each.weekday() == weekday][abs(number) - 1]


def whole_months(start: date, end: date) -> int:
    if end < start:
        return -whole_months(end, start)
    count = 0
    # A month is whole if its day of the month has come; a day that is missing has not.
    while True:
        year, month = divmod(12 * start.year + start.month - 1 + count + 1, 12)
        if (year, month + 1, start.day) > (end.year, end.month, end.day):
            return count
        count += 1


def drawn_chain(draw: random.Random) -> tuple[list[Step], list[date | int | None]]:
    """A chain and its values by the brute force; None for no such day."""
    steps: list[Step] = []
    values: list[date | int | None] = []

    def add(op: str, value: date | int | None, *arguments: int | str) -> None:
        steps.append(Step(name=op, op=op, arguments=arguments))
        values.append(value)

    for _ in range(draw.randint(1, 2)):
        parts = drawn_date(draw)
        add("date", date(*parts) if exists(*parts) else None, *parts)
    for _ in range(draw.randint(1, 4)):
        days = [n for n, value in enumerate(values) if isinstance(value, date)]
        if not days:
            break
        start = draw.choice(days)
        day = values[start]
        assert isinstance(day, date)
        inner = 200 < day.toordinal() < 1_500_000
        match draw.choice(["day", "month", "nth", "first", "last", "weekday", "days", "months"]):
            case "day" if inner:
                amount = draw.randint(-100, 100)
                add("shift", day + ONE * amount, start, "day", amount)
            case "month" if inner:
                amount = draw.choice([-12, -1, 1, 12, 13, 48, draw.randint(-6, 60)])
                if 12 * day.year + day.month - 1 + amount >= 12:
                    add("shift", months_later(day, amount), start, "month", amount)
            case "nth" if inner:
                weekday, number = draw.randint(0, 6), draw.choice([-2, -1, 1, 2, 5])
                add("nth", nth(day, weekday, number), start, weekday, number)
            case "first" | "last" as side:
                months = draw.choice([1, 3, 12])
                begin = day
                while begin.day != 1 or (begin.month - 1) % months:
                    begin -= ONE
                end = day
                while (end + ONE).day != 1 or (end + ONE).month % months != 1 % months:
                    end += ONE
                add("bound", begin if side == "first" else end, start, side, months)
            case "weekday":
                add("weekday", day.weekday(), start)
            case "days" | "months" as unit:
                other = draw.choice(days)
                until = values[other]
                assert isinstance(until, date)
                if abs((until - day).days) < 4_000:
                    count = (until - day).days if unit == "days" else whole_months(day, until)
                    add("elapsed", count, start, other, unit[:-1])
    return steps, values


def numbered(value: date | int | None) -> list[int]:
    if value is None:
        return []
    return [value.toordinal() if isinstance(value, date) else value]


def chain_problem(draw: random.Random) -> tuple[Problem, str, list[list[int]]]:
    """A question about a chain, the right verdict, and the values of the steps."""
    steps, values = drawn_chain(draw)
    premise = len(steps)
    asked = premise - 1
    answer, options = values[asked], {}
    for name in "ABC":
        if not isinstance(answer, date):
            parts = drawn_date(draw)
        else:
            near = answer + ONE * draw.choice([0, 0, 1, -1]) if answer.year > 1 else answer
            parts = (near.year, near.month, draw.choice([near.day, near.day, 31]))
        options[name] = len(steps)
        steps.append(Step(name=name, op="date", arguments=parts))
        values.append(date(*parts) if exists(*parts) else None)
    stated = []
    days = [n for n in range(premise) if steps[n].op == "weekday"]
    if days:
        stated = [Stated(step=days[0], value=draw.randint(0, 6), text="a weekday")]
    gold = draw.choice("ABC")
    fits = [name for name, step in options.items() if numbered(values[step]) == numbered(answer)]
    if any(value is None for value in values[:premise]):
        verdict = "contradictory"
    elif len(fits) > 1:
        verdict = "unanswerable"
    elif not fits:
        verdict = "no-right-option"
    elif fits != [gold]:
        verdict = "wrong"
    else:
        false = any(values[fact.step] != fact.value for fact in stated)
        verdict = "false-premise" if false else "right"
    question = Value(step=asked, written="MM/DD/YYYY" if isinstance(answer, date) else "number",
                     options=options)  # fmt: skip
    problem = Problem(question=question, gold=gold, steps=tuple(steps), stated=tuple(stated))
    return problem, verdict, [numbered(value) for value in values]


def bounds_problem(draw: random.Random) -> tuple[Problem, str]:
    """A question about two periods, decided by trying times at quarters of a unit.

    Values may be no whole grains, periods may be empty, and a bound may have several values.
    """
    sides, steps, tests = [], list[Step](), []
    whole = draw.random() < 0.5
    several = draw.random() < 0.1
    for _ in range(2):
        low = draw.randint(-2, 5) * 3 + (0 if whole else draw.randint(0, 2))
        high = low + draw.choice([0, 0, 1, 2, 3, 6, -1])
        relation = draw.choice(["at", "before", "after", "from", "until"])
        steps += [Step(name=str(n), op="count", arguments=(n,)) for n in (low, high)]
        sides.append(Side(relation=relation, low=len(steps) - 2, high=len(steps) - 1))
        tests.append((relation, low, high))
    if several:
        first, last = sides[0].low, sides[0].high
        steps.append(Step(name="either", op="either", arguments=(first, last)))
        sides[1] = Side(relation="at", low=4, high=4)
        several = steps[first].arguments != steps[last].arguments
        tests[1] = ("at", *2 * steps[first].arguments)
    dense = draw.random() < 0.5
    # Whole times are in units of 3, dense ones in quarters of 1, beyond all values on both sides.
    times = [q / 4 for q in range(-100, 140)] if dense else [3 * n for n in range(-25, 35)]

    def fits(time: float, relation: str, low: int, high: int) -> bool:
        return {
            "at": low <= time <= high,
            "before": time < low,
            "after": time > high,
            "from": time >= low,
            "until": time <= high,
        }[relation]

    claimed = {fits(time, *tests[1]) for time in times if fits(time, *tests[0])}
    right = LABELS[2] if len(claimed) == 2 else LABELS[0] if claimed == {True} else LABELS[1]
    gold = draw.choice(LABELS)
    bounds = Bounds(premise=sides[0], claim=sides[1], labels=LABELS, grain=3, dense=dense)
    verdict = "right" if gold == right else "wrong"
    verdict = "unanswerable" if several else "contradictory" if not claimed else verdict
    return Problem(question=bounds, gold=gold, steps=tuple(steps)), verdict


def times_problem(draw: random.Random) -> tuple[Problem, str, list[list[int]]]:
    """A question about free times, decided minute by minute."""
    window = (draw.randint(0, 3), draw.randint(12, 16))
    entries = []
    for _ in range(draw.randint(0, 5)):
        start = draw.randint(0, 16)
        end = start + draw.randint(1, 4)
        entries.append(Entry(person=draw.choice("PQ"), start=start, end=end, text="busy"))
    busy = {minute for entry in entries for minute in range(entry.start, entry.end)}
    free: list[list[int]] = []
    for minute in range(*window):
        if minute in busy:
            continue
        if free and free[-1][1] == minute:
            free[-1][1] = minute + 1
        else:
            free.append([minute, minute + 1])
    options = {}
    for name in "ABC":
        if free and draw.random() < 0.5:
            begin, end = draw.choice(free)
        else:
            begin = draw.randint(0, 12)
            end = begin + draw.randint(1, 4)
        options[name] = (begin, end)
    gold = draw.choice("ABC")
    fits = [name for name, span in options.items() if list(span) in free]
    verdict = (
        "unanswerable" if len(fits) > 1
        else "no-right-option" if not fits
        else "right" if fits == [gold] else "wrong"
    )  # fmt: skip
    times = Times(window=window, entries=tuple(entries), options=options)
    return Problem(question=times, gold=gold), verdict, free


def meeting_problem(draw: random.Random) -> tuple[Problem, str, list[int]]:
    """A question for the longest meeting of a short day, decided by trying every start and end."""
    days, needs, entries = 2, list[Need](), list[Entry]()
    for person in "PQ":
        needs.append(
            Need(
                person=person,
                before=draw.choice([0, 0, 7, -5]),
                after=draw.choice([0, 0, 4, -6]),
                # Long enough that nobody misses all of it.
                least=tuple(draw.choice([12, 12, 20]) for _ in range(days)),
                most=tuple(draw.choice([-1, -1, 25]) for _ in range(days)),
            )
        )
        for day in range(days):
            times = [(0, 600), (660 + draw.choice([0, 10, 30]), 1440)]
            for _ in range(draw.randint(0, 2)):
                start = draw.randint(595, 670)
                times.append((start, start + draw.randint(1, 20)))
            for start, end in times:
                begin = 1440 * day + start
                entries.append(
                    Entry(person=person, start=begin, end=begin + end - start, text="busy")
                )
    busy = {
        (need.person, day): {
            minute
            for entry in entries
            if entry.person == need.person and entry.start // 1440 == day
            for minute in range(entry.start, entry.end)
        }
        for need in needs
        for day in range(days)
    }
    lengths = []
    for start in range(0, 1440 * days, 30):
        day, tried = start // 1440, []
        for length in range(1, 130):
            fits = True
            for need in needs:
                attended = range(start - need.before, start + length + need.after)
                fits &= not busy[need.person, day].intersection(attended)
                fits &= need.least[day] <= length
                fits &= need.most[day] < 0 or length <= need.most[day]
            if fits:
                tried.append(length)
        lengths += tried[-1:]
    longest = [max(lengths), lengths.count(max(lengths))] if lengths else [0, 0]
    stated = draw.choice([tuple(longest), (30, 1), ()])
    meeting = Meeting(grid=30, needs=tuple(needs), entries=tuple(entries), stated=stated)
    gold = ", ".join(map(str, stated)) or "none"
    return (
        Problem(question=meeting, gold=gold),
        "right" if list(stated) == longest else "wrong",
        longest,
    )


def test_meetings() -> None:
    drawn = [meeting_problem(random.Random(f"meeting {n}")) for n in range(8)]
    outcomes = decide([problem for problem, _, _ in drawn])
    assert [outcome.verdict for outcome in outcomes] == [verdict for _, verdict, _ in drawn]
    assert [outcome.certificate["longest"] for outcome in outcomes] == [row[2] for row in drawn]
    assert len({tuple(row[2]) for row in drawn}) > 3


@pytest.mark.parametrize("seed", range(3))
def test_chains(seed: int) -> None:
    drawn = [chain_problem(random.Random(f"chain {seed} {n}")) for n in range(60)]
    outcomes = decide([problem for problem, _, _ in drawn])
    assert [outcome.verdict for outcome in outcomes] == [verdict for _, verdict, _ in drawn]
    assert [outcome.certificate["values"] for outcome in outcomes] == [row[2] for row in drawn]


def test_the_chains_are_of_all_verdicts() -> None:
    drawn = [
        chain_problem(random.Random(f"chain {seed} {n}")) for seed in range(3) for n in range(60)
    ]
    every = {"right", "wrong", "no-right-option", "unanswerable", "contradictory", "false-premise"}
    assert {verdict for _, verdict, _ in drawn} >= every - {"false-premise"}


def test_bounds() -> None:
    drawn = [bounds_problem(random.Random(f"bounds {n}")) for n in range(600)]
    outcomes = decide([problem for problem, _ in drawn])
    assert [outcome.verdict for outcome in outcomes] == [verdict for _, verdict in drawn]
    assert {outcome.decided for outcome in outcomes} == {*LABELS, None}
    assert {verdict for _, verdict in drawn} == {"right", "wrong", "unanswerable", "contradictory"}


def test_free_times() -> None:
    drawn = [times_problem(random.Random(f"times {n}")) for n in range(200)]
    outcomes = decide([problem for problem, _, _ in drawn])
    assert [outcome.verdict for outcome in outcomes] == [verdict for _, verdict, _ in drawn]
    assert [outcome.certificate["free"] for outcome in outcomes] == [free for *_, free in drawn]


def cyclic(numbers: Sequence[int]) -> list[Problem]:
    return [
        Problem(
            question=Value(step=1, written="number", label=2),
            gold=str(number % 7),
            steps=(
                Step(name="a number", op="count", arguments=(number,)),
                Step(name="in a week", op="cycle", arguments=(0, 7)),
                Step(name="the label", op="count", arguments=(number % 7,)),
            ),
        )
        for number in numbers
    ]


def test_cycles_of_negative_numbers() -> None:
    outcomes = decide(cyclic(range(-20, 21)))
    assert {outcome.verdict for outcome in outcomes} == {"right"}


def test_an_open_step_has_both_values() -> None:
    steps = (
        Step(name="a", op="date", arguments=(2024, 2, 28)),
        Step(name="b", op="shift", arguments=(0, "day", 1)),
        Step(name="either", op="either", arguments=(0, 1)),
        Step(name="a month later", op="shift", arguments=(2, "month", 1)),
        Step(name="(A)", op="date", arguments=(2024, 3, 28)),
    )
    question = Value(step=3, written="MM/DD/YYYY", options={"(A)": 4})
    (outcome,) = decide([Problem(question=question, gold="(A)", steps=steps)])
    days = [date(2024, 3, 28).toordinal(), date(2024, 3, 29).toordinal()]
    assert outcome.verdict == "unanswerable"
    assert outcome.certificate["values"][3] == days
    # If both come to the same, nothing is open: the last day of February is in February.
    same = (*steps[:3], Step(name="first", op="bound", arguments=(2, "first", 1)), steps[4])
    question = Value(step=3, written="MM/DD/YYYY", options={"(A)": 4})
    (outcome,) = decide([Problem(question=question, gold="(A)", steps=same)])
    assert outcome.verdict == "no-right-option"


def test_two_names_of_one_day_must_agree() -> None:
    steps = (
        Step(name="a", op="date", arguments=(2024, 2, 28)),
        Step(name="b", op="date", arguments=(2024, 2, 27)),
        Step(name="a again", op="shift", arguments=(1, "day", 1)),
        Step(name="(A)", op="date", arguments=(2024, 2, 28)),
    )
    question = Value(step=0, written="MM/DD/YYYY", options={"(A)": 3})
    for pair, verdict in (((0, 2), "right"), ((0, 1), "contradictory")):
        problem = Problem(question=question, gold="(A)", steps=steps, same=(pair,))
        (outcome,) = decide([problem])
        assert outcome.verdict == verdict


def test_overflow_goes_on_into_the_next_month() -> None:
    steps = (
        Step(name="a", op="date", arguments=(2023, 1, 31)),
        Step(name="b", op="shift", arguments=(0, "month", 1)),
        Step(name="(A)", op="date", arguments=(2023, 3, 3)),
    )
    question = Value(step=1, written="MM/DD/YYYY", options={"(A)": 2})
    for overflow, verdict in ((True, "right"), (False, "no-right-option")):
        problem = Problem(question=question, gold="(A)", steps=steps, overflow=overflow)
        (outcome,) = decide([problem])
        assert outcome.verdict == verdict
