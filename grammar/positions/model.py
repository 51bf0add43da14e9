"""What stories about positions state and ask: directions between points, visits, and questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from grammar.phrases import Phrase

Sides: TypeAlias = tuple[int, int]
"""Signs of a difference to the east and to the north: -1, 0 or 1 each."""

DIRECTIONS: Mapping[str, Sides] = {
    "north": (0, 1),
    "northeast": (1, 1),
    "east": (1, 0),
    "southeast": (1, -1),
    "south": (0, -1),
    "southwest": (-1, -1),
    "west": (-1, 0),
    "northwest": (-1, 1),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """A statement about two points; no direction if it does not say where on the plane they are.

    Attributes:
        subject, object: the points.
        direction: of the subject from the object; ``at``, ``level`` (in one row), ``aligned`` (in
            one column), ``front``, or a name of ``DIRECTIONS``.
        length: number of steps; None if it is not stated.
        sentence: number of the sentence, from 0.
    """

    subject: str
    object: str
    direction: str
    length: int | None = None
    sentence: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """A statement that someone comes to a place, at a time that is numbered in order."""

    visitor: str
    place: str
    time: int
    sentence: int = 0


class Asks(StrEnum):
    """What a question asks."""

    WHERE = "where"
    WHETHER = "whether"
    ROUTE = "route"
    BEFORE = "before"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question.

    Attributes:
        asks: ``where`` the subject is from the object, ``whether`` it is in a direction from it,
            the ``route`` from the subject to the object, the place of the subject ``before`` it
            was at the object.
        direction: for ``whether``.
    """

    asks: Asks
    subject: str
    object: str
    direction: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A story with its question.

    Attributes:
        sentences: as written.
        relations, visits: what they state.
        points: the names of all that is mentioned, in order of occurrence.
        question: as read.
        asked: as written.
        unclear: numbers of sentences that say nothing about positions on the plane, or relate a
            point to itself.
        phrases: the phrases by which the sentences and the question are read.
    """

    sentences: tuple[str, ...]
    relations: tuple[Relation, ...]
    visits: tuple[Visit, ...]
    points: tuple[str, ...]
    question: Question
    asked: str
    unclear: tuple[int, ...] = ()
    phrases: tuple[Phrase, ...] = ()

    def walk(self) -> tuple[int, ...]:
        """Numbers of the sentences on a shortest way from the object to the subject asked about."""
        start, goal = self.question.object, self.question.subject
        before: dict[str, tuple[str, int]] = {start: ("", -1)}
        waiting = [start]
        for point in waiting:
            for other, sentence in self._beside(point):
                if other not in before:
                    before[other] = (point, sentence)
                    waiting.append(other)
        found = []
        while goal in before and goal != start:
            goal, sentence = before[goal]
            found.append(sentence)
        return tuple(dict.fromkeys(reversed(found)))

    def _beside(self, point: str) -> Iterator[tuple[str, int]]:
        for relation in self.relations:
            if relation.subject == point:
                yield relation.object, relation.sentence
            elif relation.object == point:
                yield relation.subject, relation.sentence
