"""Mines 2-hop rules by exact counts, day by day.

A rule holds on a day if more than half of its body groundings have an answer, and at least
``min_support`` do; ``encodings/tkg/two_hop_rules.lp`` is the same in ASP.
Source: ForecastTKGQuestions (Ding et al., ISWC 2023), section 3.2, counted where it samples.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from generators.questions.arcs import Arcs
from grammar.question import Arc, Role
from solver.questions.two_hop import TwoHopRule
from solver.tkg.dataset import Vocabulary
from solver.tkg.quadruples import Ids

ENCODING = "tkg/two_hop_rules.lp"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DayCounts:
    """Counts of pairs of relations, one row for each pair and time at which both occur.

    Attributes:
        given, asked: relations seen from the shared party; inverse where it is the object.
        support: pairs of a party and a named entity with an answer.
        body: all pairs of a party and a named entity at this time.
    """

    given: Ids
    asked: Ids
    time: Ids
    support: Ids
    body: Ids


def day_counts(arcs: Arcs) -> DayCounts:
    """Count supports of every pair of relations on each day; rows are sorted by pair and time."""
    size = arcs.relations
    times, rank = np.unique(arcs.time, return_inverse=True)
    keys, counts = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for first, second in arcs.pairs():
        # Each body grounding counts once, whatever its number of answers.
        rows, asked = np.divmod(np.unique(first * size + arcs.relation[second]), size)
        pair = arcs.relation[rows] * size + asked
        some, count = np.unique(pair * len(times) + rank[rows], return_counts=True)
        keys.append(some)
        counts.append(count)
    every, part = np.unique(np.concatenate(keys), return_inverse=True)
    support = np.bincount(part, weights=np.concatenate(counts), minlength=len(every))
    pair, time = np.divmod(every, max(len(times), 1))
    given, asked = np.divmod(pair, size)
    bodies, body = np.unique(arcs.relation * len(times) + rank, return_counts=True)
    return DayCounts(
        given=given,
        asked=asked,
        time=times[time],
        support=support.astype(np.int64),
        body=body[np.searchsorted(bodies, given * len(times) + time)],
    )


def mine(arcs: Arcs, vocabulary: Vocabulary, min_support: int) -> tuple[TwoHopRule, ...]:
    """Mine the rules that hold on some day, by descending support; all are marked ``yes``.

    Args:
        arcs: arcs of the training facts.
        vocabulary: vocabulary of their relations.
        min_support: minimal support on a day on which a rule holds.
    """
    counts = day_counts(arcs)
    size = arcs.relations
    holds = (2 * counts.support > counts.body) & (counts.support >= min_support)
    pair = counts.given * size + counts.asked
    pairs, days = np.unique(pair[holds], return_counts=True)
    kept = np.isin(pair, pairs)
    place = np.searchsorted(pairs, pair[kept])
    support = np.bincount(place, weights=counts.support[kept], minlength=len(pairs))
    body = np.bincount(arcs.relation, minlength=size)[pairs // size]
    order = np.lexsort((pairs, -support))
    return tuple(
        TwoHopRule(
            given=arc_of(int(pairs[row]) // size, vocabulary),
            asked=arc_of(int(pairs[row]) % size, vocabulary),
            days=int(days[row]),
            rule_support=int(support[row]),
            body_support=int(body[row]),
        )
        for row in order.tolist()
    )


def arc_of(relation: int, vocabulary: Vocabulary) -> Arc:
    """A relation, or an inverse, as seen from the shared party."""
    plain, inverse = relation % vocabulary.relations, relation >= vocabulary.relations
    shared = Role.OBJECT if inverse else Role.SUBJECT
    return Arc(relation=vocabulary.relation(plain), shared=shared)
