"""Sampled rule mining: rules from random walks, with confidences estimated on sampled bodies.

Source: TLogic (Liu et al., AAAI 2022), section 4; vectorised over walks of one relation and length.
A walk starts with a head fact and continues from its tail with earlier facts: the first is
strictly earlier, no step traverses the previous fact backwards, and the last step returns to the
start. The reversed walk is a rule body.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from solver.graph.model import Ids, Index, expand, pack
from solver.rules.exact import Block, codes, mined_blocks
from solver.rules.graph import RuleGraph
from solver.rules.model import MiningResult, MiningSettings, RuleTable, Transition
from solver.seeding import seed_of


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sampling:
    """Indexes over the rows of a graph.

    Attributes:
        graph: the graph; its facts are sorted by head and time.
        mirror: for each fact, the row of its inverse.
        by_relation: rows by relation.
        by_head: keys (head, time), in row order.
        by_ends: keys (head, tail, time).
        place_by_ends: position of each row in ``by_ends``.
        by_way: keys (head, relation, time).
        way_end: for each position in ``by_way``, the end of its (head, relation).
    """

    graph: RuleGraph
    mirror: Ids
    by_relation: Index
    by_head: Index
    by_ends: Index
    place_by_ends: Ids
    by_way: Index
    way_end: Ids

    @classmethod
    def of(cls, graph: RuleGraph) -> Sampling:
        """Index a graph."""
        facts, entities, times = graph.facts, graph.entities, graph.times
        sizes = (entities, times, graph.relations, entities)
        own_pack = pack((facts.head, facts.time, facts.relation, facts.tail), sizes)
        back = facts.inverted(graph.relations // 2)
        mirrored = pack((back.head, back.time, back.relation, back.tail), sizes)
        ends = Index.of(pack((facts.head, facts.tail, facts.time), (entities, entities, times)))
        way_sizes = (entities, graph.relations, times)
        ways = Index.of(pack((facts.head, facts.relation, facts.time), way_sizes))
        way = ways.keys // times
        return cls(
            graph=graph,
            mirror=np.searchsorted(own_pack, mirrored),
            by_relation=Index.of(facts.relation),
            by_head=Index.of(pack((facts.head, facts.time), (entities, times))),
            by_ends=ends,
            place_by_ends=np.argsort(ends.order),
            by_way=ways,
            way_end=np.searchsorted(way, way, side="right"),
        )


_SPAN = 40
"""Time steps before the latest fact beyond which weights, below exp(-40), are negligible."""
_VANISHING = 745
"""Time steps before now beyond which all weights underflow; facts are then sampled uniformly."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Continuations:
    """Possible continuations of walks: ranges of an index whose keys end in a time.

    Attributes:
        index: index of the facts.
        times: times of the facts as ranks, in index order.
        base: for each walk, the key of its continuations at time 0.
        limit: exclusive upper bound of the time of the next fact.
        barred: a position that the walk must not choose; -1 if there is none.
        now: time of the last fact of each walk.
    """

    index: Index
    times: Ids
    base: Ids
    limit: Ids
    barred: Ids
    now: Ids


def taken(ways: Continuations, transition: Transition, drawn: NDArray[np.float64]) -> Ids:
    """Sample the next index position of each walk; -1 if it has no continuation.

    Args:
        ways: the possible continuations.
        transition: distribution of the next fact.
        drawn: a random number in [0, 1) for each walk.
    """
    begin = np.searchsorted(ways.index.keys, ways.base)
    end = np.searchsorted(ways.index.keys, ways.base + ways.limit)
    barred = (begin <= ways.barred) & (ways.barred < end)
    several = end - begin - barred
    place = begin + (drawn * several).astype(np.int64)
    place += barred & (place >= ways.barred)
    if transition is Transition.EXPONENTIAL:
        last = np.maximum(end - 1 - (barred & (ways.barred == end - 1)), 0)
        near = (several > 0) & (ways.now - ways.times[last] <= _VANISHING)
        place[near] = _weighted(ways, last, np.flatnonzero(near), drawn)
    return np.where(several > 0, place, -1)


def _weighted(ways: Continuations, last: Ids, walks: Ids, drawn: NDArray[np.float64]) -> Ids:
    """Sample proportionally to exp(time); ``last`` is the latest position of each walk."""
    last = last[walks]
    latest = ways.times[last]
    first = np.searchsorted(ways.index.keys, ways.base[walks] + np.maximum(latest - _SPAN, 0))
    asker, place = expand(first, last + 1)
    weight = np.exp((ways.times[place] - latest[asker]).astype(np.float64))
    weight[place == ways.barred[walks][asker]] = 0.0
    reached = np.concatenate([[0.0], np.cumsum(weight)])
    offset = np.concatenate([[0], np.cumsum(last + 1 - first)])
    before, after = reached[offset[:-1]], reached[offset[1:]]
    found = np.searchsorted(reached[1:], before + drawn[walks] * (after - before), side="right")
    chosen: Ids = first + np.clip(found - offset[:-1], 0, last - first)
    return chosen


