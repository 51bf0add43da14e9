"""The second engine: z3 confirms the values of a problem, and that no other ones are possible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from solver.calendar.encode import Solved, choices
from solver.calendar.model import Problem, Step
from solver.smt import TheorySolver

DATES = "calendar/dates.smt2"


class DateSolver:
    """A z3 solver with ``encodings/calendar/dates.smt2``."""

    def __init__(self) -> None:
        self._solver = TheorySolver(DATES)

    def confirms(self, problem: Problem, solved: Solved) -> bool:
        """Whether z3 finds the same values, right options and false facts."""
        sorts, premise, offered = _constants(problem), list[str](), list[str]()
        options = set(choices(problem).values())
        for number, step in enumerate(problem.steps):
            terms = offered if number in options and solved.values[number] is None else premise
            terms += _terms(problem, number, step)
        self._solver.begin(problem.gold, sorts, premise)
        if solved.verdict == "contradictory":
            return not self._solver.satisfiable()
        # Options that are no days are refuted one by one.
        improper = (_terms(problem, n, problem.steps[n]) for n in options if
                    solved.values[n] is None)  # fmt: skip
        if any(self._solver.satisfiable(*terms) for terms in improper):
            return False
        claims = list(_claims(problem, solved))
        negated = f"(not (and true {' '.join(claims)}))"
        return self._solver.satisfiable() and not self._solver.satisfiable(negated)


def _claims(problem: Problem, solved: Solved) -> Iterator[str]:
    """What must follow: each value, which options are the answer, and which facts are false."""
    for number, value in enumerate(solved.values):
        if value is not None:
            yield f"(= v_{number} {_numeral(value)})"
    for option, step in enumerate(choices(problem).values()):
        if solved.values[step] is not None:
            equal = f"(= v_{step} v_{problem.asked})"
            yield equal if option in solved.fits else f"(not {equal})"
    for number, fact in enumerate(problem.stated):
        equal = f"(= v_{fact.step} {_numeral(fact.value)})"
        yield f"(not {equal})" if number in solved.untrue else equal


def _numeral(number: int) -> str:
    return str(number) if number >= 0 else f"(- {-number})"


def _constants(problem: Problem) -> dict[str, str]:
    names = "vymd"
    return {f"{name}_{n}": "Int" for n in range(len(problem.steps)) for name in names}


def _is_day(steps: Sequence[Step], number: int) -> bool:
    step = steps[number]
    if step.op == "shift":
        return _is_day(steps, int(step.arguments[0]))
    return step.op in ("date", "nth", "bound", "palindrome")


def _civil(number: int) -> str:
    return f"y_{number} m_{number} d_{number}"


def _terms(problem: Problem, n: int, step: Step) -> Iterator[str]:
    """What a step means, in the macros of the theory."""
    steps = problem.steps
    arguments = [_numeral(value) if isinstance(value, int) else value for value in step.arguments]
    if _is_day(steps, n):
        yield f"(day v_{n} {_civil(n)})"
    match step.op, step.arguments:
        case "date", _:
            yield from (
                f"(= {name}_{n} {value})" for name, value in zip("ymd", arguments, strict=True)
            )
        case "month", (int(year), int(month)):
            yield f"(= v_{n} (+ (* 12 {_numeral(year)}) {month - 1}))"
        case "count", _:
            yield f"(= v_{n} {arguments[0]})"
        case "shift", (int(start), "month", _) if _is_day(steps, start):
            moved = f"{_civil(start)} {arguments[2]} v_{n}"
            yield (
                f"(overflowing {moved} y_{n} m_{n})" if problem.overflow
                else f"(clipped {moved} {_civil(n)})"
            )  # fmt: skip
        case "shift", (int(start), _, _):
            yield f"(= v_{n} (+ v_{start} {arguments[2]}))"
        case "nth", (int(start), int(weekday), int(number)):
            name = "nth_from" if number > 0 else "nth_up_to"
            yield f"({name} v_{start} {abs(number)} v_{n} {weekday})"
        case "bound", (int(start), str(side), int(months)):
            yield f"({side} y_{start} m_{start} {months} v_{n} m_{n})"
            if side == "first":
                yield f"(= y_{n} y_{start})"
        case "palindrome", _:
            yield f"(= y_{n} {arguments[0]})"
            yield f"(palindrome {_civil(n)})"
        case "weekday", (int(start),):
            yield f"(= v_{n} (weekday v_{start}))"
        case "elapsed", (int(start), int(end), "month") if _is_day(steps, start):
            yield f"(= v_{n} (months_between v_{start} {_civil(start)} v_{end} {_civil(end)}))"
        case "elapsed", (int(start), int(end), _):
            yield f"(= v_{n} (- v_{end} v_{start}))"
