"""Checks the files of a data set against its manifest."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from itertools import combinations
from pathlib import PurePath
from typing import TYPE_CHECKING

import msgspec

from grammar.eventhop.model import Claim, ClaimRelation, Item, Order, Status
from solver.eventhop.engines.graph import number
from solver.eventhop.lemmas import lemmas
from solver.eventhop.outcomes import Outcome
from solver.eventhop.records import Record
from solver.io.json_lines import read_document
from solver.io.remote import Folder, changed_files
from solver.io.sources import MANIFEST, InputError, counted, is_uri

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_WORD = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15
_ROUNDS = 3
# One label per kind of edge; includes the constant that ``_mix`` adds first.
_LABELS = tuple(((label + 1) * _GOLDEN) & _WORD for label in range(40))


class ItemHashes:
    """Hashes of an item, which do not depend on names or on the order of sentences."""

    def __init__(self, item: Item) -> None:
        numbered = number(item)
        self._item, self._claimed = item, numbered.claim
        self._events = len(numbered.events)
        self._edges = [
            (q, p, True) if order is Order.AFTER else (p, q, order is Order.BEFORE)
            for p, order, q in numbered.relations
        ]

    def timeline(self) -> int | None:
        """The hash of premise and claim; None if the claim is not one of the paper's three."""
        claim = self._item.claim
        if not isinstance(claim, Claim) or not isinstance(claim.relation, ClaimRelation):
            return None
        left, right = self._claimed
        return timeline_hash(
            self._edges,
            self._events,
            claimed=(right, left) if claim.relation is ClaimRelation.AFTER else (left, right),
            symmetric=claim.relation is ClaimRelation.OVERLAPS,
        )

    def graph(self) -> int:
        """The hash of the premise, without the claim."""
        return timeline_hash(self._edges, self._events, symmetric=True, claimed=None)

    def outline(self) -> int:
        """The hash of what the premises of a matched group have in common."""
        return outline_hash(self._edges, self._events)


def outline_hash(edges: Sequence[tuple[int, int, bool]], events: int) -> int:
    """A 64-bit invariant of a premise that all items of a matched group have in common.

    Of the relations it sees which events they relate, and how many there are of each kind. So
    premises with different hashes differ, whatever their events are called, with any claim.

    Args:
        edges: relations between numbered points, as for ``timeline_hash``.
        events: number of events.
    """
    return next(outline_hashes(edges, events))


def outline_hashes(edges: Sequence[tuple[int, int, bool]], events: int) -> Iterator[int]:
    """The outline hash of a premise, and that of the same premise with time reversed."""
    pairs = [(earlier >> 1, later >> 1) for earlier, later, _ in edges]
    # In the first round, all events have the same colour.
    degrees = [0] * events
    for first, last in pairs:
        degrees[first] += 1
        degrees[last] += 1
    colours = list(map(_first_colour, degrees))
    for _ in range(_ROUNDS - 1):
        sums = [colour * 7 for colour in colours]
        mixed = list(map(_mix, colours))
        for first, last in pairs:
            sums[first] += mixed[last]
            sums[last] += mixed[first]
        colours = [_mix(total & _WORD) for total in sums]
    # Both have the same events and pairs.
    for kinds in (_KINDS, _REVERSED):
        total = sum(colours)
        for earlier, later, strict in edges:
            total += kinds[strict][(earlier & 1) * 2 + (later & 1)]
        yield _mix(total & _WORD)


@lru_cache(1024)
def _first_colour(degree: int) -> int:
    """The colour after the first round of an event in so many relations."""
    colour = _mix(3)
    return _mix((7 * colour + degree * _mix(colour)) & _WORD)


def timeline_hash(
    edges: Sequence[tuple[int, int, bool]],
    events: int,
    *,
    symmetric: bool,
    claimed: tuple[int, int] | None = (0, 1),
) -> int:
    """A 64-bit isomorphism invariant of a premise and its claim, or of the premise alone.

    Args:
        edges: relations between numbered points, ``earlier < later`` or, if not strict,
            ``earlier = later``; event ``e`` has the points ``2 * e`` and ``2 * e + 1``.
        events: number of events.
        symmetric: whether the claim is *overlaps*, which is symmetric in its events.
        claimed: the claim's two events, the earlier one first for *before* and *after*; None for
            the premise alone.
    """
    colours = [_mix(3)] * events
    if claimed is not None:
        left, right = claimed
        colours[left] = _mix(1)
        colours[right] = _mix(1 if symmetric else 2)
    arms = []
    for earlier, later, strict in edges:
        first, last, bounds = earlier >> 1, later >> 1, (earlier & 1) * 2 + (later & 1)
        if strict:
            arms += [(first, last, _LABELS[11 + bounds]), (last, first, _LABELS[21 + bounds])]
        else:
            turned = (later & 1) * 2 + (earlier & 1)
            arms += [(first, last, _LABELS[31 + bounds]), (last, first, _LABELS[31 + turned])]
    sums = [colour * 7 for colour in colours]
    for event, neighbour, label in arms:
        sums[event] += _FIRST[colours[neighbour] + label]
    colours = [_mix(total) for total in sums]
    for _ in range(_ROUNDS - 1):
        sums = [colour * 7 for colour in colours]
        for event, neighbour, label in arms:
            # ``_mix`` inlined: the calls would take half of the time.
            value = (colours[neighbour] + label) & _WORD
            value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
            value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _WORD
            sums[event] += value ^ (value >> 31)
        colours = [_mix(total) for total in sums]
    if claimed is None:
        return _mix(sum(colours) + len(edges))
    claim = colours[left] + colours[right] if symmetric else colours[left] + 3 * colours[right]
    return _mix(sum(colours) + _mix(claim) + len(edges) + 2 * symmetric)


