"""Rule supports estimated from sampled body groundings.

Source: TLogic (Liu et al., AAAI 2022), section 4.2. A body is sampled fact by fact, uniformly among
the possible continuations; duplicates count once. If a rule constrains entities to be equal, the
body has to repeat exactly these.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.rules.repeated import codes
from solver.rules.sampling import Sampling
from solver.tkg.quadruples import Ids


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Estimate:
    """Supports of rules in their samples, shape (rules,)."""

    rule_support: Ids
    body_support: Ids


def estimated(
    sampling: Sampling,
    head: int,
    bodies: Ids,
    same: Ids,
    *,
    samples: int,
    draw: np.random.Generator,
) -> Estimate:
    """Sample body groundings of rules and count those followed by a head fact.

    Args:
        sampling: index of the graph.
        head: relation of the rule heads.
        bodies: relations, shape (rules, length); each occurs in the graph.
        same: codes of the positions with equal entities, shape (rules,).
        samples: number of samples per rule.
        draw: random generator.
    """
    rule, path = _drawn(sampling, bodies, samples, draw)
    facts = sampling.graph.facts
    entities = (facts.head[path[0]], *(facts.tail[row] for row in path))
    kept = (same[rule] == 0) | (codes(entities) == same[rule])
    rule, path = _distinct(rule[kept], path[:, kept], len(facts))
    followed = _followed(sampling, head, path)
    return Estimate(
        rule_support=np.bincount(rule[followed], minlength=len(bodies)),
        body_support=np.bincount(rule, minlength=len(bodies)),
    )


def _drawn(
    sampling: Sampling, bodies: Ids, samples: int, draw: np.random.Generator
) -> tuple[Ids, Ids]:
    """Sample bodies; returns the rule number and the fact rows of each complete one."""
    facts, index, times = sampling.graph.facts, sampling.by_way, sampling.graph.times
    rule = np.repeat(np.arange(len(bodies)), samples)
    begin, end = sampling.by_relation.ranges(bodies[:, 0])
    place = begin[rule] + (draw.random(len(rule)) * (end - begin)[rule]).astype(np.int64)
    path = sampling.by_relation.order[place][np.newaxis]
    for step in range(1, bodies.shape[1]):
        last = path[-1]
        way = facts.tail[last] * sampling.graph.relations + bodies[rule, step]
        at = np.searchsorted(index.keys, way * times + facts.time[last])
        found = np.append(index.keys, -1)[at] // times == way
        rule, path, at = rule[found], path[:, found], at[found]
        several = sampling.way_end[at] - at
        place = at + (draw.random(len(at)) * several).astype(np.int64)
        path = np.concatenate([path, index.order[place][np.newaxis]])
    return rule, path


def _distinct(rule: Ids, path: Ids, facts: int) -> tuple[Ids, Ids]:
    """Deduplicate the bodies of each rule."""
    number = rule
    first = np.arange(len(rule))
    for row in path:
        # There are at most as many prefixes as samples, so that the key fits in 63 bits.
        _, first, number = np.unique(number * facts + row, return_index=True, return_inverse=True)
    return rule[first], path[:, first]


def _followed(sampling: Sampling, head: int, path: Ids) -> NDArray[np.bool_]:
    """Whether a head fact between the ends of a body is strictly later than its last fact."""
    facts, entities = sampling.graph.facts, sampling.graph.entities
    rows = sampling.by_relation.rows(head)
    ends, number = np.unique(facts.head[rows] * entities + facts.tail[rows], return_inverse=True)
    latest = np.full(len(ends), -1)
    np.maximum.at(latest, number, facts.time[rows])
    pairs = facts.head[path[0]] * entities + facts.tail[path[-1]]
    place = np.minimum(np.searchsorted(ends, pairs), len(ends) - 1)
    followed: NDArray[np.bool_] = (ends[place] == pairs) & (latest[place] > facts.time[path[-1]])
    return followed
