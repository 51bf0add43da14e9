"""Sampled rule mining: rules from random walks, with confidences estimated on sampled bodies.

Source: TLogic (Liu et al., AAAI 2022), section 4; vectorised over walks of one relation and length.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from solver.graph.model import Ids
from solver.processes import parallel_map
from solver.rules.exact import codes
from solver.rules.graph import RuleGraph
from solver.rules.model import MiningResult, RuleTable
from solver.rules.random_walks import Sampling, Transition, bodies, cyclic_walks
from solver.seeding import seed_of


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


@dataclass(frozen=True, slots=True, kw_only=True)
class SampledMining:
    """Settings of sampled mining.

    Attributes:
        lengths: body lengths.
        walks: number of walks per head relation and length.
        samples: number of body samples per rule.
        transition: distribution of the next step of a walk.
        seed: random seed; samples depend only on it, the head relation and the length.
        confidence: minimum confidence.
        body_support: minimum body support; rule support is always positive.
    """

    lengths: tuple[int, ...] = (1, 2, 3)
    walks: int = 200
    samples: int = 500
    transition: Transition = Transition.EXPONENTIAL
    seed: int = 0
    confidence: float = 0.0
    body_support: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Part:
    """Rules of one length for one head relation."""

    length: int
    head: int


def mine_sampled(
    graph: RuleGraph,
    mining: SampledMining,
    *,
    jobs: int = 1,
    progress: Callable[[int], object] | None = None,
) -> tuple[MiningResult, ...]:
    """Mine rules, sorted as by ``RuleTable.sorted``; the same for any number of processes.

    Args:
        graph: the graph.
        mining: the settings.
        jobs: number of worker processes.
        progress: called with 1 after each part; see ``parts``.

    Returns:
        One result per length, in the order of ``mining.lengths``.
    """
    work = parts(graph, mining.lengths)
    found: dict[int, list[MiningResult]] = {length: [] for length in mining.lengths}
    sample = partial(_part, Sampling.of(graph), mining)
    for part, sampled in zip(work, parallel_map(sample, work, jobs), strict=True):
        found[part.length].append(sampled)
        if progress is not None:
            progress(1)
    return tuple(MiningResult.joined(found[length]) for length in mining.lengths)


def parts(graph: RuleGraph, lengths: tuple[int, ...]) -> list[Part]:
    """Divide the work by length and by relations that have facts."""
    heads: Ids = np.unique(graph.facts.relation)
    return [Part(length=length, head=head) for length in lengths for head in heads.tolist()]


def _part(sampling: Sampling, mining: SampledMining, part: Part) -> MiningResult:
    draw = np.random.Generator(
        np.random.PCG64(seed_of(mining.seed, "rules", part.head, part.length))
    )
    path = cyclic_walks(
        sampling,
        part.head,
        part.length,
        walks=mining.walks,
        transition=mining.transition,
        draw=draw,
    )
    body, same = bodies(sampling, path)
    found = estimated(sampling, part.head, body, same, samples=mining.samples, draw=draw)
    rules = RuleTable(
        head=np.full(len(body), part.head, dtype=np.int64),
        body=np.ascontiguousarray(body),
        same=same,
        rule_support=found.rule_support,
        body_support=found.body_support,
    )
    followed = rules.take(rules.rule_support > 0)
    kept = followed.at_least(confidence=mining.confidence, body_support=mining.body_support)
    return MiningResult(rules=kept, walks=path.shape[1])
