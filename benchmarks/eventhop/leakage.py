"""Measures shortcuts in the items of ``generate eventhop``: presets, domains and seeds.

    python -m benchmarks.eventhop.leakage --preset strict --seeds 0,1 --jobs 2 --write
    python -m benchmarks.eventhop.leakage --file temporal_test.tsv.gz --write

It generates each data set, runs all probes of ``verify`` and, where scikit-learn is installed, a
gradient-boosted tree on all counts, and prints the largest excess over chance. ``--write`` adds the
results to those in ``benchmarks/results/`` after each data set; ``--resume`` leaves out those whose
results are there. Delete the file after a change of the generator.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import click
import msgspec
import numpy as np

from generators.eventhop.config import SIZES, Config
from generators.eventhop.presets import TRAITS, Preset, SharedTrait, Split
from generators.eventhop.run import generate
from grammar.eventhop.model import Domain
from solver.eventhop.artefacts import Artefacts, measure
from solver.eventhop.engines import ItemSettings
from solver.eventhop.io import read_records
from solver.eventhop.probes import COLUMNS, LIMIT, MEMORISED, Sample
from solver.eventhop.verify import Samples
from solver.extras import available
from solver.io.writing import write_json
from solver.probes.probe import FOLDS, MARGIN, wilson

RESULTS = Path(__file__).parents[1] / "results" / "generated-artefacts.json"
TREE = "gradient-boosted tree on all counts and positions"


@dataclass(frozen=True, slots=True, kw_only=True)
class LeakageResult:
    """Shortcuts of a split or a file.

    Attributes:
        preset, domain: of the data set; for other files, empty.
        split: the split, or the name of the file.
        excess: accuracy above chance, by probe; below 0 is worse than chance.
        largest: the largest excess, but for what the splits share on purpose.
        warnings: the shortcuts, as ``verify`` reports them.
    """

    preset: str
    domain: str
    seed: int
    split: str
    items: int
    chance: float
    excess: dict[str, float]
    largest: float
    warnings: tuple[str, ...]


def leakage(
    preset: Preset, domain: Domain, sizes: dict[Split, int], seed: int = 0
) -> list[LeakageResult]:
    """Generate a data set and run the probes on it."""
    with tempfile.TemporaryDirectory() as folder:
        generate(Config(preset=preset, domain=domain, sizes=sizes, seed=seed), Path(folder))
        settings = ItemSettings(domain=domain)
        seen = {
            split: _samples(Path(folder) / f"{split}.jsonl", settings) for split in sorted(sizes)
        }
    shares = SharedTrait.TIMELINES in TRAITS[preset].shared
    return [
        _result(
            samples,
            seen.get(Split.TRAIN) if split is Split.TEST else None,
            place=(preset.value, domain.value, seed, split.value),
            shared=frozenset(MEMORISED if shares else ()),
        )
        for split, samples in seen.items()
    ]


def of_file(path: Path) -> LeakageResult:
    """Run the probes on a file, in five folds."""
    return _result(_samples(path, ItemSettings()), None, place=("", "", 0, path.name))


def _samples(path: Path, settings: ItemSettings) -> list[Sample]:
    samples = Samples(LIMIT)
    for _ in samples.drawn_from(read_records(path)):
        pass
    return samples.samples(settings)


def _result(
    samples: Sequence[Sample],
    train: Sequence[Sample] | None,
    *,
    place: tuple[str, str, int, str],
    shared: frozenset[str] = frozenset(),
) -> LeakageResult:
    found = measure(samples, train, shared=shared)
    excess = dict(_excess(found))
    warnings = list(found.shortcuts)
    if available("sklearn"):
        right, items, chance = boosted(samples, train)
        excess[TREE] = round(right / items - chance, 4)
        if right / items > chance + MARGIN and wilson(right, items)[0] > chance:
            warnings.append(f"{TREE}: accuracy {right / items:.3f}, chance {chance:.3f}")
    preset, domain, seed, split = place
    return LeakageResult(
        preset=preset,
        domain=domain,
        seed=seed,
        split=split,
        items=found.items,
        chance=round(max(found.labels.values()) / found.items, 4),
        excess=excess,
        largest=max(score for name, score in excess.items() if name not in shared),
        warnings=tuple(warnings),
    )


def _excess(found: Artefacts) -> Iterator[tuple[str, float]]:
    for tried in found.guesses:
        if tried.excess is not None:
            yield tried.name, round(tried.excess, 4)


def boosted(samples: Sequence[Sample], train: Sequence[Sample] | None) -> tuple[int, int, float]:
    """Right predictions of a gradient-boosted tree, number of items, and chance."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    def table(some: Sequence[Sample]) -> tuple[Any, Any]:
        unknown = (0.0,) * len(COLUMNS)
        values = np.array([one.counts or unknown for one in some])
        return values, np.array([one.gold.value for one in some])

    values, labels = table(samples)
    chance = float(np.unique(labels, return_counts=True)[1].max() / len(labels))
    folds = np.random.default_rng(0).permutation(len(labels)) % FOLDS
    right = 0
    # One thread: several runs share the cores.
    with threadpool_limits(limits=1):
        for fold in range(FOLDS if train is None else 1):
            judged = folds == fold if train is None else folds >= 0
            learned = table(train) if train is not None else (values[~judged], labels[~judged])
            model = HistGradientBoostingClassifier(max_iter=60, random_state=0).fit(*learned)
            right += int((model.predict(values[judged]) == labels[judged]).sum())
    return right, len(labels), chance


