"""Reproduces the published strikingness weights for ICEWS14, and measures each switch.

Run it on the published files, which are not part of this repository::

    python -m benchmarks.reproduction.rules.strikingness --data icews14
        --rules rules_len1_seed6.json
        --weights strikingness_test_extend.txt --unrounded strikingness_unrounded.tsv.gz

It prints a page; ``--write`` saves it, and the figures as JSON, to ``benchmarks/results/``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click
import numpy as np

from benchmarks.reproduction.speed.clock import fastest, machine, write_results
from benchmarks.rules.ranking.files import KEYS, joined
from benchmarks.rules.ranking.groups import read_strikingness
from benchmarks.rules.ranking.queries import SplitQueries
from benchmarks.rules.ranking.tables import read_table
from benchmarks.rules.strikingness.measure import Change, Strikingness, ablate, strikingness
from benchmarks.rules.strikingness.peers import Evidence
from benchmarks.rules.strikingness.report import change_as_json
from benchmarks.rules.strikingness.settings import PROFILES, READINGS, Deviation, Element, Profile
from solver.graph.io import read_dataset
from solver.graph.model import Dataset, Split
from solver.rules.io import read_rules
from solver.rules.model import RuleTable

PUBLISHED_MINUTES = 31
"""Approximate run time of the published program on a similar machine."""
ROUNDS = 5

EXPECTED: Mapping[Deviation | None, float] = MappingProxyType(
    {
        Deviation.SQUARED: 0.161,
        Deviation.MISSING: 0.120,
        Deviation.ONE_WAY: 0.052,
        Deviation.RULELESS: 0.041,
        Deviation.STRICT: 0.013,
        Deviation.OWN_PEERS: 0.000,
        None: 0.173,
    }
)
"""Expected mean difference of weights for each switch, and for all (None)."""

_UNROUNDED = ("sk_obj", "sk_sub", "sk_rel")


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Agreement of our weights with the published ones.

    Attributes:
        events: number of events.
        equal: number of events with the same weight at three decimals.
        apart: maximum difference of each component from the unrounded published one.
        paper_least: smallest weight by the definition of the paper.
        paper_most: largest weight by the definition of the paper.
        seconds: process time of reading and of computing, the minimum of several rounds.
    """

    events: int
    equal: int
    apart: dict[str, float]
    paper_least: float
    paper_most: float
    seconds: dict[str, float]


def agreement(folder: Path, rules: Path, weights: str, unrounded: str) -> Agreement:
    """Compare our weights with the published files."""
    reading, (dataset, table) = fastest(lambda: _read(folder, rules), ROUNDS)
    computing, found = fastest(lambda: _found(dataset, table, Profile.RELEASED), ROUNDS)
    queries = SplitQueries.of(dataset, Split.TEST)
    exact = read_table(unrounded, (*KEYS, *_UNROUNDED, "sk"))
    apart = {}
    for element, column in zip(Element, _UNROUNDED, strict=True):
        known = joined(exact, column, queries, events=True)
        apart[element.value] = float(np.abs(known - found.components[element]).max())
    paper = _found(dataset, table, Profile.PAPER)
    return Agreement(
        events=len(found),
        equal=int((found.weight == read_strikingness(weights, queries)).sum()),
        apart=apart,
        paper_least=float(paper.weight.min()),
        paper_most=float(paper.weight.max()),
        seconds={"reading": reading, "computing": computing},
    )


def changes(folder: Path, rules: Path) -> tuple[Change, ...]:
    """The effect of each switch on the released weights."""
    dataset, table = _read(folder, rules)
    return ablate(dataset, table, _found(dataset, table, Profile.RELEASED))


def page(agreed: Agreement, changed: tuple[Change, ...]) -> str:
    """The figures in Markdown."""
    return "\n".join(_lines(agreed, changed)) + "\n"


def _lines(agreed: Agreement, changed: tuple[Change, ...]) -> Iterator[str]:
    yield "# Strikingness of the test events of ICEWS14"
    yield ""
    yield "| figure | expected | here |"
    yield "|---|---:|---:|"
    yield f"| weights equal at three decimals | {agreed.events:,} | {agreed.equal:,} |"
    for element, apart in agreed.apart.items():
        yield f"| component of the {element}, largest difference | 1e-6 | {apart:.1e} |"
    bounds = f"{agreed.paper_least:.3f} to {agreed.paper_most:.3f}"
    yield f"| weights of the paper | 0 to 1 | {bounds} |"
    seconds = " + ".join(f"{taken:.2f} s {part}" for part, taken in agreed.seconds.items())
    yield f"| process time, one core | 3 s | {seconds} |"
    yield ""
    yield "Each switch changed from the released profile to the paper's:"
    yield ""
    yield "| switch | the paper | the released program | mean difference, expected | here |"
    yield "|---|---|---|---:|---:|"
    for change in changed:
        name = next(iter(change.switches)) if len(change.switches) == 1 else None
        paper, released = ("", "") if name is None else READINGS[name]
        label = f"all {len(change.switches)}" if name is None else name.value
        cells = (label, paper, released, f"{EXPECTED[name]:.3f}", f"{change.mean:.4f}")
        yield "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"
    yield ""
    every = changed[-1].spearman
    yield f"Spearman's correlation of the weights before and after all six: {every:.3f}."


def _read(folder: Path, rules: Path) -> tuple[Dataset, RuleTable]:
    dataset = read_dataset(folder)
    return dataset, read_rules(rules, relations=dataset.vocabulary.relations)


def _found(dataset: Dataset, rules: RuleTable, profile: Profile) -> Strikingness:
    evidence = Evidence.of(dataset, rules, PROFILES[profile])
    return strikingness(evidence, dataset.splits[Split.TEST])


@click.command()
@click.option("--data", "folder", required=True, type=click.Path(path_type=Path))
@click.option("--rules", required=True, type=click.Path(path_type=Path))
@click.option("--weights", required=True)
@click.option(
    "--unrounded", required=True, help="File with columns s r o t sk_obj sk_sub sk_rel sk."
)
@click.option("--write", is_flag=True, help="Write the results to benchmarks/results/.")
def main(folder: Path, rules: Path, weights: str, unrounded: str, write: bool) -> None:
    """Compare published weights with ours."""
    agreed, changed = agreement(folder, rules, weights, unrounded), changes(folder, rules)
    text = page(agreed, changed)
    click.echo(text, nl=False)
    if write:
        value: dict[str, Any] = asdict(agreed)
        value["switches"] = [change_as_json(change) for change in changed]
        value["machine"] = machine() | {"numpy": np.__version__}
        value["published_minutes"] = PUBLISHED_MINUTES
        write_results("strikingness", value, text)


if __name__ == "__main__":
    main()
