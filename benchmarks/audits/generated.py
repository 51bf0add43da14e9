"""Measures what the items that ``generate eventhop`` makes give away: all presets and domains.

    python -m benchmarks.audits.generated --jobs 2 --write

It makes each data set in a folder of its own, tries the guesses that ``verify`` tries, and prints
by how much the best of them exceeds chance; ``--write`` leaves that in ``benchmarks/results/``.
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
from solver.artefacts import Artefacts
from solver.artefacts.guess import MARGIN
from solver.model import Domain
from solver.reading import read_records
from solver.verify.samples import Samples
from solver.verify.settings import Settings
from solver.writing import write_json

RESULTS = Path(__file__).parents[1] / "results" / "generated-artefacts.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Guessed:
    """What a split gives away.

    Attributes:
        excess: macro-F1 above chance, by what the guesser sees; below 0 is worse than chance.
        largest: of these.
        warnings: what ``verify`` would warn of, in its words.
    """

    preset: str
    domain: str
    split: str
    items: int
    excess: dict[str, float]
    largest: float
    warnings: tuple[str, ...]


def guessed(preset: Preset, domain: Domain, sizes: dict[Split, int]) -> list[Guessed]:
    """Make a data set and guess at it."""
    with tempfile.TemporaryDirectory() as folder:
        generate(Config(preset=preset, domain=domain, sizes=sizes), Path(folder))
        return [
            _guessed(preset, domain, split, Path(folder) / f"{split}.jsonl")
            for split in sorted(sizes)
        ]


def _guessed(preset: Preset, domain: Domain, split: Split, path: Path) -> Guessed:
    samples = Samples()
    for _ in samples.drawn_from(read_records(path)):
        pass
    found = samples.artefacts(Settings(domain=domain))
    excess = dict(_excess(found))
    return Guessed(
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
        if tried.macro_f1 is not None and tried.chance is not None:
            yield tried.seen.value, round(tried.macro_f1 - tried.chance, 4)


def _told(one: Guessed) -> str:
    warned = f"; {'; '.join(one.warnings)}" if one.warnings else ""
    return f"{one.preset:<20} {one.domain:<9} {one.split:<6} {one.largest:+.4f}{warned}"


@click.command()
@click.option("--train-size", type=click.IntRange(1), default=SIZES[Split.TRAIN], show_default=True)
@click.option("--test-size", type=click.IntRange(1), default=SIZES[Split.TEST], show_default=True)
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes.")
@click.option("--write", is_flag=True, help="Write the results to benchmarks/results/.")
def main(train_size: int, test_size: int, jobs: int, write: bool) -> None:
    """Guess at every preset in every domain; some 40 s of one core for each at full size."""
    sizes = {Split.TRAIN: train_size, Split.TEST: test_size}
    found: list[Guessed] = []
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        made = [pool.submit(guessed, *pair, sizes) for pair in product(Preset, Domain)]
        for one in made:
            for split in one.result():
                found.append(split)
                click.echo(_told(split))
    largest = max(found, key=lambda one: one.largest)
    click.echo(f"largest excess over chance: {_told(largest)}")
    if write:
        told = {"margin": MARGIN, "largest": asdict(largest), "sets": [asdict(o) for o in found]}
        write_json(RESULTS, told)


if __name__ == "__main__":
    main()
