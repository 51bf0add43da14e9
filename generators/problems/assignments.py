"""Draws assignment puzzles: people in a row with some characteristics, clues, and a position.

The words of a clue say nothing of a position: clues that distinguish left from right name their
things in either order. What is left is whether a position is an outer one; for each list of kinds
of clues, a puzzle is drawn whatever the answer is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations, product
from random import Random
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from generators.eventhop.config import Split
from generators.problems.model import Draft, Option

Grid: TypeAlias = NDArray[np.int8]
"""The place of each thing in each assignment: (assignments, things)."""

_NAMES = {
    Split.TRAIN: ("Ada", "Bruno", "Clara", "Dario", "Edith", "Felix", "Greta", "Hugo", "Ines"),
    Split.TEST: ("Jonas", "Klara", "Leon", "Mira", "Nils", "Olga", "Paul", "Rosa", "Selma"),
}
_CATEGORIES = {
    Split.TRAIN: (
        ("sails a different boat", "sails the", ("dinghy", "ketch", "sloop", "yawl", "cutter")),
        ("drinks a different drink", "drinks", ("cider", "cocoa", "juice", "milk", "tea")),
        ("plays a different instrument", "plays the", ("cello", "flute", "harp", "oboe", "lute")),
    ),
    Split.TEST: (
        ("grows a different tree", "grows the", ("almond", "cherry", "fig", "plum", "quince")),
        ("speaks a different language", "speaks", ("Basque", "Danish", "Farsi", "Khmer", "Welsh")),
        ("keeps a different animal", "keeps the", ("goat", "heron", "lynx", "otter", "raven")),
    ),
}
_KINDS = {
    "same": "{0} is {1}",
    "differs": "{0} is not {1}",
    "beside": "{0} is next to {1}",
    "adjoining": "{0} is immediately to the left of {1}",
    "adjoining back": "{1} is immediately to the right of {0}",
    "earlier": "{0} is somewhere to the left of {1}",
    "earlier back": "{1} is somewhere to the right of {0}",
    "between": "{1} is somewhere in between {0} and {2} in that order",
    "outer": "{0} is at one of the ends",
}
_SIZES: Mapping[int, tuple[int, int, int]] = {
    1: (3, 1, 2), 2: (3, 2, 4), 3: (4, 2, 6), 4: (4, 3, 8), 5: (5, 2, 9),
}  # fmt: skip
"""By level: people, characteristics with the name, clues. The answer needs one clue a level."""
_TRIES = 60


@dataclass(frozen=True, slots=True)
class _Clue:
    """A clue about things by their numbers; its kind is one of ``_KINDS``."""

    kind: str
    things: tuple[int, ...]

    def holds(self, grid: Grid, people: int) -> NDArray[np.bool_]:
        """In which assignments it is true."""
        true: NDArray[np.bool_] = self._true(grid, people)
        return true

    def _true(self, grid: Grid, people: int) -> Any:  # noqa: ANN401 - of numpy's operators
        places = [grid[:, thing] for thing in self.things]
        match self.kind.removesuffix(" back"):
            case "same":
                return places[0] == places[1]
            case "differs":
                return places[0] != places[1]
            case "beside":
                return np.abs(places[0] - places[1]) == 1
            case "adjoining":
                return places[1] - places[0] == 1
            case "earlier":
                return places[0] < places[1]
            case "between":
                return (places[0] < places[1]) & (places[1] < places[2])
        return (places[0] == 0) | (places[0] == people - 1)


@cache
def _grid(people: int, categories: int) -> Grid:
    rows = list(permutations(range(people)))
    return np.array([sum(chosen, ()) for chosen in product(rows, repeat=categories)], dtype=np.int8)


@cache
def _possible(kind: str, people: int, categories: int) -> tuple[tuple[int, ...], ...]:
    """The things that a clue of a kind may be about; no clue is true or false in any case."""
    things = range(people * categories)
    number = 3 if kind == "between" else 1 if kind == "outer" else 2
    return tuple(
        chosen
        for chosen in permutations(things, number)
        if kind not in ("same", "differs") or chosen[0] // people != chosen[1] // people
    )


def _clues(
    draw: Random, kinds: Sequence[str], truth: Sequence[int], people: int, categories: int
) -> list[_Clue] | None:
    """Different clues of some kinds that are true; None if there are none."""
    grid, clues = np.array([truth], dtype=np.int8), list[_Clue]()
    seen = set[tuple[str, frozenset[int]]]()
    for kind in kinds:
        for _ in range(20):
            things = draw.choice(_possible(kind.removesuffix(" back"), people, categories))
            clue = _Clue(kind, things)
            name = kind.removesuffix(" back"), frozenset(things)
            if name not in seen and clue.holds(grid, people)[0]:
                seen.add(name)
                clues.append(clue)
                break
        else:
            return None
    return clues


def _left(clues: Sequence[_Clue], grid: Grid, people: int) -> Grid:
    """The assignments in which all clues are true."""
    for clue in clues:
        grid = grid[clue.holds(grid, people)]
    return grid


def _found(
    draw: Random, kinds: Sequence[str], outer: int, level: int
) -> tuple[list[_Clue], int, int] | None:
    """Clues of some kinds, a thing and its only place; ``outer`` places from an end."""
    people, categories, _ = _SIZES[level]
    grid = _grid(people, categories)
    for _ in range(_TRIES):
        truth = grid[draw.randrange(len(grid))].tolist()
        clues = _clues(draw, kinds, truth, people, categories)
        if clues is None:
            continue
        fitting = [n for n, place in enumerate(truth) if min(place, people - 1 - place) == outer]
        left = _left(clues, grid, people)
        for asked in draw.sample(fitting, len(fitting)):
            only = len(set(left[:, asked].tolist())) == 1
            if only and _hops(clues, asked, grid, people) >= level:
                return clues, asked, truth[asked]
    return None


def _hops(clues: Sequence[_Clue], asked: int, grid: Grid, people: int) -> int:
    """The number of clues of a set that leaves one place, and none of whose clues can go."""
    kept = list(clues)
    for clue in clues:
        fewer = [other for other in kept if other is not clue]
        if len(set(_left(fewer, grid, people)[:, asked].tolist())) == 1:
            kept = fewer
    return len(kept)


def _draw(draw: Random, split: Split, level: int) -> Draft:
    people, categories, number = _SIZES[level]
    while True:
        # A list of kinds by which each place may be the answer, before one is chosen.
        kinds = draw.choices(_kinds(categories), k=number)
        orbits = range((people + 1) // 2)
        puzzles = [_found(draw, kinds, outer, level) for outer in orbits]
        if all(puzzle is not None for puzzle in puzzles):
            break
    answer = draw.randrange(people)
    puzzle = puzzles[min(answer, people - 1 - answer)]
    assert puzzle is not None
    clues, asked, place = puzzle
    if place != answer:
        clues = [_mirrored(clue) for clue in clues]
    return _written(draw, split, people, categories, clues, asked, answer)


def _kinds(categories: int) -> list[str]:
    """The kinds of clues about so many characteristics."""
    return [kind for kind in _KINDS if categories > 1 or kind not in ("same", "differs")]


def _mirrored(clue: _Clue) -> _Clue:
    """The clue seen from the other side; its words stay."""
    match clue.kind.removesuffix(" back"):
        case "adjoining" | "earlier" | "between":
            return _Clue(clue.kind, clue.things[::-1])
    return clue


def _written(
    draw: Random,
    split: Split,
    people: int,
    categories: int,
    clues: Sequence[_Clue],
    asked: int,
    answer: int,
) -> Draft:
    names = draw.sample(_NAMES[split], people)
    shown, texts = [f"Everyone has a different name: {', '.join(names)}."], list(names)
    words = list(names)
    for title, form, things in draw.sample(_CATEGORIES[split], categories - 1):
        chosen = draw.sample(things, people)
        shown.append(f"Everyone {title}: {', '.join(chosen)}.")
        texts += [f"the person who {form} {thing}" for thing in chosen]
        words += chosen
    sentences = []
    for clue in draw.sample(list(clues), len(clues)):
        text = _KINDS[clue.kind].format(*(texts[thing] for thing in clue.things))
        sentences.append(f"{text[0].upper()}{text[1:]}.")
    positions = ", ".join(str(place + 1) for place in range(people))
    lines = [
        f"There are {people} people next to each other in a row in positions {positions} who have "
        "the following characteristics.",
        *shown,
        "Using the clues provided below, answer the question at the end.",
        *(f"Clue {number}: {sentence}" for number, sentence in enumerate(sentences, 1)),
        "",
        f"Question: What position is {texts[asked]} at?",
    ]
    options = tuple(
        Option(label=str(place + 1), traits=(f"place {place}", f"outer {_outer(place, people)}"))
        for place in range(people)
    )
    return Draft(
        fields={"puzzle": "\n".join(lines)},
        gold=str(answer + 1),
        hops=_hops(clues, asked, _grid(people, categories), people),
        options=options,
        names=tuple(words),
    )


def _outer(place: int, people: int) -> int:
    return min(place, people - 1 - place)


FAMILIES: Mapping[str, Callable[[Random, Split, int], Draft]] = {"row": _draw}
"""What a puzzle is about, and what draws one of a split and a level."""
