"""Compares two elements: which spans of words the candidate shares with the reference.

Words are linked by common runs, longest first. The reference is one span. Each linked run of the
candidate is a span, and so are its unlinked words; a candidate span is correct if it equals the
reference's, partial if the two overlap, else spurious. Spans are half-open, so a span of one word
overlaps with nothing.
Source: Amalvy and Huang (2025), appendix C; WebNLG 2020; nervaluate 0.1.7.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from benchmarks.quadruples.elements import Words


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
