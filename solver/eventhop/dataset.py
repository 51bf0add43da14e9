"""Checks the files of a data set against its manifest."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations
from pathlib import PurePath

import msgspec

from grammar.eventhop.model import Claim, Item, Status
from solver.eventhop.hashes import ItemHashes
from solver.eventhop.outcomes import Outcome
from solver.eventhop.records import Record
from solver.io.json_lines import read_document
from solver.io.remote import Folder, changed_files
from solver.io.sources import MANIFEST, InputError, counted, is_uri


@dataclass(slots=True, kw_only=True)
class Inventory:
    """Contents of a file; uses 8 bytes per item.

    Attributes:
        items: number of rows, including those that do not parse.
        cells: items by cell name.
        timelines: timeline hashes, in item order.
        outlines: outline hashes, in item order.
        names: names of events in premises.
        wordings: texts between the two names of a sentence: a phrase and point markers.
    """

    items: int = 0
    cells: Counter[str] = field(default_factory=Counter)
    timelines: array[int] = field(default_factory=lambda: array("Q"))
    outlines: array[int] = field(default_factory=lambda: array("Q"))
    names: set[str] = field(default_factory=set)
    wordings: set[str] = field(default_factory=set)

    def count(self, outcome: Outcome) -> None:
        """Count one item."""
        self.items += 1
        record, item, verdict = outcome.record, outcome.item, outcome.verdict
        if not isinstance(record, Record) or item is None or verdict is None:
            return
        cell = outcome.cell
        claimed = item.claim.relation if isinstance(item.claim, Claim) else item.claim.order
        name = cell_name(
            events=cell.events,
            relations=cell.relations,
            claim=claimed,
            status=verdict.status,
            consistent=verdict.consistent,
            hops=outcome.hops,
        )
        self.cells[name] += 1
        hashes = ItemHashes(item)
        timeline = hashes.timeline()
        if timeline is not None:
            self.timelines.append(timeline)
        self.outlines.append(hashes.outline())
        self.names.update(p.event for r in item.premise for p in (r.left, r.right))
        self.wordings.update(_wordings(record.premise, item))

    def add(self, other: Inventory) -> None:
        """Append the inventory of the next part of the file."""
        self.items += other.items
        self.cells.update(other.cells)
        self.timelines.extend(other.timelines)
        self.outlines.extend(other.outlines)
        self.names |= other.names
        self.wordings |= other.wordings


def cell_name(
    *, events: int, relations: int, claim: str, status: Status, consistent: bool, hops: int | None
) -> str:
    """The name of a cell in manifests, such as ``4x3 before entailed consistent hops=1``."""
    state = "consistent" if consistent else "inconsistent"
    return f"{events}x{relations} {claim} {status} {state} hops={'-' if hops is None else hops}"


def _wordings(premise: str, item: Item) -> set[str]:
    sentences = premise.split(". ")
    if len(sentences) != len(item.premise):
        # A name contains a full stop; generated names do not.
        return set()
    found = set()
    for sentence, relation in zip(sentences, item.premise, strict=True):
        left, right = relation.left.event, relation.right.event
        found.add(sentence[sentence.find(left) + len(left) : sentence.rfind(right)].strip())
    return found


# A data set holds the same items in several formats; the first available one is read.
_CERTIFIED = re.compile(r"items(?:-.+)?\.jsonl")
FORMATS = (".jsonl", ".jsonl.gz", ".parquet", ".tsv", ".tsv.gz")


class _ManifestOutputs(msgspec.Struct):
    """The part of a manifest that lists the files."""

    outputs: dict[str, object] | list[str]


def is_dataset(path: str) -> bool:
    """Whether a path or a URI names a folder with a manifest."""
    if is_uri(path) and path.partition("?")[0].endswith((*FORMATS, ".gz")):
        # Saves a request for each file.
        return False
    return Folder(path).has(MANIFEST)


def item_files(path: str) -> list[str]:
    """The item files of a data set's folder, sorted; for any other path, the path itself.

    A data set is a folder with a ``manifest.json`` whose ``outputs`` list its files; its
    ``items.jsonl``, or such a file for each shard, repeats the items with certificates.

    Raises:
        InputError: the manifest lists no item files.
    """
    folder = Folder(path)
    if not is_dataset(path):
        return [path]
    manifest = folder.path(MANIFEST)
    hint = "name the files in the folder"
    outputs = sorted(read_document(manifest, _ManifestOutputs, "manifest", hint=hint).outputs)
    data = [name for name in outputs if not _CERTIFIED.fullmatch(name)] or outputs
    for ending in FORMATS:
        named = [name for name in data if name.endswith(ending)]
        if named:
            return [folder.path(name) for name in named]
    message = f"found no data file among the outputs, expected one of {', '.join(FORMATS)}"
    raise InputError(message, where=manifest, hint=hint)


LISTED = 3
"""Maximum number of cells or words listed in a message."""


class Flaw(StrEnum):
    """Problems of a data set as a whole."""

    CHANGED_FILE = "changed-file"
    MISSING_FILE = "missing-file"
    WRONG_COUNT = "wrong-count"
    SHARED_TIMELINE = "shared-timeline"
    SHARED_NAME = "shared-name"
    SHARED_PHRASE = "shared-phrase"
    SHARED_LEMMA = "shared-lemma"
    SHORTCUT = "shortcut"


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A flaw with its position and a message."""

    flaw: Flaw
    where: str
    message: str

    def __str__(self) -> str:
        """Format as ``test.jsonl: wrong-count: …``."""
        return f"{self.where}: {self.flaw}: {self.message}"


