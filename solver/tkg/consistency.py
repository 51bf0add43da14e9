"""Compares the parts of a generated graph's folder that state the same thing.

Checksums show that a file was changed, unless they were computed anew. Then the parts still have
to agree: patterns and vocabulary with the config, Parquet with the text, statistics with the facts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from math import isclose
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from grammar.errors import HopcheckError
from solver import NAMESPACE
from solver.extras import available
from solver.graph.io import read_dataset
from solver.graph.model import Dataset, Split
from solver.graph.statistics import graph_statistics
from solver.io.json_lines import read_document
from solver.io.sources import MANIFEST, InputError
from solver.patterns.model import Lag
from solver.tkg.codes import CODES
from solver.tkg.io import (
    CONFIG,
    FORWARD,
    PARQUET,
    STATISTICS,
    GeneratedGraph,
    labels_file,
    patterns_file,
)
from solver.tkg.planted import LagProfile, PlantedPattern, lag_ranges
from solver.verification.report import Finding

REBUILD = "generators.tkg.files:rebuild"
"""Function that writes a folder again from its manifest, as ``module:name``; imported on demand."""

_CLOSE = 1e-9


class _Closure(msgspec.Struct):
    cycles: str = "leave-out"


class _Config(msgspec.Struct):
    """The part of a config that other files repeat; None where it is not stated."""

    mode: str | None = None
    entities: int | None = None
    relations: int | None = None
    steps: int | None = None
    patterns: list[int] | None = None
    lags: Lag | LagProfile | None = None
    closure: _Closure = msgspec.field(default_factory=_Closure)


def contradictions(graph: GeneratedGraph, folder: Path) -> Iterator[Finding]:
    """Parts of the folder that contradict each other.

    Args:
        graph: the graph as read from the folder.
        folder: the folder.
    """
    manifest = folder / MANIFEST
    stated = read_document(manifest, dict[str, Any], "manifest").get("config", {})
    config = _typed(stated, manifest)
    if config.mode not in (None, graph.declared.mode):
        yield CODES["mode-differs"].finding(
            str(manifest), found=graph.declared.mode, expected=config.mode
        )
    if (folder / CONFIG).is_file():
        yield from _config(stated, folder / CONFIG)
    yield from _patterns(graph, config, patterns_file(folder))
    yield from _vocabulary(graph.dataset, config, folder)
    if available("pyarrow") and (folder / PARQUET).is_file():
        yield from _parquet(graph.dataset, folder / PARQUET)
    if (folder / STATISTICS).is_file():
        yield from _statistics(graph, folder / STATISTICS)
    yield from _label_order(graph, labels_file(folder))


def _label_order(graph: GeneratedGraph, path: Path) -> Iterator[Finding]:
    """The first label out of the order of the file."""
    labels, due = graph.labels, graph.labels.by_fact()
    same = (
        (labels.fact == due.fact)
        & (labels.instance == due.instance)
        & (labels.position == due.position)
    )
    if not same.all():
        head = 1 if path.suffix == ".parquet" else 2
        yield CODES["label-order"].finding(f"{path}:{int(same.argmin()) + head}")


def _typed(config: object, path: Path) -> _Config:
    try:
        return msgspec.convert(config, _Config)
    except (msgspec.ValidationError, HopcheckError) as error:
        raise InputError(f"found an invalid config ({error})", where=str(path)) from None


def _config(stated: object, path: Path) -> Iterator[Finding]:
    found = read_document(path, dict[str, Any], "config")
    if found != stated:
        other = stated if isinstance(stated, Mapping) else {}
        yield CODES["config-differs"].finding(str(path), entries=_listed(_unequal(found, other)))


def _unequal(record: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """The names of entries that differ, sorted."""
    return sorted(name for name in {*record, *other} if record.get(name) != other.get(name))


def _patterns(graph: GeneratedGraph, config: _Config, path: Path) -> Iterator[Finding]:
    patterns = graph.patterns
    if config.patterns is not None:
        counts = Counter(pattern.hops for pattern in patterns)
        found = [counts[hops] for hops in range(1, len(config.patterns) + 1)]
        ids = [pattern.id for pattern in patterns] == list(range(len(patterns)))
        if found != config.patterns or counts.total() != sum(found) or not ids:
            yield CODES["pattern-count"].finding(
                str(path), found=_listed(found), expected=_listed(config.patterns)
            )
            return
    closed = None if config.mode is None else _closed(patterns, config)
    for line, pattern in enumerate(patterns, 1):
        where = f"{path}:{line}"
        expected = None if config.lags is None else _expected_lags(pattern, config.lags)
        if expected is not None:
            lags = _listed(f"{lag.low} to {lag.high}" for lag in pattern.lags)
            yield CODES["lag-differs"].finding(
                where, pattern=pattern.id, found=lags, expected=expected
            )
        if closed is not None and pattern.closed is not closed[line - 1]:
            state, due = ("closed", "not closed")[:: 1 if pattern.closed else -1]
            yield CODES["closed-differs"].finding(
                where, pattern=pattern.id, found=state, expected=due
            )


def _listed(values: Iterable[object]) -> str:
    return ", ".join(map(str, values))


def _expected_lags(pattern: PlantedPattern, lags: Lag | LagProfile) -> str | None:
    """The lags that the config allows, if those of the pattern are others."""
    if isinstance(lags, Lag):
        right = all(lag == lags for lag in pattern.lags)
        return None if right else f"{lags.low} to {lags.high}"
    ranges = lag_ranges(lags, pattern.hops)
    right = all(
        span.low.low <= lag.low <= span.low.high
        and span.width.low <= lag.high - lag.low <= span.width.high
        for lag, span in zip(pattern.lags, ranges, strict=True)
    )
    return None if right else f"those of the profile {lags}"


def _closed(patterns: Iterable[PlantedPattern], config: _Config) -> list[bool]:
    """Whether the graph is closed under each pattern, by the config.

    A pattern leads from the relations of its antecedents to that of its consequence; one that leads
    back to one of its own relations, by way of earlier closed patterns, is not closed.
    """
    leads: dict[int, set[int]] = {}
    found = []
    for pattern in patterns:
        *sources, target = (pattern.relation(step) for step in pattern.template.steps)
        closed = config.mode == FORWARD
        if closed and config.closure.cycles != "follow":
            closed = set(sources).isdisjoint(_reached(leads, target))
            if closed:
                for source in sources:
                    leads.setdefault(source, set()).add(target)
        found.append(closed)
    return found


def _reached(leads: Mapping[int, set[int]], start: int) -> set[int]:
    reached, fresh = {start}, [start]
    while fresh:
        new = leads.get(fresh.pop(), set()) - reached
        reached |= new
        fresh += new
    return reached


def _vocabulary(dataset: Dataset, config: _Config, folder: Path) -> Iterator[Finding]:
    words = dataset.vocabulary
    for name, found, expected in (
        ("entities", words.entities, config.entities),
        ("relations", words.relations, config.relations),
        ("times", words.times, config.steps),
    ):
        if expected not in (None, found):
            yield CODES["vocabulary-differs"].finding(
                str(folder), found=found, names=name, expected=expected
            )


def _parquet(dataset: Dataset, path: Path) -> Iterator[Finding]:
    other = read_dataset(path, ordered=False)
    for split in Split:
        text, table = dataset.splits.get(split), other.splits.get(split)
        rows = [] if text is None else text.rows().tolist()
        found = [] if table is None else table.rows().tolist()
        if rows != found:
            pairs = zip(rows, found, strict=False)
            same = next((n for n, (column, two) in enumerate(pairs) if column != two), None)
            place = "" if same is None else f", first in fact {same} of the split"
            message = f"{len(found):,} facts of {split} differ from {split}.txt{place}"
            yield CODES["parquet-differs"].finding(str(path), found=message)
    if other.vocabulary != dataset.vocabulary:
        message = "the vocabulary differs from that of the text files"
        yield CODES["parquet-differs"].finding(str(path), found=message)


def _statistics(graph: GeneratedGraph, path: Path) -> Iterator[Finding]:
    stated = read_document(path, dict[str, Any], "set of statistics")
    found = statistics(graph)
    for name in sorted(stated.keys() | found.keys()):
        figure, two = stated.get(name), found.get(name)
        if not _same(figure, two):
            yield CODES["statistics-differs"].finding(
                str(path), name=name, found=figure, expected=two
            )


def _same(*numbers: Any) -> bool:  # noqa: ANN401 - of a document
    sound = all(
        isinstance(number, int | float) and not isinstance(number, bool) for number in numbers
    )
    return sound and isclose(*numbers, rel_tol=_CLOSE)


def statistics(graph: GeneratedGraph) -> dict[str, int | float]:
    """The statistics of a graph, measured."""
    labels = graph.labels
    return {
        **graph_statistics(graph.facts).as_json(),
        "labels": len(labels),
        "instances": int(labels.instance.max()) + 1 if len(labels) else 0,
        "forced_instances": graph.declared.planted,
    }


def not_reproduced(folder: Path) -> Iterator[Finding]:
    """Files that differ from those rebuilt from the config and the seed of the manifest.

    Raises:
        HopcheckError: the graph cannot be rebuilt.
    """
    module, _, name = REBUILD.partition(":")
    with TemporaryDirectory() as place:
        again = Path(place) / folder.resolve().name
        getattr(import_module(NAMESPACE + module), name)(folder, again)
        before, after = (
            read_document(path / MANIFEST, dict[str, Any], "manifest") for path in (folder, again)
        )
        versions = [record.pop("versions", None) for record in (before, after)]
        others = "" if versions[0] == versions[1] else "; it was made with other versions"
        names = sorted({*before.get("outputs", {}), *after["outputs"]})
        for other_name in names:
            if _content(folder / other_name) != _content(again / other_name):
                found = "differs from the file rebuilt from the config and the seed"
                where = str(folder / other_name)
                yield CODES["not-reproduced"].finding(where, found=found, versions=others)
        for manifest in (before, after):
            manifest.pop("outputs", None)
            manifest.pop("unsealed", None)
        if before != after:
            entries = sorted(
                k for k in before.keys() | after.keys() if before.get(k) != after.get(k)
            )
            found = f"{_listed(entries)} differ from the rebuilt manifest"
            where = str(folder / MANIFEST)
            yield CODES["not-reproduced"].finding(where, found=found, versions=others)


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None
