"""Generates problems: each is drawn, read back, decided by two engines and certified."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import msgspec

from generators.dataset import DatasetFolder, SplitFormat, batches
from generators.eventhop.config import Split
from generators.problems.model import LEVELS, Draft
from grammar.errors import HopcheckError
from solver.dataset.copies import read
from solver.dataset.seal import Breach, DataSet
from solver.extras import available
from solver.io.json_lines import read_document
from solver.io.sources import MANIFEST, SPLIT_FILES, shown
from solver.io.writing import line
from solver.probes.probe import ProbeLevel
from solver.probes.ranking import RankingResult, rank_texts
from solver.processes import parallel_stream
from solver.seeding import seed_of
from solver.verification.outcomes import Verdict
from solver.verification.problems import ProblemTheory

KINDS = ("calendar", "positions", "assignments")
"""The kinds of problems; the module of this package of each name draws them."""

STATISTICS = "statistics.json"
TARGET = 0.53
"""Area under the curve that no probe should exceed."""
BATCH = 50
_LIFETIME = 40
_STEPS = (1, 2, 3, 4, 6, 8)
"""Sentences that limited reasoners can combine."""


class GenerationError(HopcheckError):
    """A problem that is not decided as it was drawn."""

    code = "generation"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemSettings:
    """What is generated.

    Attributes:
        kind: one of ``KINDS``.
        train, test: numbers of problems.
        levels: difficulties, in turn.
        families: what the problems are about, in turn; empty for all.
        seed: random seed.
    """

    kind: str
    train: int = 0
    test: int = 0
    levels: tuple[int, ...] = LEVELS
    families: tuple[str, ...] = ()
    seed: int = 0

    @property
    def sizes(self) -> dict[Split, int]:
        """The splits that are not empty."""
        return {split: size for split, size in
                ((Split.TRAIN, self.train), (Split.TEST, self.test)) if size}  # fmt: skip

    def as_config(self) -> dict[str, object]:
        """The settings, for a manifest."""
        built: dict[str, object] = msgspec.to_builtins(self)
        chosen = list(self.families or families(self.kind))
        return {**built, "levels": list(self.levels), "families": chosen}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A data set of problems.

    Attributes:
        counts: rows by split, family, level and hops.
        reasoners: accuracy of reasoners that combine few sentences, by level.
        probes: how well classifiers rank right options above wrong ones, by split.
        files: the files, the manifest last.
    """

    counts: Counter[str]
    reasoners: Mapping[str, Mapping[str, float]]
    probes: Mapping[str, Sequence[RankingResult]]
    files: tuple[Path, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The contents of ``statistics.json``."""
        return {
            "counts": dict(sorted(self.counts.items())),
            "reasoners": {level: dict(row) for level, row in sorted(self.reasoners.items())},
            "probes": {
                split: [result.as_json() for result in results]
                for split, results in self.probes.items()
            },
            "target": TARGET,
        }


def _module(kind: str) -> ModuleType:
    from generators.problems import assignments, calendar, positions

    return {"calendar": calendar, "positions": positions, "assignments": assignments}[kind]


def theory_of(kind: str) -> ProblemTheory[Any, Any]:
    """How the problems of a kind are read and decided."""
    from solver.assignments.verify import VERIFIED as ASSIGNMENTS
    from solver.calendar.verify import VERIFIED as CALENDAR
    from solver.positions.verify import VERIFIED as POSITIONS

    return {each.kind: each for each in (CALENDAR, POSITIONS, ASSIGNMENTS)}[kind]


def families(kind: str) -> tuple[str, ...]:
    """What problems of a kind are about."""
    return tuple(_module(kind).FAMILIES)


def cell(settings: ProblemSettings, index: int) -> tuple[str, int]:
    """The family and the level of a problem."""
    chosen = settings.families or families(settings.kind)
    level = settings.levels[index // len(chosen) % len(settings.levels)]
    return chosen[index % len(chosen)], level


def drawn(settings: ProblemSettings, split: Split, index: int) -> tuple[dict[str, Any], Draft]:
    """The row of a problem, the same for the same seed and index, and how it was drawn."""
    family, level = cell(settings, index)
    draw = Random(seed_of(settings.seed, settings.kind, split, index))
    draft: Draft = _module(settings.kind).FAMILIES[family](draw, split, level)
    row = {
        "id": f"{split}-{index:06d}",
        **draft.fields,
        "gold": draft.gold,
        "family": family,
        "level": level,
        "hops": draft.hops,
    }
    return row, draft


def require_right(kind: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Read problems back from their texts, and decide them.

    Raises:
        GenerationError: one is not read, or its label is not the answer.
        DisagreementError: the engines disagree.
    """
    theory, problems = theory_of(kind), []
    for row in rows:
        try:
            problems.append(theory.problem(msgspec.convert(row, theory.rows)))
        except HopcheckError as error:
            raise GenerationError(f"{row['id']} is not read: {error.message}") from None
    for row, outcome in zip(rows, theory.decided(problems), strict=True):
        if outcome.verdict is not Verdict.RIGHT:
            message = f"{row['id']} is {outcome.verdict}: {shown(outcome.proof)}"
            raise GenerationError(message)


def item(settings: ProblemSettings, split: Split, index: int) -> dict[str, Any]:
    """One problem of a data set, decided; the same as in its files.

    Raises:
        GenerationError: it is not decided as it was drawn.
    """
    row, _ = drawn(settings, split, index)
    require_right(settings.kind, [row])
    return row


Made = tuple[bytes, list[list[str]], list[bool]]
"""A line, what probes see of each option, and which one is right."""


def batch(settings: ProblemSettings, task: tuple[Split, Sequence[int]]) -> list[Made]:
    """The lines of some problems, with what probes see of their options.

    Raises:
        GenerationError: a problem is not decided as it was drawn.
    """
    split, indices = task
    made = [drawn(settings, split, index) for index in indices]
    require_right(settings.kind, [row for row, _ in made])
    return [
        (line(row), [*_seen(draft)], [option.label == draft.gold for option in draft.options])
        for row, draft in made
    ]


def _seen(draft: Draft) -> Iterator[list[str]]:
    """The words of a problem without its names and options, each beside the traits of an option."""
    text = " ".join(
        str(part) for value in draft.fields.values()
        for part in (value if isinstance(value, list) else [value])
    ).partition("Options:")[0]  # fmt: skip
    for name in sorted(draft.names, key=len, reverse=True):
        text = text.replace(name, "NAME")
    words = Counter(text.replace(".", " ").replace("?", " ").replace(",", " ").split())
    for option in draft.options:
        yield [
            *option.traits,
            *(f"{word} {trait}" for word, count in words.items() for trait in option.traits
              for _ in range(min(count, 3))),
        ]  # fmt: skip


@dataclass(slots=True)
class _Tally:
    """Counts problems, and keeps what probes see."""

    counts: Counter[str] = field(default_factory=Counter)
    levels: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    bags: list[list[str]] = field(default_factory=list)
    gold: list[bool] = field(default_factory=list)
    groups: list[int] = field(default_factory=list)

    def add(self, row: Mapping[str, Any], split: str, options: int) -> None:
        self.counts.update(_cells(row, split))
        self.levels.setdefault(str(row["level"]), []).append((row["hops"], options))


def _cells(row: Mapping[str, Any], split: str) -> list[str]:
    """The cells of ``statistics.json`` that a row counts for."""
    return [f"rows {split}", *(f"{name} {row.get(name)}" for name in ("family", "level", "hops"))]


def reasoners(levels: Mapping[str, Sequence[tuple[int, int]]]) -> dict[str, dict[str, float]]:
    """The accuracy of reasoners that combine few sentences and guess otherwise, by level.

    Args:
        levels: hops and number of options of each problem, by level.
    """
    return {
        level: {
            f"{steps} sentences": round(
                sum(1 if hops <= steps else 1 / options for hops, options in rows) / len(rows), 4
            )
            for steps in _STEPS
        }
        for level, rows in levels.items()
    }


def generate(
    settings: ProblemSettings,
    out: Path,
    *,
    probes: ProbeLevel = ProbeLevel.FAST,
    jobs: int = 1,
    progress: Callable[[int], object] | None = None,
) -> Outcome:
    """Write the splits, statistics and manifest of a data set of problems.

    Raises:
        DisagreementError, GenerationError, OutputError: a problem cannot be decided or written.
    """
    folder = DatasetFolder(out)
    folder.remove_stale(SPLIT_FILES)
    counts: Counter[str] = Counter()
    levels: dict[str, list[tuple[int, int]]] = {}
    results: dict[str, list[RankingResult]] = {}
    for split, size in settings.sizes.items():
        tally = _Tally(counts=counts, levels=levels)
        lines = _lines(settings, split, size, tally, jobs, progress)
        folder.add_split(split, lines, dict, SplitFormat.JSONL)
        if probes is not ProbeLevel.NONE and available("sklearn"):
            results[split] = list(
                rank_texts(
                    {"the words and the options": tally.bags},
                    tally.gold,
                    tally.groups,
                    within=True,
                )
            )
    outcome = Outcome(counts=counts, reasoners=reasoners(levels), probes=results)
    folder.add_json(STATISTICS, outcome.as_json())
    files = folder.finish(
        config=settings.as_config(),
        seed=settings.seed,
        encodings=theory_of(settings.kind).encodings,
        more={"probes": probes.value},
    )
    return Outcome(counts=counts, reasoners=outcome.reasoners, probes=results, files=files)


def _lines(
    settings: ProblemSettings,
    split: Split,
    size: int,
    tally: _Tally,
    jobs: int,
    progress: Callable[[int], object] | None,
) -> Iterator[bytes]:
    """The lines of a split; each is counted when it is passed on."""
    tasks = ((split, indices) for indices in batches(size, BATCH))
    decode = msgspec.json.Decoder(dict[str, Any]).decode
    for lines in parallel_stream(partial(batch, settings), tasks, jobs, lifetime=_LIFETIME):
        for data, bags, gold in lines:
            tally.add(decode(data), split, len(gold))
            tally.groups += [tally.counts[f"rows {split}"]] * len(gold)
            tally.bags += bags
            tally.gold += gold
            yield data
        if progress is not None:
            progress(len(lines))


def disagreements(dataset: DataSet) -> Iterator[Breach]:
    """Rows, files and counts that are not those of the config and the seed.

    Raises:
        HopcheckError: a file cannot be read.
        KeyError, TypeError, ValueError: an entry is missing or malformed.
    """
    where = dataset.folder.path(MANIFEST)
    config = dict(dataset.manifest["config"])
    try:
        settings = msgspec.convert(config, ProblemSettings)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from None
    known = settings.kind in KINDS and set(settings.families) <= set(families(settings.kind))
    if not known or not set(settings.levels) <= set(LEVELS) or config != settings.as_config():
        yield Breach(where=where, message="found other options in config, expected those given")
        return
    ProbeLevel(dataset.manifest["probes"])
    if dataset.manifest["seed"] != settings.seed:
        yield Breach(where=where, message="found another seed than that of config")
    due = {f"{split}.jsonl" for split in settings.sizes} | {STATISTICS}
    for name in sorted(due ^ dataset.outputs.keys()):
        found = "no such file" if name in due else "a file that config does not have"
        yield Breach(where=dataset.folder.path(name), message=f"found {found}")
    if not due <= dataset.outputs.keys():
        return
    counts: Counter[str] = Counter()
    levels: dict[str, list[tuple[int, int]]] = {}
    tally = _Tally(counts=counts, levels=levels)
    for split, size in settings.sizes.items():
        path, number = dataset.folder.path(f"{split}.jsonl"), 0
        for row in read(path):
            if number < size:
                expected, draft = drawn(settings, split, number)
                tally.add(expected, split, len(draft.options))
                if row.broken or row.values != expected:
                    message = "not the problem that config and seed give"
                    yield Breach(where=row.where, message=message)
                    return
            number += 1
        if number != size:
            yield Breach(where=path, message=f"found {number:,} rows, expected {size:,}")
    place = dataset.folder.path(STATISTICS)
    stated = read_document(place, dict[str, Any], "statistics")
    expected_figures = Outcome(counts=counts, reasoners=reasoners(levels), probes={}).as_json()
    for name in sorted(stated.keys() | expected_figures.keys()):
        if name != "probes" and stated.get(name) != expected_figures.get(name):
            yield Breach(where=place, message=f"found other {name}, expected those of the rows")
