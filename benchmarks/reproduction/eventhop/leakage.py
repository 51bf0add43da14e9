"""Measures shortcuts in the items of ``generate eventhop``: presets, domains and seeds.

    python -m benchmarks.reproduction.eventhop.leakage --preset strict --seeds 0,1 --jobs 2 --write
    python -m benchmarks.reproduction.eventhop.leakage --file temporal_test.tsv.gz --write

It makes the items of each data set, as ``generate`` does before it verifies them, and runs all
probes of ``verify`` and, where scikit-learn is installed, a gradient-boosted tree on all counts,
whose share of groups with three right answers is a probe too. It prints the largest excess over
chance. ``--write`` adds the results to those in ``benchmarks/results/`` after each data set;
``--resume`` leaves out those whose results are there. Delete the file after a change of the
generator.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import click
import msgspec
import numpy as np

from benchmarks.reproduction import RESULTS
from generators.eventhop.config import SIZES, TRAITS, Config, Preset, SharedTrait, Split
from generators.eventhop.groups import Plan
from generators.eventhop.shards import drafted, planned
from grammar.eventhop.model import Domain, Label
from solver.eventhop.artefacts import measure
from solver.eventhop.engines import ItemSettings
from solver.eventhop.io import read_records
from solver.eventhop.probes import COLUMNS, LIMIT, MEMORISED, Sample, sample
from solver.eventhop.records import ItemPlace, Record
from solver.eventhop.samples import Samples
from solver.extras import available
from solver.io.writing import atomic, write_json
from solver.probes.probe import FOLDS, MARGIN, folds_of, wilson

TARGET = RESULTS / "generated-artefacts.json"
TREE = "gradient-boosted tree on all counts and positions"
GROUPS = "whole groups by the gradient-boosted tree"


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
    """Generate the items of a data set, without verifying them, and run the probes on them."""
    config = Config(preset=preset, domain=domain, sizes=sizes, seed=seed)
    seen = {split: drawn(config, split) for split in sorted(sizes)}
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


def drawn(config: Config, split: Split) -> list[Sample]:
    """What the probes see of the items of a split, in order."""
    sizes = tuple(sorted(config.sizes.items()))
    plans = _plans(_family(config.preset), config.seed, split, sizes)
    samples = (
        sample(
            Record(
                id=worded.item.id,
                premise=worded.text.premise,
                claim=worded.text.claim,
                gold=plan.cell.label.value,
                label=plan.cell.label,
                place=ItemPlace(file=split.value, line=number),
            ),
            worded.item,
        )
        for number, (worded, plan) in enumerate(
            zip(drafted(config, split, plans), plans, strict=True), start=1
        )
    )
    return [each_sample for each_sample in samples if each_sample is not None]


def _family(preset: Preset) -> Preset:
    """The first preset with the same plans."""

    def key(given_preset: Preset) -> tuple[bool, bool, bool]:
        traits = TRAITS[given_preset]
        return traits.equal, traits.strong, SharedTrait.TIMELINES in traits.shared

    return next(other_preset for other_preset in Preset if key(other_preset) == key(preset))


@lru_cache(maxsize=len(Split))
def _plans(
    preset: Preset, seed: int, split: Split, sizes: tuple[tuple[Split, int], ...]
) -> list[Plan]:
    return list(planned(Config(preset=preset, seed=seed, sizes=dict(sizes)), split))


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
    if train is not None:
        excess, warnings = _measured(samples, train, shared)
    else:
        # Presets can have the same train split.
        texts = "\n".join(
            f"{each_sample.premise}\t{each_sample.claim}\t{each_sample.gold}"
            for each_sample in samples
        )
        key = hashlib.sha256(texts.encode()).hexdigest()
        if key not in _KNOWN:
            _KNOWN[key] = _measured(samples, None, shared)
        excess, warnings = _KNOWN[key]
    preset, domain, seed, split = place
    counts = Counter(each_sample.gold for each_sample in samples)
    return LeakageResult(
        preset=preset,
        domain=domain,
        seed=seed,
        split=split,
        items=len(samples),
        chance=round(max(counts.values()) / len(samples), 4),
        excess=dict(excess),
        largest=max(score for name, score in excess.items() if name not in shared),
        warnings=warnings,
    )


_KNOWN: dict[str, tuple[dict[str, float], tuple[str, ...]]] = {}
"""Excess and warnings of splits, by their hash."""


def _measured(
    samples: Sequence[Sample], train: Sequence[Sample] | None, shared: frozenset[str]
) -> tuple[dict[str, float], tuple[str, ...]]:
    """Excess by probe, and warnings."""
    found = measure(samples, train, shared=shared)
    excess = {
        tried.name: round(tried.excess, 4) for tried in found.guesses if tried.excess is not None
    }
    warnings = list(found.shortcuts)
    if available("sklearn"):
        right = boosted(samples, train)
        counts = Counter(each_sample.gold for each_sample in samples)
        chance = max(counts.values()) / len(samples)
        _judge(TREE, sum(right), len(right), chance, excess, warnings)
        groups: dict[int | None, list[bool]] = {}
        for each_sample, good in zip(samples, right, strict=True):
            groups.setdefault(each_sample.outline, []).append(good)
        whole = [all(members) for members in groups.values() if len(members) == len(Label)]
        if whole:
            _judge(GROUPS, sum(whole), len(whole), 1 / len(Label) ** 3, excess, warnings)
    return excess, tuple(warnings)


def _judge(
    name: str, right: int, of: int, chance: float, excess: dict[str, float], warnings: list[str]
) -> None:
    """Add a result, and a warning if it is a shortcut."""
    excess[name] = round(right / of - chance, 4)
    if right / of > chance + MARGIN and wilson(right, of)[0] > chance:
        warnings.append(f"{name}: accuracy {right / of:.3f}, chance {chance:.3f}")


def boosted(samples: Sequence[Sample], train: Sequence[Sample] | None) -> list[bool]:
    """For each item, whether a gradient-boosted tree predicts its label.

    Args:
        samples: the items.
        train: items to fit it on; None for five folds, each with whole groups.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier
    from threadpoolctl import threadpool_limits

    def table(some: Sequence[Sample]) -> tuple[Any, Any]:
        unknown = (0.0,) * len(COLUMNS)
        values = np.array([some_sample.counts or unknown for some_sample in some])
        return values, np.array([some_sample.gold for some_sample in some])

    values, labels = table(samples)
    if train is None:
        folds = folds_of(
            [
                each_sample.premise if each_sample.outline is None else each_sample.outline
                for each_sample in samples
            ]
        )
    right = np.zeros(len(labels), dtype=bool)
    # One thread: several runs share the cores.
    with threadpool_limits(limits=1):
        for fold in range(FOLDS if train is None else 1):
            judged = folds == fold if train is None else np.ones(len(labels), dtype=bool)
            learned = table(train) if train is not None else (values[~judged], labels[~judged])
            model = HistGradientBoostingClassifier(max_iter=60, random_state=0).fit(*learned)
            right[judged] = model.predict(values[judged]) == labels[judged]
    return [bool(hit) for hit in right]


