"""Labels count facts by their rows: one row more or less, and all that follow name the wrong fact.

So a single fact that was added or removed is looked for: labels are shifted from there on, and what
is said of the graph is said of the facts that the labels meant.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from solver.tkg.generated import GeneratedGraph
from solver.tkg.labels import Labels
from solver.tkg.proof_join import joined_findings
from solver.tkg.quadruples import Ids

_TRIED = 24
_ANY = -1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Alignment:
    """Where labels have to be shifted.

    Attributes:
        row: of the fact that was added, or that the removed one stood before.
        removed: whether a fact was removed; otherwise one was added.
        labels: shifted; those of a removed fact name the row behind the last.
    """

    row: int
    removed: bool
    labels: Labels


def aligned(graph: GeneratedGraph) -> Alignment | None:
    """Shift the labels if they count one fact more or less than there is, and fit better so.

    Returns:
        None if the numbers of facts agree, or differ by more than one.
    """
    labels, size = graph.labels, len(graph.facts)
    counted = int(labels.fact.max()) + 1 if len(labels) else 0
    if not size or abs(counted - size) != 1:
        return None
    removed = counted > size
    tried = [_shifted(graph, row, removed=removed) for row in _places(graph, counted)]
    found = [
        (len(joined_findings(replace(graph, labels=one.labels)).findings), one) for one in tried
    ]
    best = min(found, key=lambda pair: pair[0], default=None)
    plain = len(joined_findings(graph).findings)
    return best[1] if best is not None and best[0] < plain else None


def _shifted(graph: GeneratedGraph, row: int, *, removed: bool) -> Alignment:
    fact = graph.labels.fact
    if removed:
        moved = np.where(fact > row, fact - 1, np.where(fact == row, len(graph.facts), fact))
    else:
        moved = np.where(fact >= row, fact + 1, fact)
    return Alignment(row=row, removed=removed, labels=replace(graph.labels, fact=moved))


def _places(graph: GeneratedGraph, counted: int) -> range:
    """Rows where relations fit before them as they stand, and behind them shifted by one."""
    wanted, there = _relations(graph, counted), graph.facts.relation
    shorter = min(counted, len(there))
    before = _run(wanted[:shorter], there[:shorter])
    behind = _run(wanted[::-1][:shorter], there[::-1][:shorter])
    first, last = max(shorter - behind, 0), before
    return range(max(first, last + 1 - _TRIED), last + 1)


def _run(wanted: Ids, there: Ids) -> int:
    """How many of them fit, from the first on."""
    differ = np.flatnonzero((wanted != there) & (wanted != _ANY))
    return int(differ[0]) if len(differ) else len(wanted)


def _relations(graph: GeneratedGraph, counted: int) -> Ids:
    """For each fact that labels count the relation that the first of them demands."""
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
