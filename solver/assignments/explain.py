"""Explains an assignment puzzle: its answer, and a table of who and what is at each place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grammar.assignments.model import Puzzle
from grammar.assignments.reader import reader
from solver.assignments.decide import Problem
from solver.report.explanation import WrittenExplanation
from solver.verification.outcomes import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleExplanation(WrittenExplanation):
    """A puzzle with what is decided about its options.

    Attributes:
        puzzle: as read.
        outcome: the verdict about an option, with its evidence.
    """

    puzzle: Puzzle
    outcome: Outcome

    def lines(self) -> Iterator[str]:
        """The answer with its proof, and the table of a model."""
        yield f"answer: {self.outcome.decided or self.outcome.verdict}"
        yield from self.outcome.proof.splitlines()
        rows = [[str(value) for value in row.values()] for row in self.rows()]
        if rows:
            rows.insert(0, list(self.columns()))
            widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
            yield ""
            for row in rows:
                cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
                yield "  ".join(cells).rstrip()

    def as_json(self) -> dict[str, Any]:
        """The outcome as JSON values."""
        return {
            "answer": self.outcome.decided,
            "verdict": self.outcome.verdict.value,
            "places": self.rows(),
            "refutations": dict(self.outcome.certificate.get("refutations", {})),
        }

    def columns(self) -> Sequence[str]:
        """Place, and one column for each category."""
        return ("place", *(category.name or "thing" for category in self.puzzle.categories))

    def rows(self) -> list[Mapping[str, object]]:
        """The places of a model, in order."""
        models = self.outcome.certificate.get("models", ())
        if not models:
            return []
        table: list[dict[str, object]] = [{"place": n + 1} for n in range(self.puzzle.places)]
        names = self.columns()[1:]
        for (category, thing), place in zip(self.puzzle.things, models[0]["places"], strict=True):
            table[place - 1][names[category]] = thing
        return list(table)

    def picture(self, form: str = "svg") -> bytes | None:
        """None: the table is text."""
        del form
        return None


def explain(
    text: str, label: str = "", reading: Mapping[str, str] | None = None
) -> PuzzleExplanation:
    """Read a puzzle and answer it.

    Args:
        text: of a puzzle about people in a row, or about things in an order.
        label: the option to check; the answer if it is empty.
        reading: a value for the convention ``words``.

    Raises:
        PuzzleError: it is not read.
    """
    people = text.lstrip().startswith("There are ")
    puzzle = reader("zebra").people(text) if people else reader("logical_deduction").objects(text)
    outcome = Problem(puzzle=puzzle, gold=label or puzzle.options[0][0]).decide(reading or {})
    if not label and outcome.decided is not None:
        outcome = Problem(puzzle=puzzle, gold=outcome.decided).decide(reading or {})
    return PuzzleExplanation(puzzle=puzzle, outcome=outcome)
