"""Exports of graphs, to PyKEEN, which has no time, and to TGB 2.0."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

import numpy as np

from benchmarks.export.package import finish, python_name, write_templates
from benchmarks.export.source import ExportError, Source, SourceKind
from generators.dataset import DatasetFolder
from solver.graph.model import Dataset, Ids, Split
from solver.io.sources import counted, shown
from solver.io.writing import atomic

_CHARACTERS = "\t\n\r"


def pykeen(source: Source, out: Path) -> tuple[Path, ...]:
    """Write triples, times and id maps, and a module that loads them; returns the files.

    Args:
        source: a graph with the split train.
        out: output folder.

    Raises:
        HopcheckError: the graph cannot be read or exported, or a file not be written.
    """
    source.require("PyKEEN", SourceKind.TKG, SourceKind.GRAPH)
    graph = source.graph()
    folder = DatasetFolder(out)
    words = graph.vocabulary
    entities = [words.entity(number) for number in range(words.entities)]
    relations = [words.relation(number) for number in range(words.relations)]
    folder.add_text("entity_to_id.tsv", _map(entities, "entity"))
    folder.add_text("relation_to_id.tsv", _map(relations, "relation"))
    for split in graph.splits:
        triples, times = _triples(graph, split)
        folder.add_text(f"{split}.tsv", "".join(f"{row}\n" for row in triples))
        folder.add_text(f"{split}_times.tsv", "".join(f"{row}\t{time}\n" for row, time in times))
    write_templates(
        folder,
        {"load.py": "pykeen/load.py.jinja"},
        name=source.name,
        splits=repr([split.value for split in graph.splits]),
    )
    return tuple(finish(folder, "pykeen", source, {}))


def pykeen_note(files: Sequence[Path]) -> str:
    """What is lost: the number of facts that differ in their time alone."""
    facts = triples = 0
    for path in files:
        if path.name in {f"{split}.tsv" for split in Split}:
            triples += path.read_bytes().count(b"\n")
            facts += path.with_name(f"{path.stem}_times.tsv").read_bytes().count(b"\n")
    return (
        f"PyKEEN has no time: {counted(facts, 'fact')} became {counted(triples, 'triple')}; "
        "the times of each triple are in *_times.tsv"
    )


def _map(names: Sequence[str], what: str) -> str:
    if len(set(names)) < len(names):
        raise ExportError(f"found two {what} names that are equal, expected distinct names")
    for name in names:
        if any(letter in name for letter in _CHARACTERS):
            raise ExportError(f"found the name {shown(name)}, expected one without tabs and lines")
    return "".join(f"{name}\t{number}\n" for number, name in enumerate(names))


def _triples(graph: Dataset, split: Split) -> tuple[list[str], list[tuple[int, str]]]:
    """The distinct triples of a split, and row of the triple and time of each fact."""
    places: dict[tuple[str, str, str], int] = {}
    times = []
    for fact in graph.splits[split].rows().tolist():
        head, relation, tail, time = graph.vocabulary.fact(fact)
        place = places.setdefault((head, relation, tail), len(places))
        times.append((place, time))
    return ["\t".join(triple) for triple in places], times


DAY = 86_400
_EPOCH = date(1970, 1, 1).toordinal()
_FILES = {Split.VALID: "val", Split.TEST: "test"}
_PICKLE = 4
"""Version of the pickle format; a fixed one gives the same bytes for every Python."""


def tgb(source: Source, out: Path, *, name: str | None = None) -> tuple[Path, ...]:
    """Write the files of a data set ``tkgl-NAME``, and a module that loads it; returns the files.

    Args:
        source: a graph with the splits train, valid and test.
        out: output folder.
        name: name of the data set after ``tkgl-``; by default that of the folder.

    Raises:
        HopcheckError: the graph cannot be read or exported, or a file not be written.
    """
    source.require("TGB", SourceKind.TKG, SourceKind.GRAPH)
    graph = source.graph()
    missing = [split.value for split in Split if split not in graph.splits]
    if missing:
        message = f"found no split {missing[0]}, expected train, valid and test"
        raise ExportError(message, where=str(source.path))
    called = f"tkgl-{name or python_name(source.name)}"
    folder = DatasetFolder(out)
    times = seconds(graph)
    columns = ["timestamp,head,tail,relation_type\n"]
    for head, relation, tail, time in graph.facts().rows().tolist():
        columns.append(f"{times[time]},{head},{tail},{relation}\n")
    folder.add_text(f"{called}_edgelist.csv", "".join(columns))
    for split, short in _FILES.items():
        path = out / f"{called}_{short}_ns.pkl"
        with atomic(path) as file:
            file.write(pickle.dumps(negatives(graph, split, times), protocol=_PICKLE))
        folder.add(path)
    write_templates(
        folder,
        {"load.py": "tgb/load.py.jinja"},
        name=called,
        sizes=repr({split.value: len(graph.splits[split]) for split in Split}),
        entities=graph.vocabulary.entities,
        relations=graph.vocabulary.relations,
    )
    return tuple(finish(folder, "tgb", source, {"name": called}))


def seconds(graph: Dataset) -> Mapping[int, int]:
    """The time stamp of each time: seconds since 1970 for dates, else the time itself."""
    words = graph.vocabulary
    known = np.unique(graph.facts().time).tolist()
    if words.first_day is None:
        return {time: time for time in known}
    unit = DAY // words.time_step
    return {time: (words.first_day - _EPOCH) * DAY + time * unit for time in known}


def negatives(
    graph: Dataset, split: Split, times: Mapping[int, int]
) -> dict[tuple[int, int, int], Ids]:
    """The true answers to the queries of a split, which its negatives leave out.

    Returns:
        (time stamp, source, relation) -> destinations, ascending; relation + R is the inverse.
    """
    facts = graph.splits[split].both_ways(graph.vocabulary.relations)
    every = graph.facts().both_ways(graph.vocabulary.relations)
    wanted = set(
        zip(facts.time.tolist(), facts.head.tolist(), facts.relation.tolist(), strict=True)
    )
    found: dict[tuple[int, int, int], set[int]] = {row: set() for row in sorted(wanted)}
    for head, relation, tail, time in every.rows().tolist():
        if (time, head, relation) in found:
            found[time, head, relation].add(tail)
    return {
        (times[time], head, relation): np.array(sorted(tails), dtype=np.int64)
        for (time, head, relation), tails in found.items()
    }
