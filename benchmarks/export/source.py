"""The data sets that are exported: kind, splits, rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grammar.errors import HopcheckError
from grammar.eventhop.model import Status
from solver.dataset.origin import require_origin
from solver.dataset.seal import require_sealed
from solver.graph.io import read_dataset
from solver.graph.model import Dataset
from solver.io.json_lines import JsonDecoder, read_document
from solver.io.parquet import read_rows
from solver.io.sources import MANIFEST, open_input, shown
from solver.patterns import io as patterns
from solver.rules import provenance as rules
from solver.verification.kinds import detect, fields_of, kind_named
from solver.verification.report import Kind

if TYPE_CHECKING:
    from solver.eventhop.labels import LabelScheme


class ExportError(HopcheckError):
    """A data set that cannot be exported."""

    code = "export"


class SourceKind(StrEnum):
    """The kinds of data set that are exported."""

    EVENTHOP = "eventhop"
    QUESTIONS = "questions"
    TKG = "tkg"
    GRAPH = "graph"
    TEXTS = "texts"
    FACTS = "facts"
    LINKS = "links"
    PATTERNS = "patterns"
    RULES = "rules"
    TRACES = "traces"
    CALENDAR = "calendar"
    POSITIONS = "positions"
    ASSIGNMENTS = "assignments"


PROBLEMS = (SourceKind.CALENDAR, SourceKind.POSITIONS, SourceKind.ASSIGNMENTS)
"""The kinds whose rows are problems with an answer."""


_GRAPHS = (SourceKind.TKG, SourceKind.GRAPH)
_SPLITS = ("train", "valid", "test")
_WHOLE = {SourceKind.TEXTS: "texts.jsonl", SourceKind.FACTS: "facts.jsonl"}
"""The file of a data set without splits."""

_DECODER = JsonDecoder[dict[str, Any]](dict[str, Any])
_HINT = "pass what generate, forecast or mine wrote, a graph, or annotated documents"
_RULE = {"head", "body", "rule_support"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A data set to export.

    Attributes:
        path: its folder or file.
        kind: its kind.
        files: split -> file of its rows; for graphs and documents empty.
        manifest: its manifest; empty if it has none.
        noticed: is called with a graph that was read.
        labels: the words for the labels of items instead of ours.
    """

    path: Path
    kind: SourceKind
    files: Mapping[str, Path]
    manifest: Mapping[str, Any]
    noticed: Callable[[Dataset], object] | None = None
    labels: LabelScheme | None = None

    @property
    def name(self) -> str:
        """The name of the folder, or of the file without its endings."""
        path = self.path.resolve()
        return path.name if path.is_dir() else path.name.partition(".")[0]

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
        rows = self._rows(split)
        return rows if self.labels is None else self._worded(rows, split, self.labels)

    def _rows(self, split: str) -> Iterator[dict[str, Any]]:
        with open_input(self.files[split]) as source:
            if source.parquet:
                for _, values in read_rows(source, lambda names: names):
                    yield {name: value for name, value in values.items() if value is not None}
            else:
                for row in _DECODER.sound_rows(source):
                    yield row.value

    def _worded(
        self, rows: Iterable[dict[str, Any]], split: str, labels: LabelScheme
    ) -> Iterator[dict[str, Any]]:
        """Items with the words of a scheme, by their statuses."""
        for number, row in enumerate(rows, 1):
            status = row.get("status")
            if status not in (*Status,):
                known = ", ".join(Status)
                message = f"found status {status!r}, expected {known}"
                hint = "label schemes are for items with statuses, as generate writes them"
                raise ExportError(message, where=f"{self.files[split]}:{number}", hint=hint)
            yield {**row, "label": labels.words[Status(str(status))]}

    def graph(self) -> Dataset:
        """The graph, in the order of its files.

        Raises:
            HopcheckError: it cannot be read.
        """
        graph = read_dataset(self.path)
        if self.noticed is not None:
            self.noticed(graph)
        return graph

    def require(self, tool: str, *kinds: SourceKind) -> None:
        """Check that a tool takes data sets of this kind.

        Raises:
            ExportError: it does not.
        """
        if self.kind not in kinds:
            message = f"found {self.kind} data, expected {' or '.join(kinds)} for {tool}"
            raise ExportError(message, where=str(self.path))


