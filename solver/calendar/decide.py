"""Decides problems of the calendar: two engines that must agree, a certificate, and its check."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import msgspec

from solver.calendar import check
from solver.calendar.encode import ENCODINGS, Solved, choices, solve
from solver.calendar.engine import DateSolver
from solver.calendar.model import Problem, checked
from solver.calendar.words import in_words, sort_of, steps_in_words, written
from solver.verification.outcomes import Outcome, Verdict
from solver.verification.run import DisagreementError


@cache
def _smt() -> DateSolver:
    return DateSolver()


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
        case = {
            "verdict": outcome.verdict.value,
            "decided": outcome.decided,
            **outcome.certificate,
        }
        fault = check.fault_of_case(case, problem.gold)
        if fault is not None:
            raise _disagreement(f"the certificate is rejected: {fault}", problem)
        outcomes.append(outcome)
    return outcomes


def _disagreement(message: str, problem: Problem) -> DisagreementError:
    shown = msgspec.json.encode(problem).decode()
    return DisagreementError(
        message, where=shown, name="calendar", program=shown, encodings=ENCODINGS
    )


def _outcome(problem: Problem, solved: Solved) -> Outcome:
    options = list(choices(problem))
    answer = solved.values[problem.asked]
    decided: str | None = None
    if solved.verdict not in (Verdict.CONTRADICTORY, Verdict.UNANSWERABLE) and answer is not None:
        fitting = [options[number] for number in solved.fits]
        shown = written(answer, problem.written)
        decided = fitting[0] if fitting else None if problem.options else shown
    return Outcome(
        verdict=Verdict(solved.verdict),
        decided=decided,
        certificate={
            "problem": msgspec.to_builtins(problem),
            "values": list(solved.values),
        },
        proof="\n".join(_proof(problem, solved, decided)),
    )


def _proof(problem: Problem, solved: Solved, decided: str | None) -> list[str]:
    offered = set(choices(problem).values())
    premise = len(problem.steps) - len(offered)
    lines = list(steps_in_words(problem, solved.values, premise))
    for number in solved.untrue:
        fact = problem.stated[number]
        value = solved.values[fact.step]
        sort = sort_of(problem.steps, fact.step)
        if value is not None:
            lines.append(f"“{fact.text}” is false: it is {in_words(value, sort)}")
    answer = solved.values[problem.asked]
    if answer is None:
        return [*lines, "the premise is about a day that does not exist"]
    shown = written(answer, problem.written)
    if decided is None:
        lines.append(f"the answer is {shown}, which is no option")
    else:
        named = f", option {decided}" if problem.options else ""
        lines.append(f"the answer is {shown}{named}")
    return lines
