"""The second engine: z3 confirms what ASP decides, and that nothing else is possible."""

from __future__ import annotations

from collections.abc import Iterator

from solver.calendar.encode import Solved
from grammar.calendar.model import LABELS, Bounds, Problem, Side, Step, Times, is_day
from solver.smt import TheorySolver

THEORY = "calendar/calendar.smt2"


class CalendarSolver:
    """A z3 solver with ``encodings/calendar/calendar.smt2``."""

    def __init__(self) -> None:
        self._solver = TheorySolver(THEORY)

    def confirms(self, problem: Problem, solved: Solved) -> bool:
        """Whether z3 finds the same values, free times, right options and false facts."""
        offered = set(problem.choices.values())
        missing = [step for step in offered if not solved.values[step]]
        premise = [
            term
            for number, step in enumerate(problem.steps)
            if number not in missing
            for term in _terms(problem, number, step)
        ]
        premise += [f"(= v_{step} v_{other})" for step, other in problem.same]
        self._solver.begin(problem.gold, _constants(problem), premise)
        if solved.verdict == "contradictory":
            return not self._solver.satisfiable()
        # Options that are no days are refuted one by one.
        if any(
            self._solver.satisfiable(*_terms(problem, step, problem.steps[step]))
            for step in missing
        ):
            return False
        if not self._solver.satisfiable() or not self._values(problem, solved):
            return False
        match problem.question:
            case Bounds() as bounds:
                return self._bounds(bounds, solved)
            case Times() as times:
                return self._times(times, solved)
        return self._options(problem, solved)

    def _follows(self, claim: str, *given: str) -> bool:
        return not self._solver.satisfiable(f"(not {claim})", *given)

    def _values(self, problem: Problem, solved: Solved) -> bool:
        """Whether the values are possible, and no others; and which facts are false."""
        claims = [
            _any(f"(= v_{number} {_numeral(value)})" for value in values)
            for number, values in enumerate(solved.values)
            if values
        ]
        for number, fact in enumerate(problem.stated):
            equal = f"(= v_{fact.step} {_numeral(fact.value)})"
            claims.append(f"(not {equal})" if number in solved.untrue else equal)
        several = (
            f"(= v_{number} {_numeral(value)})"
            for number, values in enumerate(solved.values)
            if len(values) > 1
            for value in values
        )
        return self._follows(_all(claims)) and all(map(self._solver.satisfiable, several))

    def _options(self, problem: Problem, solved: Solved) -> bool:
        """Whether the right options are those that must be the answer."""
        (asked,) = problem.asked
        if len(solved.values[asked]) > 1:
            return solved.verdict == "unanswerable"
        claims = []
        for option, step in enumerate(problem.choices.values()):
            if solved.values[step]:
                equal = f"(= v_{step} v_{asked})"
                claims.append(equal if option in solved.fits else f"(not {equal})")
        return self._follows(_all(claims))

    def _bounds(self, bounds: Bounds, solved: Solved) -> bool:
        """Whether the right label is that of the times which z3 finds."""
        premise, claim = _side(bounds.premise), _side(bounds.claim)
        whole = () if bounds.dense else (f"(whole t k {bounds.grain})",)
        both = self._solver.satisfiable(premise, claim, *whole)
        apart = self._solver.satisfiable(premise, f"(not {claim})", *whole)
        if not both and not apart:
            return False
        label = LABELS[2] if both and apart else LABELS[0] if both else LABELS[1]
        return solved.fits == (LABELS.index(label),)

    def _times(self, times: Times, solved: Solved) -> bool:
        """Whether a minute is free exactly if it is in a free time; these do not touch."""
        busy = _any(f"(within k {entry.start} {entry.end})" for entry in times.entries)
        window = f"(within k {times.window[0]} {times.window[1]})"
        free = _any(f"(within k {start} {end})" for start, end in solved.free)
        ends = [end for _, end in solved.free]
        apart = all(end not in {start for start, _ in solved.free} for end in ends)
        whole = set(solved.free)
        right = [n for n, span in enumerate(times.options.values()) if tuple(span) in whole]
        same = f"(= {free} (and {window} (not {busy})))"
        return self._follows(same) and apart and list(solved.fits) == right


def _all(terms: list[str]) -> str:
    return f"(and true {' '.join(terms)})"


def _any(terms: Iterator[str]) -> str:
    return f"(or false {' '.join(terms)})"


def _numeral(number: int) -> str:
    return str(number) if number >= 0 else f"(- {-number})"


def _side(side: Side) -> str:
    return f"({side.relation} t (to_real v_{side.low}) (to_real v_{side.high}))"


def _constants(problem: Problem) -> dict[str, str]:
    steps = range(len(problem.steps))
    return {f"{name}_{n}": "Int" for n in steps for name in "vymd"} | {"k": "Int", "t": "Real"}


def _civil(number: int) -> str:
    return f"y_{number} m_{number} d_{number}"


def _terms(problem: Problem, n: int, step: Step) -> Iterator[str]:
    """What a step means, in the macros of the theory."""
    steps = problem.steps
    if is_day(steps, n):
        yield f"(day v_{n} {_civil(n)})"
    match step.op, step.arguments:
        case "date", (int(year), int(month), int(day)):
            yield f"(= y_{n} {_numeral(year)})"
            yield f"(= m_{n} {_numeral(month)})"
            yield f"(= d_{n} {_numeral(day)})"
        case "month", (int(year), int(month)):
            yield f"(= v_{n} (+ (* 12 {_numeral(year)}) {_numeral(month - 1)}))"
        case "count", (int(number),):
            yield f"(= v_{n} {_numeral(number)})"
        case "shift", (int(start), "month", int(months)) if is_day(steps, start):
            moved = f"{_civil(start)} {_numeral(months)} v_{n}"
            clipped = f"(clipped {moved} {_civil(n)})"
            yield f"(overflowing {moved})" if problem.overflow else clipped
        case "shift", (int(start), _, int(amount)):
            yield f"(= v_{n} (+ v_{start} {_numeral(amount)}))"
        case "nth", (int(start), int(weekday), int(number)):
            name = "nth_from" if number > 0 else "nth_up_to"
            yield f"({name} v_{start} {abs(number)} v_{n} {weekday})"
        case "bound", (int(start), str(side), int(months)):
            yield f"({side} y_{start} m_{start} {months} v_{n} y_{n} m_{n})"
        case "palindrome", (int(year),):
            yield f"(= y_{n} {year})"
            yield f"(palindrome {_civil(n)})"
        case "weekday", (int(start),):
            yield f"(= v_{n} (weekday v_{start}))"
        case "elapsed", (int(start), int(end), "month") if is_day(steps, start):
            yield f"(= v_{n} (months_between v_{start} {_civil(start)} v_{end} {_civil(end)}))"
        case "elapsed", (int(start), int(end), _):
            yield f"(= v_{n} (- v_{end} v_{start}))"
        case "cycle", (int(start), int(length)):
            yield f"(= v_{n} (mod v_{start} {length}))"
        case "either", (int(start), int(other)):
            yield f"(or (= v_{n} v_{start}) (= v_{n} v_{other}))"
