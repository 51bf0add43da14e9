"""Realigns labels with facts after a single fact was added, removed or moved.

Labels refer to facts by row number, so one row more or less makes all later labels name the wrong
fact. If shifting the labels explains the errors, the graph is checked with the shifted labels.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from solver.tkg.generated import GeneratedGraph
from solver.tkg.labels import Labels
from solver.tkg.proof_join import joined_findings
from solver.tkg.quadruples import Ids

_TRIED = 24
_ANY = -1
_FEWEST = 2


class Change(StrEnum):
    """Edit of one fact."""

    ADDED = "added"
    REMOVED = "removed"
    MOVED = "moved"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Alignment:
    """How labels have to be shifted.

    Attributes:
        change: edit of the fact.
        row: row of the added or moved fact, or of the fact after the removed one.
        counted: row of that fact according to the labels; ``row`` unless it was moved.
        labels: the shifted labels; those of a removed fact name the row after the last one.
    """

    change: Change
    row: int
    counted: int
    labels: Labels


def align_labels(graph: GeneratedGraph) -> Alignment | None:
    """Shift the labels if one inserted, deleted or moved fact explains more of the errors.

    Returns:
        None if no shift helps, or if the numbers of facts differ by more than one.
    """
    labels, size = graph.labels, len(graph.facts)
    counted = int(labels.fact.max()) + 1 if len(labels) else 0
    if not size or abs(counted - size) > 1:
        return None
    tried = list(islice(_tried(graph, counted), _TRIED))
    found = [
        (len(joined_findings(replace(graph, labels=one.labels)).findings), one) for one in tried
    ]
    best = min(found, key=lambda pair: pair[0], default=None)
    if best is None or best[0] >= len(joined_findings(graph).findings):
        return None
    return best[1]


def _tried(graph: GeneratedGraph, counted: int) -> Iterator[Alignment]:
    wanted, there = _relations(graph, counted), graph.facts.relation
    if counted == len(there):
        for old, new in _moves(wanted, there):
            yield _moved(graph.labels, old, new)
        return
    for row in _places(wanted, there):
        yield _shifted(graph, row, removed=counted > len(there))


def _shifted(graph: GeneratedGraph, row: int, *, removed: bool) -> Alignment:
    fact = graph.labels.fact
    if removed:
        rows = np.where(fact > row, fact - 1, np.where(fact == row, len(graph.facts), fact))
    else:
        rows = np.where(fact >= row, fact + 1, fact)
    change = Change.REMOVED if removed else Change.ADDED
    labels = replace(graph.labels, fact=rows)
    return Alignment(change=change, row=row, counted=row, labels=labels)


def _moved(labels: Labels, old: int, new: int) -> Alignment:
    fact = labels.fact
    between = (fact > min(old, new) - (new < old)) & (fact < max(old, new) + (new > old))
    rows = np.where(between, fact + (-1 if new > old else 1), fact)
    rows[fact == old] = new
    shifted = replace(labels, fact=rows)
    return Alignment(change=Change.MOVED, row=new, counted=old, labels=shifted)


def _moves(wanted: Ids, there: Ids) -> Iterator[tuple[int, int]]:
    """Candidate moves of one fact, as (old row, new row), after which all other relations match.

    All mismatches lie between the two rows. Within a run of one relation several pairs qualify;
    the narrowest come first.
    """
    differ = np.flatnonzero(_differing(wanted, there))
    if len(differ) < _FEWEST:
        return
    first, last = int(differ[0]), int(differ[-1])
    for wider in range(_TRIED):
        for low in range(max(first - wider, 0), first + 1):
            high = last + wider - (first - low)
            if high >= len(there):
                continue
            if not _differing(wanted[low + 1 : high + 1], there[low:high]).any():
                yield low, high
            if not _differing(wanted[low:high], there[low + 1 : high + 1]).any():
                yield high, low


def _places(wanted: Ids, there: Ids) -> range:
    """Rows where relations match unshifted before them, and shifted by one after them."""
    shorter = min(len(wanted), len(there))
    before = _run(wanted[:shorter], there[:shorter])
    behind = _run(wanted[::-1][:shorter], there[::-1][:shorter])
    first, last = max(shorter - behind, 0), before
    return range(max(first, last + 1 - _TRIED), last + 1)


def _run(wanted: Ids, there: Ids) -> int:
    """Length of the matching prefix."""
    differ = np.flatnonzero(_differing(wanted, there))
    return int(differ[0]) if len(differ) else len(wanted)


def _differing(wanted: Ids, there: Ids) -> NDArray[np.bool_]:
    differing: NDArray[np.bool_] = (wanted != there) & (wanted != _ANY)
    return differing


def _relations(graph: GeneratedGraph, counted: int) -> Ids:
    """For each fact row named by labels, the relation required by its first label."""
    steps = {
        (one.id, place): one.relation(step)
        for one in graph.patterns
        for place, step in enumerate(one.template.steps, 1)
    }
    wanted = np.full(counted, _ANY, dtype=np.int64)
    labels = graph.labels
    keys = zip(labels.pattern.tolist(), labels.position.tolist(), strict=True)
    relations = np.array([steps.get(key, _ANY) for key in keys], dtype=np.int64)
    wanted[labels.fact[::-1]] = relations[::-1]
    return wanted
