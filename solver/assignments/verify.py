"""Checks the labels of assignment puzzles: JSON Lines in the wording of docs/assignments.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from grammar.assignments.reader import PuzzleError, reader
from solver.assignments.decide import Problem
from solver.assignments.encode import ENCODINGS
from solver.io.columns import column
from solver.verification.outcomes import Outcome
from solver.verification.problems import Named, ProblemTheory
from solver.verification.report import Kind

WORDING = "zebra"
_TEXT = """There are 2 people next to each other in a row in positions 1, 2 ..."""


class PuzzleRow(Named, frozen=True, kw_only=True, omit_defaults=True):
    """A row of a file.

    Attributes:
        puzzle: its text.
        gold: the label.
    """

    puzzle: Annotated[str, column("people in a row, clues and a question", example=_TEXT)]
    gold: Annotated[str, column("the position of whom the question names", example="2")]


def _problem(row: PuzzleRow) -> Problem:
    """The problem of a row.

    Raises:
        PuzzleError: it is not read, or the label is no position.
    """
    puzzle = reader(WORDING).people(row.puzzle)
    if row.gold not in dict(puzzle.options):
        message = f"found the label {row.gold!r}, expected a position"
        raise PuzzleError(message, hint=f"positions are 1 to {puzzle.places}")
    return Problem(puzzle=puzzle, gold=row.gold)


def _decided(problems: Sequence[Problem]) -> list[Outcome]:
    return [problem.decide({}) for problem in problems]


VERIFIED = ProblemTheory(
    kind=Kind.ASSIGNMENTS,
    noun="puzzles",
    rows=PuzzleRow,
    problem=_problem,
    answers=lambda row: {
        label: f"position {label}" for label, _ in reader(WORDING).people(row.puzzle).options
    },
    text=lambda row: row.puzzle,
    decided=_decided,
    encodings=ENCODINGS,
)
"""How ``verify`` reads and decides its rows."""
