"""Decides batches of problems about positions with ``encodings/positions``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from grammar.positions.model import Asks
from solver.asp import Program
from solver.encodings import Fact, written
from solver.positions.model import LABELS, Problem
from solver.verification.outcomes import Verdict

GRID = "positions/grid.lp"
ROUTES = "positions/routes.lp"
VISITS = "positions/visits.lp"
ENCODINGS = (GRID, ROUTES, VISITS)


class Point(Fact, predicate="point"):
    """A point of an item."""

    item: int
    point: int


class GapRow(Fact, predicate="gap"):
    """A difference of coordinates."""

    item: int
    axis: int
    high: int
    low: int
    least: int


class Limit(Fact, predicate="limit"):
    """The largest sum of a walk without repeats."""

    item: int
    sum: int


class Asked(Fact, predicate="asked"):
    """The points that a question is about."""

    item: int
    subject: int
    object: int


class Gold(Fact, predicate="gold"):
    """The label of a question where a point is."""

    item: int
    east: int
    north: int


class Wanted(Fact, predicate="wanted"):
    """A side that a question asks about."""

    item: int
    axis: int
    side: int


class Stated(Fact, predicate="stated"):
    """The label of a question whether a point is on some sides."""

    item: int
    label: str


class Apart(Fact, predicate="apart"):
    """Points of the item are at different places."""

    item: int


class Neighbour(Fact, predicate="neighbour"):
    """A room next to another."""

    item: int
    room: int
    other: int
    direction: str


class Route(Fact, predicate="route"):
    """A question for a way."""

    item: int
    start: int
    goal: int


class Move(Fact, predicate="move"):
    """A move of the label."""

    item: int
    number: int
    direction: str


class Moves(Fact, predicate="moves"):
    """Number of moves of the label."""

    item: int
    number: int


class VisitRow(Fact, predicate="visit"):
    """A visit to a place."""

    item: int
    number: int
    person: int
    place: int
    time: int


class Before(Fact, predicate="before"):
    """A question where a person was before a place."""

    item: int
    person: int
    place: int


class Chosen(Fact, predicate="chosen"):
    """Which visit is meant."""

    item: int
    visit: str


class GoldPlace(Fact, predicate="gold"):
    """The label of a question about visits."""

    item: int
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AspAnswer:
    """What the encodings derive of a problem.

    Attributes:
        verdict: about the label.
        sides: possible signs of the difference on each axis; empty sets unless points are asked.
        places: numbers of the places that may be the previous one.
    """

    verdict: Verdict
    sides: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())
    places: frozenset[int] = field(default_factory=frozenset)


def asp_answers(problems: Sequence[Problem]) -> list[AspAnswer]:
    """Decide problems, each family of questions with its encoding."""
    answers: dict[int, AspAnswer] = {}
    for encoding, asked in ((GRID, (Asks.WHERE, Asks.WHETHER)), (ROUTES, (Asks.ROUTE,)),
                            (VISITS, (Asks.BEFORE,))):  # fmt: skip
        chosen = [
            (number, problem)
            for number, problem in enumerate(problems)
            if problem.story.question.asks in asked
        ]
        if chosen:
            answers.update(_decided(encoding, chosen))
    return [answers[number] for number in range(len(problems))]


def _decided(
    encoding: str, chosen: Sequence[tuple[int, Problem]]
) -> Iterator[tuple[int, AspAnswer]]:
    facts = " ".join(
        written(fact for number, problem in chosen for fact in _facts(number, problem))
    )
    verdicts: dict[int, str] = {}
    sides: dict[tuple[int, int], set[int]] = {}
    places: dict[int, set[int]] = {}
    for atom in Program(encodings=(encoding,)).unique_model(facts):
        match atom.name, atom.arguments:
            case "verdict", (int(item), str(verdict)):
                assert item not in verdicts, "an encoding derives one verdict for each item"
                verdicts[item] = verdict
            case "possible", (int(item), int(axis), int(side)):
                sides.setdefault((item, axis), set()).add(side)
            case "previous", (int(item), int(place)):
                places.setdefault(item, set()).add(place)
    for number, _ in chosen:
        east, north = (frozenset(sides.get((number, axis), ())) for axis in (0, 1))
        yield (
            number,
            AspAnswer(
                verdict=Verdict(verdicts[number].replace("_", "-")),
                sides=(east, north),
                places=frozenset(places.get(number, ())),
            ),
        )


def _facts(item: int, problem: Problem) -> Iterator[Fact]:
    question = problem.story.question
    subject, other = problem.points[question.subject], problem.points[question.object]
    if question.asks is Asks.BEFORE:
        yield from _visit_facts(item, problem, subject, other)
        return
    for name in problem.story.points:
        yield Point(item=item, point=problem.points[name])
    for gap in dict.fromkeys(gap[:4] for gap in problem.gaps):
        axis, high, low, least = gap
        yield GapRow(item=item, axis=axis, high=high, low=low, least=least)
    yield Limit(item=item, sum=problem.limit)
    if problem.of("rooms") == "apart":
        yield Apart(item=item)
    if question.asks is Asks.ROUTE:
        yield Route(item=item, start=subject, goal=other)
        yield Moves(item=item, number=len(problem.moves))
        for number, move in enumerate(problem.moves):
            yield Move(item=item, number=number, direction=move)
        for room, beside, move in dict.fromkeys(problem.neighbours):
            yield Neighbour(item=item, room=room, other=beside, direction=move)
        return
    yield Asked(item=item, subject=subject, object=other)
    if question.asks is Asks.WHERE:
        east, north = LABELS[problem.gold]
        yield Gold(item=item, east=east, north=north)
    else:
        yield Stated(item=item, label=problem.gold)
        yield from (Wanted(item=item, axis=axis, side=side) for axis, side in problem.wanted)


def _visit_facts(item: int, problem: Problem, person: int, place: int) -> Iterable[Fact]:
    yield Before(item=item, person=person, place=place)
    yield Chosen(item=item, visit=problem.of("visit"))
    yield GoldPlace(item=item, place=problem.points.get(problem.gold, -1))
    for number, visit in enumerate(problem.story.visits):
        yield VisitRow(
            item=item,
            number=number,
            person=problem.points[visit.visitor],
            place=problem.points[visit.place],
            time=visit.time,
        )
