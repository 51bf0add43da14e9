"""TimeX-NLI in the form of TimeBench: durations of spans (s1), orders (s2), conversions (s3).

The wordings are in ``grammar/calendar/timex_nli.toml``. A premise and a claim are about one
time: of an event, or the length of one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import gcd

from benchmarks.audits.model import AuditTask, Convention, ItemRead, Reading, Row, UnreadError
from grammar.calendar.phrases import Match, matches, phrase_table
from grammar.calendar.slots import Duration, Sort, Time, read_duration, read_time
from grammar.calendar.steps import Step
from grammar.dates import WEEKDAYS
from solver.calendar.decide import decide
from solver.calendar.model import Bounds, Problem, Side
from solver.verification.outcomes import Outcome

_TABLE = "timex_nli.toml"
_LABELS = ("Entailment", "Contradiction", "Neutral")
_VERBS = re.compile(r" (?:lasted|began|begins|started|starts|took place|was|will (?:begin|start))$")

_WEEK = Convention(
    name="week",
    values={
        "sunday": "Sunday is the first day of a week",
        "monday": "Monday is the first day of a week",
    },
    source="with Monday first, many labels about weekdays are wrong",
)
_TIME = Convention(
    name="time",
    values={
        "units": "times are whole hours, days, months or years",
        "dense": "between two hours, days, months or years there are times",
    },
    source="the texts name whole units only",
    tried=True,
)
_END = Convention(
    name="end",
    values={
        "excluded": "a span from one hour, day or month to another does not contain the latter",
        "included": "it contains the hour, day or month that it ends with",
    },
    source="the clock times of the set: from 3 PM to 5 PM are 2 hours",
    tried=True,
)
_LENGTHS = {"mean": (43_830, 525_960)} | {
    f"{month}-{year}": (month * 1440, year * 1440) for month in (30, 31) for year in (365, 366)
}
"""Minutes of a month and of a year in each reading."""
_MONTHS = Convention(
    name="lengths",
    values={"mean": "a month has 30.4375 days, a year 365.25"}
    | {
        f"{month}-{year}": f"a month has {month} days, a year {year}"
        for month in (30, 31)
        for year in (365, 366)
    },
    source="under it twelve months are a year",
    tried=True,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pair:
    """A premise and a claim about one event, as phrases."""

    premise: Match
    claim: Match
    gold: str
    where: str


def _pair(row: Row, premise: str, claim: str) -> _Pair:
    """The phrases of a row, in roles for the premise and the claim.

    Raises:
        UnreadError: a text is no phrase, or the two are about different events.
    """
    table = phrase_table(_TABLE)
    texts = row.text("Premise"), row.text("Hypothesis")
    found = [list(matches(table, premise, texts[0])), list(matches(table, claim, texts[1]))]
    names = [{_event(match) for match in side} for side in found]
    common = sorted(names[0] & names[1])
    if not common:
        message = f"found {' / '.join(texts)!r}, expected phrases about one event"
        raise UnreadError(message, where=row.where)
    first, second = (next(match for match in side if _event(match) == common[0]) for side in found)
    gold = row.text("Label")
    if gold not in _LABELS:
        raise UnreadError(f"found the label {gold!r}", where=row.where)
    return _Pair(premise=first, claim=second, gold=gold, where=row.where)


def _event(match: Match) -> str:
    """The event of a phrase: a name that all texts about it have in common."""
    words = _VERBS.sub("", match.slots["event"].replace("’", "'").lower())
    return phrase_table(_TABLE).events.get(words, words)


def _item(pair: _Pair, make: Callable[[Reading], Problem]) -> ItemRead:
    template = f"{pair.premise.phrase.text} / {pair.claim.phrase.text}"
    return ItemRead(problem=make, gold=pair.gold, templates=(template,))


def _time(text: str, where: str) -> Time:
    time = read_time(text)
    if time is None:
        raise UnreadError(f"found {text!r}, expected a time", where=where)
    return time


def _problem(
    pair: _Pair,
    steps: Sequence[Step],
    premise: tuple[str, int, int],
    claim: tuple[str, int, int],
    *,
    grain: int = 1,
    dense: bool = False,
) -> Problem:
    sides = [Side(relation=name, low=low, high=high) for name, low, high in (premise, claim)]
    bounds = Bounds(premise=sides[0], claim=sides[1], labels=_LABELS, grain=grain, dense=dense)
    return Problem(question=bounds, gold=pair.gold, steps=tuple(steps))


# Orders: a time of an event, and another one.


def _read_order(row: Row) -> ItemRead:
    pair = _pair(row, "order", "order")
    times = [_time(match.slots["time"], row.where) for match in (pair.premise, pair.claim)]
    sorts = {time.sort for time in times}
    if not (len(sorts) == 1 or sorts <= {Sort.DATE, Sort.MONTH_OF_YEAR, Sort.YEAR}):
        message = f"found {times[0].text!r} and {times[1].text!r}, which do not compare"
        raise UnreadError(message, where=row.where)
    return _item(pair, partial(_order, pair, times))


def _order(pair: _Pair, times: Sequence[Time], reading: Reading) -> Problem:
    steps: list[Step] = []
    finest = next(sort for sort in _FINENESS if sort in {time.sort for time in times})
    periods = [_period(time, finest, steps, reading) for time in times]
    relations = [match.phrase.tag for match in (pair.premise, pair.claim)]
    grain = 1
    if finest is Sort.CLOCK:
        # Whole hours, or whole minutes if a time has minutes.
        grain = gcd(60, *(time.parts[0] for time in times))
        grain = grain if grain == 60 else 1
    return _problem(
        pair,
        steps,
        (relations[0], *periods[0]),
        (relations[1], *periods[1]),
        grain=grain,
        dense=reading["time"] == "dense",
    )


_FINENESS = (
    *(Sort.CLOCK, Sort.DATE, Sort.MONTH_OF_YEAR, Sort.YEAR),
    *(Sort.MONTH, Sort.DAY_OF_MONTH, Sort.WEEKDAY),
)


def _period(time: Time, finest: Sort, steps: list[Step], reading: Reading) -> tuple[int, int]:
    """The steps of the first and the last unit of a time; adds them."""

    def add(op: str, *arguments: int | str, name: str = time.text) -> int:
        steps.append(Step(name=name, op=op, arguments=arguments))
        return len(steps) - 1

    parts = time.parts
    if time.sort is Sort.WEEKDAY:
        shift = 1 if reading["week"] == "sunday" else 0
        day = add("count", (parts[0] + shift) % len(WEEKDAYS))
        return day, day
    if finest is Sort.DATE:
        if time.sort is Sort.DATE:
            day = add("date", *parts)
            return day, day
        months = 1 if time.sort is Sort.MONTH_OF_YEAR else 12
        first = add("date", *(*parts, 1)[:2], 1, name=f"the first day of {time.text}")
        return first, add("bound", first, "last", months, name=f"the last day of {time.text}")
    if finest is Sort.MONTH_OF_YEAR:
        if time.sort is Sort.MONTH_OF_YEAR:
            month = add("month", *parts)
            return month, month
        first = add("month", parts[0], 1, name=f"the first month of {time.text}")
        return first, add("month", parts[0], 12, name=f"the last month of {time.text}")
    number = add("count", parts[0])
    return number, number


# Lengths: a span from a time to another one, and how long it is.

_CYCLES = {Sort.CLOCK: 24 * 60, Sort.WEEKDAY: 7, Sort.MONTH: 12}
_UNITS = {
    **dict.fromkeys((Sort.WEEKDAY, Sort.DAY_OF_MONTH, Sort.DATE), "day"),
    **dict.fromkeys((Sort.MONTH, Sort.MONTH_OF_YEAR, Sort.YEAR), "month"),
    Sort.CLOCK: "minute",
}
_FACTORS = {
    "minute": {"minute": 1, "hour": 60},
    "day": {"day": 1},
    "month": {"month": 1, "year": 12},
}


def _read_length(row: Row) -> ItemRead:
    pair = _pair(row, "span", "length")
    ends = [_time(pair.premise.slots[name], row.where) for name in "ab"]
    if ends[0].sort is not ends[1].sort:
        message = f"found {ends[0].text!r} and {ends[1].text!r}, expected two of one sort"
        raise UnreadError(message, where=row.where)
    unit = _UNITS[ends[0].sort]
    length = _in_units(read_duration(pair.claim.slots["duration"]), _FACTORS[unit], row.where)
    return _item(pair, partial(_length, pair, ends, length))


def _in_units(duration: Duration, factors: dict[str, int], where: str) -> int:
    if not duration.amounts.keys() <= factors.keys():
        raise UnreadError(f"found {duration.text!r}, expected {' or '.join(factors)}", where=where)
    return sum(factors[unit] * amount for unit, amount in duration.amounts.items())


def _length(pair: _Pair, ends: Sequence[Time], length: int, reading: Reading) -> Problem:
    steps = list(_span(ends))
    if reading["end"] == "included":
        # The hour, the day or the month that ends the span; of years, too, one month.
        extra = 60 if ends[0].sort is Sort.CLOCK else 1
        steps.append(
            Step(name="the length with its end", op="shift",
                 arguments=(len(steps) - 1, "count", extra))
        )  # fmt: skip
    steps.append(Step(name="the claimed length", op="count", arguments=(length,)))
    span, claimed = len(steps) - 2, len(steps) - 1
    relation = pair.claim.phrase.tag
    return _problem(pair, steps, ("at", span, span), (relation, claimed, claimed))


def _span(ends: Sequence[Time]) -> Iterator[Step]:
    """The steps from two times to the length between them, which is the last one."""
    sort = ends[0].sort
    for time in ends:
        if sort is Sort.DATE:
            yield Step(name=time.text, op="date", arguments=time.parts)
        elif sort is Sort.MONTH_OF_YEAR:
            yield Step(name=time.text, op="month", arguments=time.parts)
        elif sort is Sort.YEAR:
            yield Step(name=time.text, op="month", arguments=(*time.parts, 1))
        else:
            yield Step(name=time.text, op="count", arguments=time.parts)
    unit = {Sort.DATE: "day", Sort.MONTH_OF_YEAR: "month", Sort.YEAR: "month"}.get(sort, "count")
    yield Step(name="the length", op="elapsed", arguments=(0, 1, unit))
    if sort in _CYCLES:
        name = "the length in a cycle"
        yield Step(name=name, op="cycle", arguments=(2, _CYCLES[sort]))


# Conversions: a delay, and another one in other units.


def _read_delay(row: Row) -> ItemRead:
    pair = _pair(row, "delay", "delay")
    delays = [read_duration(match.slots["duration"]) for match in (pair.premise, pair.claim)]
    for delay in delays:
        _in_units(delay, _minutes(_LENGTHS["mean"]), row.where)
    return _item(pair, partial(_delay, pair, delays))


def _minutes(lengths: tuple[int, int]) -> dict[str, int]:
    month, year = lengths
    return {"minute": 1, "hour": 60, "day": 1440, "month": month, "year": year}


def _delay(pair: _Pair, delays: Sequence[Duration], reading: Reading) -> Problem:
    factors = _minutes(_LENGTHS[reading["lengths"]])
    steps = [
        Step(
            name=f"{delay.text} in minutes",
            op="count",
            arguments=(_in_units(delay, factors, pair.where),),
        )
        for delay in delays
    ]
    relations = [match.phrase.tag for match in (pair.premise, pair.claim)]
    return _problem(pair, steps, (relations[0], 0, 0), (relations[1], 1, 1), dense=True)


def _decide(items: Sequence[ItemRead], reading: Reading) -> Sequence[Outcome]:
    return decide([item.problem(reading) for item in items])


def _correct(_: Row, outcome: Outcome) -> dict[str, object]:
    return {"Label": outcome.decided}


def _recognises(premise: str, claim: str, rows: Sequence[Row]) -> bool:
    """Whether most of the first rows are of a part."""
    read = 0
    for row in rows:
        try:
            _pair(row, premise, claim)
        except UnreadError:
            continue
        read += 1
    return 2 * read > len(rows)


DURATION = AuditTask(
    name="duration",
    kind="calendar",
    title="how long it is from a time to another one (s1)",
    recognises=partial(_recognises, "span", "length"),
    read=_read_length,
    decide=_decide,
    correct=_correct,
    conventions=(_END,),
    versions={
        "dd08a5db545335c2c2867a9c5c40f74bef5940bb6a0e51cabb8638c5bf4940b1": "TimeBench, s1",
    },
)
ORDER = replace(
    DURATION,
    name="order",
    title="whether a time is before or after another one (s2)",
    recognises=partial(_recognises, "order", "order"),
    read=_read_order,
    conventions=(_WEEK, _TIME),
    versions={
        "1183270fbe0e4213a48cc1eff2aeb4155d128ad94cd5549fb3d3371c85ae7e97": "TimeBench, s2",
    },
)
CONVERSION = replace(
    DURATION,
    name="conversion",
    title="whether a delay is shorter or longer than another one in other units (s3)",
    recognises=partial(_recognises, "delay", "delay"),
    read=_read_delay,
    conventions=(_MONTHS,),
    versions={
        "6ba70d01ad4fbef08c544b26c67b3f03d22a976602901997d3e992ad00586a97": "TimeBench, s3",
    },
)