def _line(result: LeakageResult) -> str:
    warned = f"; {'; '.join(result.warnings)}" if result.warnings else ""
    place = f"{result.preset:<20} {result.domain:<9} {result.seed} {result.split:<6}"
    return f"{place} {result.largest:+.4f}{warned}"


def _key(result: LeakageResult) -> tuple[str, str, int, str]:
    return result.preset, result.domain, result.seed, result.split


class _Results(msgspec.Struct):
    sets: list[LeakageResult]
    files: list[LeakageResult]


def _recorded() -> _Results:
    if not TARGET.exists():
        return _Results(sets=[], files=[])
    return msgspec.json.decode(TARGET.read_bytes(), type=_Results)


def missing(
    sets: Iterable[tuple[int, Preset, Domain]], sizes: Mapping[Split, int]
) -> list[tuple[int, Preset, Domain]]:
    """The data sets without recorded results of these sizes."""
    known = {(*_key(result), result.items) for result in _recorded().sets}
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
    kept = {_key(result): result for result in (*old.sets, *old.files, *found)}
    ordered = [kept[key] for key in sorted(kept)]
    sets = [asdict(result) for result in ordered if result.preset]
    files = [asdict(result) for result in ordered if not result.preset]
    write_json(TARGET, {"margin": MARGIN, "sets": sets, "files": files})
    with atomic(TARGET.with_suffix(".md")) as page:
        page.write(_page(ordered).encode())


def _page(found: Sequence[LeakageResult]) -> str:
    """The results as a table in Markdown."""
    rows = [
        f"| {result.preset or result.split} | {result.domain} | "
        f"{result.seed if result.preset else ''} "
        f"| {result.split if result.preset else ''} | {result.items:,} | {_worst(result)} "
        f"| {_signed(result.excess.get(TREE))} | {_signed(result.excess.get(GROUPS))} "
        f"| {len(result.warnings) or 'none'} |"
        for result in found
    ]
    return _PAGE + "\n".join(rows) + "\n"


def _worst(result: LeakageResult) -> str:
    probes = {name: value for name, value in result.excess.items() if name not in (TREE, GROUPS)}
    if not probes:
        return _signed(None)
    name = max(probes, key=lambda name: (probes[name], name))
    return f"{_signed(probes[name])} ({name})"


def _signed(excess: float | None) -> str:
    return "–" if excess is None else f"{excess:+.3f}"


_PAGE = """# Shortcuts of generated items

Written by `python -m benchmarks.reproduction.eventhop.leakage --write`. Accuracy above
chance: of the probe of
`verify` with the largest, of a gradient-boosted tree on all counts and positions, and of this tree
on whole groups, above 1/27. Train splits in five folds of whole groups, test splits fitted on
train.

| set or file | domain | seed | split | items | largest of the probes | tree | groups | shortcuts |
|---|---|---|---|---|---|---|---|---|
"""


@click.command()
@click.option(
    "--preset", "presets", type=click.Choice([preset.value for preset in Preset]), multiple=True
)
@click.option(
    "--domain", "domains", type=click.Choice([domain.value for domain in Domain]), multiple=True
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
    sets = sorted(
        product(
            map(int, seeds.split(",")),
            map(Preset, presets or Preset),
            map(Domain, domains or Domain),
        ),
        # Sets with the same plans follow each other.
        key=lambda row: (row[0], list(Preset).index(_family(row[1]))),
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
        largest = max(found, key=lambda result: result.largest)
        click.echo(f"largest excess over chance: {_line(largest)}")


if __name__ == "__main__":
    main()
