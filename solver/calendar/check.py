"""Checks answers to questions about the calendar, with nothing but this file.

    python check.py items.jsonl

Each line of items.jsonl, which ``audit`` and ``verify`` write, has a label, a verdict, and for each
reading a problem with the values of its steps: see docs/calendar.md. All of them are computed again
by the standard library's dates. Exit status: 0 if every line is right, 1 if one is not, 2 if a file
cannot be read.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias
from zoneinfo import ZoneInfo

KIND = "calendar"


class RejectedError(Exception):
    """A line is not right."""


def require(condition: object, reason: str) -> None:
    """Reject the line unless a condition holds."""
    if not condition:
        raise RejectedError(reason)


Value: TypeAlias = date | int | None
"""A day, a number, or nothing for a day that does not exist."""

EARLIER = {
    **dict.fromkeys(("shift", "nth", "bound", "weekday", "cycle"), (0,)),
    **dict.fromkeys(("ratio", "size"), (0,)),
    "elapsed": (0, 1),
    "recur": (0, 2),
    **dict.fromkeys(("utc", "local"), (0,)),
    **dict.fromkeys(("within", "upto"), (0, 1)),
}
"""Which arguments of a step are earlier steps."""

STEPS = ("date", "month", "count", "palindrome", "either")
"""The steps that have no such arguments, or take several values at once."""

LABEL_FAULTS = ("the label is another one than its value", "the label names others")
"""Faults of a problem whose label and the value that it is given differ."""

DAY = 24 * 60
MOST_MINUTES = 400 * DAY
MONTH_NAMES = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
WEEKDAY_NAMES = (*("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),)


def made(year: int, month: int, day: int) -> date | None:
    """The day, if there is one."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def months_later(start: date, months: int, *, overflow: bool) -> date | None:
    """The day so many months later: the last one of a shorter month, or days beyond it."""
    year, month = divmod(12 * start.year + start.month - 1 + months, 12)
    first = made(year, month + 1, 1)
    if first is None:
        return None
    day = made(year, month + 1, start.day)
    if day is not None or overflow:
        return day or first + timedelta(days=start.day - 1)
    return next(
        end for number in (30, 29, 28) if (end := made(year, month + 1, number)) is not None
    )


def value_of(op: str, arguments: Sequence[Any], before: Sequence[Value], overflow: bool) -> Value:
    """The value of a step from those before it."""
    if op == "date":
        return made(*arguments)
    if op == "month":
        return 12 * int(arguments[0]) + int(arguments[1]) - 1
    if op == "count":
        return int(arguments[0])
    if op == "palindrome":
        text = f"{arguments[0]:04d}"[::-1]
        return made(arguments[0], int(text[:2]), int(text[2:]))
    start = before[arguments[0]]
    if start is None:
        return None
    if op == "shift" and isinstance(start, date):
        if arguments[1] == "month":
            return months_later(start, arguments[2], overflow=overflow)
        return start + timedelta(days=arguments[2])
    if op == "shift":
        return int(start) + int(arguments[2])
    if op == "cycle" and isinstance(start, int):
        return start % int(arguments[1])
    if op == "ratio":
        return math.floor(Fraction(numbered(start) * arguments[1], arguments[2]))
    if op == "local":
        at = moment(numbered(start)).replace(tzinfo=UTC)
        return minutes(at.astimezone(ZoneInfo(arguments[1])).replace(tzinfo=None))
    if op == "size":
        return abs(numbered(start))
    if op == "recur":
        return recurring(start, arguments[1], numbered(before[arguments[2]]))
    if op == "upto":
        fits = numbered(start) <= numbered(before[arguments[1]])
        return numbered(start) if fits else int(arguments[2])
    if op == "within":
        return days_within(numbered(start), numbered(before[arguments[1]]), *arguments[2:])
    if op == "elapsed":
        return elapsed(start, before[arguments[1]], arguments[2])
    require(isinstance(start, date), f"{op} is not about a day")
    assert isinstance(start, date)
    if op == "weekday":
        return start.weekday()
    if op == "nth":
        return nth(start, *arguments[1:])
    side, months = arguments[1:]
    month = (start.month - 1) // months * months + 1
    first = date(start.year, month, 1)
    if side == "first":
        return first
    following = months_later(first, months, overflow=False)
    return None if following is None else following - timedelta(days=1)


