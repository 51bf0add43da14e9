"""Solves assignment puzzles with ``encodings/assignments/puzzle.lp``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from grammar.assignments.model import Clue, ClueKind, Puzzle
from solver.asp import Program, Session
from solver.encodings import Fact, written

PUZZLE = "assignments/puzzle.lp"
ENCODINGS = (PUZZLE,)


class Places(Fact, predicate="places"):
    """Number of places."""

    number: int


class Thing(Fact, predicate="thing"):
    """A thing of a category."""

    category: int
    thing: int


class May(Fact, predicate="may"):
    """A meaning of a mention."""

    mention: str
    thing: int


class Same(Fact, predicate="same"):
    """Two things are at one place."""

    clue: int
    first: str
    second: str


class Differs(Fact, predicate="differs"):
    """Two things are at two places."""

    clue: int
    first: str
    second: str


class Earlier(Fact, predicate="earlier"):
    """A thing is before another."""

    clue: int
    first: str
    second: str


class Adjoining(Fact, predicate="adjoining"):
    """A thing is directly before another."""

    clue: int
    first: str
    second: str


class Beside(Fact, predicate="beside"):
    """A thing is next to another."""

    clue: int
    first: str
    second: str


class Between(Fact, predicate="between"):
    """A thing is after another and before a third."""

    clue: int
    thing: str
    left: str
    right: str


class Outer(Fact, predicate="outer"):
    """A thing is at an end."""

    clue: int
    thing: str


class Placed(Fact, predicate="placed"):
    """A thing is at a place."""

    clue: int
    thing: str
    place: int


_PAIRS: Mapping[ClueKind, Callable[..., Fact]] = {
    ClueKind.SAME: Same,
    ClueKind.DIFFERS: Differs,
    ClueKind.EARLIER: Earlier,
    ClueKind.ADJOINING: Adjoining,
    ClueKind.BESIDE: Beside,
    ClueKind.BETWEEN: Between,
    ClueKind.OUTER: Outer,
}


Mention: TypeAlias = tuple[int, int]
"""A clue and which of its references; the question comes after the clues."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """A model of a puzzle.

    Attributes:
        places: the place of each thing.
        meanings: the thing that each mention of an unclear word means: (clue, reference) to thing.
    """

    places: Mapping[int, int]
    meanings: Mapping[Mention, int]


@dataclass(frozen=True, kw_only=True)
class PuzzleSession:
    """A puzzle that is solved with one claim or another; options are numbered after the clues.

    Attributes:
        puzzle: as read.
        used: numbers of the clues that count.
    """

    puzzle: Puzzle
    used: tuple[int, ...]

    @cached_property
    def _session(self) -> Session:
        return Program(encodings=ENCODINGS).session(" ".join(written(self._facts())))

    @cached_property
    def statements(self) -> tuple[Clue, ...]:
        """Clues, then the claims of the options."""
        return (*self.puzzle.clues, *(claim for _, claim in self.puzzle.options))

    @cached_property
    def mentions(self) -> Mapping[Mention, tuple[int, ...]]:
        """The things that each mention of an unclear word may mean, options included."""
        used = {*self.used, *range(len(self.puzzle.clues), len(self.statements))}
        return {
            self._mention(number, place): reference.things
            for number in sorted(used)
            for place, reference in enumerate(self.statements[number].references)
            if len(reference.things) > 1
        }

    def solution(
        self,
        *,
        claimed: Sequence[int] = (),
        denied: Sequence[int] = (),
        meanings: Mapping[Mention, int] | None = None,
    ) -> Solution | None:
        """A model in which all used clues and some claims are true, and others false."""
        atoms = self._session.model([*self._used, *_assumed(claimed, denied, meanings or {})])
        if atoms is None:
            return None
        places: dict[int, int] = {}
        meant: dict[Mention, int] = {}
        for atom in atoms:
            match atom.name, atom.arguments:
                case "place", (int(thing), int(place)):
                    places[thing] = place
                case "meant", (("mention", (int(clue), int(number))), int(thing)):
                    meant[clue, number] = thing
        known = {mention: meant[mention] for mention in self.mentions}
        return Solution(places=places, meanings=known)

    def core(
        self,
        *,
        claimed: Sequence[int] = (),
        denied: Sequence[int] = (),
        meanings: Mapping[Mention, int] | None = None,
    ) -> tuple[int, ...]:
        """A minimal set of used clues that contradicts some claims, or denials of claims."""
        fixed = _assumed(claimed, denied, meanings or {})
        core = self._session.minimal_core(fixed, self._used)
        return tuple(sorted(int(atom[len("active(") : -1]) for atom in core))

    def _mention(self, number: int, place: int) -> Mention:
        """The name of a mention; that of the question is the same in all options."""
        return min(number, len(self.puzzle.clues)), place

    @property
    def _used(self) -> list[str]:
        return [f"active({number})" for number in self.used]

    def _facts(self) -> Iterator[Fact]:
        yield Places(number=self.puzzle.places)
        for thing, (category, _) in enumerate(self.puzzle.things):
            yield Thing(category=category, thing=thing)
        for number, clue in enumerate(self.statements):
            names = []
            for place, reference in enumerate(clue.references):
                if reference.place:
                    names.append(f"at({reference.place})")
                elif len(reference.things) == 1:
                    names.append(str(reference.things[0]))
                else:
                    clue_number, part = self._mention(number, place)
                    names.append(f"mention({clue_number},{part})")
                    yield from (May(mention=names[-1], thing=thing) for thing in reference.things)
            if clue.kind is ClueKind.PLACED:
                yield Placed(clue=number, thing=names[0], place=clue.place)
            else:
                named = dict(zip(_names(clue.kind), names, strict=True))
                yield _PAIRS[clue.kind](clue=number, **named)


def _assumed(
    claimed: Sequence[int], denied: Sequence[int], meanings: Mapping[Mention, int]
) -> list[str]:
    return [
        *(f"active({number})" for number in claimed),
        *(f"denied({number})" for number in denied),
        *(f"meant(mention({n},{part}),{thing})" for (n, part), thing in meanings.items()),
    ]


def _names(kind: ClueKind) -> tuple[str, ...]:
    return {
        ClueKind.BETWEEN: ("thing", "left", "right"),
        ClueKind.OUTER: ("thing",),
    }.get(kind, ("first", "second"))
