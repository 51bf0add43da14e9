"""A data set in its folder: what its manifest declares, held against what its files hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from solver.manifest import sha256
from solver.reading import InputError
from solver.verify.inputs import MANIFEST
from solver.verify.inventory import Inventory
from solver.wording import counted

if TYPE_CHECKING:
    from solver.artefacts import Artefacts

TOLD = 3
"""Cells and words that a message names, at most."""


class Flaw(StrEnum):
    """What can be wrong with a data set though each of its items may be right."""

    CHANGED_FILE = "changed-file"
    MISSING_FILE = "missing-file"
    WRONG_COUNT = "wrong-count"
    SHARED_TIMELINE = "shared-timeline"
    SHARED_NAME = "shared-name"
    SHARED_PHRASE = "shared-phrase"
    ARTEFACT = "artefact"


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One flaw, its place, and what was found and expected."""

    flaw: Flaw
    where: str
    message: str

    def __str__(self) -> str:
        """Read as ``test.jsonl: wrong-count: …``."""
        return f"{self.where}: {self.flaw}: {self.message}"


class Contents(msgspec.Struct, frozen=True, kw_only=True):
    """What a split is declared to hold: items, those of each cell, the last bit of timelines."""

    items: int
    cells: dict[str, int]
    timeline_bit: int


class Shares(msgspec.Struct, frozen=True, kw_only=True):
    """What splits are declared to share; None where that was not counted."""

    names: int
    phrases: int
    timelines: int | None
    timelines_proved_by: str | None


class Vocabulary(msgspec.Struct, frozen=True, kw_only=True):
    """What a split may use."""

    names: frozenset[str]
    phrases: frozenset[str]


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a manifest that is held against the files."""

    outputs: dict[str, str]
    splits: dict[str, Contents]
    overlaps: Shares
    vocabulary: dict[str, Vocabulary]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """A folder with its manifest; ``files`` holds the file that is read for each split."""

    folder: Path
    manifest: Manifest
    files: Mapping[str, str]


def dataset(path: str, files: Iterable[str]) -> Dataset | None:
    """The data set of a folder; None if the path is none, or its manifest speaks of no splits.

    Args:
        path: as it was given.
        files: those that are read of it.

    Raises:
        InputError: the manifest speaks of splits, but not as it should.
    """
    home = Path(path) / MANIFEST
    if not home.is_file():
        return None
    told = home.read_bytes()
    if "splits" not in msgspec.json.decode(told):
        return None
    try:
        manifest = msgspec.json.decode(told, type=Manifest)
    except msgspec.ValidationError as error:
        hint = "make the data set again, or name the files in the folder"
        raise InputError(f"found another manifest: {error}", where=str(home), hint=hint) from None
    by_split = {Path(file).name.partition(".")[0]: file for file in files}
    return Dataset(folder=Path(path), manifest=manifest, files=by_split)


def problems(
    data: Dataset, found: Mapping[str, Inventory], artefacts: Mapping[str, Artefacts]
) -> Iterator[Problem]:
    """What is not as the manifest declares.

    Args:
        data: the data set.
        found: what each file holds.
        artefacts: what each file gives away.
    """
    yield from _files(data)
    for split, declared in sorted(data.manifest.splits.items()):
        file = data.files.get(split, "")
        inventory = found.get(file, Inventory())
        yield from _counts(file or str(data.folder), declared, inventory)
        if data.manifest.overlaps.timelines_proved_by is not None:
            yield from _sides(file, declared.timeline_bit, inventory)
        yield from _words(data.manifest, split, file, inventory)
    yield from _timelines(data, found)
    for file, measured in sorted(artefacts.items()):
        yield from _artefacts(file, measured)


def _files(data: Dataset) -> Iterator[Problem]:
    for name, digest in sorted(data.manifest.outputs.items()):
        path = data.folder / name
        if not path.is_file():
            yield Problem(
                flaw=Flaw.MISSING_FILE,
                where=str(path),
                message="the manifest names it as its output",
            )
        elif sha256(path) != digest:
            yield Problem(
                flaw=Flaw.CHANGED_FILE,
                where=str(path),
                message=f"its digest is not that of the manifest, {digest[:12]}…",
            )


def _counts(where: str, declared: Contents, found: Inventory) -> Iterator[Problem]:
    if found.items != declared.items:
        message = f"found {counted(found.items, 'item')}, expected {declared.items:,}"
        yield Problem(flaw=Flaw.WRONG_COUNT, where=where, message=message)
    names = sorted(declared.cells.keys() | found.cells.keys())
    wrong = [name for name in names if declared.cells.get(name, 0) != found.cells[name]]
    if wrong:
        told = (
            f"{name}: found {found.cells[name]:,}, expected {declared.cells.get(name, 0):,}"
            for name in wrong
        )
        message = f"{counted(len(wrong), 'cell')} not at its count: {_listed(told, '; ')}"
        yield Problem(flaw=Flaw.WRONG_COUNT, where=where, message=message)


def _sides(where: str, bit: int, found: Inventory) -> Iterator[Problem]:
    astray = sum(timeline & 1 != bit for timeline in found.timelines)
    if astray:
        message = f"{counted(astray, 'timeline')} with the last bit that the other split has"
        yield Problem(flaw=Flaw.SHARED_TIMELINE, where=where, message=message)


def _timelines(data: Dataset, found: Mapping[str, Inventory]) -> Iterator[Problem]:
    import numpy as np

    hashes = [
        np.unique(np.frombuffer(found[file].timelines, dtype=np.uint64))
        for file in data.files.values()
        if file in found and found[file].timelines
    ]
    declared = data.manifest.overlaps.timelines
    if len(hashes) < 2 or declared is None:
        return
    shared = sum(np.isin(one, other).sum() for one, other in combinations(hashes, 2))
    if shared > declared:
        message = f"splits share {counted(int(shared), 'timeline')}, expected {declared:,}"
        yield Problem(flaw=Flaw.SHARED_TIMELINE, where=str(data.folder), message=message)


def _words(manifest: Manifest, split: str, where: str, found: Inventory) -> Iterator[Problem]:
    """Words of another split, where splits are declared to share none."""
    own = manifest.vocabulary[split]
    others = [words for name, words in manifest.vocabulary.items() if name != split]
    names = frozenset().union(*(words.names for words in others))
    phrases = frozenset().union(*(words.phrases for words in others))
    used = {_phrase(wording, own.phrases | phrases) for wording in found.wordings}
    for flaw, what, declared, shared in (
        (Flaw.SHARED_NAME, "name", manifest.overlaps.names, found.names & names),
        (Flaw.SHARED_PHRASE, "phrase", manifest.overlaps.phrases, used & phrases),
    ):
        if not declared and shared:
            message = f"{counted(len(shared), what)} of another split: {_listed(sorted(shared))}"
            yield Problem(flaw=flaw, where=where, message=message)


def _phrase(wording: str, known: frozenset[str]) -> str:
    """The longest known phrase that a wording begins with: one may begin with another."""
    return max((phrase for phrase in known if wording.startswith(phrase)), key=len, default="")


def _artefacts(where: str, measured: Artefacts) -> Iterator[Problem]:
    for sentence in measured.giveaways:
        yield Problem(flaw=Flaw.ARTEFACT, where=where, message=sentence)


def _listed(parts: Iterable[str], mark: str = ", ") -> str:
    every = list(parts)
    more = f"{mark}and {len(every) - TOLD:,} more" if len(every) > TOLD else ""
    return mark.join(every[:TOLD]) + more
