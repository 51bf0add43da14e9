"""What assignment puzzles state: things of categories, clues about their places, options."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from grammar.phrases import Phrase


class ClueKind(StrEnum):
    """What a clue says about the places of its references, which are counted from 1."""

    SAME = "same"
    DIFFERS = "differs"
    EARLIER = "earlier"
    ADJOINING = "adjoining"
    BESIDE = "beside"
    BETWEEN = "between"
    OUTER = "outer"
    PLACED = "placed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    """Things of which there is one at each place.

    Attributes:
        name: such as ``likes a different food``; empty for the only category.
        things: their names.
    """

    name: str
    things: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """What a clue speaks of.

    Attributes:
        text: as written.
        things: numbers of the things that it may be, counted over all categories; several if its
            word has several meanings.
        place: the place that it names instead, as in ``the person at the 2nd position``.
    """

    text: str
    things: tuple[int, ...] = ()
    place: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Clue:
    """A clue, or what an option claims.

    Attributes:
        kind: what it says.
        references: of whom, two or three for relations.
        place: of ``placed``.
        text: as written.
    """

    kind: ClueKind
    references: tuple[Reference, ...]
    place: int = 0
    text: str = ""

    @property
    def unclear(self) -> bool:
        """Whether a word in it has several meanings."""
        return any(len(reference.things) > 1 for reference in self.references)


@dataclass(frozen=True, slots=True, kw_only=True)
class Puzzle:
    """A puzzle.

    Attributes:
        text: as written.
        places: their number.
        categories: what is assigned.
        clues: in order.
        options: what each label claims.
        phrases: by which clues and options are read.
    """

    text: str
    places: int
    categories: tuple[Category, ...]
    clues: tuple[Clue, ...]
    options: tuple[tuple[str, Clue], ...]
    phrases: tuple[Phrase, ...]

    @property
    def things(self) -> Iterator[tuple[int, str]]:
        """Each thing with the number of its category, in order."""
        for number, category in enumerate(self.categories):
            yield from ((number, thing) for thing in category.things)

    @property
    def unclear(self) -> bool:
        """Whether a word in a clue or in the options has several meanings."""
        return any(clue.unclear for clue in (*self.clues, *(claim for _, claim in self.options)))
