"""The folders that are exported: kind, splits, rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from grammar.errors import HopcheckError
from solver.graph.io import read_dataset
from solver.graph.model import Dataset
from solver.io.json_lines import JsonDecoder, read_document
from solver.io.parquet import read_rows
from solver.io.sources import MANIFEST, open_input, shown
from solver.verification.report import Kind, detect


class ExportError(HopcheckError):
    """A folder that cannot be exported."""

    code = "export"


class SourceKind(StrEnum):
    """The kinds of data set that are exported."""

    EVENTHOP = "eventhop"
    QUESTIONS = "questions"
    TKG = "tkg"
    GRAPH = "graph"
    TEXTS = "texts"
    FACTS = "facts"


_GRAPHS = (SourceKind.TKG, SourceKind.GRAPH)
_SPLITS = ("train", "valid", "test")
_WHOLE = {SourceKind.TEXTS: "texts.jsonl", SourceKind.FACTS: "facts.jsonl"}
"""The file of a data set without splits."""

_DECODER = JsonDecoder[dict[str, Any]](dict[str, Any])
_HINT = "pass a folder written by generate or forecast, or the folder of a graph"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A data set to export.

    Attributes:
        path: its folder.
        kind: its kind.
        files: split -> file of its rows; for graphs empty.
        manifest: its manifest; empty if it has none.
    """

    path: Path
    kind: SourceKind
    files: Mapping[str, Path]
    manifest: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The name of the folder."""
        return self.path.resolve().name

    @property
    def seed(self) -> int | None:
        """The random seed of the data set, if known."""
        seed = self.manifest.get("seed")
        return seed if isinstance(seed, int) else None

    def rows(self, split: str) -> Iterator[dict[str, Any]]:
        """The rows of a split.

        Raises:
            HopcheckError: a row cannot be read.
        """
        with open_input(self.files[split]) as source:
            if source.parquet:
                for _, values in read_rows(source, lambda names: names):
                    yield {name: value for name, value in values.items() if value is not None}
            else:
                for row in _DECODER.sound_rows(source):
                    yield row.value

    def graph(self) -> Dataset:
        """The graph, in the order of its files.

        Raises:
            HopcheckError: it cannot be read.
        """
        return read_dataset(self.path)

    def require(self, tool: str, *kinds: SourceKind) -> None:
        """Check that a tool takes data sets of this kind.

        Raises:
            ExportError: it does not.
        """
        if self.kind not in kinds:
            message = f"found {self.kind} data, expected {' or '.join(kinds)} for {tool}"
            raise ExportError(message, where=str(self.path))


def read_source(path: str | Path) -> Source:
    """Find the kind and the files of a folder.

    Raises:
        ExportError: it is no folder, or not of a kind that is exported.
        InputError: its manifest cannot be read.
    """
    folder = Path(path)
    if not folder.is_dir():
        raise ExportError("not a folder", where=str(path), hint=_HINT)
    lists = _split_files(folder, (".jsonl", ".jsonl.gz", ".parquet"))
    kind = _kind(folder, lists)
    files = {} if kind in _GRAPHS else lists
    if kind in _WHOLE:
        files = {"train": folder / _WHOLE[kind]}
    return Source(path=folder, kind=kind, files=files, manifest=_manifest(folder))


def _kind(folder: Path, lists: Mapping[str, Path]) -> SourceKind:
    found = detect([folder])
    if found is Kind.TKG:
        return SourceKind.TKG
    for kind, name in _WHOLE.items():
        if (folder / name).is_file():
            return kind
    if lists and found in (Kind.EVENTHOP, Kind.QUESTIONS):
        return SourceKind(found.value)
    if not lists and _split_files(folder, (".txt", ".tsv", ".txt.gz", ".tsv.gz", "")):
        return SourceKind.GRAPH
    known = ", ".join(sorted(one.name for one in folder.iterdir())[:5])
    message = f"found {shown(known)}, expected the files of a data set"
    raise ExportError(message, where=str(folder), hint=_HINT)


def _split_files(folder: Path, endings: tuple[str, ...]) -> dict[str, Path]:
    found = {}
    for split in _SPLITS:
        here = [folder / f"{split}{end}" for end in endings if (folder / f"{split}{end}").is_file()]
        if here:
            found[split] = here[0]
    return found


def _manifest(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    return read_document(path, dict[str, Any], "manifest") if path.is_file() else {}