def _line(one: LeakageResult) -> str:
    warned = f"; {'; '.join(one.warnings)}" if one.warnings else ""
    place = f"{one.preset:<20} {one.domain:<9} {one.seed} {one.split:<6}"
    return f"{place} {one.largest:+.4f}{warned}"


def _key(one: LeakageResult) -> tuple[str, str, int, str]:
    return one.preset, one.domain, one.seed, one.split


class _Results(msgspec.Struct):
    sets: list[LeakageResult]
    files: list[LeakageResult]


def _recorded() -> _Results:
    if not RESULTS.exists():
        return _Results(sets=[], files=[])
    return msgspec.json.decode(RESULTS.read_bytes(), type=_Results)


def missing(
    sets: Iterable[tuple[int, Preset, Domain]], sizes: Mapping[Split, int]
) -> list[tuple[int, Preset, Domain]]:
    """The data sets without recorded results of these sizes."""
    known = {(*_key(one), one.items) for one in _recorded().sets}
    return [
        (seed, preset, domain)
        for seed, preset, domain in sets
        if not {
            (preset.value, domain.value, seed, split.value, size) for split, size in sizes.items()
        }
        <= known
    ]


def write(found: Sequence[LeakageResult]) -> None:
    """Add results to those of earlier runs."""
    old = _recorded()
    kept = {_key(one): one for one in (*old.sets, *old.files, *found)}
    ordered = [kept[key] for key in sorted(kept)]
    sets = [asdict(one) for one in ordered if one.preset]
    files = [asdict(one) for one in ordered if not one.preset]
    write_json(RESULTS, {"margin": MARGIN, "sets": sets, "files": files})


@click.command()
@click.option(
    "--preset", "presets", type=click.Choice([one.value for one in Preset]), multiple=True
)
@click.option(
    "--domain", "domains", type=click.Choice([one.value for one in Domain]), multiple=True
)
@click.option("--seeds", default="0,1", show_default=True, help="Random seeds, as 0,1.")
@click.option("--train-size", type=click.IntRange(1), default=SIZES[Split.TRAIN], show_default=True)
@click.option("--test-size", type=click.IntRange(1), default=SIZES[Split.TEST], show_default=True)
@click.option("--file", "files", type=click.Path(path_type=Path, exists=True), multiple=True)
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True)
@click.option("--write", "kept", is_flag=True, help="Write the results to benchmarks/results/.")
@click.option("--resume", is_flag=True, help="Leave out data sets whose results are written.")
def main(
    *,
    presets: tuple[str, ...],
    domains: tuple[str, ...],
    seeds: str,
    train_size: int,
    test_size: int,
    files: tuple[Path, ...],
    jobs: int,
    kept: bool,
    resume: bool,
) -> None:
    """Probe presets in domains, by default all, or files instead."""
    sizes = {Split.TRAIN: train_size, Split.TEST: test_size}
    sets = product(
        map(int, seeds.split(",")), map(Preset, presets or Preset), map(Domain, domains or Domain)
    )
    found: list[LeakageResult] = []
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        found += pool.map(of_file, files)
        chosen = [] if files else missing(sets, sizes) if resume else list(sets)
        for task in [
            pool.submit(leakage, preset, domain, sizes, n) for n, preset, domain in chosen
        ]:
            found += task.result()
            click.echo("\n".join(map(_line, found[-2:])))
            if kept:
                write(found)
    if kept:
        write(found)
    if found:
        largest = max(found, key=lambda one: one.largest)
        click.echo(f"largest excess over chance: {_line(largest)}")


if __name__ == "__main__":
    main()
