"""Problems about positions: a story under a reading, as differences of coordinates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from grammar.positions.model import DIRECTIONS, Asks, Relation, Sides, Story

Reading: TypeAlias = Mapping[str, str]
"""A value for each convention of ``CONVENTIONS``."""

CONVENTIONS: Mapping[str, Mapping[str, str]] = {
    "steps": {"unit": "a step has length 1", "any": "a step has any length"},
    "rows": {
        "kept": "left and right keep the row, above and below the column",
        "free": "left, right, above and below say nothing about the other axis",
    },
    "front": {
        "unclear": "front and back are no directions of the plane",
        "upper": "the front is the upper side",
    },
    "rooms": {"shared": "two rooms may be at one place", "apart": "no two rooms are at one place"},
    "visit": {
        "last": "a place visited twice means the last visit",
        "first": "a place visited twice means the first visit",
    },
}
"""The meaning of each value of each convention; the first one is the default."""

DEFAULT: Reading = {name: next(iter(values)) for name, values in CONVENTIONS.items()}

LABELS: Mapping[str, Sides] = {
    "above": (0, 1),
    "upper-right": (1, 1),
    "right": (1, 0),
    "lower-right": (1, -1),
    "below": (0, -1),
    "lower-left": (-1, -1),
    "left": (-1, 0),
    "upper-left": (-1, 1),
    "overlap": (0, 0),
}
"""The labels of questions where a point is, as signs of differences."""

NAMES: Mapping[Sides, str] = {sides: label for label, sides in LABELS.items()}
MOVES: Mapping[str, Sides] = {"n": (0, 1), "s": (0, -1), "e": (1, 0), "w": (-1, 0)}
"""The labels of moves of a route."""

AXES = ("east", "north")


class Gap(NamedTuple):
    """On an axis, the coordinate of ``high`` is at least that of ``low`` plus ``least``."""

    axis: int
    high: int
    low: int
    least: int
    sentence: int


@dataclass(frozen=True, kw_only=True)
class Problem:
    """A story under a reading, with the label of its question.

    Attributes:
        story: as read.
        gold: the label, as the file has it.
        reading: values of conventions; the defaults for others.
    """

    story: Story
    gold: str
    reading: Reading

    @cached_property
    def points(self) -> Mapping[str, int]:
        """Numbers of the points of the story; those of the question alone come last."""
        question = self.story.question
        names = dict.fromkeys((*self.story.points, question.subject, question.object))
        return {name: number for number, name in enumerate(names)}

    def of(self, convention: str) -> str:
        """The value of a convention."""
        return self.reading.get(convention, DEFAULT[convention])

    @cached_property
    def gaps(self) -> tuple[Gap, ...]:
        """The differences that the statements mean."""
        return tuple(
            dict.fromkeys(
                gap
                for relation in self.story.relations
                if relation.subject != relation.object
                for gap in self._gaps(relation)
            )
        )

    def _gaps(self, relation: Relation) -> Iterator[Gap]:
        exact = relation.length is not None or self.of("steps") == "unit"
        length = 1 if relation.length is None else relation.length
        subject, other = self.points[relation.subject], self.points[relation.object]
        for axis, side in enumerate(self._sides(relation)):
            if side is None:
                continue
            least = length * side
            high, low = (subject, other) if side >= 0 else (other, subject)
            yield Gap(axis, high, low, abs(least), relation.sentence)
            if exact or side == 0:
                yield Gap(axis, low, high, -abs(least), relation.sentence)

    def _sides(self, relation: Relation) -> tuple[int | None, int | None]:
        """Signs of the differences to the east and the north; None if one is not stated."""
        name = relation.direction
        if name == "front":
            return (1, 1) if self.of("front") == "upper" else (None, None)
        if name in ("", "level", "aligned"):
            return (0 if name == "aligned" else None, 0 if name == "level" else None)
        east, north = DIRECTIONS.get(name, (0, 0))
        if self.of("rows") == "free" and (east == 0) != (north == 0):
            return (east or None, north or None)
        return east, north

    @property
    def limit(self) -> int:
        """No walk without repeated points has a larger sum of gaps."""
        largest: dict[tuple[int, int, int], int] = {}
        for gap in self.gaps:
            pair = (gap.axis, min(gap.high, gap.low), max(gap.high, gap.low))
            largest[pair] = max(largest.get(pair, 0), abs(gap.least))
        return max(1, *(sum(v for k, v in largest.items() if k[0] == axis) for axis in (0, 1)))

    @property
    def wanted(self) -> tuple[tuple[int, int], ...]:
        """For a question whether a point is in a direction: its axes and sides."""
        question = self.story.question
        if question.asks is not Asks.WHETHER:
            return ()
        sides = DIRECTIONS.get(question.direction, (0, 0))
        whole = question.direction == "at"
        return tuple((axis, side) for axis, side in enumerate(sides) if side or whole)

    @property
    def neighbours(self) -> Iterator[tuple[int, int, str]]:
        """Rooms next to others: (room, other, move from the other to the room)."""
        for relation in self.story.relations:
            for move, sides in MOVES.items():
                if DIRECTIONS.get(relation.direction) == sides:
                    subject, other = self.points[relation.subject], self.points[relation.object]
                    yield subject, other, move
                    yield other, subject, _BACK[move]

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves of the label of a route; empty if it is no route."""
        parts = tuple(part.strip()[:1].lower() for part in self.gold.split(","))
        return parts if all(part in MOVES for part in parts) else ()

    def quoted(self) -> dict[str, Any]:
        """The texts, for certificates."""
        return {"story": list(self.story.sentences), "question": self.story.asked}


_BACK = {"n": "s", "s": "n", "e": "w", "w": "e"}
