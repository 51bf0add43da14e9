"""Checks the labels of stories about positions: JSON Lines in the wording of docs/positions.md."""

from __future__ import annotations

from typing import Annotated

from grammar.positions.model import Asks, Story
from grammar.positions.reader import StoryError, reader
from solver.io.columns import column
from solver.positions.decide import decide
from solver.positions.encode import ENCODINGS
from solver.positions.model import LABELS, Problem
from solver.verification.problems import Named, ProblemTheory
from solver.verification.report import Kind

WORDING = "grid"


class StoryRow(Named, frozen=True, kw_only=True, omit_defaults=True):
    """A row of a file.

    Attributes:
        story: its sentences.
        question: what is asked.
        gold: the label.
    """

    story: Annotated[
        tuple[str, ...],
        column("sentences", example=["The mill is two steps above the barn."]),
    ]
    question: Annotated[
        str, column("what is asked", example="Where is the barn, seen from the mill?")
    ]
    gold: Annotated[str, column("a direction, or yes or no", example="below")]


def _problem(row: StoryRow) -> Problem:
    """The problem of a row.

    Raises:
        StoryError: a sentence is not read, or the label is no answer.
    """
    story = _story(row)
    answers = _labels(story)
    if row.gold not in answers:
        message = f"found the label {row.gold!r}, expected one of {', '.join(answers)}"
        raise StoryError(message)
    return Problem(story=story, gold=row.gold, reading={})


def _story(row: StoryRow) -> Story:
    return reader(WORDING).story(row.story, row.question)


def _labels(story: Story) -> tuple[str, ...]:
    return tuple(LABELS) if story.question.asks is Asks.WHERE else ("yes", "no")


VERIFIED = ProblemTheory(
    kind=Kind.POSITIONS,
    noun="stories",
    rows=StoryRow,
    problem=_problem,
    answers=lambda row: {label: label for label in _labels(_story(row))},
    text=lambda row: "\n".join((*row.story, row.question)),
    decided=decide,
    encodings=ENCODINGS,
)
"""How ``verify`` reads and decides its rows."""
