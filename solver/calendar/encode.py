"""The ASP engine: values, free times, right options and verdicts of a batch of problems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from solver.asp import Program
from solver.calendar.model import (
    LABELS,
    ZONED,
    Bounds,
    Meeting,
    Order,
    Problem,
    Starts,
    Times,
    offsets,
)
from solver.encodings import Atom, Fact

PROBLEMS = "calendar/problems.lp"

VOID = -2
"""Number of the option that there is no single answer."""


class DateFact(Fact, predicate="date"):
    """A step that is a day."""

    item: int
    step: int
    year: int
    month: int
    day: int


class MonthFact(Fact, predicate="month"):
    """A step that is a month."""

    item: int
    step: int
    year: int
    month: int


class CountFact(Fact, predicate="count"):
    """A step that is a number."""

    item: int
    step: int
    number: int


class ShiftFact(Fact, predicate="shift"):
    """A step that is another one, moved."""

    item: int
    step: int
    from_: int
    unit: str
    amount: int


class NthFact(Fact, predicate="nth"):
    """A step that is a weekday on or after a day, or up to it."""

    item: int
    step: int
    from_: int
    weekday: int
    number: int


class BoundFact(Fact, predicate="bound"):
    """A step that is the first or last day of the month, quarter or year of a day."""

    item: int
    step: int
    from_: int
    side: str
    months: int


class PalindromeFact(Fact, predicate="palindrome"):
    """A step that is the palindrome day of a year."""

    item: int
    step: int
    year: int


class WeekdayFact(Fact, predicate="weekday"):
    """A step that is the weekday of a day."""

    item: int
    step: int
    from_: int


class ElapsedFact(Fact, predicate="elapsed"):
    """A step that is the number of units between two steps."""

    item: int
    step: int
    from_: int
    to: int
    unit: str


class CycleFact(Fact, predicate="cycle"):
    """A step that is the rest of a number in a cycle."""

    item: int
    step: int
    from_: int
    length: int


class EitherFact(Fact, predicate="either"):
    """A step that is one of two others."""

    item: int
    step: int
    from_: int
    to: int


class RatioFact(Fact, predicate="ratio"):
    """A step that is a part or a multiple of another one."""

    item: int
    step: int
    from_: int
    times: int
    over: int


class SizeFact(Fact, predicate="size"):
    """A step that is another one without its sign."""

    item: int
    step: int
    from_: int


class RecurFact(Fact, predicate="recur"):
    """A step that is the first one of a sequence after another step."""

    item: int
    step: int
    from_: int
    length: int
    after: int


class WithinFact(Fact, predicate="within"):
    """A step that is the number of days of some weekdays between two days."""

    item: int
    step: int
    from_: int
    to: int
    weekday: int
    number: int


class UptoFact(Fact, predicate="upto"):
    """A step that is another one, or a number where that one exceeds a third."""

    item: int
    step: int
    from_: int
    to: int
    number: int


class OrderFact(Fact, predicate="order"):
    """What is asked of the entrants."""

    item: int
    pick: str


class EntrantFact(Fact, predicate="entrant"):
    """The time of an entrant."""

    item: int
    entrant: int
    step: int
    finer: int


class LimitFact(Fact, predicate="limit"):
    """The limit of an order."""

    item: int
    step: int
    finer: int


class PlaceFact(Fact, predicate="place"):
    """The label has the entrant at that place."""

    item: int
    entrant: int
    place: int


class LabelledFact(Fact, predicate="labelled"):
    """The label is this number, or a list."""

    item: int
    value: int | str


class StartsFact(Fact, predicate="starts"):
    """How long a meeting takes, and at which minutes it can start."""

    item: int
    length: int
    grid: int


class VoidFact(Fact, predicate="void"):
    """That there is no single answer is offered."""

    item: int


class StatedFact(Fact, predicate="stated"):
    """A fact that the text states about a step."""

    item: int
    number: int
    step: int
    value: int


class OverflowFact(Fact, predicate="overflow"):
    """Days that a month lacks go on into the next month."""

    item: int


class UtcFact(Fact, predicate="utc"):
    """A step that is the moment at which clocks show what another step is."""

    item: int
    step: int
    from_: int


class LocalFact(Fact, predicate="local"):
    """A step that is what clocks show at the moment of another step."""

    item: int
    step: int
    from_: int


class OffsetFact(Fact, predicate="offset"):
    """Clocks of the zone of a step show so much more than in UTC, from a moment up to another."""

    item: int
    step: int
    first: int
    end: int
    minutes: int


class SameFact(Fact, predicate="same"):
    """Two steps that the text names as one."""

    item: int
    step: int
    other: int


class AskedFact(Fact, predicate="asked"):
    """The step that is asked for."""

    item: int
    step: int


class ChoiceFact(Fact, predicate="choice"):
    """An option, by its number, and its step."""

    item: int
    option: int
    step: int


class GoldFact(Fact, predicate="gold"):
    """The label, by the number of its option; -1 for a text that is no value."""

    item: int
    option: int


class OpenFact(Fact, predicate="open"):
    """The label is not chosen among options."""

    item: int


class SideFact(Fact, predicate="side"):
    """What the premise or the claim says of a time."""

    item: int
    side: str
    relation: str
    low: int
    high: int


class GrainFact(Fact, predicate="grain"):
    """The time is a whole number of so many units."""

    item: int
    units: int


class DenseFact(Fact, predicate="dense"):
    """The time is any number."""

    item: int


class LabelFact(Fact, predicate="label"):
    """An option that is a label."""

    item: int
    option: int
    label: str


class WindowFact(Fact, predicate="window"):
    """The minutes that count."""

    item: int
    start: int
    end: int


class EntryFact(Fact, predicate="entry"):
    """A time at which a person is busy."""

    item: int
    number: int
    person: int
    start: int
    end: int


class OfferedFact(Fact, predicate="offered"):
    """An option that is a time."""

    item: int
    option: int
    start: int
    end: int


class StartFact(Fact, predicate="start"):
    """A minute at which a meeting may start."""

    item: int
    minute: int


class PersonFact(Fact, predicate="person"):
    """Somebody who attends a meeting."""

    item: int
    person: int


class BusyFact(Fact, predicate="busy"):
    """A time at which a person is busy."""

    item: int
    person: int
    start: int
    end: int


class ReadyFact(Fact, predicate="ready"):
    """The minutes that a person needs before and after a meeting."""

    item: int
    person: int
    before: int
    after: int


class LeastFact(Fact, predicate="least"):
    """How long a meeting takes at least."""

    item: int
    person: int
    start: int
    minutes: int


class MostFact(Fact, predicate="most"):
    """How long a meeting takes at most."""

    item: int
    person: int
    start: int
    minutes: int


class StatedPairFact(Fact, predicate="stated_pair"):
    """The label of a question about a meeting."""

    item: int
    minutes: int
    starts: int


_STEPS: dict[str, type[Fact]] = {
    fact.predicate: fact
    for fact in (
        *(DateFact, MonthFact, CountFact, ShiftFact, NthFact, BoundFact, PalindromeFact),
        *(WeekdayFact, ElapsedFact, CycleFact, EitherFact, RatioFact, SizeFact, RecurFact),
        *(WithinFact, UptoFact, UtcFact, LocalFact),
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Solved:
    """What is decided about a problem.

    Attributes:
        values: of each step, in order: one, several if the text leaves it open, none for a day that
            does not exist and for what follows from it.
        parts: year, month and day of each step that is a single day.
        free: the free times, in order.
        fits: numbers of the right options, in order.
        untrue: numbers of the stated facts that are false, in order.
        picked: entrants of the answer with their places, in order of these.
        longest: minutes and starts of the longest meeting.
        verdict: as in ``Verdict``.
    """

    values: tuple[tuple[int, ...], ...]
    parts: Mapping[int, tuple[int, int, int]]
    free: tuple[tuple[int, int], ...]
    fits: tuple[int, ...]
    untrue: tuple[int, ...]
    picked: tuple[tuple[int, int], ...]
    longest: tuple[int, int]
    verdict: str


def facts(item: int, problem: Problem) -> Iterator[Fact | str]:
    """The facts of a problem."""
    for number, step in enumerate(problem.steps):
        if step.op in ZONED:
            yield from _STEPS[step.op].rows([(item, number, step.arguments[0])])
            yield from OffsetFact.rows(
                (item, number, *offset) for offset in offsets(problem.steps, number)
            )
            continue
        yield from _STEPS[step.op].rows([(item, number, *step.arguments)])
    for number, fact in enumerate(problem.stated):
        yield StatedFact(item=item, number=number, step=fact.step, value=fact.value)
    yield from (SameFact(item=item, step=step, other=other) for step, other in problem.same)
    if problem.overflow:
        yield OverflowFact(item=item)
    yield from _question(item, problem)
    options = problem.options
    gold = options.index(problem.gold) if problem.gold in options else -1
    if problem.void:
        yield VoidFact(item=item)
        gold = VOID if problem.gold == problem.void else gold
    yield GoldFact(item=item, option=gold)
    if problem.open:
        yield OpenFact(item=item)


def _question(item: int, problem: Problem) -> Iterator[Fact]:
    match problem.question:
        case Bounds() as bounds:
            for name, side in (("premise", bounds.premise), ("claim", bounds.claim)):
                relation, low, high = side.relation, side.low, side.high
                yield SideFact(item=item, side=name, relation=relation, low=low, high=high)
            yield GrainFact(item=item, units=bounds.grain)
            if bounds.dense:
                yield DenseFact(item=item)
            for number, label in enumerate(LABELS):
                yield LabelFact(item=item, option=number, label=label)
        case Times() | Starts() as times:
            yield WindowFact(item=item, start=times.window[0], end=times.window[1])
            people = list(dict.fromkeys(entry.person for entry in times.entries))
            for number, entry in enumerate(times.entries):
                person = people.index(entry.person)
                yield EntryFact(
                    item=item, number=number, person=person, start=entry.start, end=entry.end
                )
            if isinstance(times, Starts):
                yield StartsFact(item=item, length=times.length, grid=times.grid)
                if times.label >= 0:
                    yield LabelledFact(item=item, value=times.label)
                return
            for number, (start, end) in enumerate(times.options.values()):
                yield OfferedFact(item=item, option=number, start=start, end=end)
        case Order() as order:
            yield OrderFact(item=item, pick=order.pick)
            for number, each in enumerate(order.entrants):
                yield EntrantFact(item=item, entrant=number, step=each.step, finer=each.finer)
            if order.limit is not None:
                yield LimitFact(item=item, step=order.limit[0], finer=order.limit[1])
            if order.label is not None:
                yield LabelledFact(item=item, value="list")
                for entrant, place in placed(order, order.label):
                    yield PlaceFact(item=item, entrant=entrant, place=place)
        case Meeting() as meeting:
            yield from _meeting(item, meeting)
        case _:
            yield AskedFact(item=item, step=problem.asked[0])
            for number, step in enumerate(problem.choices.values()):
                yield ChoiceFact(item=item, option=number, step=step)


def placed(order: Order, entrants: Sequence[int]) -> list[tuple[int, int]]:
    """Entrants with their places, which count only where all of them are put in order."""
    ranked = order.pick in ("ascending", "descending")
    return sorted({(entrant, place * ranked) for place, entrant in enumerate(entrants)})


def _meeting(item: int, meeting: Meeting) -> Iterator[Fact]:
    people = {need.person: number for number, need in enumerate(meeting.needs)}
    yield from (StartFact(item=item, minute=minute) for minute in meeting.starts)
    for entry in meeting.entries:
        person = people[entry.person]
        yield BusyFact(item=item, person=person, start=entry.start, end=entry.end)
    for person, need in enumerate(meeting.needs):
        yield PersonFact(item=item, person=person)
        yield ReadyFact(item=item, person=person, before=need.before, after=need.after)
        for minute in meeting.starts:
            day = minute // (24 * 60)
            if need.least[day]:
                least = need.least[day]
                yield LeastFact(item=item, person=person, start=minute, minutes=least)
            if need.most[day] >= 0:
                most = need.most[day]
                yield MostFact(item=item, person=person, start=minute, minutes=most)
    if meeting.stated:
        minutes, starts = meeting.stated
        yield StatedPairFact(item=item, minutes=minutes, starts=starts)


def solve(problems: Sequence[Problem]) -> list[Solved]:
    """Decide problems by clingo, in order."""
    text = "\n".join(
        fact if isinstance(fact, str) else f"{fact}."
        for item, problem in enumerate(problems)
        for fact in facts(item, problem)
    )
    values: list[dict[int, list[int]]] = [{} for _ in problems]
    parts: list[dict[int, tuple[int, int, int]]] = [{} for _ in problems]
    free: list[list[tuple[int, int]]] = [[] for _ in problems]
    fits: list[list[int]] = [[] for _ in problems]
    untrue: list[list[int]] = [[] for _ in problems]
    picked: list[list[tuple[int, int]]] = [[] for _ in problems]
    longest = [(0, 0)] * len(problems)
    verdicts = [""] * len(problems)
    for atom in Program(encodings=(PROBLEMS,)).unique_model(text):
        match atom:
            case Atom(name="value", arguments=(int(item), int(step), int(value))):
                values[item].setdefault(step, []).append(value)
            case Atom(
                name="civil", arguments=(int(item), int(step), int(year), int(month), int(day))
            ):
                parts[item][step] = (year, month, day)
            case Atom(name="free", arguments=(int(item), int(start), int(end))):
                free[item].append((start, end))
            case Atom(name="longest", arguments=(int(item), int(minutes), int(starts))):
                longest[item] = (minutes, starts)
            case Atom(name="fits", arguments=(int(item), int(option))):
                fits[item].append(option)
            case Atom(name="picked", arguments=(int(item), int(entrant), int(place))):
                picked[item].append((entrant, place))
            case Atom(name="untrue", arguments=(int(item), int(number))):
                untrue[item].append(number)
            case Atom(name="verdict", arguments=(int(item), str(verdict))):
                verdicts[item] = verdict.replace("_", "-")
    return [
        Solved(
            values=tuple(
                tuple(sorted(values[item].get(step, ()))) for step in range(len(problem.steps))
            ),
            parts=parts[item],
            free=tuple(sorted(free[item])),
            fits=tuple(sorted(fits[item])),
            untrue=tuple(sorted(untrue[item])),
            picked=tuple(sorted(picked[item], key=lambda each: (each[1], each[0]))),
            longest=longest[item],
            verdict=verdicts[item],
        )
        for item, problem in enumerate(problems)
    ]
