"""Scores of pairs of facts: precision, recall and F1 of a candidate against a reference.

Strict and type compare elements position by position. Exact and partial maximise over the orders of
the candidate's elements: the profile ``released`` takes the order with the best exact F1 (ties: the
best partial F1, then the first) for both modes, ``exact`` the best order for each mode. Source:
Amalvy and Huang (2025), section 5.2 and appendix C.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.metrics.classification import precision_recall_f1
from benchmarks.metrics.ranking import Numbers
from benchmarks.texts.elements import BLANK, MODES, MOST, Elements, Mode, Profile, Words


class Counts(NamedTuple):
    """Spans by outcome: of the candidate, except for ``missed``, which are of the reference."""

    correct: int
    partial: int
    spurious: int
    missed: int


ABSENT = Counts(0, 0, 1, 0)
"""The reference is empty: any candidate, even an empty one, is spurious."""
OMITTED = Counts(0, 0, 0, 1)
APART = Counts(0, 0, 1, 1)

_Tag = str | int
"""The number of a run, or a word that is in none."""


def compare(reference: Words, candidate: Words) -> Counts:
    """Count spans of two elements."""
    if not reference:
        return ABSENT
    if not candidate:
        return OMITTED
    return overlapping(reference, candidate)


@lru_cache(maxsize=1 << 18)
def overlapping(reference: Words, candidate: Words) -> Counts:
    """Count spans of two non-empty elements."""
    if reference == candidate:
        return Counts(1, 0, 0, 0)
    runs = _runs(reference, candidate)
    if not runs:
        return APART
    tags, start = _line(reference, candidate, runs)
    end = start + len(reference) - 1
    spans = _spans(tags)
    correct = spans.count((start, end))
    partial = sum(
        (first, last) != (start, end) and max(first, start) < min(last, end)
        for first, last in spans
    )
    missed = int(not correct and not partial)
    return Counts(correct, partial, len(spans) - correct - partial, missed)


def _runs(reference: Words, candidate: Words) -> list[tuple[int, int, int]]:
    """Common runs as (position in the reference, in the candidate, length), longest first.

    Of equally long runs the candidate's first is taken and linked with its first occurrence in the
    reference. A word is linked once.
    """
    theirs: list[str | None] = list(reference)
    ours: list[str | None] = list(candidate)
    found: list[tuple[int, int, int]] = []
    # A run is at most as long as the number of shared words of either side.
    length = min(
        sum(word in candidate for word in reference), sum(word in reference for word in candidate)
    )
    while length:
        pair = _common(theirs, ours, length)
        if pair is None:
            length -= 1
            continue
        there, here = pair
        theirs[there : there + length] = [None] * length
        ours[here : here + length] = [None] * length
        found.append((there, here, length))
    return found


def _common(
    theirs: list[str | None], ours: list[str | None], length: int
) -> tuple[int, int] | None:
    places: dict[tuple[str | None, ...], int] = {}
    for place in range(len(theirs) - length + 1):
        places.setdefault(tuple(theirs[place : place + length]), place)
    for here in range(len(ours) - length + 1):
        run = tuple(ours[here : here + length])
        if None not in run and run in places:
            return places[run], here
    return None


def _line(
    reference: Words, candidate: Words, runs: list[tuple[int, int, int]]
) -> tuple[list[_Tag], int]:
    """Merge both elements into one sequence of tagged words; also return the reference's start.

    A word is tagged by its run. Candidate words before the first run precede the reference if that
    run begins it; words after the last run follow it if that run ends it; all others come last.
    """
    linked: dict[int, tuple[int, int]] = {}
    tags: list[_Tag] = list(reference)
    for number, (there, here, length) in enumerate(runs):
        for step in range(length):
            linked[here + step] = (number, there + step)
            tags[there + step] = number
    first, last = min(linked), max(linked)
    begins = linked[first][1] == 0
    ends = linked[last][1] == len(reference) - 1
    before: list[_Tag] = []
    after: list[_Tag] = []
    apart: list[_Tag] = []
    seen = 0
    for place in range(len(candidate)):
        if place in linked:
            seen += 1
        elif place < first and begins:
            before.append(linked[first][0])
        elif place > last and ends:
            after.append(linked[last][0])
        else:
            apart.append(-1 - seen)  # a distinct tag for each gap between linked words
    return before + tags + after + apart, len(before)


def _spans(tags: list[_Tag]) -> list[tuple[int, int]]:
    """Spans of the candidate in the sequence, as first and last word.

    An unlinked word of the reference ends a span without closing it: the same span is emitted
    again, one word longer, for each such word that follows, as in the released script.
    """
    spans: list[tuple[int, int]] = []
    current: int | None = None
    begin = 0
    for place, tag in enumerate(tags):
        if isinstance(tag, str):
            if current is not None:
                spans.append((begin, place - 1))
            continue
        if tag != current:
            if current is not None:
                spans.append((begin, place - 1))
            current, begin = tag, place
        if place == len(tags) - 1:
            spans.append((begin, place))
    return spans


Integers = NDArray[np.int32]

CORRECT, PARTIAL, SPURIOUS, MISSED = range(4)
_CHUNK = 1 << 14
_STRICT, _EXACT, _TYPE, _PARTIAL = (MODES.index(mode) for mode in Mode)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pairs:
    """Scores of n pairs of facts, in the order of ``MODES``.

    Attributes:
        counts: shape (n, 4 modes, 4): correct, partial, spurious and missed spans; overlapping
            spans that count as wrong are both missed and spurious.
        figures: shape (n, 4 modes, 3): precision, recall, F1, each in [0, 1], higher is better.
    """

    counts: Integers
    figures: Numbers

    @classmethod
    def joined(cls, parts: Sequence[Pairs]) -> Pairs:
        """The pairs of all parts, in order."""
        empty = np.empty((0, len(MODES), 4), np.int32), np.empty((0, len(MODES), 3))
        return cls(
            counts=np.concatenate([empty[0], *(part.counts for part in parts)]),
            figures=np.concatenate([empty[1], *(part.figures for part in parts)]),
        )

    def __getitem__(self, chosen: NDArray[np.intp]) -> Pairs:
        """Select pairs."""
        return Pairs(counts=self.counts[chosen], figures=self.figures[chosen])


class Table:
    """Span counts of pairs of elements, for the facts of one or more items.

    All candidates of an item are compared with all its references; only elements that share a word
    are aligned.
    """

    def __init__(self) -> None:
        self._numbers: dict[Counts, int] = {}

    def counts(self) -> Integers:
        """The distinct counts: (k, 4)."""
        return np.array(list(self._numbers), dtype=np.int32)

    def grid(self, candidates: Sequence[Elements], references: Sequence[Elements]) -> Integers:
        """Indices into ``counts`` for all pairs: (candidates, references, 4 elements, 4 elements).

        The third axis is the candidate's element, the fourth the reference's.
        """
        ours, our_places = _distinct(candidates)
        theirs, their_places = _distinct(references)
        cells = self._cells(ours, theirs)
        picked: Integers = cells[our_places[:, None, :, None], their_places[None, :, None, :]]
        return picked

    def _cells(self, ours: list[tuple[str, ...]], theirs: list[tuple[str, ...]]) -> Integers:
        number = self._number
        absent, omitted, apart = number(ABSENT), number(OMITTED), number(APART)
        holders: dict[str, list[int]] = {}
        for there, words in enumerate(theirs):
            for word in set(words):
                holders.setdefault(word, []).append(there)
        row = [apart if words else absent for words in theirs]
        empty = [omitted if words else absent for words in theirs]
        rows = []
        for words in ours:
            if not words:
                rows.append(empty)
                continue
            cells = row.copy()
            for there in {there for word in words for there in holders.get(word, ())}:
                cells[there] = number(overlapping(theirs[there], words))
            rows.append(cells)
        return np.array(rows, dtype=np.int32)

    def _number(self, counts: Counts) -> int:
        return self._numbers.setdefault(counts, len(self._numbers))


def _distinct(facts: Sequence[Elements]) -> tuple[list[tuple[str, ...]], NDArray[np.intp]]:
    """The distinct elements, and the index of each fact's elements; missing ones are empty."""
    places: dict[tuple[str, ...], int] = {}
    rows = []
    for fact in facts:
        padded = fact if len(fact) == MOST else (*fact, ())
        rows.append([places.setdefault(element, len(places)) for element in padded])
    return list(places), np.array(rows, dtype=np.intp)


