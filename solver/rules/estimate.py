"""Supports of rules estimated on sampled bodies.

Source: TLogic (Liu et al., AAAI 2022), section 4.2. A body is drawn fact by fact, each alike among
those that it can go on with; bodies drawn twice count once. Where a rule says which entities are
repeated, the body has to repeat these and no others.
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
    """Supports of rules among their samples, shape (rules,)."""

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
    """Draw bodies of rules, and count those that a head fact follows.

    Args:
        sampling: the graph.
        head: relation of the rules' heads.
        bodies: relations, shape (rules, length), each held by some fact.
        same: codes of positions that hold one entity, shape (rules,).
        samples: bodies to draw for each rule.
        draw: the source of chance.
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
    """The bodies that could be finished: number of the rule, and rows of the facts."""
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
    """Each body of a rule once."""
    number = rule
    first = np.arange(len(rule))
    for row in path:
        # Numbers of what was seen so far are fewer than samples: the key fits.
        _, first, number = np.unique(number * facts + row, return_index=True, return_inverse=True)
    return rule[first], path[:, first]


def _followed(sampling: Sampling, head: int, path: Ids) -> NDArray[np.bool_]:
    """Whether a head fact between a body's ends is strictly later than its last fact."""
    facts, entities = sampling.graph.facts, sampling.graph.entities
    rows = sampling.by_relation.rows(head)
    ends, number = np.unique(facts.head[rows] * entities + facts.tail[rows], return_inverse=True)
    latest = np.full(len(ends), -1)
    np.maximum.at(latest, number, facts.time[rows])
    asked = facts.head[path[0]] * entities + facts.tail[path[-1]]
    place = np.minimum(np.searchsorted(ends, asked), len(ends) - 1)
    followed: NDArray[np.bool_] = (ends[place] == asked) & (latest[place] > facts.time[path[-1]])
    return followed
