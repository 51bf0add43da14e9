"""The second engine: z3 confirms what ASP decides, and that nothing else is possible.

Where every step has one value, a step is confirmed from the values of the earlier ones, which are
confirmed before it: that no other value is possible then holds for the whole chain. Year, month and
day that ASP finds for a number are confirmed by computing the number; that a number has no others
is a theorem of the calendar, which the tests let z3 prove.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from grammar.calendar.steps import Step
from grammar.calendar.zones import Offset
from solver.calendar.encode import VOID, Solved, placed
from solver.calendar.model import (
    LABELS,
    Bounds,
    Meeting,
    Order,
    Problem,
    Side,
    Starts,
    Times,
    is_day,
    offsets,
)
from solver.smt import TheorySolver

THEORY = "calendar/calendar.smt2"


class CalendarSolver:
    """A z3 solver with ``encodings/calendar/calendar.smt2``."""

    def __init__(self) -> None:
        self._solver = TheorySolver(THEORY)

    def confirms(self, problem: Problem, solved: Solved) -> bool:
        """Whether z3 finds the same values, free times, right options and false facts."""
        missing = [step for step in problem.choices.values() if not solved.values[step]]
        self._solver.begin(problem.gold, _constants(problem), ())
        # Options that are no days are refuted one by one.
        if any(
            self._solver.satisfiable(*_terms(problem.steps, step, {}, problem.overflow))
            for step in missing
        ):
            return False
        absent = any(not values for n, values in enumerate(solved.values) if n not in missing)
        met = all(set(solved.values[a]) & set(solved.values[b]) for a, b in problem.same)
        if absent or not met:
            if solved.verdict != "contradictory" and VOID not in solved.fits:
                return False
            same = (f"(= v_{step} v_{other})" for step, other in problem.same)
            return not self._solver.satisfiable(*_chain(problem, missing), *same)
        if not self._values(problem, solved, missing):
            return False
        match problem.question:
            case Bounds() as bounds:
                return self._bounds(bounds, solved)
            case Times() | Starts() as times:
                return self._times(times, solved)
            case Order() as order:
                return self._order(order, solved)
            case Meeting() as meeting:
                return self._meeting(meeting, solved)
        return _options(problem, solved)

    def _follows(self, claim: str, *given: str) -> bool:
        return not self._solver.satisfiable(f"(not {claim})", *given)

    def _values(self, problem: Problem, solved: Solved, missing: Sequence[int]) -> bool:
        """Whether the values are possible, and no others; and which facts are false."""
        single = all(len(values) == 1 for n, values in enumerate(solved.values) if n not in missing)
        wrong = {
            number
            for number, fact in enumerate(problem.stated)
            if fact.value not in solved.values[fact.step]
        }
        if wrong != set(solved.untrue):
            return False
        return (self._stepwise if single else self._together)(problem, solved, missing)

    def _stepwise(self, problem: Problem, solved: Solved, missing: Sequence[int]) -> bool:
        """Whether each step has its value, given the values of the earlier steps."""
        known, possible, others = dict[int, _Known](), list[str](), list[str]()
        for number, values in enumerate(solved.values):
            if number in missing:
                continue
            terms = list(_terms(problem.steps, number, known, problem.overflow))
            value = _Known(values[0], solved.parts.get(number))
            others.append(_all([*terms, f"(not (= v_{number} {value.value}))"]))
            possible += [*terms, *value.equals(number)]
            known[number] = value
        return self._solver.satisfiable(*possible) and not self._solver.satisfiable(_any(others))

    def _together(self, problem: Problem, solved: Solved, missing: Sequence[int]) -> bool:
        """Whether the steps together have these values, some of them several."""
        chain = list(_chain(problem, missing))
        equal = [
            [f"(= v_{number} {_numeral(value)})" for value in values]
            for number, values in enumerate(solved.values)
            if values
        ]
        claim = _all(_any(terms) for terms in equal)
        several = (term for terms in equal if len(terms) > 1 for term in terms)
        return self._follows(claim, *chain) and all(
            self._solver.satisfiable(*chain, term) for term in several
        )

    def _bounds(self, bounds: Bounds, solved: Solved) -> bool:
        """Whether the right label is that of the times which z3 finds.

        Values are those that z3 has confirmed; bounds of several values leave the label open.
        """
        sides = (bounds.premise, bounds.claim)
        if any(len(solved.values[step]) > 1 for side in sides for step in (side.low, side.high)):
            return solved.verdict == "unanswerable"
        premise, claim = _side(bounds.premise, solved), _side(bounds.claim, solved)
        whole = () if bounds.dense else (f"(whole t k {bounds.grain})",)
        both = self._solver.satisfiable(premise, claim, *whole)
        apart = self._solver.satisfiable(premise, f"(not {claim})", *whole)
        if not both and not apart:
            return solved.verdict == "contradictory"
        label = LABELS[2] if both and apart else LABELS[0] if both else LABELS[1]
        return solved.fits == (LABELS.index(label),)

    def _times(self, times: Times | Starts, solved: Solved) -> bool:
        """Whether a minute is free exactly if it is in a free time; these do not touch."""
        busy = _any(f"(within k {entry.start} {entry.end})" for entry in times.entries)
        window = f"(within k {times.window[0]} {times.window[1]})"
        free = _any(f"(within k {start} {end})" for start, end in solved.free)
        starts = {start for start, _ in solved.free}
        apart = all(end not in starts for _, end in solved.free)
        if isinstance(times, Starts):
            number = sum(
                len(range(-(-start // times.grid), (end - times.length) // times.grid + 1))
                for start, end in solved.free
            )
            right = [0] if times.label == number else []
            same = f"(= {free} (and {window} (not {busy})))"
            return self._follows(same) and apart and list(solved.fits) == right
        right = [
            n for n, span in enumerate(times.options.values()) if tuple(span) in set(solved.free)
        ]
        same = f"(= {free} (and {window} (not {busy})))"
        return self._follows(same) and apart and list(solved.fits) == right

    def _order(self, order: Order, solved: Solved) -> bool:
        """Whether the entrants have these places, by comparing all pairs of their times."""

        def times(step: int, finer: int) -> list[str]:
            return [f"{_numeral(v)} {_numeral(w)}" for v in solved.values[step]
                    for w in solved.values[finer]]  # fmt: skip

        keys = [times(entrant.step, entrant.finer) for entrant in order.entrants]
        if any(len(key) != 1 for key in keys):
            return solved.verdict == "unanswerable" or solved.fits == (VOID,)
        limits = times(*order.limit) if order.limit is not None else []
        places = dict(solved.picked)
        claims = []
        for number, (key,) in enumerate(keys):
            before = [f"(earlier {other} {key})" for (other,) in keys]
            after = [f"(earlier {key} {other})" for (other,) in keys]
            held = {
                "first": f"(not {_any(before)})",
                "last": f"(not {_any(after)})",
                "before": _any(f"(earlier {key} {limit})" for limit in limits),
                "after": _any(f"(earlier {limit} {key})" for limit in limits),
                "at": _any(
                    f"(not (or (earlier {key} {limit}) (earlier {limit} {key})))"
                    for limit in limits
                ),
            }
            if order.pick in held:
                claims.append(held[order.pick] if number in places else f"(not {held[order.pick]})")
            else:
                ahead = before if order.pick == "ascending" else after
                count = " ".join(f"(ite {term} 1 0)" for term in ahead)
                claims.append(f"(= {places[number]} (+ 0 {count}))")
        if not self._follows(_all(claims)):
            return False
        if order.pick in ("ascending", "descending") and len(set(places.values())) < len(places):
            return solved.verdict == "unanswerable"
        if order.void and len(places) > 1 and order.pick in ("first", "last"):
            return solved.fits == (VOID,)
        same = order.label is not None and placed(order, order.label) == sorted(places.items())
        return solved.fits == ((0,) if same else ())

    def _meeting(self, meeting: Meeting, solved: Solved) -> bool:
        """Whether no longer meeting is possible, and this one at so many starts."""
        minutes, starts = solved.longest
        possible = 0
        for start in meeting.starts:
            # Who is busy in the first minute attends no meeting from then on.
            if any(_clashes(meeting, start)):
                continue
            held = _all(_held(meeting, start))
            # The end is k: z3 looks for one that is later than that of the longest meeting.
            if self._solver.satisfiable(held, f"(> k {start + minutes})"):
                return False
            if minutes:
                possible += self._solver.satisfiable(held, f"(= k {start + minutes})")
        right = tuple(meeting.stated) == solved.longest
        return possible == starts and (solved.fits == ((0,) if right else ()))


class _Known:
    """The value of a step, and of a day its parts, as numerals.

    Args:
        value: the value.
        parts: year, month and day.
    """

    def __init__(self, value: int, parts: tuple[int, int, int] | None) -> None:
        self.value = _numeral(value)
        self.parts = None if parts is None else tuple(map(_numeral, parts))

    def equals(self, number: int) -> Iterator[str]:
        """That the step has this value."""
        yield f"(= v_{number} {self.value})"
        if self.parts is not None:
            yield f"(day {self.value} {' '.join(self.parts)})"
            for name, part in zip("ymd", self.parts, strict=True):
                yield f"(= {name}_{number} {part})"


def _clashes(meeting: Meeting, start: int) -> Iterator[bool]:
    """Whether entries of the day have a minute in common with a meeting of one minute."""
    for need in meeting.needs:
        first, last = start - need.before, start + 1 + need.after
        for entry in meeting.entries:
            if entry.person == need.person and entry.start // 1440 == start // 1440:
                yield entry.start < last and first < entry.end


def _held(meeting: Meeting, start: int) -> Iterator[str]:
    """What a meeting from a minute to the minute k has to meet, by the entries of its day."""
    day = start // (24 * 60)
    for need in meeting.needs:
        yield f"(<= {start + need.least[day]} k)"
        if need.most[day] >= 0:
            yield f"(<= k {start + need.most[day]})"
        for entry in meeting.entries:
            if entry.person == need.person and entry.start // (24 * 60) == day:
                begin = _numeral(start - need.before)
                yield f"(attended {begin} (+ k {_numeral(need.after)}) {entry.start} {entry.end})"


def _options(problem: Problem, solved: Solved) -> bool:
    """Whether the right options are those whose value is the single answer."""
    (asked,) = problem.asked
    if len(solved.values[asked]) > 1:
        return solved.verdict == "unanswerable" or solved.fits == (VOID,)
    steps = enumerate(problem.choices.values())
    fits = tuple(n for n, step in steps if solved.values[step] == solved.values[asked])
    return solved.fits == fits


def _chain(problem: Problem, missing: Sequence[int]) -> Iterator[str]:
    for number in range(len(problem.steps)):
        if number not in missing:
            yield from _terms(problem.steps, number, {}, problem.overflow)


def _all(terms: Iterable[str]) -> str:
    return f"(and true {' '.join(terms)})"


def _any(terms: Iterable[str]) -> str:
    return f"(or false {' '.join(terms)})"


def _numeral(number: int) -> str:
    return str(number) if number >= 0 else f"(- {-number})"


def _side(side: Side, solved: Solved) -> str:
    low, high = (f"(to_real {_numeral(solved.values[step][0])})" for step in (side.low, side.high))
    return f"({side.relation} t {low} {high})"


def _constants(problem: Problem) -> dict[str, str]:
    steps = range(len(problem.steps))
    return {f"{name}_{n}": "Int" for n in steps for name in "vymd"} | {"k": "Int", "t": "Real"}


def _shown(moment: str, time: str, offset: Offset) -> str:
    return f"(shown {moment} {time} {offset.first} {offset.end} {_numeral(offset.minutes)})"


def _terms(
    steps: Sequence[Step], n: int, known: Mapping[int, _Known], overflow: bool
) -> Iterator[str]:
    """What a step means, in the macros of the theory; known values are numerals."""

    def value(number: int) -> str:
        return known[number].value if number in known else f"v_{number}"

    def parts(number: int, count: int = 3) -> str:
        named = known[number].parts if number in known else None
        return " ".join((named or [f"{name}_{number}" for name in "ymd"])[:count])

    step = steps[n]
    if step.op == "date":
        # With numerals z3 computes the number of the day at once.
        written = [_numeral(int(part)) for part in step.arguments]
        yield f"(day v_{n} {' '.join(written)})"
        yield from (f"(= {name}_{n} {part})" for name, part in zip("ymd", written, strict=True))
    elif is_day(steps, n) and (not known or step.op == "palindrome"):
        yield f"(day v_{n} {parts(n)})"
    match step.op, step.arguments:
        case "month", (int(year), int(month)):
            yield f"(= v_{n} (+ (* 12 {_numeral(year)}) {_numeral(month - 1)}))"
        case "count", (int(number),):
            yield f"(= v_{n} {_numeral(number)})"
        case "shift", (int(start), "month", int(months)) if is_day(steps, start):
            moved = f"{parts(start)} {_numeral(months)} v_{n}"
            yield f"(overflowing {moved})" if overflow else f"(clipped {moved} {parts(n)})"
        case "shift", (int(start), _, int(amount)):
            yield f"(= v_{n} (+ {value(start)} {_numeral(amount)}))"
        case "nth", (int(start), int(weekday), int(number)):
            name = "nth_from" if number > 0 else "nth_up_to"
            yield f"({name} {value(start)} {abs(number)} v_{n} {weekday})"
        case "bound", (int(start), str(side), int(months)):
            yield f"({side} {parts(start, 2)} {months} v_{n} {parts(n, 2)})"
        case "palindrome", (int(year),):
            yield f"(= y_{n} {year})"
            yield f"(palindrome {parts(n)})"
        case "weekday", (int(start),):
            yield f"(= v_{n} (weekday {value(start)}))"
        case "elapsed", (int(start), int(end), "month") if is_day(steps, start):
            first, last = (f"{value(step)} {parts(step)}" for step in (start, end))
            yield f"(= v_{n} (months_between {first} {last}))"
        case "elapsed", (int(start), int(end), _):
            yield f"(= v_{n} (- {value(end)} {value(start)}))"
        case "cycle", (int(start), int(length)):
            yield f"(= v_{n} (mod {value(start)} {length}))"
        case "ratio", (int(start), int(times), int(over)):
            yield f"(= v_{n} (div (* {value(start)} {_numeral(times)}) {over}))"
        case "size", (int(start),):
            yield f"(= v_{n} (abs {value(start)}))"
        case "recur", (int(start), int(length), int(after)):
            yield f"(recurs {value(start)} {length} {value(after)} v_{n})"
        case "within", (int(start), int(end), int(weekday), int(number)):
            days = f"{value(start)} {value(end)} {weekday} {number} v_{n}"
            yield f"(days_within {days})"
        case "upto", (int(start), int(end), int(number)):
            at_most = f"(<= {value(start)} {value(end)})"
            yield f"(= v_{n} (ite {at_most} {value(start)} {_numeral(number)}))"
        case "local", (int(start), _):
            yield _any(_shown(value(start), f"v_{n}", each) for each in offsets(steps, n))
        case "utc", (int(start), _):
            yield _any(_shown(f"v_{n}", value(start), each) for each in offsets(steps, n))
        case "either", (int(start), int(other)):
            yield f"(or (= v_{n} {value(start)}) (= v_{n} {value(other)}))"
