"""Sampled mining: rules that random walks come across, with confidences from sampled bodies.

Source: TLogic (Liu et al., AAAI 2022), section 4, all walks of a relation and a length at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from solver.processes import mapped
from solver.rules.cyclic import bodies, cyclic_walks
from solver.rules.estimate import estimated
from solver.rules.graph import RuleGraph
from solver.rules.mined import Mined
from solver.rules.sampling import Sampling
from solver.rules.table import RuleTable
from solver.rules.transition import Transition
from solver.seeding import seed_of
from solver.tkg.quadruples import Ids


@dataclass(frozen=True, slots=True, kw_only=True)
class SampledMining:
    """What is mined.

    Attributes:
        lengths: of bodies.
        walks: begun for each head relation and length.
        samples: bodies drawn for each rule.
        transition: how walks choose.
        seed: of all chance; what is drawn for a relation and a length depends on nothing else.
        confidence: the least that is kept.
        body_support: the least that is kept; rule support is always positive.
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
) -> tuple[Mined, ...]:
    """Mine rules, sorted as ``RuleTable.sorted`` says; the same for any number of processes.

    Args:
        graph: where to walk.
        mining: what to mine.
        jobs: processes.
        progress: told of each part that is done; see ``parts``.

    Returns:
        One a length, in the order of ``mining.lengths``.
    """
    work = parts(graph, mining.lengths)
    found: dict[int, list[Mined]] = {length: [] for length in mining.lengths}
    sample = partial(_part, Sampling.of(graph), mining)
    for part, sampled in zip(work, mapped(sample, work, jobs), strict=True):
        found[part.length].append(sampled)
        if progress is not None:
            progress(1)
    return tuple(Mined.joined(found[length]) for length in mining.lengths)


def parts(graph: RuleGraph, lengths: tuple[int, ...]) -> list[Part]:
    """The parts of the work: relations that have facts, by length."""
    heads: Ids = np.unique(graph.facts.relation)
    return [Part(length=length, head=head) for length in lengths for head in heads.tolist()]


def _part(sampling: Sampling, mining: SampledMining, part: Part) -> Mined:
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
    return Mined(rules=kept, walks=path.shape[1])