def score_pairs(
    items: Sequence[tuple[Sequence[Elements], Sequence[Elements]]], profile: Profile
) -> Iterator[Pairs]:
    """Score all pairs of each item's facts, row by row: (candidates x references) pairs each.

    Args:
        items: candidates and references of each item, of equal number (pad with ``BLANK``).
        profile: how the order of the elements is chosen for exact and partial.
    """
    block: list[tuple[Integers, NDArray[np.bool_]]] = []
    sizes: list[int] = []
    table = Table()
    for candidates, references in items:
        if not candidates:
            sizes.append(0)
            continue
        grid = table.grid(candidates, references).reshape(-1, MOST, MOST)
        block.append((grid, _short(candidates, references)))
        sizes.append(len(grid))
        if sum(sizes) >= _CHUNK:
            yield from _flushed(block, sizes, table, profile)
            block, sizes = [], []
    yield from _flushed(block, sizes, table, profile)


def _short(candidates: Sequence[Elements], references: Sequence[Elements]) -> NDArray[np.bool_]:
    """Which pairs have three elements on both sides; a blank fact has three."""
    ours = np.array([len(reference) < MOST for reference in candidates])
    theirs = np.array([len(reference) < MOST for reference in references])
    both: NDArray[np.bool_] = (ours[:, None] & theirs[None, :]).ravel()
    return both


