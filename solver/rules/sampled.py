"""Sampled rule mining: rules from random walks, with confidences estimated on sampled bodies.

Source: TLogic (Liu et al., AAAI 2022), section 4; vectorised over walks of one relation and length.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from solver.processes import parallel_map
from solver.rules.cyclic import bodies, cyclic_walks
from solver.rules.estimate import estimated
from solver.rules.graph import RuleGraph
from solver.rules.mined import MiningResult
from solver.rules.sampling import Sampling
from solver.rules.table import RuleTable
from solver.rules.transition import Transition
from solver.seeding import seed_of
from solver.tkg.quadruples import Ids


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
