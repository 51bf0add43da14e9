"""Measures the cost of mining rules, and compares sampled rules with exact and published ones.

    python -m benchmarks.reproduction.speed.mining FOLDER [--published RULES] [--write]

FOLDER is a graph such as ICEWS14. Times are process times of one core, the minimum over the rounds,
from facts in memory to sorted rules; memory is that of the whole command.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

import click
import numpy as np

from benchmarks.reproduction.speed.clock import fastest, machine, write_results
from benchmarks.reproduction.speed.processes import command
from solver.cli.printing import print_json
from solver.graph.io import read_dataset
from solver.graph.model import Dataset, Split
from solver.rules.exact import mine_exact
from solver.rules.graph import RuleGraph
from solver.rules.io import read_rules
from solver.rules.model import MiningResult, MiningSettings, RuleTable
from solver.rules.sampled import mine_sampled

PUBLISHED_SECONDS = {"wall": 1353, "process": 794}
"""Seconds of the published program for lengths 1 to 3 on a machine of this class."""
_SAMPLED = (1, 2, 3)
_SIGMAS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactCost:
    """The cost of exact mining of one length."""

    length: int
    groundings: int
    rules: int
    rule_support: int
    seconds: float
    mebibytes: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthStatistics:
    """Sampled rules of one length, and those of a published file if given."""

    length: int
    rules: int
    mean_confidence: float
    published_rules: int | None
    published_mean_confidence: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SampledCost:
    """The cost of sampled mining of lengths 1 to 3.

    Attributes:
        near_exact: share of the rules of length 1 whose confidence is within 3 binomial standard
            deviations of the exact one.
        same_on_two: whether two processes find the same rules.
    """

    walks: int
    seconds: float
    near_exact: float
    same_on_two: bool
    lengths: tuple[LengthStatistics, ...]


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--published", type=click.Path(exists=True, path_type=Path), help="Rules to compare.")
@click.option(
    "--rounds", type=click.IntRange(1), default=3, show_default=True, help="Timing rounds."
)
@click.option("--write", is_flag=True, help="Write benchmarks/results/mining.json too.")
def main(folder: Path, published: Path | None, rounds: int, *, write: bool) -> None:
    """Measure the cost of mining a graph."""
    dataset = read_dataset(folder)
    exact = [_exact(dataset, folder, length, rounds) for length in (1, 2)]
    figures = {
        "data": dataset.name,
        "facts": len(dataset.facts(Split.TRAIN)),
        "rounds": rounds,
        "machine": machine() | {"numpy": np.__version__},
        "published_seconds": PUBLISHED_SECONDS,
        "exact": [asdict(cost) for cost in exact],
        "sampled": asdict(_sampled(dataset, published, rounds)),
    }
    if write:
        write_results("mining", figures)
    print_json(figures)


def _exact(dataset: Dataset, folder: Path, length: int, rounds: int) -> ExactCost:
    mining = MiningSettings(lengths=(length,))
    seconds, (found,) = fastest(lambda: mine_exact(_graph(dataset), mining), rounds)
    process = command("mine", str(folder), "--lengths", str(length), "--method", "exact", "--json")
    return ExactCost(
        length=length,
        groundings=found.walks,
        rules=len(found.rules),
        rule_support=int(found.rules.rule_support.sum()),
        seconds=round(seconds, 3),
        mebibytes=round(process.mebibytes),
    )


def _sampled(dataset: Dataset, published: Path | None, rounds: int) -> SampledCost:
    mining = MiningSettings(lengths=_SAMPLED)
    seconds, found = fastest(lambda: mine_sampled(_graph(dataset), mining), rounds)
    on_two = mine_sampled(_graph(dataset), mining, jobs=2)
    (exact,) = mine_exact(_graph(dataset), MiningSettings(lengths=(1,)))
    like = read_rules(published, relations=dataset.vocabulary.relations) if published else None
    return SampledCost(
        walks=mining.walks,
        seconds=round(seconds, 2),
        near_exact=round(_near(found[0].rules, exact.rules), 4),
        same_on_two=all(
            list(result.rules) == list(two.rules) for result, two in zip(found, on_two, strict=True)
        ),
        lengths=tuple(
            _statistics(length, result, None if like is None else like.take(like.length == length))
            for length, result in zip(_SAMPLED, found, strict=True)
        ),
    )


def _statistics(length: int, found: MiningResult, published: RuleTable | None) -> LengthStatistics:
    return LengthStatistics(
        length=length,
        rules=len(found.rules),
        mean_confidence=_mean(found.rules),
        published_rules=None if published is None else len(published),
        published_mean_confidence=None if published is None else _mean(published),
    )


def _mean(rules: RuleTable) -> float:
    return round(float(rules.confidence.mean()), 4)


def _near(sampled: RuleTable, exact: RuleTable) -> float:
    """The share of sampled confidences within three standard deviations of the exact ones."""
    true = {(rule.head, rule.body): rule.confidence for rule in exact}
    share = np.array([true[rule.head, rule.body] for rule in sampled])
    sigma = np.sqrt(share * (1 - share) / sampled.body_support)
    # For a share of exactly 1 sigma is 0; allow for rounding.
    near = np.abs(sampled.confidence - share) <= _SIGMAS * sigma + 1e-12
    return float(near.mean())


def _graph(dataset: Dataset) -> RuleGraph:
    return RuleGraph.of(dataset.facts(Split.TRAIN), dataset.vocabulary.relations)


if __name__ == "__main__":
    main()
