"""Tasks of reasoning-gym from its generated items: calendar arithmetic, intervals, families.

The wordings are in ``grammar/calendar/reasoning_gym.toml`` and ``grammar/family/story.lark``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from benchmarks.audits.forms import read_label
from benchmarks.audits.model import AuditTask, Convention, ItemRead, Reading, Row, UnreadError
from grammar.calendar.phrases import Match, PhraseError, matches, meaning, phrase_table
from grammar.calendar.slots import date_parts, weekday_number
from grammar.calendar.steps import Stated, Step
from grammar.dates import MONTHS, WEEKDAYS
from grammar.family.reader import StoryError, read_family
from solver.calendar.decide import decide
from solver.calendar.model import Problem, Value
from solver.family.decide import COUPLES
from solver.family.decide import decide as decide_families
from solver.verification.outcomes import Outcome

_TABLE = "reasoning_gym.toml"
_REQUEST = re.compile(
    r" (?:Answer (?:with|using|in)|Express your|Give|Provide|Reply|Respond|State|Write|Name the day"
    r" of the week in full)\b.*",
    re.DOTALL,
)
"""The request for a form of the answer, behind the question."""
_MONTH = "|".join((*MONTHS, *(name[:3] for name in MONTHS)))
_WEEKDAY = "|".join((*WEEKDAYS, *(name[:3] for name in WEEKDAYS)))
_YEARLESS = re.compile(
    rf"(from (?:{_WEEKDAY}), (?:{_MONTH}) \d+)( to (?:{_WEEKDAY}), .*?(\d{{4}}))"
)
_YEARS = {"common": 2023, "leap": 2024}
_FORMS = {
    "number": ("$number", r"(?P<number>-?\d+)"),
    "weekday": ("$weekday", rf"(?P<weekday>{'|'.join(WEEKDAYS)})"),
    "leap": ("$leap", "(?P<leap>Yes|No)"),
    "D days": ("$days days", r"(?P<days>\d+) days"),
    "D days, HH:MM": (
        "$days days, $HH:$MM",
        r"(?P<days>\d+) days, (?P<HH>\d\d):(?P<MM>\d\d)",
    ),
    "D days, HH:MM:SS": (
        "$days days, $HH:$MM:$SS",
        r"(?P<days>\d+) days, (?P<HH>\d\d):(?P<MM>\d\d):(?P<SS>\d\d)",
    ),
    "HH:MM": ("$HH:$MM", r"(?P<HH>\d\d):(?P<MM>\d\d)"),
    "HH:MM:SS": ("$HH:$MM:$SS", r"(?P<HH>\d\d):(?P<MM>\d\d):(?P<SS>\d\d)"),
    "HH:MM:SS.mmm": ("$thousandths", r"(?P<thousandths>\d\d:\d\d:\d\d\.\d{3})"),
}
"""For each form of an answer its fields, and the regular expression of a label."""


def _fault(row: Row, message: str) -> UnreadError:
    return UnreadError(message, where=row.where)


def _match(row: Row, role: str, text: str) -> Match:
    found = list(matches(phrase_table(_TABLE), role, text))
    if len(found) != 1:
        raise _fault(row, f"found {text!r}, which {len(found)} phrases of the table read")
    return found[0]


def _finished(
    row: Row, form: str, steps: list[Step], answer: int, stated: Sequence[Stated]
) -> Problem:
    """The problem of a chain whose answer has a form."""
    default, pattern = _FORMS[form]
    gold = row.text("answer")
    shown, value = read_label(gold, [pattern], default)
    label = -1
    if value is not None:
        label = len(steps)
        steps.append(Step(name="the label", op=value[0], arguments=value[1]))
    question = Value(step=answer, written=shown, label=label)
    return Problem(question=question, gold=gold, steps=tuple(steps), stated=tuple(stated))


def _read_calendar(row: Row) -> ItemRead:
    text = _REQUEST.sub("", row.text("question"))
    # Where the first day has no year, it is of the year of the last one.
    text = _YEARLESS.sub(lambda found: f"{found[1]}, {found[3]}{found[2]}", text)
    match = _match(row, "calendar", text)
    problems = {}
    for name, year in _YEARS.items():
        try:
            chain = meaning(phrase_table(_TABLE), match, {"number": ("number", str(year))})
        except PhraseError as error:
            raise _fault(row, error.message) from None
        form = match.phrase.tag.partition(" of ")[0]
        problems[name] = _finished(
            row, form, list(chain.steps), chain.names["answer"], chain.stated
        )
    return ItemRead(problem=problems, gold=row.text("answer"), templates=(match.phrase.text,))


_WHEN = re.compile(
    rf"(?:(?P<d1>(?:(?:{_WEEKDAY}),? )?[A-Za-z0-9/, -]*?\d{{4}}(?:-\d\d-\d\d)?)"
    rf"(?: \((?P<w>{_WEEKDAY})\))?)?"
    r"(?:(?:, | at |^| )(?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.(?P<ms>\d{3}))?)?)?"
    r"(?: (?P<sign>[+-])(?P<oh>\d\d)(?P<om>\d\d))?"
)


class _Interval:
    """Reads the two times of a question into a chain.

    Args:
        row: the item.
        scale: units in a second.
    """

    def __init__(self, row: Row, scale: int) -> None:
        self.steps: list[Step] = []
        self.stated: list[Stated] = []
        self._row, self._scale = row, scale

    def add(self, op: str, *arguments: int | str, name: str) -> int:
        """Add a step; returns its number."""
        self.steps.append(Step(name=name, op=op, arguments=arguments))
        return len(self.steps) - 1

    def moment(self, text: str, name: str) -> tuple[int | None, int]:
        """The step of the day, if there is one, and the units of the time of the day."""
        found = _WHEN.fullmatch(text)
        if found is None or not (found["d1"] or found["hour"]):
            raise _fault(self._row, f"found the time {text!r}")
        hour, minute, second = (int(found[part] or 0) for part in ("hour", "minute", "second"))
        if hour > 23 or max(minute, second) > 59 or (found["ms"] and self._scale == 1):
            raise _fault(self._row, f"found the time {text!r}")
        seconds = 3600 * hour + 60 * minute + second
        if found["sign"]:
            offset = 3600 * int(found["oh"]) + 60 * int(found["om"])
            seconds -= offset if found["sign"] == "+" else -offset
        units = seconds * self._scale + int(found["ms"] or 0) * self._scale // 1000
        if not found["d1"]:
            return None, units
        weekday = re.match(rf"({_WEEKDAY}),? ", found["d1"])
        day_text = found["d1"][weekday.end() :] if weekday else found["d1"]
        parts = date_parts(day_text)
        if parts is None:
            raise _fault(self._row, f"found the day {day_text!r}")
        day = self.add("date", *parts, name=name)
        named = found["w"] or (weekday[1] if weekday else None)
        if named:
            step = self.add("weekday", day, name=f"weekday of {name}")
            self.stated.append(Stated(step=step, value=weekday_number(named), text=text))
        return day, units


def _read_interval(row: Row) -> ItemRead:
    match = _match(row, "interval", row.text("question"))
    form = match.slots["form"]
    scale = 1000 if form.endswith("mmm") else 1
    chain = _Interval(row, scale)
    first, start = chain.moment(match.slots["a"], "the first day")
    last, end = chain.moment(match.slots["b"], "the last day")
    if (first is None) != (last is None) or (first is not None and scale > 1):
        raise _fault(row, "found a time without a day")
    if first is None or last is None:
        answer = chain.add("count", 0, name="days")
    else:
        days = chain.add("elapsed", first, last, "day", name="days")
        answer = chain.add("ratio", days, 24 * 3600, 1, name="seconds of these days")
    answer = chain.add("shift", answer, "count", end, name="until the end")
    answer = chain.add("shift", answer, "count", -start, name="from the start")
    if "SS" not in form:
        unit = 60 if "MM" in form else 24 * 3600
        answer = chain.add("ratio", answer, 1, unit, name="whole units")
        answer = chain.add("ratio", answer, unit, 1, name="in seconds")
    problem = _finished(row, form, chain.steps, answer, chain.stated)
    return ItemRead(problem={"": problem}, gold=row.text("answer"), templates=(match.phrase.text,))


def _decide(items: Sequence[ItemRead], reading: Reading) -> Sequence[Outcome]:
    return decide([item.problem[reading.get("year", "")] for item in items])


def _correct(_: Row, outcome: Outcome) -> dict[str, object]:
    return {"answer": outcome.decided}


def _read_family(row: Row) -> ItemRead:
    text = row.text("question")
    try:
        family = read_family(text)
    except StoryError as error:
        raise _fault(row, error.message) from None
    _, _, question = text.partition("\n\n")
    for name in family.asked:
        question = question.replace(name, "NAME")
    return ItemRead(problem=family, gold=row.text("answer"), templates=(question,))


def _decide_families(items: Sequence[ItemRead], reading: Reading) -> Sequence[Outcome]:
    golds = [item.gold for item in items]
    return decide_families([item.problem for item in items], golds, reading["couples"])


def recognised(read: Callable[[Row], ItemRead], rows: Sequence[Row]) -> bool:
    """Whether some of the first rows are read."""
    if not all({"question", "answer"} <= row.fields.keys() for row in rows):
        return False
    for row in rows:
        try:
            read(row)
        except UnreadError:
            continue
        return True
    return False


CALENDAR = AuditTask(
    name="calendar_arithmetic",
    kind="calendar",
    title="weekdays, numbers of days, leap years",
    recognises=partial(recognised, _read_calendar),
    read=_read_calendar,
    decide=_decide,
    correct=_correct,
    conventions=(
        Convention(
            name="year",
            values={"common": "a year without a number has 365 days", "leap": "it has 366 days"},
            source="most years have 365 days; the questions do not say which year it is",
            tried=True,
        ),
    ),
)
INTERVALS = AuditTask(
    name="time_intervals",
    kind="calendar",
    title="the time from one moment to another",
    recognises=partial(recognised, _read_interval),
    read=_read_interval,
    decide=_decide,
    correct=_correct,
)
FAMILY = AuditTask(
    name="family_relationships",
    kind="family",
    title="what one person of a family is to another",
    recognises=partial(recognised, _read_family),
    read=_read_family,
    decide=_decide_families,
    correct=_correct,
    conventions=(
        Convention(
            name="couples",
            values=COUPLES,
            source="the texts do not say who is a man; the set names the husband first",
        ),
    ),
)
