"""Figures by which graphs are compared: descriptive statistics and heuristic baselines.

Source: synthetic temporal knowledge graphs, Algorithm 12, lines 1-2 and 11-12.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

import numpy as np

from benchmarks.ranking.metrics import CUTS
from benchmarks.retrieval.context import ContextKey
from benchmarks.retrieval.heuristics import Heuristic, evaluate
from solver.tkg.dataset import Vocabulary
from solver.tkg.quadruples import Quadruples
from solver.tkg.statistics import graph_statistics

_QUANTILES = (0.25, 0.5, 0.75, 0.9, 0.99)
_COPIED = (
    *("facts", "entities", "relations", "steps", "average_degree", "events_per_step"),
    *("gini_entities", "gini_relations"),
)

METRICS = (*_COPIED, "density", *(f"degree_q{round(100 * share)}" for share in _QUANTILES))
"""Descriptive figures: those of Table 1, density (facts per entity pair), degree quantiles."""

BASELINES = tuple(
    f"{heuristic}_{shared}_hits{cut}"
    for heuristic in Heuristic
    for shared in (ContextKey.ENTITY, ContextKey.PAIR)
    for cut in CUTS
)
"""Names of the expected Hits@k of both heuristics over both contexts (Table 7)."""

_TEST_SHARE = 0.1
"""Share of the time steps, at the end, whose facts are queried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Figures of a graph.

    Attributes:
        metrics: non-negative figures by the names of ``METRICS``.
        baselines: Hits@k in [0, 1] by the names of ``BASELINES``.
    """

    metrics: Mapping[str, float]
    baselines: Mapping[str, float]

    def as_json(self) -> dict[str, dict[str, float]]:
        """Figures by kind and name."""
        return {"metrics": dict(self.metrics), "baselines": dict(self.baselines)}


def measure_graph(facts: Quadruples) -> Figures:
    """Measure a graph; times may have any offset and step.

    Raises:
        EmptyGraphError: the graph has no facts.
    """
    statistics = graph_statistics(facts)
    values = asdict(statistics)
    metrics = {name: float(values[name]) for name in _COPIED}
    metrics["density"] = statistics.facts / statistics.entities**2
    degrees = np.bincount(np.concatenate((facts.head, facts.tail)))
    found = np.quantile(degrees[degrees > 0], _QUANTILES)
    metrics |= {
        f"degree_q{round(100 * share)}": float(degree)
        for share, degree in zip(_QUANTILES, found, strict=True)
    }
    since = min(round((1 - _TEST_SHARE) * statistics.steps), statistics.steps - 1)
    baselines = _baselines(facts, int(facts.time.min()) + since * statistics.step)
    return Figures(metrics=metrics, baselines=baselines)


def _baselines(facts: Quadruples, since: int) -> dict[str, float]:
    """Hits@k of the heuristics on the facts from a time on (at least one)."""
    words = Vocabulary(
        entities=int(max(facts.head.max(), facts.tail.max())) + 1,
        relations=int(facts.relation.max()) + 1,
        times=int(facts.time.max()) + 1,
    )
    found = evaluate(facts, facts.take(facts.time >= since), words)
    hits = {
        f"{heuristic}_{shared}_hits{cut}": float(ties.expected_hits(cut).mean())
        for (heuristic, shared), ties in found.items()
        for cut in CUTS
    }
    return {name: hits[name] for name in BASELINES}
