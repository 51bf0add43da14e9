"""Why a problem of the calendar has its label: in words, as JSON, as a drawn plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from solver.calendar.decide import decide
from solver.calendar.drawing import picture
from solver.calendar.model import Problem
from solver.calendar.words import in_words
from solver.report.explanation import WrittenExplanation
from solver.verification.outcomes import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarExplanation(WrittenExplanation):
    """A problem with what is decided about it."""

    problem: Problem
    outcome: Outcome

    def lines(self) -> Iterator[str]:
        """The steps or the free times, the answer, and the verdict about the label."""
        yield from self.outcome.proof.splitlines()
        yield f"gold label {self.problem.gold}: {self.outcome.verdict}"

    def as_json(self) -> dict[str, Any]:
        """The verdict with its certificate."""
        return {
            "verdict": self.outcome.verdict.value,
            "gold": self.problem.gold,
            "decided": self.outcome.decided,
            "proof": self.outcome.proof.splitlines(),
            "certificate": dict(self.outcome.certificate),
        }

    def columns(self) -> Sequence[str]:
        """Names of the columns of the table."""
        return ("step", "value")

    def rows(self) -> list[Mapping[str, object]]:
        """The steps with their values."""
        steps = self.problem.steps
        return [
            {
                "step": step.name,
                "value": " or ".join(in_words(value, steps, number) for value in values),
            }
            for number, (step, values) in enumerate(
                zip(steps, self.outcome.certificate.get("values", []), strict=True)
            )
        ]

    def picture(self, form: str = "svg") -> bytes | None:
        """Months with the days of the steps, or a day with the free times."""
        found = self.outcome.certificate
        return picture(self.problem, found.get("values", []), found.get("free", []), form)


def explain(problem: Problem) -> CalendarExplanation:
    """Explain a problem.

    Raises:
        CalendarError: it is not well formed.
        DisagreementError: the engines disagree.
    """
    (outcome,) = decide([problem])
    return CalendarExplanation(problem=problem, outcome=outcome)