def timeline_hashes(
    graphs: Sequence[tuple[Sequence[tuple[int, int, bool]], int, bool]],
) -> list[int]:
    """The timeline hashes of many premises whose claims are about the events 0 and 1.

    Ten times as fast as one by one: numpy wraps its unsigned integers as ``timeline_hash`` does.

    Args:
        graphs: edges, number of events, and whether the claim is symmetric: see ``timeline_hash``.
    """
    import numpy as np

    if not graphs:
        return []
    sizes = np.array([events for _, events, _ in graphs])
    counts = np.array([len(edges) for edges, _, _ in graphs])
    symmetric = np.array([one for _, _, one in graphs])
    # All events in one row; those of a graph start at its base.
    base = np.cumsum(sizes) - sizes
    flat = np.fromiter((part for edges, _, _ in graphs for edge in edges for part in edge), int)
    earlier, later, strict = flat.reshape(-1, 3).T
    offset = np.repeat(base, counts)
    bounds, turned = (earlier & 1) * 2 + (later & 1), (later & 1) * 2 + (earlier & 1)
    ends = offset + (earlier >> 1), offset + (later >> 1)
    events, neighbours = np.concatenate(ends), np.concatenate(ends[::-1])
    kinds = np.where(strict, 11 + bounds, 31 + bounds), np.where(strict, 21 + bounds, 31 + turned)
    labels = np.array(_LABELS, np.uint64)[np.concatenate(kinds)]

    def mix(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
        values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return values ^ (values >> np.uint64(31))

    golden = np.uint64(_GOLDEN)
    colours = np.full(int(sizes.sum()), _mix(3), np.uint64)
    colours[base] = _mix(1)
    colours[base + 1] = np.where(symmetric, np.uint64(_mix(1)), np.uint64(_mix(2)))
    for _ in range(_ROUNDS):
        sums = colours * np.uint64(7)
        np.add.at(sums, events, mix(colours[neighbours] + labels))
        colours = mix(sums + golden)
    left, right = colours[base], colours[base + 1]
    claims = left + np.where(symmetric, np.uint64(1), np.uint64(3)) * right
    more = counts.astype(np.uint64) + np.uint64(2) * symmetric.astype(np.uint64)
    totals = np.add.reduceat(colours, base) + mix(claims + golden) + more
    hashes: list[int] = mix(totals + golden).tolist()
    return hashes


def _mix(value: int) -> int:
    """Spread a number over 64 bits (the finaliser of splitmix64)."""
    value = (value + _GOLDEN) & _WORD
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _WORD
    return value ^ (value >> 31)


# What a relation adds to an outline, by whether it is strict and by its bounds; ``=`` is symmetric.
_KINDS = tuple(tuple(_mix(_LABELS[n]) for n in some) for some in ((4, 5, 5, 6), (0, 1, 2, 3)))
# With time reversed, starts become ends, and the later point the earlier one.
_REVERSED = tuple(tuple(_mix(_LABELS[n]) for n in some) for some in ((6, 5, 5, 4), (3, 1, 2, 0)))
# What a neighbour adds in the first round, by its colour and the label of the edge.
_FIRST = {
    colour + label: _mix(colour + label - _GOLDEN)
    for colour in map(_mix, (1, 2, 3))
    for label in _LABELS
}


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
CERTIFIED = "items.jsonl"
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
    shared = sum(np.isin(one, other).sum() for one, other in combinations(hashes, 2))
    if shared > declared:
        message = f"splits share {counted(int(shared), 'timeline')}, expected {declared:,}"
        yield Problem(flaw=Flaw.SHARED_TIMELINE, where=str(data.folder), message=message)


def _words(manifest: Manifest, split: str, where: str, found: Inventory) -> Iterator[Problem]:
    """Names and phrases of another split, if splits are declared disjoint."""
    own = manifest.vocabulary[split]
    others = [words for name, words in manifest.vocabulary.items() if name != split]
    names = frozenset().union(*(words.names for words in others))
    phrases = frozenset().union(*(words.phrases for words in others))
    used = {_phrase(wording, own.phrases | phrases) for wording in found.wordings}
    lemma = lemmas(found.wordings) & lemmas(phrases)
    for flaw, what, declared, shared in (
        (Flaw.SHARED_NAME, "name", manifest.overlaps.names, found.names & names),
        (Flaw.SHARED_PHRASE, "phrase", manifest.overlaps.phrases, used & phrases),
        (Flaw.SHARED_LEMMA, "word", manifest.overlaps.lemmas, lemma),
    ):
        if declared == 0 and shared:
            message = f"{counted(len(shared), what)} from another split: {_listed(sorted(shared))}"
            yield Problem(flaw=flaw, where=where, message=message)


def _phrase(wording: str, known: frozenset[str]) -> str:
    """The longest known phrase that is a prefix of a wording."""
    return max((phrase for phrase in known if wording.startswith(phrase)), key=len, default="")


def _listed(parts: Iterable[str], mark: str = ", ") -> str:
    every = list(parts)
    more = f"{mark}and {len(every) - LISTED:,} more" if len(every) > LISTED else ""
    return mark.join(every[:LISTED]) + more
