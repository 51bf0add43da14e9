"""What the generators of problems share: a drawn problem, and what a difficulty means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, TypeVar

LEVELS = (1, 2, 3, 4, 5)
"""Difficulties, from the easiest one."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A possible answer, as probes see it.

    Attributes:
        label: the answer.
        traits: what is seen of it without reasoning, such as its place among the options.
    """

    label: str
    traits: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A drawn problem.

    Attributes:
        fields: the texts of its row.
        gold: the answer.
        hops: number of sentences that the answer needs.
        options: the possible answers.
        names: what the text names, for probes that do not see names.
    """

    fields: Mapping[str, Any]
    gold: str
    hops: int
    options: tuple[Option, ...]
    names: tuple[str, ...]


def in_turn(draw: Random, parents: Sequence[Sequence[int]]) -> list[int]:
    """A random order of sentences in which each comes after those that it refers to."""
    left, order = set(range(len(parents))), list[int]()
    while left:
        ready = sorted(n for n in left if left.isdisjoint(parents[n]))
        order.append(draw.choice(ready))
        left.remove(order[-1])
    return order


def needed(parents: Sequence[Sequence[int]], *asked: int) -> int:
    """The number of sentences that lead to those asked about, these included."""
    found, waiting = set(asked), list(asked)
    while waiting:
        new = set(parents[waiting.pop()]) - found
        found |= new
        waiting += new
    return len(found)


def around(draw: Random, right: int, gaps: Sequence[int], number: int) -> list[int]:
    """Some values in ascending order, at random distances; the right one has a random place."""
    place = draw.randrange(number)
    values = [right]
    for _ in range(place):
        values.insert(0, values[0] - draw.choice(gaps))
    while len(values) < number:
        values.append(values[-1] + draw.choice(gaps))
    return values
