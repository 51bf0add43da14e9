"""The chains of groundings of rules that fire (eq. 5), and the expectations they imply (eq. 6).

A chain goes back in time from the event: the latest body before it, the latest head not after that
body, the latest body before that head, and so on within the window. Among the chains allowed by
eq. 5 it has the most groundings, each as late as possible.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.ranking.tables import Numbers
from benchmarks.strikingness.evidence import Evidence
from benchmarks.strikingness.firings import Firings
from benchmarks.strikingness.settings import Deviation
from solver.tkg.quadruples import Ids


def groundings(evidence: Evidence, firings: Firings) -> Iterator[tuple[Ids, Ids]]:
    """Yield the groundings of all chains, from the latest of each chain backwards.

    Yields:
        Rows of the firings whose chain has another grounding, and the times of its body.
    """
    history, book = evidence.history, evidence.book
    rows, bodies = np.arange(len(firings), dtype=np.int64), firings.latest
    # As released, a fact cannot be both a body and the next head if the relations are equal.
    apart = (book.body == book.head) & evidence.settings.has(Deviation.STRICT)
    while len(rows):
        yield rows, bodies
        known = firings.head[rows] >= 0
        rows, bodies = rows[known], bodies[known]
        heads = history.latest(firings.head[rows], bodies - apart[firings.rule[rows]])
        bodies = history.latest(firings.body[rows], heads - 1)
        within = bodies >= np.maximum(firings.since[rows], 0)
        rows, bodies = rows[within], bodies[within]


def recency(evidence: Evidence, times: Ids, bodies: Ids) -> Numbers:
    """``exp(-lambda (t - t_y))``, with times in time steps of the graph.

    Args:
        evidence: has lambda and the time step.
        times: times t of events.
        bodies: earlier times t_y, of the same length.
    """
    weights: Numbers = np.exp(-evidence.settings.decay * ((times - bodies) / evidence.step))
    return weights


def expectations(evidence: Evidence, firings: Firings) -> Numbers:
    """The contribution of each firing to the expectation of its peer (outer sum of eq. 6)."""
    sums = np.zeros(len(firings))
    for rows, bodies in groundings(evidence, firings):
        sums[rows] += recency(evidence, firings.time[rows], bodies)
    return sums * evidence.book.confidence[firings.rule]
