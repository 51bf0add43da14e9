"""The ASP engine: values, right options and verdicts of a batch of problems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from solver.asp import Program
from solver.calendar.model import Problem
from solver.encodings import Atom, Fact

CHAINS = "calendar/chains.lp"
ENCODINGS = (CHAINS, "calendar/answers.lp", "calendar/dates.lp", "calendar/dates.smt2")


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


class StatedFact(Fact, predicate="stated"):
    """A fact that the text states about a step."""

    item: int
    number: int
    step: int
    value: int


class OverflowFact(Fact, predicate="overflow"):
    """Days that a month lacks go on into the next month."""

    item: int


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


_STEPS: dict[str, type[Fact]] = {
    fact.predicate: fact
    for fact in (
        *(DateFact, MonthFact, CountFact, ShiftFact, NthFact, BoundFact, PalindromeFact),
        *(WeekdayFact, ElapsedFact),
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Solved:
    """What is decided about a problem.

    Attributes:
        values: of each step; None for a day that does not exist, and for what follows from it.
        fits: numbers of the right options, in order.
        untrue: numbers of the stated facts that are false, in order.
        verdict: as the encoding names it, with hyphens.
    """

    values: tuple[int | None, ...]
    fits: tuple[int, ...]
    untrue: tuple[int, ...]
    verdict: str


def choices(problem: Problem) -> dict[str, int]:
    """The options with their steps; of an open question, the label."""
    if problem.options:
        return dict(problem.options)
    return {problem.gold: problem.answer} if problem.answer >= 0 else {}


def facts(item: int, problem: Problem) -> Iterator[Fact | str]:
    """The facts of a problem."""
    for number, step in enumerate(problem.steps):
        yield from _STEPS[step.op].rows([(item, number, *step.arguments)])
    for number, fact in enumerate(problem.stated):
        yield StatedFact(item=item, number=number, step=fact.step, value=fact.value)
    if problem.overflow:
        yield OverflowFact(item=item)
    yield AskedFact(item=item, step=problem.asked)
    offered = choices(problem)
    for number, step_number in enumerate(offered.values()):
        yield ChoiceFact(item=item, option=number, step=step_number)
    gold = list(offered).index(problem.gold) if problem.gold in offered else -1
    yield GoldFact(item=item, option=gold)
    if not problem.options:
        yield OpenFact(item=item)


def solve(problems: Sequence[Problem]) -> list[Solved]:
    """Decide problems by clingo, in order."""
    text = "\n".join(
        fact if isinstance(fact, str) else f"{fact}."
        for item, problem in enumerate(problems)
        for fact in facts(item, problem)
    )
    values: list[dict[int, int]] = [{} for _ in problems]
    fits: list[list[int]] = [[] for _ in problems]
    untrue: list[list[int]] = [[] for _ in problems]
    verdicts = [""] * len(problems)
    for atom in Program(encodings=(CHAINS,)).unique_model(text):
        match atom:
            case Atom(name="value", arguments=(int(item), int(step), int(value))):
                values[item][step] = value
            case Atom(name="fits", arguments=(int(item), int(option))):
                fits[item].append(option)
            case Atom(name="untrue", arguments=(int(item), int(number))):
                untrue[item].append(number)
            case Atom(name="verdict", arguments=(int(item), str(verdict))):
                verdicts[item] = verdict.replace("_", "-")
    return [
        Solved(
            values=tuple(values[item].get(step) for step in range(len(problem.steps))),
            fits=tuple(sorted(fits[item])),
            untrue=tuple(sorted(untrue[item])),
            verdict=verdicts[item],
        )
        for item, problem in enumerate(problems)
    ]
