"""The second engine: z3 confirms what the encodings derive; walks and placements are evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from grammar.positions.model import Asks
from solver.positions.encode import AspAnswer
from solver.positions.model import AXES, LABELS, Gap, Problem
from solver.smt import TheorySolver
from solver.verification.outcomes import Verdict

GRID = "positions/grid.smt2"
_SIDES = {-1: "short_of", 0: "level", 1: "beyond"}
_TOGETHER = 20
"""Problems in one query."""
_PLACED = (Asks.WHERE, Asks.WHETHER, Asks.ROUTE)


class GridSolver:
    """A z3 solver with ``encodings/positions/grid.smt2``."""

    def __init__(self) -> None:
        self._solver = TheorySolver(GRID)

    def unconfirmed(self, problems: Sequence[Problem], answers: Sequence[AspAnswer]) -> list[int]:
        """Indices of the problems about which z3 does not find the same, some asked at once."""
        pairs = list(zip(problems, answers, strict=True))
        found = []
        for start in range(0, len(pairs), _TOGETHER):
            chunk = pairs[start : start + _TOGETHER]
            if not self._confirms(chunk):
                found += [start + n for n, pair in enumerate(chunk) if not self._confirms([pair])]
        return found

    def _confirms(self, pairs: Sequence[tuple[Problem, AspAnswer]]) -> bool:
        placed = [pair for pair in pairs if pair[0].story.question.asks in _PLACED]
        visited = [pair for pair in pairs if pair[0].story.question.asks is Asks.BEFORE]
        impossible = [pair for pair in placed if pair[1].verdict is Verdict.CONTRADICTORY]
        possible = [
            (problem, answer)
            for problem, answer in placed
            if answer.verdict is not Verdict.CONTRADICTORY and not moot(problem)
        ]
        return (
            (not possible or self._placeable(possible))
            and all(self._impossible(*pair) for pair in impossible)
            and all(self._precedes(problem, answer) for problem, answer in visited)
            and all(derived(problem, answer) is answer.verdict for problem, answer in placed)
        )

    def _begin(self, pairs: Sequence[tuple[Problem, AspAnswer]]) -> None:
        """State the stories of some problems, which share no points."""
        sorts: dict[str, str] = {}
        terms: list[str] = []
        for item, (problem, _) in enumerate(pairs):
            numbers = problem.points.values()
            sorts |= {f"{x}_{item}_{number}": "Int" for x in "xy" for number in numbers}
            terms += dict.fromkeys(
                f"(gap {'xy'[axis]}_{item}_{high} {'xy'[axis]}_{item}_{low} {_numeral(least)})"
                for axis, high, low, least, _ in problem.gaps
            )
            if problem.of("rooms") == "apart":
                terms += (
                    f"(apart x_{item}_{p} y_{item}_{p} x_{item}_{q} y_{item}_{q})"
                    for p, q in combinations(numbers, 2)
                )
        # One conjunction: z3's conversion of each assertion takes longer than its decision.
        self._solver.begin("positions", sorts, [f"(and true {' '.join(terms)})"])

    def _impossible(self, problem: Problem, answer: AspAnswer) -> bool:
        self._begin([(problem, answer)])
        return not self._solver.satisfiable()

    def _placeable(self, pairs: Sequence[tuple[Problem, AspAnswer]]) -> bool:
        """Whether exactly the sides that are derived as possible are possible.

        Stories share no points, so that impossible sides of all of them are refuted together, and
        possible ones are tried together, one of each story and axis at a time.
        """
        self._begin(pairs)
        refuted: list[str] = []
        tried: list[list[str]] = [[], [], []]
        for item, (problem, answer) in enumerate(pairs):
            question = problem.story.question
            if question.asks is Asks.ROUTE:
                continue
            subject, other = problem.points[question.subject], problem.points[question.object]
            for name, sides in zip("xy", answer.sides, strict=True):
                terms = {
                    side: f"({macro} {name}_{item}_{subject} {name}_{item}_{other})"
                    for side, macro in _SIDES.items()
                }
                refuted += (terms[side] for side in _SIDES if side not in sides)
                for number, terms_tried in enumerate(tried):
                    terms_tried.append(terms[sorted(sides)[number % len(sides)]])
        several = max((len(sides) for _, answer in pairs for sides in answer.sides), default=0)
        if not all(
            self._solver.satisfiable(f"(and true {' '.join(terms)})")
            for terms in tried[: max(1, several)]
        ):
            return False
        return not (refuted and self._solver.satisfiable(f"(or false {' '.join(refuted)})"))

    def _precedes(self, problem: Problem, answer: AspAnswer) -> bool:
        """Whether the previous place is in every order of the visits the one that is derived."""
        question = problem.story.question
        visits = [v for v in problem.story.visits if v.visitor == question.subject]
        times = [f"t_{number}" for number in range(len(visits))]
        pairs = list(combinations(range(len(visits)), 2))
        terms = [
            f"(distinct {times[u]} {times[v]})"
            if visits[u].time == visits[v].time
            else f"(earlier {times[min(u, v, key=lambda n: visits[n].time)]}"
            f" {times[max(u, v, key=lambda n: visits[n].time)]})"
            for u, v in pairs
        ]
        self._solver.begin("visits", dict.fromkeys(times, "Int"), terms)
        targets = [n for n, visit in enumerate(visits) if visit.place == question.object]
        others = [n for n, visit in enumerate(visits) if visit.place != question.object]
        last = problem.of("visit") == "last"

        def meant(target: int) -> Iterator[str]:
            for other in targets:
                if other != target:
                    pair = (other, target) if last else (target, other)
                    yield f"(earlier {times[pair[0]]} {times[pair[1]]})"

        def previous(target: int, other: int) -> str:
            between = (
                f"(not (within {times[other]} {times[n]} {times[target]}))"
                for n in others
                if n != other
            )
            parts = (*meant(target), f"(earlier {times[other]} {times[target]})", *between)
            return f"(and true {' '.join(parts)})"

        def some(place: str) -> str:
            cases = (previous(t, o) for t in targets for o in others if visits[o].place == place)
            return f"(or false {' '.join(cases)})"

        places = sorted({visits[number].place for number in others})
        fitting = [place for place in places if self._solver.satisfiable(some(place))]
        none = self._solver.satisfiable(f"(not (or false {' '.join(map(some, places))}))")
        verdict = Verdict.UNANSWERABLE
        if len(fitting) == 1 and not none:
            verdict = Verdict.RIGHT if fitting[0] == problem.gold else Verdict.WRONG
        return answer.verdict is verdict


def derived(problem: Problem, answer: AspAnswer) -> Verdict:
    """The verdict that follows from the possible sides, or from walking the moves of a route."""
    question = problem.story.question
    if moot(problem):
        return Verdict.UNANSWERABLE
    if answer.verdict is Verdict.CONTRADICTORY:
        return answer.verdict
    if question.asks is Asks.ROUTE:
        arrives = problem.points[question.object] in arrivals(problem, problem.moves)
        return Verdict.RIGHT if arrives else Verdict.WRONG
    if question.asks is Asks.WHERE:
        if any(len(sides) != 1 for sides in answer.sides):
            return Verdict.UNANSWERABLE
        found = tuple(next(iter(sides)) for sides in answer.sides)
        return Verdict.RIGHT if LABELS[problem.gold] == found else Verdict.WRONG
    if all(answer.sides[axis] == {side} for axis, side in problem.wanted):
        true = "yes"
    elif any(side not in answer.sides[axis] for axis, side in problem.wanted):
        true = "no"
    else:
        return Verdict.UNANSWERABLE
    return Verdict.RIGHT if problem.gold == true else Verdict.WRONG


def moot(problem: Problem) -> bool:
    """Whether the story does not mention what is asked about, or no way leads there."""
    question = problem.story.question
    if question.asks is Asks.ROUTE:
        return route(problem) is None
    return not {question.subject, question.object} <= set(problem.story.points)


def arrivals(problem: Problem, moves: Sequence[str]) -> set[int]:
    """The rooms to which moves lead from the start of a route."""
    rooms = {problem.points[problem.story.question.subject]}
    for move in moves:
        rooms = {
            room for room, beside, towards in problem.neighbours
            if towards == move and beside in rooms
        }  # fmt: skip
    return rooms


def route(problem: Problem) -> tuple[str, ...] | None:
    """A shortest route that a question asks for, the first one in order; None if there is none."""
    question = problem.story.question
    start, goal = problem.points[question.subject], problem.points[question.object]
    ways: dict[int, tuple[str, ...]] = {start: ()}
    level = [start]
    while level and goal not in ways:
        found: dict[int, tuple[str, ...]] = {}
        for room, beside, move in problem.neighbours:
            if beside in level and room not in ways:
                way = (*ways[beside], move)
                found[room] = min(found.get(room, way), way)
        ways |= found
        level = list(found)
    return ways.get(goal)


Walk = tuple[int, tuple[int, ...]]
"""An axis and points, each of which is at least some number beyond the one before it."""


def placement(problem: Problem, extra: Iterable[Gap] = ()) -> Mapping[int, list[int]] | Walk:
    """Coordinates of the points that satisfy all gaps and further ones, or a cycle against it."""
    gaps = [*problem.gaps, *extra]
    placed: dict[int, list[int]] = {number: [] for number in problem.points.values()}
    for axis in range(len(AXES)):
        potentials = _longest([gap for gap in gaps if gap.axis == axis], dict.fromkeys(placed, 0))
        if isinstance(potentials, tuple):
            return axis, potentials
        for number, potential in potentials.items():
            placed[number].append(potential)
    return placed


def walk(problem: Problem, axis: int, start: int, goal: int) -> tuple[int, Walk] | None:
    """The largest sum of gaps on a way from a point to another, with the way; None if none."""
    before: dict[int, int] = {}
    gaps = [gap for gap in problem.gaps if gap.axis == axis]
    sums = _longest(gaps, {start: 0}, before)
    if isinstance(sums, tuple) or goal not in sums:
        return None
    points = [goal]
    while points[-1] != start:
        points.append(before[points[-1]])
    return sums[goal], (axis, tuple(reversed(points)))


def _longest(
    gaps: Sequence[Gap], sums: dict[int, int], before: dict[int, int] | None = None
) -> dict[int, int] | tuple[int, ...]:
    """Largest sums of walks from points with given sums, or a cycle of positive sum."""
    before = {} if before is None else before
    sums = dict(sums)
    changed = -1
    for _ in range(2 * len(gaps) + 2):
        changed = -1
        for gap in gaps:
            if gap.low in sums and sums[gap.low] + gap.least > sums.get(gap.high, -(1 << 60)):
                sums[gap.high] = sums[gap.low] + gap.least
                before[gap.high] = changed = gap.low
        if changed < 0:
            return sums
    seen = [changed]
    while seen.count(seen[-1]) < 2:
        seen.append(before[seen[-1]])
    cycle = seen[seen.index(seen[-1]) :]
    return tuple(reversed(cycle))


def _numeral(number: int) -> str:
    return str(number) if number >= 0 else f"(- {-number})"
