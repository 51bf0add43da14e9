"""Measures annotation artefacts in the items of ``generate eventhop``: all presets and domains.

    python -m benchmarks.eventhop.leakage --jobs 2 --write

It generates each data set, runs the probes of ``verify``, and prints the largest excess over
chance; ``--write`` writes the results to ``benchmarks/results/``.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from itertools import product
from multiprocessing import get_context
from pathlib import Path

import click

from generators.eventhop.config import SIZES, Config
from generators.eventhop.presets import Preset, Split
from generators.eventhop.run import generate
from grammar.eventhop.model import Domain
from solver.eventhop.artefacts import Artefacts, measure
from solver.eventhop.engines import ItemSettings
from solver.eventhop.io import read_records
from solver.eventhop.probes import LIMIT
from solver.eventhop.verify import Samples
from solver.io.writing import write_json
from solver.probes.probe import MARGIN

RESULTS = Path(__file__).parents[1] / "results" / "generated-artefacts.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class LeakageResult:
    """Label leakage of a split.

    Attributes:
        excess: accuracy above chance, by what the probe sees; below 0 is worse than chance.
        largest: the largest excess.
        warnings: the warnings of ``verify``.
    """

    preset: str
    domain: str
    split: str
    items: int
    excess: dict[str, float]
    largest: float
    warnings: tuple[str, ...]


def leakage(preset: Preset, domain: Domain, sizes: dict[Split, int]) -> list[LeakageResult]:
    """Generate a data set and run the probes on it."""
    with tempfile.TemporaryDirectory() as folder:
        generate(Config(preset=preset, domain=domain, sizes=sizes), Path(folder))
        return [
            _leakage(preset, domain, split, Path(folder) / f"{split}.jsonl")
            for split in sorted(sizes)
        ]


def _leakage(preset: Preset, domain: Domain, split: Split, path: Path) -> LeakageResult:
    samples = Samples(LIMIT)
    for _ in samples.drawn_from(read_records(path)):
        pass
    found = measure(samples.samples(ItemSettings(domain=domain)))
    excess = dict(_excess(found))
    return LeakageResult(
        preset=preset.value,
        domain=domain.value,
        split=split.value,
        items=found.items,
        excess=excess,
        largest=max(excess.values()),
        warnings=tuple(one.sentence for one in found.findings if one.warning),
    )


def _excess(found: Artefacts) -> Iterator[tuple[str, float]]:
    for tried in found.guesses:
        if tried.excess is not None:
            yield tried.name, round(tried.excess, 4)


def _line(one: LeakageResult) -> str:
    warned = f"; {'; '.join(one.warnings)}" if one.warnings else ""
    return f"{one.preset:<20} {one.domain:<9} {one.split:<6} {one.largest:+.4f}{warned}"


@click.command()
@click.option("--train-size", type=click.IntRange(1), default=SIZES[Split.TRAIN], show_default=True)
@click.option("--test-size", type=click.IntRange(1), default=SIZES[Split.TEST], show_default=True)
@click.option(
    "--jobs",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Number of worker processes.",
)
@click.option("--write", is_flag=True, help="Write the results to benchmarks/results/.")
def main(train_size: int, test_size: int, jobs: int, write: bool) -> None:
    """Probe every preset in every domain; about 40 s of one core for each at full size."""
    sizes = {Split.TRAIN: train_size, Split.TEST: test_size}
    found: list[LeakageResult] = []
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        made = [pool.submit(leakage, *pair, sizes) for pair in product(Preset, Domain)]
        for one in made:
            for split in one.result():
                found.append(split)
                click.echo(_line(split))
    largest = max(found, key=lambda one: one.largest)
    click.echo(f"largest excess over chance: {_line(largest)}")
    if write:
        sets = [asdict(one) for one in found]
        write_json(RESULTS, {"margin": MARGIN, "largest": asdict(largest), "sets": sets})


if __name__ == "__main__":
    main()
