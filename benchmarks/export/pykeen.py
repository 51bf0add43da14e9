"""Export for PyKEEN: triples without their times, the times beside them, and the id maps."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.export.package import finish, write_templates
from benchmarks.export.source import ExportError, Source, SourceKind
from generators.dataset import DatasetFolder
from solver.graph.model import Dataset, Split
from solver.io.sources import counted, shown

_CHARACTERS = "\t\n\r"


def export(source: Source, out: Path) -> tuple[Path, ...]:
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
        splits=repr([one.value for one in graph.splits]),
    )
    return tuple(finish(folder, "pykeen", source, {}))


def note(files: Sequence[Path]) -> str:
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
