"""Checks the files of a data set against its manifest."""

from __future__ import annotations

from array import array
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain, combinations
from pathlib import PurePath

import msgspec

from grammar.eventhop.model import Claim, Item, Status
from solver.dataset.copies import (
    Copy,
    PlacedRow,
    differences,
    folders,
    in_words,
    read,
    split_copies,
)
from solver.dataset.seal import CERTIFIED, FORMATS, SHARD_NUMBER, unsealed
from solver.eventhop.check import RejectedError, check_row
from solver.eventhop.hashes import ItemHashes
from solver.eventhop.io import read_records
from solver.eventhop.messages import claimed_events
from solver.eventhop.outcomes import Outcome
from solver.eventhop.records import STATED, BrokenRecord, Record, fields
from solver.eventhop.samples import text_hash
from solver.io.json_lines import read_document
from solver.io.remote import Folder, changed_files
from solver.io.sources import MANIFEST, InputError, counted, is_uri, shown


@dataclass(slots=True, kw_only=True)
class Inventory:
    """Contents of a file; uses 32 bytes per item.

    Attributes:
        items: number of rows, including those that do not parse.
        ids: ids of the rows, -1 for one that is no number.
        groups: numbers of their minimal groups, -1 for none.
        texts: hashes of premise and claim.
        labels: items by label; statuses: by decided status.
        wrong: fields that differ from what is decided, with their number and the first one.
        cells: items by cell name.
        timelines: timeline hashes, in item order.
        outlines: outline hashes, in item order.
        names: names of events in premises.
        wordings: texts between the two names of a sentence: a phrase and point markers.
    """

    items: int = 0
    ids: array[int] = field(default_factory=lambda: array("q"))
    groups: array[int] = field(default_factory=lambda: array("q"))
    texts: array[int] = field(default_factory=lambda: array("Q"))
    labels: Counter[str] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)
    wrong: dict[str, tuple[int, str, str]] = field(default_factory=dict)
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
        self.ids.append(_whole(record.id))
        self.groups.append(_whole(record.group))
        self.texts.append(text_hash(record))
        self.labels[str(record.gold)] += 1
        self.statuses[verdict.status.value] += 1
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
        timeline, outline = hashes.timeline(), hashes.outline()
        if timeline is not None:
            self.timelines.append(timeline)
        self.outlines.append(outline)
        if "." not in record.place.file or not record.place.file.endswith(_TABLES):
            self._compare(record, item, verdict.status, outcome.hops, (timeline or 0, outline))
        self.names.update(p.event for r in item.premise for p in (r.left, r.right))
        self.wordings.update(_wordings(record.premise, item))

    def _compare(
        self, record: Record, item: Item, status: Status, hops: int | None, hashes: tuple[int, int]
    ) -> None:
        """Compare the fields of a generated row with those of its item."""
        claim = item.claim
        stated: dict[str, object] = {
            "label": record.gold,
            "declared": record.declared,
            "forced": record.forced,
            "relation": record.sampled,
            "events": record.events,
            "relations": record.relations,
            "event_distance": record.event_distance,
            "hops": record.hops,
            **dict.fromkeys(STATED),
            **record.stated,
        }
        right: dict[str, object] = {
            "forced": False,
            "relation": claim.relation.value if isinstance(claim, Claim) else None,
            "events": len({p.event for r in item.premise for p in (r.left, r.right)}),
            "relations": len(item.premise),
            "event_distance": event_distance(item),
            "status": status.value,
            "domain": item.domain.value,
        }
        if stated["timeline"] is not None or stated["outline"] is not None:
            right |= {"timeline": f"{hashes[0]:016x}", "outline": f"{hashes[1]:016x}"}
        # Wrong labels and declarations are findings of the item; only missing ones are not.
        for name, value in (("label", "a value"), ("declared", "a value"), ("hops", hops)):
            right[name] = value if stated[name] is None else stated[name]
        for name, expected in right.items():
            if stated[name] != expected:
                message = f"found {shown(repr(stated[name]))}, expected {shown(repr(expected))}"
                number, where, first = self.wrong.get(name, (0, record.place.at(), message))
                self.wrong[name] = number + 1, where, first

    def add(self, other: Inventory) -> None:
        """Append the inventory of the next part of the file."""
        self.items += other.items
        self.ids.extend(other.ids)
        self.groups.extend(other.groups)
        self.texts.extend(other.texts)
        self.labels.update(other.labels)
        self.statuses.update(other.statuses)
        for name, (number, where, first) in other.wrong.items():
            before = self.wrong.get(name, (0, where, first))
            self.wrong[name] = before[0] + number, *before[1:]
        self.cells.update(other.cells)
        self.timelines.extend(other.timelines)
        self.outlines.extend(other.outlines)
        self.names |= other.names
        self.wordings |= other.wordings


