"""Export for the library ``datasets`` and the Hugging Face hub: card, Parquet, Croissant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.export.hf.card import CROISSANT, About, WrittenFile, card, croissant
from benchmarks.export.hf.tables import Row, Table, left_out, tables_of
from benchmarks.export.source import ExportError, Source, SourceKind
from generators.dataset import README, DatasetFolder
from solver.extras import require
from solver.graph.model import Dataset
from solver.io.parquet import label_metadata, write_rows
from solver.io.sources import counted
from solver.questions.io import CROSS_FITTED, FOLDS, RULES, TWO_HOP_RULES
from solver.texts.settings import PHRASES

if TYPE_CHECKING:
    import pyarrow as pa

BESIDE = {
    SourceKind.QUESTIONS: (RULES, CROSS_FITTED, FOLDS, TWO_HOP_RULES),
    SourceKind.TEXTS: (PHRASES,),
}
"""What verifies rows besides themselves, as it is: rules of questions, phrases of texts."""

DECLARED = ("mode", "forced_instances")
"""How a graph was generated, besides its config: its labels are verified with it."""

_LICENCE = re.compile(r"[a-z0-9][a-z0-9.-]*")


def export(
    sources: Sequence[Source], out: Path, *, licence: str = "unknown", graph: Dataset | None = None
) -> tuple[Path, ...]:
    """Write a folder that ``datasets.load_dataset`` reads; returns the files.

    Args:
        sources: the data sets; several are configurations of one, each of a domain or preset.
        out: output folder.
        licence: identifier of the licence, as the hub writes it, such as ``cc-by-4.0``.
        graph: of questions: their graph, for the probes of the card.

    Raises:
        HopcheckError: a data set cannot be read or exported, or a file not be written.
    """
    require("the export for datasets", "pyarrow")
    if not _LICENCE.fullmatch(licence):
        message = f"found the licence {licence!r}, expected an identifier such as cc-by-4.0"
        raise ExportError(message)
    if len(sources) > 1:
        for source in sources:
            source.require("an export of several folders", SourceKind.EVENTHOP)
    tables = tables_of(sources)
    folder = DatasetFolder(out)
    files = {table.name: _write(folder, table) for table in tables}
    for table in tables:
        joined = [file for part in table.parts for file in files[part]]
        # Files of a split follow each other, in the order of the data set.
        files[table.name] += sorted(joined, key=lambda file: _ORDER.index(file.split))
    for name in BESIDE.get(sources[0].kind, ()):
        path = sources[0].path / name
        if path.is_file():
            folder.add_text(name, path.read_text(encoding="utf-8"))
    about = About.of(sources, licence, graph)
    folder.add_json(CROISSANT, croissant(out, tables, files, about))
    folder.add_text(README, card(tables, files, about))
    config: dict[str, object] = {
        "format": "hf",
        "licence": licence,
        "folders": [source.name for source in sources],
    }
    if sources[0].labels is not None:
        config["labels"] = sources[0].labels.name
    declared = sources[0].manifest if sources[0].kind is SourceKind.TKG else {}
    return folder.finish(
        config={**declared.get("config", {}), **config},
        seed=sources[0].seed,
        encodings=(),
        more={name: declared[name] for name in DECLARED if name in declared},
    )


def note(sources: Sequence[Source]) -> str:
    """What the data sets lack after the export, as a phrase; empty for nothing."""
    found = left_out(sources[0])
    return (
        "left out "
        + ", ".join(f"{counted(number, 'link')} ({code})" for code, number in found.items())
        if found
        else ""
    )


_ORDER = ("train", "validation", "test")


def _write(folder: DatasetFolder, table: Table) -> list[WrittenFile]:
    written = []
    for split, rows in table.splits.items():
        name = f"{table.name}-{split}.parquet"
        count = _Count()
        path = folder.path / name
        write_rows(path, partial(_described, table), count.of(_numbered(rows(), table.labels)))
        folder.add(path)
        called = "validation" if split == "valid" else split
        written.append(
            WrittenFile(name=name, split=called, rows=count.rows, size=path.stat().st_size)
        )
    return sorted(written, key=lambda file: _ORDER.index(file.split))


def _described(table: Table) -> pa.Schema:
    """The columns of a table, with the names of its labels as ``datasets`` keeps them."""
    columns = table.schema()
    if not table.labels:
        return columns
    return columns.with_metadata(label_metadata(table.labels, columns))


class _Count:
    rows = 0

    def of(self, rows: Iterable[Row]) -> Iterator[Row]:
        for self.rows, row in enumerate(rows, 1):
            yield row


def _numbered(rows: Iterable[Row], labels: Mapping[str, Sequence[str]]) -> Iterator[Row]:
    numbers = {
        column: {name: number for number, name in enumerate(names)}
        for column, names in labels.items()
    }
    for place, row in enumerate(rows, 1):
        changed = dict(row)
        for column, known in numbers.items():
            if column not in row:
                continue
            value = row[column]
            several = isinstance(value, list | tuple)
            for entry in value if several else (value,):
                if entry not in known:
                    message = f"found the {column} {entry!r}, expected {', '.join(known)}"
                    raise ExportError(message, where=f"row {place}")
            changed[column] = [known[entry] for entry in value] if several else known[value]
        yield changed
