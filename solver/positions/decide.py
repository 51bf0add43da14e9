"""Decides problems about positions: two engines that must agree, evidence, and its check."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise, product
from typing import Any

from grammar.positions.model import Asks
from solver.positions import check
from solver.positions.encode import ENCODINGS, AspAnswer, asp_answers
from solver.positions.engine import GridSolver, Walk, arrivals, placement, route, walk
from solver.positions.model import AXES, NAMES, Gap, Problem
from solver.verification.outcomes import Outcome, Verdict
from solver.verification.run import DisagreementError

_FAR = 1_000
"""Distance at which parts of a story that nothing relates are placed from each other."""


@cache
def _smt() -> GridSolver:
    return GridSolver()


def decide(problems: Sequence[Problem]) -> list[Outcome]:
    """Decide problems, in order.

    Raises:
        DisagreementError: ASP and z3 disagree, or the checker rejects a certificate.
    """
    answers = asp_answers(problems)
    for number in _smt().unconfirmed(problems, answers):
        raise _disagreement("ASP and z3 disagree", problems[number])
    outcomes = [
        _outcome(problem, answer) for problem, answer in zip(problems, answers, strict=True)
    ]
    for problem, outcome in zip(problems, outcomes, strict=True):
        case = {"verdict": outcome.verdict.value, "decided": outcome.decided, **outcome.certificate}
        fault = check.fault_of_case(case, problem.gold)
        if fault is not None:
            raise _disagreement(f"the certificate is rejected: {fault}", problem)
    return outcomes


def _disagreement(message: str, problem: Problem) -> DisagreementError:
    text = f"{' '.join(problem.story.sentences)} {problem.story.asked} ({problem.gold})"
    return DisagreementError(
        message, where=text, name="positions", program=text, encodings=ENCODINGS
    )


def _outcome(problem: Problem, answer: AspAnswer) -> Outcome:
    question = problem.story.question
    known = {question.subject, question.object} <= set(problem.story.points)
    evidence: Mapping[str, Any] = {}
    if question.asks is Asks.BEFORE:
        decided, proof = _previous(problem, answer)
    elif not known and question.asks is not Asks.ROUTE:
        missing = next(n for n in (question.subject, question.object)
                       if n not in problem.story.points)  # fmt: skip
        decided, proof = None, [f"{missing} does not occur in the story"]
    elif answer.verdict is Verdict.CONTRADICTORY:
        decided, (evidence, proof) = None, _contradiction(problem)
    elif question.asks is Asks.ROUTE:
        decided, evidence, proof = _way(problem)
    else:
        decided, evidence, proof = _places(problem, answer)
    for number in problem.story.unclear:
        proof.append(
            f"“{problem.story.sentences[number]}” does not say where one point is from another"
        )
    return Outcome(
        verdict=answer.verdict,
        decided=decided,
        certificate={
            **problem.quoted(),
            "phrases": [
                {"text": phrase.text, "means": list(phrase.means)}
                for phrase in problem.story.phrases
            ],
            "under": dict(problem.reading),
            **evidence,
        },
        proof="\n".join(proof),
    )


def _named(problem: Problem, placed: Mapping[int, Sequence[int]]) -> dict[str, list[int]]:
    names = {number: name for name, number in problem.points.items()}
    return {names[number]: list(spot) for number, spot in placed.items()}


def _walk_named(problem: Problem, found: Walk) -> list[Any]:
    names = {number: name for name, number in problem.points.items()}
    return [found[0], [names[number] for number in found[1]]]


def _contradiction(problem: Problem) -> tuple[Mapping[str, Any], list[str]]:
    """A cycle of statements that cannot all be true, or two rooms at one place."""
    cycle = placement(problem)
    if isinstance(cycle, tuple):
        named = _walk_named(problem, cycle)
        way = " → ".join(named[1])
        sentences = " ".join(_sentences(problem, cycle))
        return {"walks": [named]}, [
            f"to the {AXES[cycle[0]]}, {way} would be a way round to a point beyond itself:"
            f" {sentences}"
        ]
    for p, q in product(problem.points.values(), repeat=2):
        ways = [walk(problem, axis, *way) for axis in (0, 1) for way in ((p, q), (q, p))]
        if p < q and all(found is not None and found[0] == 0 for found in ways):
            walks = [_walk_named(problem, found[1]) for found in ways if found is not None]
            first, last = walks[0][1][0], walks[0][1][-1]
            return {"walks": walks}, [f"{first} and {last} would be at one place"]
    raise _disagreement("no contradiction is found", problem)


def _sentences(problem: Problem, found: Walk) -> Iterator[str]:
    """The sentences of the steps of a walk, each once."""
    axis, points = found
    numbers = dict.fromkeys(
        max(
            (gap for gap in problem.gaps if gap[:3] == (axis, high, low)),
            key=lambda gap: gap.least,
        ).sentence
        for low, high in pairwise(points)
    )
    return (f"“{problem.story.sentences[number]}”" for number in numbers)


def _apart(problem: Problem, placed: Mapping[int, Sequence[int]]) -> Mapping[int, Sequence[int]]:
    """The placement with parts that nothing relates far from each other."""
    part = {number: number for number in placed}

    def root(number: int) -> int:
        while part[number] != number:
            number = part[number]
        return number

    for gap in problem.gaps:
        part[root(gap.high)] = root(gap.low)
    if problem.of("rooms") != "apart":
        return placed
    return {number: (spot[0] + _FAR * root(number), spot[1]) for number, spot in placed.items()}


def _placed(problem: Problem, extra: Sequence[Gap] = ()) -> dict[str, list[int]]:
    found = placement(problem, extra)
    if isinstance(found, tuple):
        raise _disagreement("no placement is found", problem)
    return _named(problem, _apart(problem, found))


def _towards(problem: Problem, signs: Sequence[int]) -> list[Gap]:
    """Differences by which the point asked about is on some sides of the other one."""
    question = problem.story.question
    subject, other = problem.points[question.subject], problem.points[question.object]
    gaps = []
    for axis, side in enumerate(signs):
        if side >= 0:
            gaps.append(Gap(axis, subject, other, side, -1))
        if side <= 0:
            gaps.append(Gap(axis, other, subject, -side, -1))
    return gaps


def _label(problem: Problem, signs: Sequence[int]) -> str:
    if problem.story.question.asks is Asks.WHERE:
        return NAMES[signs[0], signs[1]]
    return "yes" if all(signs[axis] == side for axis, side in problem.wanted) else "no"


def _places(problem: Problem, answer: AspAnswer) -> tuple[str | None, Mapping[str, Any], list[str]]:
    """The answer of a question about two points, with placements and walks."""
    question = problem.story.question
    cases = {_label(problem, signs): signs for signs in product(*map(sorted, answer.sides))}
    subject, other = problem.points[question.subject], problem.points[question.object]
    shown = list(cases.items())[:2]
    placements = [_placed(problem, _towards(problem, signs)) for _, signs in shown]
    if len(cases) > 1:
        spots = [
            f"{_spot(placed, question.subject, question.object)} ({label})"
            for placed, (label, _) in zip(placements, shown, strict=True)
        ]
        return (
            None,
            {"placements": placements},
            [f"{question.subject} may be {' or '.join(spots)}"],
        )
    walks = [
        found[1]
        for axis in (0, 1)
        for way in ((other, subject), (subject, other))
        if (found := walk(problem, axis, *way)) is not None and found[0] >= 0
    ]
    decided = next(iter(cases))
    ways = dict.fromkeys(text for found in walks for text in _sentences(problem, found))
    lines = [f"from {text}" for text in ways]
    spot = _spot(placements[0], question.subject, question.object)
    lines.append(f"{question.subject} is {spot}: {decided}")
    evidence = {
        "placements": placements,
        "walks": [_walk_named(problem, found) for found in walks],
    }
    return decided, evidence, lines


def _spot(placed: Mapping[str, Sequence[int]], subject: str, other: str) -> str:
    """Where a point is from another in a placement, in words."""
    east, north = (placed[subject][axis] - placed[other][axis] for axis in (0, 1))
    parts = [
        f"{abs(number)} {words[number < 0]}"
        for number, words in ((east, ("right", "left")), (north, ("up", "down")))
        if number
    ]
    return f"{' and '.join(parts)} of {other}" if parts else f"at the place of {other}"


def _way(problem: Problem) -> tuple[str | None, Mapping[str, Any], list[str]]:
    """The answer of a question for a route, with a placement of the rooms."""
    question = problem.story.question
    shortest = route(problem)
    if shortest is None:
        return None, {}, [f"no stated way leads from {question.subject} to {question.object}"]
    evidence = {"placements": [_placed(problem)]}
    names = {number: name for name, number in problem.points.items()}
    ends = arrivals(problem, problem.moves)
    if problem.points[question.object] in ends:
        return problem.gold, evidence, [f"{problem.gold} leads to {question.object}"]
    where = ", ".join(sorted(names[room] for room in ends)) or "no room"
    decided = ",".join(shortest)
    return (
        decided,
        evidence,
        [f"{problem.gold} leads to {where}; {decided} leads to {question.object}"],
    )


def _previous(problem: Problem, answer: AspAnswer) -> tuple[str | None, list[str]]:
    """The answer of a question about visits."""
    question = problem.story.question
    names = {number: name for name, number in problem.points.items()}
    visits = sorted(
        (visit for visit in problem.story.visits if visit.visitor == question.subject),
        key=lambda visit: visit.time,
    )
    order = ", ".join(visit.place for visit in visits)
    places = sorted(names[number] for number in answer.places)
    lines = [f"{question.subject} was at: {order}" if order else f"{question.subject} was nowhere"]
    if answer.verdict is Verdict.UNANSWERABLE:
        lines.append(f"before {question.object}: {' or '.join(places) or 'nowhere'}")
        return None, lines
    lines.append(f"before the {problem.of('visit')} visit to {question.object}: {places[0]}")
    return places[0], lines
