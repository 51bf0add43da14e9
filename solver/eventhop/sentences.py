"""The sentences of many items as rows of numbers: what is seen of all is counted at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.probes.learners import distinct

Ints: TypeAlias = NDArray[np.intp]
Flags: TypeAlias = NDArray[np.bool_]

Step: TypeAlias = tuple[str, str, str, str, str]
"""What a sentence states: an event, its point, the order, the point of the other event, and it."""

POINTS = ("start", "end")
ORDERS = ("before", "after", "simultaneous", "not_after", "not_before")


class Parts:
    """The parts of each item, one after the other, those of an item together.

    Attributes:
        sizes: number of parts of each item; ``starts``: the row of its first one.
        of: the item of each part; ``at``: its place in it.
    """

    def __init__(self, sizes: Iterable[int]) -> None:
        self.sizes = np.fromiter(sizes, np.intp)
        self.starts = np.cumsum(self.sizes) - self.sizes
        self.items, self.rows = len(self.sizes), int(self.sizes.sum())
        self.of = np.repeat(np.arange(self.items), self.sizes)
        self.at = np.arange(self.rows) - self.starts[self.of]

    def pick(self, values: Ints, place: Ints | int, missing: int = -1) -> Ints:
        """The value at a place of each item; ``missing`` where it has no such place."""
        inside = (place >= 0) & (place < self.sizes)
        rows = np.where(inside, self.starts + place, 0)
        if not self.rows:
            return np.full(self.items, missing, np.intp)
        return np.where(inside, values[rows], missing)

    def number(self, flags: Flags) -> Ints:
        """How many parts of each item are flagged."""
        return np.bincount(self.of[flags], minlength=self.items)

    def total(self, values: Ints) -> Ints:
        """The sum of each item."""
        return np.bincount(self.of, values, self.items).astype(np.intp)

    def first(self, flags: Flags) -> Ints:
        """The place of the first flagged part of each item; -1 for none."""
        found = np.full(self.items, -1, np.intp)
        rows = np.flatnonzero(flags)[::-1]
        found[self.of[rows]] = self.at[rows]
        return found

    def last(self, flags: Flags) -> Ints:
        """The place of the last flagged part of each item; -1 for none."""
        found = np.full(self.items, -1, np.intp)
        rows = np.flatnonzero(flags)
        found[self.of[rows]] = self.at[rows]
        return found

    def largest(self, values: Ints) -> Ints:
        """The place of the first of the largest values of each item; -1 for none."""
        size = int(self.sizes.max(initial=1))
        least = int(values.min(initial=0))
        best = np.full(self.items, -1, np.intp)
        np.maximum.at(best, self.of, (values - least + 1) * size - 1 - self.at)
        return np.where(best < 0, -1, size - 1 - best % size)

    def pairs(self) -> Ints:
        """The rows of parts that are followed by another one of the same item."""
        return np.flatnonzero(self.at + 1 < self.sizes[self.of])

    def distinct(self, values: Ints) -> Ints:
        """How many different values each item has."""
        most = int(values.max(initial=0)) + 1
        return np.bincount(distinct(self.of * most + values) // most, minlength=self.items)

    def most(self, values: Ints) -> Ints:
        """The most frequent value of each item, the least of several; -1 for none."""
        most = int(values.max(initial=0)) + 1
        keys, counts = np.unique(self.of * most + values, return_counts=True)
        of, value = np.divmod(keys, most)
        order = np.lexsort((-value, counts, of))
        found = np.full(self.items, -1, np.intp)
        found[of[order]] = value[order]
        return found

    def longest_run(self, values: Ints) -> Ints:
        """The most parts in a row with one value, of each item."""
        found = np.zeros(self.items, np.intp)
        if self.rows:
            changed = np.flatnonzero(
                np.concatenate([[True], (np.diff(values) != 0) | (np.diff(self.of) != 0)])
            )
            np.maximum.at(found, self.of[changed], np.diff([*changed, self.rows]))
        return found


class Names:
    """Different names, sorted; the empty one is the first."""

    def __init__(self, names: Iterable[str]) -> None:
        self.words = sorted({"", *names})
        self.code = {name: number for number, name in enumerate(self.words)}

    def codes(self, names: Iterable[str]) -> Ints:
        """The numbers of names."""
        return np.fromiter(map(self.code.__getitem__, names), np.intp)

    def count(self, look: Callable[[str], int]) -> Ints:
        """A number of each name."""
        return np.fromiter(map(look, self.words), np.intp, len(self.words))


class Sentences:
    """What the sentences of some items state.

    Attributes:
        steps: the sentences of each item.
        left, right: the events of each sentence, as numbers of ``names``.
        left_point, right_point: 0 for a start, 1 for an end; ``order``: a place of ``ORDERS``.
        claimed: the first and the second event of each claim.
    """

    def __init__(
        self,
        steps: Sequence[Sequence[Step]],
        claimed: Sequence[tuple[str, str]],
        named: Iterable[str] = (),
    ) -> None:
        flat = [step for some in steps for step in some]
        left, left_points, orders, right_points, right = (
            zip(*flat, strict=True) if flat else ((),) * 5
        )
        firsts, seconds = ([pair[side] for pair in claimed] for side in (0, 1))
        self.names = Names([*left, *right, *firsts, *seconds, *named])
        self.steps = Parts(map(len, steps))
        self.left, self.right = self.names.codes(left), self.names.codes(right)
        self.left_point, self.right_point = (
            np.fromiter(map("end".__eq__, points), np.intp, len(flat))
            for points in (left_points, right_points)
        )
        number = {str(order): code for code, order in enumerate(ORDERS)}
        self.order = np.fromiter(map(number.__getitem__, orders), np.intp, len(flat))
        self.claimed = self.names.codes(firsts), self.names.codes(seconds)

    @cached_property
    def mentioned(self) -> tuple[tuple[Flags, Flags], tuple[Flags, Flags]]:
        """Whether the left, and the right event of each sentence is the first event of its claim.

        The same for the second event.
        """
        first, second = (event[self.steps.of] for event in self.claimed)
        return (
            (self.left == first, self.right == first),
            (self.left == second, self.right == second),
        )

    @cached_property
    def events(self) -> Ints:
        """The events of all items: item and name as one number, sorted."""
        return distinct(
            np.concatenate(
                [
                    *(self._keyed(self.steps.of, names) for names in (self.left, self.right)),
                    *(self._keyed(np.arange(self.steps.items), names) for names in self.claimed),
                ]
            )
        )

    def _keyed(self, items: Ints, names: Ints) -> Ints:
        return items * len(self.names.words) + names

    def event(self, items: Ints, names: Ints) -> Ints:
        """The rows of ``events`` of some names of items."""
        return np.searchsorted(self.events, self._keyed(items, names))

    @cached_property
    def ends(self) -> tuple[Ints, Ints]:
        """The rows of ``events`` of the left and the right event of each sentence."""
        of = self.steps.of
        return self.event(of, self.left), self.event(of, self.right)

    @cached_property
    def claims(self) -> tuple[Ints, Ints]:
        """The rows of ``events`` of the first and the second event of each claim."""
        every = np.arange(self.steps.items)
        return self.event(every, self.claimed[0]), self.event(every, self.claimed[1])

    @cached_property
    def neighbours(self) -> tuple[Ints, Ints]:
        """Each event with each event of a sentence about both, once; rows of ``events``."""
        left, right = self.ends
        size = max(len(self.events), 1)
        both = distinct(np.concatenate([left * size + right, right * size + left]))
        first, second = np.divmod(both, size)
        return first, second

    @cached_property
    def degree(self) -> Ints:
        """The number of neighbours of each event."""
        return np.bincount(self.neighbours[0], minlength=len(self.events))

    @cached_property
    def mentions(self) -> Ints:
        """How often each event is named."""
        return np.bincount(np.concatenate(self.ends), minlength=len(self.events))

    @cached_property
    def distances(self) -> Ints:
        """The distance of each event from the first one of its claim; -1 where there is none."""
        first, second = self.neighbours
        far = len(self.events)
        found = np.full(len(self.events), far)
        found[self.claims[0]] = 0
        while True:
            reached = found.copy()
            np.minimum.at(reached, second, found[first] + 1)
            if (reached == found).all():
                return np.where(found < far, found, -1)
            found = reached

    @cached_property
    def components(self) -> Ints:
        """The number of connected parts of each item, of all events that it or its claim names."""
        first, second = self.neighbours
        part = np.arange(len(self.events))
        while True:
            least = part.copy()
            np.minimum.at(least, second, part[first])
            if (least == part).all():
                break
            part = least
        of = self.events[distinct(part)] // len(self.names.words)
        return np.bincount(of, minlength=self.steps.items)
