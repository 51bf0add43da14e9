"""Writes the folder of a generated graph: facts, id maps, patterns, labels, config, statistics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from itertools import zip_longest
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec
import numpy as np

from generators import dataset as folders
from generators.dataset import README, DatasetFolder
from generators.tkg.config import Config
from generators.tkg.plan import LabelledGraph
from generators.tkg.planting import plant_patterns
from generators.tkg.presets import PUBLISHED, Preset, PublishedRow
from generators.tkg.run import generate
from solver.dataset.seal import Breach, DataSet
from solver.extras import available
from solver.graph.model import STAT, Dataset, Ids, Quadruples, Split, Vocabulary
from solver.graph.statistics import graph_statistics
from solver.io.json_lines import read_document
from solver.io.sources import MANIFEST
from solver.patterns.engine import ENUMERATION
from solver.report.charts import plot
from solver.report.model import Report, Section, Table
from solver.report.page import PAGE
from solver.tkg.io import CONFIG, LABELS, PARQUET, PATTERNS, STATISTICS, write_labels
from solver.tkg.planted import read_planted, write_planted


def dataset(graph: LabelledGraph, config: Config, name: str) -> Dataset:
    """Split the facts by time; the row order over all splits is preserved."""
    facts, begin, share = graph.facts, 0, 0.0
    splits = {}
    for split, part in zip(Split, config.splits, strict=True):
        share += part
        end = round(share * config.steps)
        splits[split] = facts.take((facts.time >= begin) & (facts.time < end))
        begin = end
    words = Vocabulary(
        entities=config.entities,
        relations=config.relations,
        times=config.steps,
        entity_names=tuple(f"e{number}" for number in range(config.entities)),
        relation_names=tuple(f"r{number}" for number in range(config.relations)),
    )
    return Dataset(name=name, vocabulary=words, splits=splits)


def statistics(graph: LabelledGraph) -> dict[str, int | float]:
    """The contents of ``statistics.json``."""
    return {
        **graph_statistics(graph.facts).as_json(),
        "labels": len(graph.labels),
        "instances": graph.instances,
        "forced_instances": graph.forced,
    }


def write_graph(
    folder: Path,
    graph: LabelledGraph,
    config: Config,
    seed: int,
    *,
    page: bool = False,
    described: bool = True,
    preset: Preset | None = None,
) -> tuple[Path, ...]:
    """Write all files, the manifest last, and return the paths.

    Args:
        folder: created if missing.
        graph: the graph.
        config: its configuration.
        seed: its random seed.
        page: whether to write the report.
        described: whether to write the card.
        preset: the published data set to show in the report.

    Raises:
        EmptyGraphError: the graph has no facts.
        OutputError: a file cannot be written.
    """
    made, measured = dataset(graph, config, folder.name), statistics(graph)
    home = DatasetFolder(folder)
    home.add(*made.write(folder))
    if available("pyarrow"):
        from solver.graph.io.parquet import write_parquet

        write_parquet(folder / PARQUET, made)
        home.add(folder / PARQUET)
    home.add_json(CONFIG, config.as_json())
    home.add_json(STATISTICS, measured)
    home.add(write_planted(folder / PATTERNS, graph.plan.patterns))
    home.add(write_labels(folder / LABELS, graph.labels))
    if described:
        home.add_text(README, card(graph, config, seed, table=available("pyarrow")))
    if page:
        home.add_page(report(graph, config, seed, None if preset is None else PUBLISHED[preset]))
    return home.finish(
        config=config.as_json(),
        seed=seed,
        encodings=[ENUMERATION],
        more={"mode": config.mode.value, "forced_instances": graph.forced, "preset": preset},
    )


class _Manifest(msgspec.Struct):
    config: dict[str, Any]
    seed: int
    outputs: dict[str, str]
    preset: Preset | None = None


def rebuild(folder: Path, out: Path) -> None:
    """Write a folder again, from the config and the seed of its manifest.

    Raises:
        HopcheckError: the manifest is invalid, or no graph can be generated from it.
    """
    made = read_document(folder / MANIFEST, _Manifest, "manifest")
    config, outputs = Config.of_json(made.config), made.outputs
    graph = generate(config, made.seed)
    page, described = PAGE in outputs, README in outputs
    write_graph(out, graph, config, made.seed, page=page, described=described, preset=made.preset)


def disagreements(dataset: DataSet) -> Iterator[Breach]:
    """The first pattern that the config and the seed of the manifest do not give.

    ``verify --regenerate`` compares the whole folder.

    Raises:
        HopcheckError: no patterns can be drawn, or those of the folder not be read.
        KeyError: an entry is missing.
    """
    config, seed = Config.of_json(dataset.manifest["config"]), dataset.manifest["seed"]
    path = dataset.folder.path(PATTERNS)
    for name in (CONFIG, STATISTICS, STAT):
        if name not in dataset.outputs:
            yield Breach(where=dataset.folder.path(name), message="not listed in the manifest")
    _, plan = plant_patterns(config, seed)
    for number, pair in enumerate(zip_longest(plan.patterns, read_planted(path)), start=1):
        if pair[0] != pair[1]:
            message = "not the pattern that config and seed of the manifest give"
            yield Breach(where=f"{path}:{number}", message=message)
            return


def card(graph: LabelledGraph, config: Config, seed: int, *, table: bool) -> str:
    """README.md of a graph.

    Args:
        graph: the graph.
        config: its configuration.
        seed: its random seed.
        table: whether there is a Parquet file, which the library ``datasets`` loads.
    """
    measured = statistics(graph)
    rows = [f"| {COLUMNS[name]} | {format_figure(name, measured[name])} |" for name in COLUMNS]
    values = {
        "facts": f"{len(graph.facts):,}",
        "patterns": f"{len(graph.plan):,}",
        "mode": config.mode,
        "labels": f"{len(graph.labels):,}",
        "instances": f"{graph.instances:,}",
        "rows": "\n".join(rows),
    }
    return folders.card(
        "Synthetic temporal knowledge graph",
        Path(__file__).with_name("card.md"),
        values,
        task="graph-ml",
        tags=("temporal-knowledge-graph", "link-prediction", "synthetic"),
        # The one file has all facts; as train it would contain those of the test split.
        splits={"facts": PARQUET} if table else {},
        items=len(graph.facts),
        with_features=table,
        commands=(
            ("generate", "tkg", "--config", CONFIG, "--seed", str(seed), "--out", "DIR"),
            ("verify", "--kind", "tkg", "DIR"),
            ("export", "hf", "DIR", "--licence", "LICENCE", "--out", "HUB"),
        ),
    )


_COLOUR = "#4878a8"


def degrees(facts: Quadruples) -> str:
    """Degree distribution on logarithmic axes."""
    degree, entities = np.unique(_occurrences(_ends(facts)), return_counts=True)
    with plot() as drawn:
        axes = drawn.axes[0]
        axes.loglog(degree, entities, ".", color=_COLOUR)
        axes.set(title="Degree", xlabel="facts of an entity", ylabel="entities")
    return drawn.svg


def events(facts: Quadruples, steps: int) -> str:
    """Number of facts at each time step."""
    with plot() as drawn:
        axes = drawn.axes[0]
        axes.step(range(steps), np.bincount(facts.time, minlength=steps), color=_COLOUR)
        axes.set(title="Events per step", xlabel="time step", ylabel="facts", ylim=(0, None))
    return drawn.svg


def distributions(facts: Quadruples) -> str:
    """Frequencies of entities and relations by rank."""
    with plot(width=10, panels=2) as drawn:
        for axes, ids, name in (
            (drawn.axes[0], _ends(facts), "entities"),
            (drawn.axes[1], facts.relation, "relations"),
        ):
            counts = np.sort(_occurrences(ids))[::-1]
            axes.plot(np.arange(1, len(counts) + 1), counts, color=_COLOUR)
            axes.set(title=f"Frequency of {name}", xlabel="rank", ylabel="facts", yscale="log")
    return drawn.svg


def _ends(facts: Quadruples) -> Ids:
    return np.concatenate((facts.head, facts.tail))


def _occurrences(ids: Ids) -> Ids:
    return np.unique(ids, return_counts=True)[1].astype(np.int64)


COLUMNS: Mapping[str, str] = MappingProxyType(
    {
        "facts": "|G|",
        "entities": "|E|",
        "relations": "|R|",
        "steps": "|T|",
        "average_degree": "avg. degree",
        "events_per_step": "events/step",
        "gini_entities": "Gini(E)",
        "gini_relations": "Gini(R)",
    }
)
"""Column headings of the table, by the names of ``solver.graph.statistics``."""

_SHARES = ("gini_entities", "gini_relations")


def format_figure(name: str, value: float) -> str:
    """Format a figure: Gini coefficients with three decimals, means with two, counts with none."""
    if name in _SHARES:
        return f"{value:.3f}"
    return f"{value:,.2f}" if name in ("average_degree", "events_per_step") else f"{value:,.0f}"


def cells(figures: Mapping[str, float]) -> tuple[str, ...]:
    """A row of the table."""
    return tuple(format_figure(name, figures[name]) for name in COLUMNS)


def figures(row: PublishedRow) -> dict[str, float]:
    """The published statistics, by name."""
    found: dict[str, float] = {name: asdict(row)[name] for name in COLUMNS}
    return found


def report(
    graph: LabelledGraph,
    config: Config,
    seed: int,
    published: PublishedRow | None,
) -> Report:
    """The page of a generated graph."""
    facts = graph.facts
    return Report(
        title="Generated temporal knowledge graph",
        lead=f"{len(facts):,} labelled facts of {len(graph.plan):,} patterns.",
        facts={
            "mode": config.mode.value,
            "seed": str(seed),
            "patterns of 1, 2, 3 hops": ", ".join(map(str, config.patterns)),
            "planted instances": f"{graph.forced:,}",
            "labels": f"{len(graph.labels):,}",
            "weights": f"entities {config.entity_weights}, relations {config.relation_weights}",
        },
        sections=(
            Section(title="Figures", tables=(_table(statistics(graph), published),)),
            Section(title="Degree", plots={"degree": degrees(facts)}),
            Section(title="Events per step", plots={"events": events(facts, config.steps)}),
            Section(title="Entities and relations", plots={"frequency": distributions(facts)}),
            Section(title="Patterns", tables=(_patterns(graph),)),
        ),
    )


def _table(statistics: Mapping[str, float], published: PublishedRow | None) -> Table:
    rows = [("this graph", *cells(statistics))]
    if published is not None:
        rows.append((f"paper, {published.name}", *cells(figures(published))))
    return Table(columns=("", *COLUMNS.values()), rows=tuple(rows))


def _patterns(graph: LabelledGraph) -> Table:
    labels = graph.labels
    instances = np.unique(np.stack((labels.pattern, labels.instance)), axis=1)[0]
    counts = np.bincount(instances, minlength=len(graph.plan))
    rows = tuple(
        (str(pattern.id), str(pattern), " ".join(map(str, pattern.lags)), f"{count:,}")
        for pattern, count in zip(graph.plan.patterns, counts.tolist(), strict=True)
    )
    return Table(columns=("id", "pattern", "lags", "instances"), rows=rows)