def _whole(text: str | None) -> int:
    return int(text) if text is not None and text.isascii() and text.isdigit() else -1


_TABLES = (".tsv", ".tsv.gz")
"""The published format has some of the fields, and other names of relations."""


def event_distance(item: Item) -> int | None:
    """Undirected distance between the claim's two events, in relations; None if unconnected."""
    neighbours: dict[str, list[str]] = {}
    for relation in item.premise:
        left, right = relation.left.event, relation.right.event
        neighbours.setdefault(left, []).append(right)
        neighbours.setdefault(right, []).append(left)
    claimed = claimed_events(item)
    first, last = claimed[0], claimed[-1]
    distance = {first: 0}
    fresh = deque([first])
    while fresh:
        event = fresh.popleft()
        if event == last:
            return distance[event]
        for then in neighbours.get(event, ()):
            if then not in distance:
                distance[then] = distance[event] + 1
                fresh.append(then)
    return None


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
    data = [name for name in outputs if not CERTIFIED.fullmatch(name)] or outputs
    for ending in FORMATS:
        named = [name for name in data if name.endswith(ending)]
        if named:
            return [folder.path(name) for name in named]
    message = f"found no data file among the outputs, expected one of {', '.join(FORMATS)}"
    raise InputError(message, where=manifest, hint=hint)


def compared_copies(data: Dataset, equal: list[str]) -> Iterator[Problem]:
    """Differences between the copies of each split, and faults of the file of certificates.

    Args:
        data: the data set.
        equal: receives the names of copies that are equal.
    """
    folder = str(data.folder)
    for sealed in folders([folder]):
        every = split_copies(sealed, _published)
        certified = sorted(filter(CERTIFIED.fullmatch, sealed.outputs))
        if certified:
            rows = _Certified([sealed.folder.path(name) for name in certified])
            paths = {split: list(files) for split, files in sorted(data.files.items())}
            every.append(
                (
                    Copy(name="the splits", rows=_Expected(paths)),
                    Copy(name=certified[0], rows=rows, partial=True),
                )
            )
        for copies in every:
            found = list(differences(folder, copies))
            equal += [] if found else [in_words(copies)]
            for finding in found:
                yield Problem(flaw=Flaw.COPIES_DIFFER, where=finding.where, message=finding.message)


def _published(path: str) -> Iterator[PlacedRow]:
    """The rows of a TSV by the names of fields; of ours, so that labels are those of JSON Lines."""
    for record in read_records(path):
        where = record.place.at()
        if isinstance(record, BrokenRecord):
            yield PlacedRow(where=where, values={}, broken=record.error.message)
            continue
        values = {name: value for name, value in fields(record).items() if name != "hops"}
        label, relation = record.label, record.sampled
        values |= {
            "label": None if label is None else str(label),
            "relation": "overlaps" if relation == "overlap" else relation,
        }
        yield PlacedRow(where=where, values=values)


@dataclass(frozen=True, slots=True)
class _Expected:
    """What the rows of a file of certificates repeat of those of the splits."""

    paths: Mapping[str, Sequence[str]]

    def __call__(self) -> Iterator[PlacedRow]:
        for split, files in self.paths.items():
            for row in chain.from_iterable(map(read, files)):
                values = row.values
                verdict = {name: values.get(name) for name in ("hops", "label", "status")}
                yield PlacedRow(
                    where=row.where,
                    values={
                        "id": values.get("id"),
                        "split": split,
                        **{name: values.get(name) for name in ("claim", "domain", "premise")},
                        "verdict": verdict | {"consistent": values.get("declared") == "possible"},
                        "policy": "local",
                        "spatial": "geometric",
                    },
                )


@dataclass(frozen=True, slots=True)
class _Certified:
    """The rows of files of certificates; one whose certificate is rejected is broken."""

    paths: Sequence[str]

    def __call__(self) -> Iterator[PlacedRow]:
        for row in chain.from_iterable(map(read, self.paths)):
            values = {name: value for name, value in row.values.items() if name != "certificate"}
            try:
                check_row(dict(row.values))
            except RejectedError as error:
                yield PlacedRow(where=row.where, values={}, broken=row.broken or str(error))
                continue
            split, _, number = str(values.get("id")).rpartition("-")
            values |= {"id": number, **({"split": split} if split else {})}
            yield PlacedRow(where=row.where, values=values)


LISTED = 3
"""Maximum number of cells or words listed in a message."""


