"""Writes the folder of a generated graph: facts, id maps, patterns, labels, config, statistics."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from generators.tkg.config import Config
from generators.tkg.instances import LabelledGraph
from solver.extras import available
from solver.manifest import manifest
from solver.tkg.dataset import Dataset, Split, Vocabulary
from solver.tkg.files import write_folder
from solver.tkg.labels import write_labels
from solver.tkg.patterns import ENUMERATION
from solver.tkg.planted import write_planted
from solver.writing import write_json

FACTS = "facts.parquet"
PATTERNS = "patterns.jsonl"
LABELS = "labels.tsv"
CONFIG = "config.json"
MANIFEST = "manifest.json"
STATISTICS = "statistics.json"


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


def write_graph(
    folder: Path,
    graph: LabelledGraph,
    config: Config,
    seed: int,
    statistics: Mapping[str, object],
) -> tuple[Path, ...]:
    """Write all files but the report, the manifest last, and return the paths.

    Raises:
        OutputError: a file cannot be written.
    """
    made = dataset(graph, config, folder.name)
    written = list(write_folder(folder, made))
    if available("pyarrow"):
        from solver.tkg.files.parquet import write_parquet

        write_parquet(folder / FACTS, made)
        written.append(folder / FACTS)
    write_json(folder / CONFIG, config.as_json())
    write_json(folder / STATISTICS, statistics)
    written += [folder / CONFIG, folder / STATISTICS]
    written.append(write_planted(folder / PATTERNS, graph.plan.patterns))
    written.append(write_labels(folder / LABELS, graph.labels))
    content = manifest(
        config=config.as_json(), seed=seed, encodings=[ENUMERATION], outputs=sorted(written)
    )
    origin = {"mode": config.mode.value, "forced_instances": graph.forced}
    write_json(folder / MANIFEST, content | origin)
    return (*written, folder / MANIFEST)
