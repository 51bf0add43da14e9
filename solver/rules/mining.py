"""Mines the rules of a graph exactly or from random walks, as the settings request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from grammar.errors import HopcheckError
from solver.graph.model import Dataset
from solver.processes import Progress, no_progress
from solver.rules.graph import RuleGraph
from solver.rules.model import Method, MiningResult, MiningSettings, RuleTable
from solver.rules.provenance import Seen

_MOST_GROUNDINGS = 5e9


class MiningError(HopcheckError):
    """A graph from which the requested rules cannot be mined."""

    code = "mining"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MinedRules:
    """The rules of a graph.

    Attributes:
        dataset: the graph.
        facts: number of facts that were mined.
        by_length: the result for each of the settings' lengths.
        rules: all rules, as by ``RuleTable.sorted``.
    """

    dataset: Dataset
    settings: MiningSettings
    facts: int
    by_length: tuple[MiningResult, ...]
    rules: RuleTable


def mine(
    dataset: Dataset,
    settings: MiningSettings | None = None,
    *,
    jobs: int = 1,
    progress: Progress = no_progress,
) -> MinedRules:
    """Mine temporal rules with their supports and confidences.

    Args:
        dataset: the graph.
        settings: what is mined, and how.
        jobs: number of worker processes; the rules do not depend on it.
        progress: shows the progress of ``blocks`` or ``relations``.

    Raises:
        MiningError: the splits have no facts, or too many groundings to count.
    """
    settings = settings or MiningSettings()
    facts = dataset.facts(*settings.splits)
    if not len(facts):
        message = f"found no facts in {', '.join(settings.splits)}, expected at least one"
        raise MiningError(message, where=dataset.name, hint="choose other splits with --split")
    graph = RuleGraph.of(facts, dataset.vocabulary.relations)
    exact = settings.used_method is Method.EXACT
    found = (_exact if exact else _sampled)(graph, settings, jobs, progress)
    seen = Seen.of(dataset, settings.splits, seed=None if exact else settings.seed)
    return MinedRules(
        dataset=dataset,
        settings=settings,
        facts=len(facts),
        by_length=tuple(found),
        rules=replace(RuleTable.joined(*(result.rules for result in found)).sorted(), seen=seen),
    )


def _exact(
    graph: RuleGraph, settings: MiningSettings, jobs: int, progress: Progress
) -> Sequence[MiningResult]:
    from solver.rules.exact import blocks, count_walks, mine_exact

    for length in settings.lengths:
        groundings = count_walks(graph, length)
        if groundings > _MOST_GROUNDINGS:
            message = f"found {groundings:,.0f} body groundings of length {length}"
            expected = f"expected at most {_MOST_GROUNDINGS:,.0f}"
            raise MiningError(f"{message}, {expected}", hint="use --method sample")
    with progress("blocks", len(blocks(graph, settings.lengths))) as advance:
        return mine_exact(graph, settings, jobs=jobs, progress=advance)


def _sampled(
    graph: RuleGraph, settings: MiningSettings, jobs: int, progress: Progress
) -> Sequence[MiningResult]:
    from solver.rules.sampled import mine_sampled, parts

    with progress("relations", len(parts(graph, settings.lengths))) as advance:
        return mine_sampled(graph, settings, jobs=jobs, progress=advance)