def read_source(path: str | Path, labels: LabelScheme | None = None) -> Source:
    """Find the kind and the files of a data set.

    Args:
        path: its folder or file.
        labels: the words for the labels of items instead of ours.

    Raises:
        ExportError: it does not exist, is not of a kind that is exported, or has no labels.
        InputError: its manifest cannot be read.
        SealError: its files differ from its manifest, or this from what its config and seed give.
    """
    found = _read_source(Path(path))
    if labels is not None:
        found.require(f"the labels {labels.name}", SourceKind.EVENTHOP)
    return replace(found, labels=labels)


def _read_source(place: Path) -> Source:
    require_sealed(place)
    if place.is_dir():
        found = _folder(place)
        if found.kind is not SourceKind.GRAPH:
            require_origin([place], kind_named(found.kind))
        return found
    if not place.is_file():
        raise ExportError(
            "found nothing, expected a folder or a file", where=str(place), hint=_HINT
        )
    return _file(place)


def _folder(folder: Path) -> Source:
    lists = _split_files(folder, (".jsonl", ".jsonl.gz", ".parquet"))
    found = detect([folder])
    whole = [kind for kind, name in _WHOLE.items() if (folder / name).is_file()]
    if found == Kind.TKG:
        kind = SourceKind.TKG
    elif whole:
        kind, lists = whole[0], {"train": folder / _WHOLE[whole[0]]}
    elif (
        found == Kind.LINKS or (lists and found in (Kind.QUESTIONS, *PROBLEMS)) or _has_items(lists)
    ):
        kind = SourceKind(found)
    elif _split_files(folder, _GRAPH_FILES):
        kind = SourceKind.GRAPH
    else:
        return _only_file(folder)
    files = {} if kind in (*_GRAPHS, SourceKind.LINKS) else lists
    return Source(path=folder, kind=kind, files=files, manifest=_manifest(folder / MANIFEST))


def _has_items(lists: Mapping[str, Path]) -> bool:
    return any("premise" in fields_of(path) for path in lists.values())


def _only_file(folder: Path) -> Source:
    """The data set of a folder that has one, such as a list of patterns."""
    files = [path for path in sorted(folder.iterdir()) if path.name.endswith(_LISTS)]
    found = [source for source in map(_file, files) if source.kind is not SourceKind.GRAPH]
    if len(found) == 1:
        return found[0]
    if found and all(source.kind is SourceKind.LINKS for source in found):
        return replace(found[0], path=folder)
    known = ", ".join(sorted(path.name for path in folder.iterdir())[:5])
    message = f"found {shown(known)}, expected the files of a data set"
    raise ExportError(message, where=str(folder), hint=_HINT)


def _file(path: Path) -> Source:
    fields = fields_of(path)
    found = detect([path])
    if fields >= _RULE or path.name.endswith((".json", ".json.gz")):
        kind, manifest = SourceKind.RULES, rules.manifest_path(path)
    elif found == Kind.EVENTHOP and "premise" not in fields:
        # No file states the kind: the rest are graphs.
        kind, manifest = SourceKind.GRAPH, path.parent / MANIFEST
    else:
        kind, manifest = SourceKind(found), path.parent / MANIFEST
    if kind is SourceKind.PATTERNS:
        manifest = patterns.manifest_path(path)
    split = next((name for name in _SPLITS if path.name.startswith(f"{name}.")), "train")
    files = {} if kind in (SourceKind.GRAPH, SourceKind.LINKS) else {split: path}
    return Source(path=path, kind=kind, files=files, manifest=_manifest(manifest))


def _split_files(folder: Path, endings: tuple[str, ...]) -> dict[str, Path]:
    found = {}
    for split in _SPLITS:
        here = [folder / f"{split}{end}" for end in endings if (folder / f"{split}{end}").is_file()]
        if here:
            found[split] = here[0]
    return found


_GRAPH_FILES = (".txt", ".tsv", ".txt.gz", ".tsv.gz", "", ".csv", ".csv.gz", ".jsonl", ".jsonl.gz")
_LISTS = (".jsonl", ".jsonl.gz", ".tsv", ".txt")


def _manifest(path: Path) -> dict[str, Any]:
    return read_document(path, dict[str, Any], "manifest") if path.is_file() else {}