def cyclic_walks(
    sampling: Sampling,
    head: int,
    length: int,
    *,
    walks: int,
    transition: Transition,
    draw: np.random.Generator,
) -> Ids:
    """Sample cyclic walks.

    Args:
        sampling: index of the graph.
        head: relation of the first fact; the graph has at least one such fact.
        length: number of facts after the first.
        walks: number of walks to start.
        transition: distribution of the next step.
        draw: random generator.

    Returns:
        Rows of the facts of the walks that returned, shape (length + 1, returned walks).
    """
    rows = sampling.by_relation.rows(head)
    path = rows[draw.integers(len(rows), size=walks)][np.newaxis]
    for step in range(1, length + 1):
        ways = _back(sampling, path) if step == length else _onwards(sampling, path)
        place = taken(ways, transition, draw.random((path.shape[1],)))
        found = place >= 0
        row = ways.index.order[place[found]]
        path = np.concatenate([path[:, found], row[np.newaxis]])
    return path


def bodies(sampling: Sampling, path: Ids) -> tuple[Ids, Ids]:
    """The distinct rule bodies of some walks.

    Returns:
        Relations, shape (rules, length), and codes of the positions with equal entities.
    """
    facts = sampling.graph.facts
    back = sampling.mirror[path[:0:-1]]
    entities = (facts.head[back[0]], *(facts.tail[row] for row in back))
    every = np.concatenate([facts.relation[back], codes(entities)[np.newaxis]])
    distinct = np.unique(every, axis=1)
    return distinct[:-1].T, distinct[-1]


def _onwards(sampling: Sampling, path: Ids) -> Continuations:
    facts, last = sampling.graph.facts, path[-1]
    return Continuations(
        index=sampling.by_head,
        times=facts.time,
        base=facts.tail[last] * sampling.graph.times,
        limit=_limit(sampling, path),
        barred=_barred(sampling, path),
        now=facts.time[last],
    )


def _back(sampling: Sampling, path: Ids) -> Continuations:
    facts, last = sampling.graph.facts, path[-1]
    barred = _barred(sampling, path)
    ends = facts.tail[last] * sampling.graph.entities + facts.head[path[0]]
    return Continuations(
        index=sampling.by_ends,
        times=facts.time[sampling.by_ends.order],
        base=ends * sampling.graph.times,
        limit=_limit(sampling, path),
        barred=np.where(barred < 0, -1, sampling.place_by_ends[barred]),
        now=facts.time[last],
    )


def _limit(sampling: Sampling, path: Ids) -> Ids:
    """Times below which the next fact is: strictly before the head, not after other facts."""
    now: Ids = sampling.graph.facts.time[path[-1]]
    return now if len(path) == 1 else now + 1


def _barred(sampling: Sampling, path: Ids) -> Ids:
    return np.full(path.shape[1], -1) if len(path) == 1 else sampling.mirror[path[-1]]


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


def mine_sampled(
    graph: RuleGraph,
    mining: MiningSettings,
    *,
    jobs: int = 1,
    progress: Callable[[int], object] | None = None,
) -> tuple[MiningResult, ...]:
    """Mine rules, sorted as by ``RuleTable.sorted``; the same for any number of processes.

    Args:
        graph: the graph.
        mining: the settings; the random numbers depend only on the seed, head relation and length.
        jobs: number of worker processes.
        progress: called with 1 after each part; see ``parts``.

    Returns:
        One result per length, in the order of ``mining.lengths``.
    """
    sample = partial(_part, Sampling.of(graph), mining)
    return mined_blocks(sample, parts(graph, mining.lengths), mining.lengths, jobs, progress)


def parts(graph: RuleGraph, lengths: tuple[int, ...]) -> list[Block]:
    """Divide the work by length and by relations of heads that have facts."""
    heads: list[int] = np.unique(graph.facts.relation).tolist()
    return [Block(length=length, begin=n, end=n + 1) for length in lengths for n in heads]


def _part(sampling: Sampling, mining: MiningSettings, part: Block) -> MiningResult:
    draw = np.random.Generator(
        np.random.PCG64(seed_of(mining.seed, "rules", part.begin, part.length))
    )
    path = cyclic_walks(
        sampling,
        part.begin,
        part.length,
        walks=mining.walks,
        transition=mining.transition,
        draw=draw,
    )
    body, same = bodies(sampling, path)
    found = estimated(sampling, part.begin, body, same, samples=mining.samples, draw=draw)
    rules = RuleTable(
        head=np.full(len(body), part.begin, dtype=np.int64),
        body=np.ascontiguousarray(body),
        same=same,
        rule_support=found.rule_support,
        body_support=found.body_support,
    )
    followed = rules.take(rules.rule_support > 0)
    kept = followed.at_least(confidence=mining.confidence, body_support=mining.body_support)
    return MiningResult(rules=kept, walks=path.shape[1])