def _flushed(
    block: list[tuple[Integers, NDArray[np.bool_]]],
    sizes: list[int],
    table: Table,
    profile: Profile,
) -> Iterator[Pairs]:
    if not sizes:
        return
    grids = np.concatenate([grid for grid, _ in block] or [np.empty((0, MOST, MOST), np.int32)])
    short = np.concatenate([array for _, array in block] or [np.empty(0, np.bool_)])
    counts = np.zeros((len(grids), len(MODES), 4), dtype=np.int32)
    known = table.counts().reshape(-1, 4)
    for length, members in ((3, np.flatnonzero(short)), (MOST, np.flatnonzero(~short))):
        for begin in range(0, len(members), _CHUNK):
            some = members[begin : begin + _CHUNK]
            counts[some] = _best(known[grids[some][:, :length, :length]], profile)
    figures = precision_recall_f1(counts)
    begin = 0
    for size in sizes:
        yield Pairs(counts=counts[begin : begin + size], figures=figures[begin : begin + size])
        begin += size


def _best(cells: Integers, profile: Profile) -> Integers:
    """Counts of each mode: (n, k, k, 4) -> (n, 4 modes, 4)."""
    length = cells.shape[1]
    orders = np.array(list(permutations(range(length))))
    sums = np.zeros((len(cells), len(orders), 4), dtype=np.int32)
    for place in range(length):
        sums += cells[:, orders[:, place], place]
    exact, partial = _harsh(sums), sums
    # In mode type an overlap at the right position is correct.
    own_total = sums[:, 0]
    counts = np.empty((len(cells), len(MODES), 4), dtype=np.int32)
    counts[:, _STRICT] = exact[:, 0]
    counts[:, _TYPE] = own_total
    counts[:, _TYPE, CORRECT] += own_total[:, PARTIAL]
    counts[:, _TYPE, PARTIAL] = 0
    by_exact, by_partial = precision_recall_f1(exact)[..., 2], precision_recall_f1(partial)[..., 2]
    top = by_exact == by_exact.max(axis=1, keepdims=True)
    first = np.where(top, by_partial, -1.0).argmax(axis=1)
    second = first if profile is Profile.RELEASED else by_partial.argmax(axis=1)
    rows = np.arange(len(cells))
    counts[:, _EXACT] = exact[rows, first]
    counts[:, _PARTIAL] = partial[rows, second]
    return counts


def _harsh(sums: Integers) -> Integers:
    """Counts with each overlap counted as spurious and missed."""
    harsh = sums.copy()
    harsh[..., SPURIOUS] += sums[..., PARTIAL]
    harsh[..., MISSED] += sums[..., PARTIAL]
    harsh[..., PARTIAL] = 0
    return harsh


def padded(facts: Sequence[Elements], size: int) -> list[Elements]:
    """Pad facts with blank ones up to a size."""
    return [*facts, *[BLANK] * (size - len(facts))]