class SplitContents(msgspec.Struct, frozen=True, kw_only=True):
    """Declared contents of a split: items, items by cell, last bit of outline hashes."""

    items: int
    cells: dict[str, int]
    outline_bit: int


class Overlaps(msgspec.Struct, frozen=True, kw_only=True):
    """Declared overlaps between splits; None if not counted, or of lemmas if they are exempt."""

    names: int
    phrases: int
    lemmas: int | None
    timelines: int | None
    timelines_proved_by: str | None


class Vocabulary(msgspec.Struct, frozen=True, kw_only=True):
    """Names and phrases that a split may use."""

    names: frozenset[str]
    phrases: frozenset[str]


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a manifest that is compared with the files."""

    outputs: dict[str, str]
    splits: dict[str, SplitContents]
    overlaps: Overlaps
    vocabulary: dict[str, Vocabulary]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """A folder with its manifest; ``files`` maps splits to the files that are read, in order."""

    folder: Folder
    manifest: Manifest
    files: Mapping[str, tuple[str, ...]]

    def place(self, split: str) -> str:
        """The name of a split in messages: its file, or one name for its shards."""
        files = self.files.get(split, ())
        return files[0] if len(files) == 1 else self.folder.path(f"{split}-*.jsonl")


def dataset(path: str, files: Iterable[str]) -> Dataset | None:
    """The data set in a folder; None if the path has no manifest with splits.

    Args:
        path: the folder.
        files: the files that are read from it.

    Raises:
        InputError: the manifest is malformed.
    """
    if not is_dataset(path):
        return None
    folder = Folder(path)
    manifest_path = folder.path(MANIFEST)
    if "splits" not in read_document(manifest_path, dict[str, msgspec.Raw], "manifest"):
        return None
    hint = "generate the data set again, or name the files in the folder"
    manifest = read_document(manifest_path, Manifest, "manifest", hint=hint)
    by_split: dict[str, tuple[str, ...]] = {}
    for file in files:
        split = _NUMBER.sub("", PurePath(file.partition("?")[0]).name.partition(".")[0])
        by_split[split] = (*by_split.get(split, ()), file)
    return Dataset(folder=folder, manifest=manifest, files=by_split)


_NUMBER = re.compile(r"-\d{6,}$")
"""The number of a shard, at the end of the name of its file."""


def problems(data: Dataset, found: Mapping[str, Inventory]) -> Iterator[Problem]:
    """Differences between a data set and its manifest.

    Args:
        data: the data set.
        found: inventory of each split, by ``Dataset.place``.
    """
    yield from _files(data)
    for split, declared in sorted(data.manifest.splits.items()):
        place = data.place(split) if split in data.files else ""
        inventory = found.get(place, Inventory())
        yield from _counts(place or str(data.folder), declared, inventory)
        if data.manifest.overlaps.timelines_proved_by is not None:
            yield from _outline_bits(place, declared.outline_bit, inventory)
        yield from _words(data.manifest, split, place, inventory)
    yield from _timelines(data, found)


def _files(data: Dataset) -> Iterator[Problem]:
    for path, digest, found in changed_files(data.folder, data.manifest.outputs):
        if found is None:
            message = "listed in the manifest, but not found"
            yield Problem(flaw=Flaw.MISSING_FILE, where=path, message=message)
        else:
            message = f"checksum differs from that in the manifest, {digest[:12]}…"
            yield Problem(flaw=Flaw.CHANGED_FILE, where=path, message=message)


def _counts(where: str, declared: SplitContents, found: Inventory) -> Iterator[Problem]:
    if found.items != declared.items:
        message = f"found {counted(found.items, 'item')}, expected {declared.items:,}"
        yield Problem(flaw=Flaw.WRONG_COUNT, where=where, message=message)
    names = sorted(declared.cells.keys() | found.cells.keys())
    wrong = [name for name in names if declared.cells.get(name, 0) != found.cells[name]]
    if wrong:
        counts = (
            f"{name}: found {found.cells[name]:,}, expected {declared.cells.get(name, 0):,}"
            for name in wrong
        )
        message = f"{counted(len(wrong), 'cell')} with a wrong count: {_listed(counts, '; ')}"
        yield Problem(flaw=Flaw.WRONG_COUNT, where=where, message=message)


def _outline_bits(where: str, bit: int, found: Inventory) -> Iterator[Problem]:
    wrong = sum(outline & 1 != bit for outline in found.outlines)
    if wrong:
        message = f"{counted(wrong, 'premise')} that belong to another split by their outline"
        yield Problem(flaw=Flaw.SHARED_TIMELINE, where=where, message=message)


def _timelines(data: Dataset, found: Mapping[str, Inventory]) -> Iterator[Problem]:
    import numpy as np

    hashes = [
        np.unique(np.frombuffer(found[place].timelines, dtype=np.uint64))
        for place in map(data.place, data.files)
        if place in found and found[place].timelines
    ]
    declared = data.manifest.overlaps.timelines
    if len(hashes) < 2 or declared is None:
        return
    shared = sum(np.isin(digest, other).sum() for digest, other in combinations(hashes, 2))
    if shared > declared:
        message = f"splits share {counted(int(shared), 'timeline')}, expected {declared:,}"
        yield Problem(flaw=Flaw.SHARED_TIMELINE, where=str(data.folder), message=message)


def _words(manifest: Manifest, split: str, where: str, found: Inventory) -> Iterator[Problem]:
    """Names and phrases of another split, if splits are declared disjoint."""
    own_vocabulary = manifest.vocabulary[split]
    others = [words for name, words in manifest.vocabulary.items() if name != split]
    names = frozenset().union(*(words.names for words in others))
    phrases = frozenset().union(*(words.phrases for words in others))
    used = {_phrase(wording, own_vocabulary.phrases | phrases) for wording in found.wordings}
    lemma = lemmas(found.wordings) & lemmas(phrases)
    for flaw, what, declared, shared in (
        (Flaw.SHARED_NAME, "name", manifest.overlaps.names, found.names & names),
        (Flaw.SHARED_PHRASE, "phrase", manifest.overlaps.phrases, used & phrases),
        (Flaw.SHARED_LEMMA, "word", manifest.overlaps.lemmas, lemma),
    ):
        if declared == 0 and shared:
            message = f"{counted(len(shared), what)} from another split: {_listed(sorted(shared))}"
            yield Problem(flaw=flaw, where=where, message=message)


_FUNCTION_WORDS = frozenset(
    {"a", "as", "at", "by", "had", "in", "is", "of", "on", "once", "than", "the", "to", "was"}
    | {"with", "start", "end"}
)
_LEMMAS = {
    "arrived": "arrive",
    "came": "come",
    "coincided": "coincide",
    "concurrently": "concurrent",
    "dated": "date",
    "earlier": "early",
    "ensued": "ensue",
    "exact": "exact",
    "fell": "fall",
    "followed": "follow",
    "following": "follow",
    "happened": "happen",
    "later": "late",
    "lay": "lie",
    "noted": "note",
    "occurred": "occur",
    "preceded": "precede",
    "reached": "reach",
    "recorded": "record",
    "simultaneously": "simultaneous",
    "sooner": "soon",
    "succeeded": "succeed",
    "synchronized": "synchronize",
    "took": "take",
    "transpired": "transpire",
    "unfolded": "unfold",
}


def lemmas(phrases: Iterable[str]) -> frozenset[str]:
    """The lemmas of the content words of phrases that express an order; start and end are exempt.

    A split whose phrases share no lemma with those of another cannot be solved by known words.
    """
    words = {word for phrase in phrases for word in phrase.lower().split() if word.isalpha()}
    return frozenset(_LEMMAS.get(word, word) for word in words - _FUNCTION_WORDS)


def _phrase(wording: str, known: frozenset[str]) -> str:
    """The longest known phrase that is a prefix of a wording."""
    return max((phrase for phrase in known if wording.startswith(phrase)), key=len, default="")


def _listed(parts: Iterable[str], mark: str = ", ") -> str:
    every = list(parts)
    more = f"{mark}and {len(every) - LISTED:,} more" if len(every) > LISTED else ""
    return mark.join(every[:LISTED]) + more
