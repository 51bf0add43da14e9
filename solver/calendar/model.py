"""Problems of the calendar: a premise in steps, a question, options, and the label to check.

The notation is JSON: see docs/calendar.md. Numbers of days count from 1 January of year 1, which is
day 1; months are ``12 * year + month - 1``; weekdays count from Monday, which is 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import msgspec

from grammar.errors import HopcheckError


class CalendarError(HopcheckError):
    """A problem that is not well formed."""

    code = "calendar"


Unit: TypeAlias = str
"""``day``, ``month`` or ``count``."""

ARITIES: Mapping[str, tuple[str, ...]] = {
    "date": ("year", "month", "day"),
    "month": ("year", "month"),
    "count": ("number",),
    "shift": ("from", "unit", "amount"),
    "nth": ("from", "weekday", "number"),
    "bound": ("from", "side", "months"),
    "palindrome": ("year",),
    "weekday": ("from",),
    "elapsed": ("from", "to", "unit"),
}
"""The operations of steps, by the names of their arguments; ``from`` and ``to`` are steps."""

_WORDS = {"unit": ("day", "month", "count"), "side": ("first", "last")}


class Step(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A step of a chain: what it is called, and how it follows from earlier steps."""

    name: str
    op: str
    arguments: tuple[int | str, ...]

    @property
    def named(self) -> dict[str, int | str]:
        """The arguments by name."""
        return dict(zip(ARITIES[self.op], self.arguments, strict=True))


class Stated(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A fact that the text states about a step, such as its weekday."""

    step: int
    value: int
    text: str


class Problem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A question about a chain of steps.

    Attributes:
        steps: the chain; a step refers to earlier ones by their numbers, from 0.
        asked: the step that is asked for.
        written: form of the answer, a name of ``FORMS``.
        options: for each option the step that it is; empty if the label is the answer itself.
        gold: the label: an option, or a text of the form.
        answer: step of the label if there are no options; -1 if the text is no such value.
        stated: facts that the text states.
        overflow: whether a day that a month lacks goes on into the next month.
    """

    steps: tuple[Step, ...]
    asked: int
    written: str
    gold: str
    options: Mapping[str, int] = {}
    answer: int = -1
    stated: tuple[Stated, ...] = ()
    overflow: bool = False


def checked(problem: Problem) -> Problem:
    """The problem, if it is well formed.

    Raises:
        CalendarError: an operation is unknown, or refers to a step that is not earlier.
    """
    days: list[bool] = []
    for number, step in enumerate(problem.steps):
        if len(ARITIES.get(step.op, ())) != len(step.arguments) or step.op not in ARITIES:
            raise CalendarError(f"found the step {step.op}{step.arguments}", where=step.name)
        for name, value in step.named.items():
            earlier = name in ("from", "to")
            fits = value in _WORDS[name] if name in _WORDS else isinstance(value, int)
            if not fits or (earlier and not 0 <= int(value) < number):
                raise CalendarError(f"found {name} {value!r} of {step.op}", where=step.name)
        days.append(_is_day(step, days))
    asked = (problem.asked, *problem.options.values(), *(fact.step for fact in problem.stated))
    if not all(0 <= step < len(problem.steps) for step in asked):
        raise CalendarError("found a question about a step that does not exist")
    return problem


def _is_day(step: Step, days: Sequence[bool]) -> bool:
    if step.op == "shift":
        return days[int(step.arguments[0])]
    return step.op in ("date", "nth", "bound", "palindrome")
