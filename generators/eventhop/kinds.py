"""The kinds of premise relation that word counts can distinguish, and bags of them.

Items of one group differ in their labels and share one bag, so that no count of *before*, *same
time*, *start* or *end* leaks the label. ``p before q`` may be written ``q after p``, and time may
be reversed, so only five kinds have to be balanced.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from random import Random
from typing import TypeAlias, TypeVar

from solver.model import Bound

T = TypeVar("T")
START, END = 0, 1
BOUNDS = (Bound.START, Bound.END)


class Kind(IntEnum):
    """Which bounds are related (same, start with end, end with start), and how."""

    STRICT_SAME = 0
    STRICT_START_END = 1
    STRICT_END_START = 2
    EQUAL_SAME = 3
    EQUAL_MIXED = 4

    @property
    def strict(self) -> bool:
        """Whether the relation is ``<`` rather than ``=``."""
        return self < Kind.EQUAL_SAME


Bag: TypeAlias = list[int]
"""Number of remaining relations of each kind, indexed by ``Kind``."""

SIDES = (
    ((START, START), (END, END)),
    ((START, END),),
    ((END, START),),
    ((START, START), (END, END)),
    ((START, END), (END, START)),
)
"""For each kind, the bounds of its earlier and its later point."""

_KINDS = tuple(Kind)


def kind_of(earlier: int, later: int) -> Kind:
    """The kind of a strict relation between two points."""
    if earlier & 1 == later & 1:
        return Kind.STRICT_SAME
    return Kind.STRICT_END_START if earlier & 1 else Kind.STRICT_START_END


_STRICT = (45, 30, 25)
_EQUAL = (20, 20)


def draw(random: Random, relations: int, *, equal: bool) -> Bag:
    """Draw a bag of that many relations; ``equal``: whether ``=`` may occur."""
    weights = (*_STRICT, *(_EQUAL if equal else (0, 0)))
    bag = [0] * len(Kind)
    for kind in random.choices(_KINDS, weights, k=relations):
        bag[kind] += 1
    return bag


def draw_loosely(random: Random, relations: int, equals: int) -> Bag:
    """Draw a bag of that many relations, ``equals`` of them ``=``.

    Expected word counts are the same for all such bags: a relation of either kind has one start and
    one end, or as often two starts as two ends.
    """
    bag = [0] * len(Kind)
    for kind in random.choices(_KINDS[:3], _STRICT, k=relations - equals):
        bag[kind] += 1
    for kind in random.choices(_KINDS[3:], _EQUAL, k=equals):
        bag[kind] += 1
    return bag


def in_random_order(random: Random, bag: Bag) -> list[Kind]:
    """The kinds left in a bag in random order, weighted by their counts."""
    number = random.random
    keys = [(number() * count, kind) for kind, count in enumerate(bag) if count]
    keys.sort(reverse=True)
    return [_KINDS[kind] for _, kind in keys]


def pick(random: Random, things: Sequence[T]) -> T:
    """Choose one of a few elements; three times as fast as ``choice``."""
    return things[int(random.random() * len(things))]
