"""Decides problems of the calendar: two engines that must agree, a certificate, and its check."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import msgspec

from solver.calendar import check
from solver.calendar.encode import PROBLEMS, VOID, Solved, solve
from solver.calendar.engine import THEORY, CalendarSolver
from solver.calendar.model import CalendarError, Meeting, Order, Problem, Starts, Times, checked
from solver.calendar.words import listed, proof, written
from solver.verification.outcomes import Outcome, Verdict
from solver.verification.run import DisagreementError


@cache
def _smt() -> CalendarSolver:
    return CalendarSolver()


def decide(problems: Sequence[Problem]) -> list[Outcome]:
    """Decide problems, in order.

    Raises:
        CalendarError: a problem is not well formed.
        DisagreementError: ASP and z3 disagree, or the checker rejects a certificate.
    """
    outcomes = []
    for problem, solved in zip(problems, solve([checked(each) for each in problems]), strict=True):
        if not _smt().confirms(problem, solved):
            raise _disagreement("ASP and z3 disagree", problem)
        outcome = _outcome(problem, solved)
        case = {"verdict": outcome.verdict.value, "decided": outcome.decided}
        fault = check.fault_of_case({**case, **outcome.certificate}, problem.gold)
        if fault in check.LABEL_FAULTS:
            raise CalendarError(f"found the label {problem.gold!r}: {fault}")
        if fault is not None:
            raise _disagreement(f"the certificate is rejected: {fault}", problem)
        outcomes.append(outcome)
    return outcomes


def _disagreement(message: str, problem: Problem) -> DisagreementError:
    shown = msgspec.json.encode(problem).decode()
    return DisagreementError(
        f"{message}: {shown}", name="calendar", program=shown, encodings=(PROBLEMS, THEORY)
    )


def _outcome(problem: Problem, solved: Solved) -> Outcome:
    decided = _decided(problem, solved)
    certificate: dict[str, object] = {"problem": msgspec.to_builtins(problem)}
    if problem.steps:
        certificate["values"] = [list(values) for values in solved.values]
    if isinstance(problem.question, Times | Starts):
        certificate["free"] = [list(span) for span in solved.free]
    if isinstance(problem.question, Meeting):
        certificate["longest"] = list(solved.longest)
    return Outcome(
        verdict=Verdict(solved.verdict),
        decided=decided,
        certificate=certificate,
        proof="\n".join(proof(problem, solved, decided)),
    )


def _decided(problem: Problem, solved: Solved) -> str | None:
    """The right label; None if no single one is right."""
    if solved.verdict in (Verdict.CONTRADICTORY, Verdict.UNANSWERABLE):
        return None
    if VOID in solved.fits:
        return problem.void
    if isinstance(problem.question, Meeting):
        return problem.gold if solved.fits else "{}, {}".format(*solved.longest)
    if problem.open and not solved.fits:
        match problem.question:
            case Order() as order:
                return listed(order, [entrant for entrant, _ in solved.picked])
            case Starts(length=length, grid=grid, written=form):
                spans = ((-(-start // grid), (end - length) // grid) for start, end in solved.free)
                return written(sum(max(0, last - first + 1) for first, last in spans), form)
        (value,) = solved.values[problem.asked[0]]
        return written(value, problem.question.written)  # type: ignore[union-attr]
    return problem.options[solved.fits[0]] if solved.fits else None
