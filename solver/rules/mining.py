"""Mines the rules of a graph exactly or from random walks, as the settings request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from grammar.errors import HopcheckError
from solver.graph.model import Dataset, Split
from solver.processes import Progress, no_progress
from solver.rules.graph import RuleGraph
from solver.rules.model import MiningResult, RuleTable
from solver.rules.provenance import Seen
from solver.rules.sampled import Transition

_MOST_GROUNDINGS = 5e9


class Method(StrEnum):
    """The mining method."""

    EXACT = "exact"
    SAMPLE = "sample"


class MiningError(HopcheckError):
    """A graph from which the requested rules cannot be mined."""

    code = "mining"


@dataclass(frozen=True, slots=True, kw_only=True)
class MiningSettings:
    """What is mined, and how.

    Attributes:
        lengths: body lengths, ascending.
        method: None to count rules of lengths 1 and 2 exactly and to sample longer ones.
        splits: the splits to mine.
        repeated: also mine rules whose body repeats an entity (exact only).
        walks: random walks per relation and length (sample only).
        samples: body samples per rule (sample only).
        transition: distribution of the next step of a walk (sample only).
        seed: random seed (sample only).
        confidence: minimum confidence of a rule.
        body_support: minimum body support of a rule.
    """

    lengths: tuple[int, ...] = (1, 2)
    method: Method | None = None
    splits: tuple[Split, ...] = (Split.TRAIN,)
    repeated: bool = False
    walks: int = 200
    samples: int = 500
    transition: Transition = Transition.EXPONENTIAL
    seed: int = 0
    confidence: float = 0.0
    body_support: int = 0

    @property
    def used_method(self) -> Method:
        """The method, or the default one for the lengths."""
        return self.method or (Method.SAMPLE if max(self.lengths) > 2 else Method.EXACT)


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
    from solver.rules.exact import ExactMining, blocks, count_walks, mine_exact

    mining = ExactMining(
        lengths=settings.lengths,
        repeated=settings.repeated,
        confidence=settings.confidence,
        body_support=settings.body_support,
    )
    for length in mining.lengths:
        groundings = count_walks(graph, length)
        if groundings > _MOST_GROUNDINGS:
            message = f"found {groundings:,.0f} body groundings of length {length}"
            expected = f"expected at most {_MOST_GROUNDINGS:,.0f}"
            raise MiningError(f"{message}, {expected}", hint="use --method sample")
    with progress("blocks", len(blocks(graph, mining.lengths))) as advance:
        return mine_exact(graph, mining, jobs=jobs, progress=advance)


def _sampled(
    graph: RuleGraph, settings: MiningSettings, jobs: int, progress: Progress
) -> Sequence[MiningResult]:
    from solver.rules.sampled import SampledMining, mine_sampled, parts

    mining = SampledMining(
        lengths=settings.lengths,
        walks=settings.walks,
        samples=settings.samples,
        transition=settings.transition,
        seed=settings.seed,
        confidence=settings.confidence,
        body_support=settings.body_support,
    )
    with progress("relations", len(parts(graph, mining.lengths))) as advance:
        return mine_sampled(graph, mining, jobs=jobs, progress=advance)