class Flaw(StrEnum):
    """Problems of a data set as a whole."""

    CHANGED_FILE = "changed-file"
    MISSING_FILE = "missing-file"
    WRONG_COUNT = "wrong-count"
    WRONG_FIELD = "wrong-field"
    WRONG_ORDER = "wrong-order"
    COPIES_DIFFER = "copies-differ"
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
    """Declared contents of a split; the last bit of outline hashes is that of its premises."""

    items: int
    labels: dict[str, int]
    cells: dict[str, int]
    timelines: int
    repeated_texts: int
    outline_bit: int


class Overlaps(msgspec.Struct, frozen=True, kw_only=True):
    """Declared overlaps between splits; None if not counted, or of lemmas if they are exempt."""

    names: int
    phrases: int
    lemmas: int | None
    premises: int | None
    timelines: int | None
    timelines_proved_by: str | None


class Vocabulary(msgspec.Struct, frozen=True, kw_only=True):
    """Names and phrases that a split may use."""

    names: frozenset[str]
    phrases: frozenset[str]


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a manifest that is compared with the files; of links only ``items``."""

    outputs: dict[str, str]
    splits: dict[str, SplitContents] = {}
    overlaps: Overlaps | None = None
    vocabulary: dict[str, Vocabulary] = {}
    items: dict[str, int] = {}

    @property
    def disjoint(self) -> bool:
        """Whether splits have no timeline in common."""
        return self.overlaps is not None and self.overlaps.timelines_proved_by is not None


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
    known = {"splits", "items"}
    if known.isdisjoint(read_document(manifest_path, dict[str, msgspec.Raw], "manifest")):
        return None
    hint = "generate the data set again, or name the files in the folder"
    manifest = read_document(manifest_path, Manifest, "manifest", hint=hint)
    by_split: dict[str, tuple[str, ...]] = {}
    for file in files:
        split = SHARD_NUMBER.sub("", PurePath(file.partition("?")[0]).name.partition(".")[0])
        by_split[split] = (*by_split.get(split, ()), file)
    return Dataset(folder=folder, manifest=manifest, files=by_split)


def problems(data: Dataset, found: Mapping[str, Inventory]) -> Iterator[Problem]:
    """Differences between a data set and its manifest.

    Args:
        data: the data set.
        found: inventory of each split, by ``Dataset.place``.
    """
    yield from _files(data)
    declared, proved = data.manifest, data.manifest.disjoint
    for split, contents in sorted(declared.splits.items()):
        place = data.place(split) if split in data.files else ""
        inventory = found.get(place, Inventory())
        yield from _counts(place or str(data.folder), contents, inventory)
        yield from _rows(place, inventory)
        if proved:
            yield from _outline_bits(place, contents.outline_bit, inventory)
        yield from _words(declared, split, place, inventory)
    if declared.overlaps is not None:
        yield from _overlaps(data, declared.overlaps, found)
    if not declared.splits:
        for place in map(data.place, data.files):
            inventory = found.get(place, Inventory())
            yield from _differing(place, "status", dict(declared.items), inventory.statuses)
            yield from _rows(place, inventory)


def _files(data: Dataset) -> Iterator[Problem]:
    if not unsealed():
        # A whole seal was checked before anything was read; shards may be many.
        return
    for path, digest, found in changed_files(data.folder, data.manifest.outputs):
        if found is None:
            message = "listed in the manifest, but not found"
            yield Problem(flaw=Flaw.MISSING_FILE, where=path, message=message)
        else:
            message = f"checksum differs from that in the manifest, {digest[:12]}…"
            yield Problem(flaw=Flaw.CHANGED_FILE, where=path, message=message)


def _counts(where: str, declared: SplitContents, found: Inventory) -> Iterator[Problem]:
    for name, count, expected in (
        ("item", found.items, declared.items),
        ("timeline", _distinct(found.timelines), declared.timelines),
        ("repeated text", len(found.texts) - _distinct(found.texts), declared.repeated_texts),
    ):
        if count != expected:
            message = f"found {counted(count, name)}, expected {expected:,}"
            yield Problem(flaw=Flaw.WRONG_COUNT, where=where, message=message)
    yield from _differing(where, "label", declared.labels, found.labels)
    yield from _differing(where, "cell", declared.cells, found.cells)


def _differing(
    where: str, noun: str, declared: Mapping[str, int], found: Counter[str]
) -> Iterator[Problem]:
    names = sorted(declared.keys() | found.keys())
    wrong = [name for name in names if declared.get(name, 0) != found[name]]
    if wrong:
        counts = (
            f"{name}: found {found[name]:,}, expected {declared.get(name, 0):,}" for name in wrong
        )
        message = f"{counted(len(wrong), noun)} with a wrong count: {_listed(counts, '; ')}"
        yield Problem(flaw=Flaw.WRONG_COUNT, where=where, message=message)


def _distinct(numbers: array[int]) -> int:
    import numpy as np

    return len(np.unique(np.frombuffer(numbers, dtype=np.uint64))) if numbers else 0


def _rows(where: str, found: Inventory) -> Iterator[Problem]:
    """Fields that differ from what is decided, and rows out of their order."""
    for name, (number, place, first) in sorted(found.wrong.items()):
        message = f"{name} of {counted(number, 'item')}, the first: {first}"
        yield Problem(flaw=Flaw.WRONG_FIELD, where=place, message=message)
    misplaced = next((row for row, number in enumerate(found.ids) if row != number), None)
    if misplaced is not None:
        message = f"row {misplaced + 1} has id {found.ids[misplaced]}, expected {misplaced}"
        yield Problem(flaw=Flaw.WRONG_ORDER, where=where, message=message)
    yield from _groups(where, found)


def _groups(where: str, found: Inventory) -> Iterator[Problem]:
    """Minimal groups are numbered from 0, and their premises have one outline."""
    if set(found.groups) <= {-1}:
        return
    before, outline = -1, 0
    for row, (group, other) in enumerate(zip(found.groups, found.outlines, strict=True), 1):
        if group not in (before, before + 1) or (group == before) is not (other == outline):
            message = f"row {row} has group {group}, expected that of its premise"
            yield Problem(flaw=Flaw.WRONG_FIELD, where=where, message=message)
            return
        before, outline = group, other


def _outline_bits(where: str, bit: int, found: Inventory) -> Iterator[Problem]:
    wrong = sum(outline & 1 != bit for outline in found.outlines)
    if wrong:
        message = f"{counted(wrong, 'premise')} that belong to another split by their outline"
        yield Problem(flaw=Flaw.SHARED_TIMELINE, where=where, message=message)


def _overlaps(
    data: Dataset, declared: Overlaps, found: Mapping[str, Inventory]
) -> Iterator[Problem]:
    """Compare the declared overlaps with the files, and with the declared vocabulary."""
    places = [place for place in map(data.place, data.files) if place in found]
    words = list(data.manifest.vocabulary.values())
    counts: list[tuple[Flaw, str, int | None, int]] = []
    if len(words) > 1:
        names, phrases = words[0].names & words[1].names, words[0].phrases & words[1].phrases
        shared = lemmas(words[0].phrases) & lemmas(words[1].phrases)
        counts += [
            (Flaw.SHARED_NAME, "name", declared.names, len(names)),
            (Flaw.SHARED_PHRASE, "phrase", declared.phrases, len(phrases)),
            (Flaw.SHARED_LEMMA, "word", declared.lemmas, len(shared)),
        ]
    if len(places) > 1:
        for noun, expected, hashes in (
            ("premise", declared.premises, [found[place].outlines for place in places]),
            ("timeline", declared.timelines, [found[place].timelines for place in places]),
        ):
            counts.append((Flaw.SHARED_TIMELINE, noun, expected, _shared(hashes)))
    for flaw, noun, expected, number in counts:
        if expected not in (None, number):
            message = f"splits share {counted(number, noun)}, expected {expected:,}"
            yield Problem(flaw=flaw, where=str(data.folder), message=message)


def _shared(hashes: Iterable[array[int]]) -> int:
    import numpy as np

    every = [np.unique(np.frombuffer(some, dtype=np.uint64)) for some in hashes if some]
    return sum(int(np.isin(left, right).sum()) for left, right in combinations(every, 2))


def _words(manifest: Manifest, split: str, where: str, found: Inventory) -> Iterator[Problem]:
    """Names and phrases of another split, if splits are declared disjoint."""
    own_vocabulary = manifest.vocabulary[split]
    overlaps = manifest.overlaps
    if overlaps is None:
        return
    others = [words for name, words in manifest.vocabulary.items() if name != split]
    names = frozenset().union(*(words.names for words in others))
    phrases = frozenset().union(*(words.phrases for words in others))
    used = {_phrase(wording, own_vocabulary.phrases | phrases) for wording in found.wordings}
    lemma = lemmas(found.wordings) & lemmas(phrases)
    for flaw, what, declared, shared in (
        (Flaw.SHARED_NAME, "name", overlaps.names, found.names & names),
        (Flaw.SHARED_PHRASE, "phrase", overlaps.phrases, used & phrases),
        (Flaw.SHARED_LEMMA, "word", overlaps.lemmas, lemma),
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