def moment(number: int) -> datetime:
    """The date and the time of a number of minutes."""
    return datetime.fromordinal(number // DAY) + timedelta(minutes=number % DAY)


def minutes(time: datetime) -> int:
    """The number of a date and a time."""
    require(time.second == 0, "a zone is not whole minutes from UTC")
    return DAY * time.toordinal() + 60 * time.hour + time.minute


def moments(number: int, zone: str) -> list[int]:
    """The moments at which clocks of a zone show a time: none, one or two."""
    time = moment(number)
    found = set()
    for fold in (0, 1):
        at = time.replace(tzinfo=ZoneInfo(zone), fold=fold).astimezone(UTC)
        if at.astimezone(ZoneInfo(zone)).replace(tzinfo=None) == time:
            found.add(minutes(at.replace(tzinfo=None)))
    return sorted(found)


def nth(start: date, weekday: int, number: int) -> date:
    """The number-th such weekday from a day on; backwards if the number is negative."""
    step = timedelta(days=1 if number > 0 else -1)
    day, left = start, abs(number)
    while True:
        left -= day.weekday() == weekday
        if not left:
            return day
        day += step


def days_within(first: int, last: int, weekday: int, number: int) -> int | None:
    """The days from one to another that are one of so many weekdays, day by day."""
    require(last - first < 1_000_000, "the days are too many")
    weekdays = {(weekday + each) % 7 for each in range(number)}
    found = sum((day - 1) % 7 in weekdays for day in range(first, last + 1))
    return found if first <= last else None


def recurring(start: Value, length: int, after: int) -> Value:
    """The first value after another one, of those that recur from a start on."""
    require(isinstance(length, int) and length > 0, "nothing recurs")
    number = numbered(start)
    number += max(0, (after - number) // length + 1) * length
    return date.fromordinal(number) if isinstance(start, date) else number


def elapsed(start: Value, end: Value, unit: str) -> Value:
    """The whole units between two days, or the difference of two numbers."""
    if start is None or end is None:
        return None
    if isinstance(start, date) and isinstance(end, date):
        if unit == "day":
            return (end - start).days
        if end < start:
            return -whole_months(end, start)
        return whole_months(start, end)
    require(isinstance(start, int) and isinstance(end, int), "a day is compared with a number")
    return int(end) - int(start)  # type: ignore[arg-type]


def whole_months(start: date, end: date) -> int:
    """The largest number of months after which the day of the month has come again."""
    months = 12 * (end.year - start.year) + end.month - start.month
    return months if end.day >= start.day else months - 1


def numbered(value: Value) -> int:
    """A value as certificates have it."""
    return value.toordinal() if isinstance(value, date) else int(value or 0)


def written(value: int, form: str) -> str:
    """An answer in the form of the file."""
    if "$" in form:
        return re.sub(r"\$([A-Za-z]+)", lambda found: field(value, form, found[1]), form)
    if form == "MM/DD/YYYY":
        day = date.fromordinal(value)
        return f"{day.month:02d}/{day.day:02d}/{day.year:04d}"
    if form == "Mon, YYYY":
        return f"{MONTH_NAMES[value % 12][:3]}, {value // 12}"
    return WEEKDAY_NAMES[value] if form == "weekday" else str(value)


def field(value: int, form: str, name: str) -> str:
    """A part of a value, by the name that it has in the form."""
    if name in ("yyyy", "mm", "dd", "d", "month", "mon"):
        code = {"yyyy": "%Y", "mm": "%m", "dd": "%d", "d": "%d", "month": "%B", "mon": "%b"}[name]
        day = date.fromordinal(value)
        if name in ("month", "mon"):
            return MONTH_NAMES[day.month - 1][: 3 if name == "mon" else None]
        text = day.strftime(code).rjust(4 if name == "yyyy" else 2, "0")
        return text.lstrip("0") if name == "d" else text
    if name == "year":
        return str(value if value > 0 else 1 - value)
    if name == "era":
        return "AD" if value > 0 else "BC"
    if name == "counted":
        return "0" if not value else f"{value} AD" if value > 0 else f"{-value} BC"
    if name == "leap":
        return {365: "No", 366: "Yes"}[value]
    if name == "thousandths":
        text = f"{value // 3_600_000:02}:{value // 60_000 % 60:02}:{value // 1000 % 60:02}"
        return f"{text}.{value % 1000:03}"
    if name == "weekday":
        return WEEKDAY_NAMES[value]
    days, rest = divmod(value, 86_400)
    if name == "day":
        return ("+" if days > 0 else "") + str(days) if days else "same_day"
    hours, rest = divmod(rest, 3_600)
    if name == "hours" and "$days" not in form:
        hours += 24 * days
    minutes, seconds = divmod(rest, 60)
    numbers = {
        "number": value,
        "days": days,
        "hours": hours,
        "minutes": minutes,
        "seconds": seconds,
        "HH": hours,
        "MM": minutes,
        "SS": seconds,
    }
    return str(numbers[name]).rjust(2 if name.isupper() else 1, "0")


def values_of(problem: Mapping[str, Any]) -> list[list[int]]:
    """The values of each step: several where the text leaves it open, none for no such day."""
    overflow = problem.get("overflow", False)
    values: list[list[Value]] = []
    for _, op, arguments in problem["steps"]:
        require(op in EARLIER or op in STEPS, f"there is no step {op}")
        if op == "either":
            values.append(values[arguments[0]] + values[arguments[1]])
            continue
        if op == "utc":
            times = [numbered(time) for time in values[arguments[0]]]
            values.append([at for time in times for at in moments(time, arguments[1])])
            continue
        # Each choice of earlier values gives one value.
        used = [arguments[n] for n in range(len(arguments)) if n in EARLIER.get(op, ())]
        found: list[Value] = []
        for chosen in product(*(values[step] for step in used)):
            before: list[Value] = [None] * len(values)
            for step, value in zip(used, chosen, strict=True):
                before[step] = value
            value = value_of(op, arguments, before, overflow)
            found += [] if value is None else [value]
        values.append(found)
    return [sorted({numbered(value) for value in found}) for found in values]


def check_chain(problem: Mapping[str, Any], values: list[list[int]]) -> tuple[str, str | None]:
    """The verdict and the answer of a question about a step of a chain."""
    question, gold = problem["question"], problem["gold"]
    options: Mapping[str, int] = question.get("options", {})
    if len(values[question["step"]]) > 1:
        return "unanswerable", None
    (answer,) = values[question["step"]]
    require(not (options and question.get("void")), "options, and an answer that there is none")
    if not options:
        stated = values[question["label"]] if question.get("label", -1) >= 0 else []
        right = stated == [answer]
        if "$" in question["written"]:
            same = written(answer, question["written"]) == gold
            require(same == right, LABEL_FAULTS[0])
        shown = gold if right else written(answer, question["written"])
        return "right" if right else "wrong", shown
    return among([name for name, step in options.items() if values[step] == [answer]], gold)


def among(fitting: list[str], gold: object) -> tuple[str, str | None]:
    """The verdict and the answer of a question whose right options are these."""
    if len(fitting) != 1:
        return ("unanswerable" if fitting else "no-right-option"), None
    return "right" if fitting[0] == gold else "wrong", fitting[0]


def check_bounds(problem: Mapping[str, Any], values: list[list[int]]) -> tuple[str, str | None]:
    """The verdict and the answer of a question whether a premise entails a claim.

    Between two values of the periods nothing changes: it is enough to try these, in dense time a
    time between two neighbours, in whole grains the neighbours of each, and times beyond all.
    """
    question = problem["question"]
    grain, dense = question.get("grain", 1), question.get("dense", False)
    sides = []
    for name in ("premise", "claim"):
        relation, low, high = question[name]
        if len(values[low]) > 1 or len(values[high]) > 1:
            return "unanswerable", None
        sides.append((relation, values[low][0], values[high][0]))
    named = sorted({value for _, *period in sides for value in period})
    if dense:
        tried = [Fraction(left + right, 2) for left in named for right in named]
        tried += [Fraction(named[0] - 1), Fraction(named[-1] + 1)]
    else:
        whole = [value - value % grain for value in named]
        tried = [Fraction(value + step) for value in whole for step in (-grain, 0, grain)]
    claimed = {fits(time, *sides[1]) for time in tried if fits(time, *sides[0])}
    if not claimed:
        return "contradictory", None
    number = 2 if len(claimed) > 1 else 0 if True in claimed else 1
    return among([question["labels"][number]], problem["gold"])


def fits(time: Fraction, relation: str, low: int, high: int) -> bool:
    """Whether a time has a relation to a period; ``from`` and ``until`` include it."""
    relations = {
        "at": low <= time <= high,
        "before": time < low,
        "after": time > high,
        "from": time >= low,
        "until": time <= high,
    }
    return relations[relation]


def check_times(problem: Mapping[str, Any], case: Mapping[str, Any]) -> tuple[str, str | None]:
    """The verdict and the answer of a question when all people are free, minute by minute."""
    question = problem["question"]
    start, end = question["window"]
    require(0 <= start < end <= MOST_MINUTES, "the window is empty, or too long")
    busy = [False] * (end + 1)
    busy[end] = True
    for _, first, last, _ in question["entries"]:
        for minute in range(max(first, start), min(last, end)):
            busy[minute] = True
    free, begin = [], None
    for minute in range(start, end + 1):
        if not busy[minute]:
            begin = minute if begin is None else begin
        elif begin is not None:
            free.append([begin, minute])
            begin = None
    require(case["free"] == free, f"the free times are {free}")
    if question["type"] == "starts":
        length, grid = question["length"], question["grid"]
        number = sum(
            start % grid == 0 and not any(busy[start : start + length])
            for start in range(start, end - length + 1)
        )
        right = question.get("label", -1) == number
        answer = written(number, question["written"])
        require((answer == problem["gold"]) == right, LABEL_FAULTS[0])
        return "right" if right else "wrong", answer
    return among(
        [name for name, span in question["options"].items() if list(span) in free], problem["gold"]
    )


def check_order(problem: Mapping[str, Any], values: list[list[int]]) -> tuple[str, str | None]:
    """The verdict and the answer of a question which entrants come where."""
    question, gold = problem["question"], problem["gold"]
    entrants, pick, label = question["entrants"], question["pick"], question.get("label")
    require(label is None or listed(question, label) == gold, LABEL_FAULTS[1])
    times: list[tuple[int, int]] = []
    for _, step, finer in entrants:
        if len(values[step]) > 1 or len(values[finer]) > 1:
            return "unanswerable", None
        times.append((values[step][0], values[finer][0]))
    limits = list(product(*(values[step] for step in question.get("limit") or ())))
    if pick in ("ascending", "descending"):
        require(not question.get("limit"), "an order has no limit")
        if len(set(times)) < len(times):
            return "unanswerable", None
        right = [times.index(time) for time in sorted(times, reverse=pick == "descending")]
        label = None if label is None else list(label)
    else:
        tests: Mapping[str, Callable[[tuple[int, int]], bool]] = {
            "first": lambda time: time == min(times),
            "last": lambda time: time == max(times),
            "before": lambda time: any(time < limit for limit in limits),
            "after": lambda time: any(time > limit for limit in limits),
            "at": lambda time: time in limits,
        }
        right = [number for number, time in enumerate(times) if tests[pick](time)]
        require(label is not None or listed(question, right) != gold, "the label is right")
        label = None if label is None else sorted(set(label))
        if question.get("void") and pick in ("first", "last") and len(right) > 1:
            return among([question["void"]], gold)
    if label == right:
        return "right", gold
    return "wrong", listed(question, right)


def listed(question: Mapping[str, Any], numbers: Sequence[int]) -> str:
    """Entrants in the form of the answer."""
    names = [question["entrants"][number][0] for number in numbers]
    name = names[0] if len(names) == 1 else "equal" if names else "none"
    return str(question["written"]).replace("$names", repr(names)).replace("$name", name)


def check_meeting(problem: Mapping[str, Any], case: Mapping[str, Any]) -> tuple[str, str | None]:
    """The verdict and the answer of a question for the longest meeting, by trying every end."""
    question = problem["question"]
    days = len(question["needs"][0][3])
    require(0 < days <= 31 and question["grid"] > 0, "there are no days or no starts")
    lengths = []
    for start in range(0, days * DAY, question["grid"]):
        possible, end = 0, start + 1
        # A meeting that clashes with an entry does so as well if it ends later.
        while end <= (start // DAY + 1) * DAY and not clashes(question, start, end):
            if all(lasts(need, start, end) for need in question["needs"]):
                possible = end - start
            end += 1
        lengths += [possible] if possible else []
    longest = [max(lengths), lengths.count(max(lengths))] if lengths else [0, 0]
    require(case["longest"] == longest, f"the longest meeting is {longest}")
    right = list(question["stated"]) == longest
    shown = problem["gold"] if right else "{}, {}".format(*longest)
    return "right" if right else "wrong", shown


def lasts(need: Sequence[Any], start: int, end: int) -> bool:
    """Whether a meeting is as long as a person asks for."""
    least, most = (limits[start // DAY] for limits in need[3:])
    return bool(least <= end - start and (most < 0 or end - start <= most))


def clashes(question: Mapping[str, Any], start: int, end: int) -> bool:
    """Whether somebody is busy when he has to be free for a meeting."""
    free = {need[0]: (start - need[1], end + need[2]) for need in question["needs"]}
    return any(
        begin // DAY == start // DAY and begin < free[name][1] and free[name][0] < stop
        for name, begin, stop, _ in question["entries"]
    )


def decided(problem: Mapping[str, Any], case: Mapping[str, Any]) -> tuple[str, str | None]:
    """The verdict and the answer of any question."""
    form = problem["question"]["type"]
    values = values_of(problem) if problem.get("steps") else []
    require(case.get("values", []) == values, f"the values are {values}")
    if form in ("times", "starts"):
        return check_times(problem, case)
    if form == "meeting":
        return check_meeting(problem, case)
    options = problem["question"].get("options", {}) if form == "value" else {}
    offered = {*options.values(), problem["question"].get("label", -1) if form == "value" else -1}
    absent = any(not found for step, found in enumerate(values) if step not in offered)
    apart = any(set(values[a]).isdisjoint(values[b]) for a, b in problem.get("same", ()))
    void = problem["question"].get("void") if form in ("value", "order") else None
    asked = [problem["question"]["step"]] if form == "value" else []
    if void and (absent or apart or any(len(values[step]) > 1 for step in asked)):
        return "right" if problem["gold"] == void else "wrong", void
    if absent or apart:
        return "contradictory", None
    procedures = {"value": check_chain, "bounds": check_bounds, "order": check_order}
    verdict, answer = procedures[form](problem, values)
    false = any(values[step] != [value] for step, value, _ in problem.get("stated", ()))
    return ("false-premise" if false and verdict == "right" else verdict), answer


def fault_of_case(case: Mapping[str, Any], gold: object) -> str | None:
    """What is wrong with the verdict about a label under one reading; None if it is proved."""
    try:
        problem = case["problem"]
        require(problem["gold"] == gold, "the label is not that of the problem")
        verdict, answer = decided(problem, case)
        require(case["verdict"] == verdict, f"the verdict is {verdict}")
        require(case["decided"] == answer, f"the answer is {answer}")
    except RejectedError as error:
        return str(error)
    except (KeyError, TypeError, ValueError, IndexError, OverflowError, AttributeError) as error:
        return f"not a certificate: {type(error).__name__}: {error}"
    return None


HOLDS = ("right", "false-premise")


def fault_of_row(row: Mapping[str, Any]) -> str | None:
    """What is wrong with a line of ``items.jsonl``; None if its verdict is proved."""
    if row.get("verdict") == "unread":
        return None if row.get("gold") is None and not row.get("certificate") else "not unread"
    certificate = row.get("certificate")
    cases = certificate.get("cases") if isinstance(certificate, dict) else None
    if not isinstance(certificate, dict) or not isinstance(cases, list) or not cases:
        return "it has no certificate"
    if not all(isinstance(case, dict) and isinstance(case.get("reading"), str) for case in cases):
        return "not a certificate"
    if certificate.get("kind", KIND) != KIND:
        return "the certificate is of another kind"
    for case in cases:
        fault = fault_of_case(case, row.get("gold"))
        if fault is not None:
            return f"reading {case['reading']}: {fault}"
    if certificate.get("gold", row.get("gold")) != row.get("gold"):
        return "the certificate is about another label"
    shown = {
        case["reading"]: {"verdict": case["verdict"], "decided": case["decided"]} for case in cases
    }
    if row.get("readings") != shown:
        return "its readings are not those of the certificate"
    held = [case["verdict"] in HOLDS for case in cases]
    verdict = "right-under" if any(held) and not all(held) else cases[0]["verdict"]
    if row.get("verdict") != verdict:
        return f"the verdict is {verdict}"
    if row.get("decided") != cases[0]["decided"]:
        return f"the answer is {cases[0]['decided']}"
    return None


def check_file(path: str) -> Iterator[tuple[int, str, str | None]]:
    """Check the lines of a file: number from 1, id, and fault of each."""
    with Path(path).open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except ValueError:
                yield number, "", "not JSON"
                continue
            if not isinstance(row, dict):
                yield number, "", "not an object"
            elif row.get("kind", KIND) == KIND:
                yield number, str(row.get("id", "")), fault_of_row(row)


def main(paths: Sequence[str]) -> int:
    """Check files; returns the exit status."""
    rejected = 0
    for path in paths:
        try:
            for number, name, fault in check_file(path):
                if fault is not None:
                    rejected += 1
                    sys.stdout.write(f"{path}:{number}: {fault} (item {name})\n")
        except (OSError, UnicodeDecodeError) as error:
            sys.stderr.write(f"{path}: {error}\n")
            return 2
    return 1 if rejected else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
