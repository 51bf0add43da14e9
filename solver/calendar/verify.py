"""Checks the labels of problems of the calendar: JSON Lines in the notation of docs/calendar.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from grammar.calendar.steps import Stated, Step
from grammar.options import split_options
from solver.calendar.decide import decide
from solver.calendar.encode import PROBLEMS
from solver.calendar.engine import THEORY
from solver.calendar.model import CalendarError, Problem, Question, checked
from solver.calendar.texts import problem_of
from solver.io.columns import column
from solver.verification.problems import Named, ProblemTheory
from solver.verification.report import Kind

_ASKED = {"type": "value", "step": 1, "written": "weekday", "label": 2}
_CHAIN = [
    ["1 November 2001", "date", [2001, 11, 1]],
    ["its weekday", "weekday", [0]],
    ["the label", "count", [3]],
]


class ProblemRow(Named, frozen=True, kw_only=True, omit_defaults=True):
    """A row of a file: a problem, or a text in the wording of ``generate calendar``.

    Attributes:
        question: what is asked; or the whole text, with its options.
        gold: the label.
        steps, stated, same, overflow: as in ``Problem``.
    """

    question: Annotated[
        Question | str,
        column("what is asked: a value, bounds, free times, a meeting; or a text", example=_ASKED),
    ]
    gold: Annotated[str, column("the label: an option, or the answer as text", example="Thursday")]
    steps: Annotated[
        tuple[Step, ...],
        column("the chain: name, operation and arguments of each step", example=_CHAIN),
    ] = ()
    stated: Annotated[
        tuple[Stated, ...],
        column("facts of the text: a step, its value, the words", example=[[1, 3, "Thu, Nov 1"]]),
    ] = ()
    same: Annotated[
        tuple[tuple[int, int], ...],
        column("pairs of steps that the text names as the same", example=[[0, 2]]),
    ] = ()
    overflow: Annotated[
        bool,
        column("whether a day that a month lacks goes on into the next month", example=False),
    ] = False

    @property
    def problem(self) -> Problem:
        """The problem.

        Raises:
            CalendarError: it is not well formed, or its text is not read.
        """
        if isinstance(self.question, str):
            return problem_of(self.question, self.gold)
        found = {name: getattr(self, name) for name in Problem.__struct_fields__}
        return checked(Problem(**found))


def _problem(row: ProblemRow) -> Problem:
    """The problem of a row.

    Raises:
        CalendarError: it is not well formed, or its text is not read.
    """
    return row.problem


def _text(row: ProblemRow) -> str:
    """The text of a row.

    Raises:
        CalendarError: it is in steps.
    """
    if not isinstance(row.question, str):
        raise CalendarError("found a problem in steps, expected a text")
    return row.question


def _answers(row: ProblemRow) -> Mapping[str, str]:
    return split_options(_text(row))[1]


VERIFIED = ProblemTheory(
    kind=Kind.CALENDAR,
    noun="problems",
    rows=ProblemRow,
    problem=_problem,
    answers=_answers,
    text=_text,
    decided=decide,
    encodings=(PROBLEMS, THEORY),
)
"""How ``verify`` reads and decides its rows."""
