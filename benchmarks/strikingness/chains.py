"""The chains of groundings that firings stand for (eq. 5), and what they let one expect (eq. 6).

A chain goes back in time from the event: the latest body before it; before that body, or together
with it, the latest head; before that head the next body; as far as the window reaches. Of all
chains that eq. 5 allows this has the most groundings, and each of them as late as can be.
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
    """The groundings of all chains, the latest ones first.

    Yields:
        Rows of firings whose chains reach so far back, and the times of the bodies there.
    """
    history, book = evidence.history, evidence.book
    rows, bodies = np.arange(len(firings), dtype=np.int64), firings.latest
    # As released, a fact that is both body and head of a repetition counts as one of them.
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
    """``exp(-lambda (t - t_y))``, times in steps of the graph's.

    Args:
        evidence: which knows lambda and the step.
        times: of events.
        bodies: earlier times, of the same length.
    """
    weights: Numbers = np.exp(-evidence.settings.decay * ((times - bodies) / evidence.step))
    return weights


def expectations(evidence: Evidence, firings: Firings) -> Numbers:
    """What each firing adds to the expectation of its peer, a term of the outer sum of eq. 6."""
    sums = np.zeros(len(firings))
    for rows, bodies in groundings(evidence, firings):
        sums[rows] += recency(evidence, firings.time[rows], bodies)
    return sums * evidence.book.confidence[firings.rule]
