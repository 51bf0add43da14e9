"""Provenance of rules, strikingness weights, ranks and scores, in a manifest beside the file.

The manifest of ``rules.json`` is ``rules.json.manifest.json``. It states the facts that the content
was learned from, so that nothing is evaluated on times that it has seen; of ranks also the rank of
answers that were not returned. Files of any format have one, and their own bytes stay as published.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from contextlib import suppress
from enum import StrEnum
from pathlib import Path

import msgspec

from grammar.errors import HopcheckError
from solver.graph.model import Dataset, Ids, Split
from solver.io.json_lines import read_document
from solver.io.sources import STDIN, InputError, sha256
from solver.io.writing import OutputError, write_json

ENDING = ".manifest.json"
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


class LeakError(HopcheckError):
    """Something learned from facts of the times that it is evaluated on."""

    code = "leak"


class Content(StrEnum):
    """What a file contains."""

    RULES = "rules"
    STRIKINGNESS = "strikingness"
    RANKS = "ranks"
    SCORES = "scores"


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """The facts that something was learned from.

    Attributes:
        graph: name of the graph.
        sha256: checksum of its facts.
        splits: the splits that were read.
        first: their first time.
        last: their last time.
        first_name: name of the first time, such as a date.
        last_name: name of the last time.
        seed: random seed; None if nothing was sampled.
    """

    graph: str
    sha256: str
    splits: tuple[Split, ...]
    first: int
    last: int
    first_name: str
    last_name: str
    seed: int | None = None

    @classmethod
    def of(cls, dataset: Dataset, splits: Sequence[Split], *, seed: int | None = None) -> Seen:
        """The facts of some splits, of which there is at least one."""
        times = dataset.facts(*splits).time
        first, last = int(times.min()), int(times.max())
        return cls(
            graph=dataset.name,
            sha256=checksum(dataset),
            splits=tuple(split for split in Split if split in splits and split in dataset.splits),
            first=first,
            last=last,
            first_name=dataset.vocabulary.time(first),
            last_name=dataset.vocabulary.time(last),
            seed=seed,
        )

    def reaches(self, dataset: Dataset, time: int) -> bool:
        """Whether a fact of this time, or of a later one, was seen.

        Times of another graph are compared by their dates if both have dates, or else by number.
        """
        name = dataset.vocabulary.time(time)
        dated = _DATE.fullmatch(name) and _DATE.fullmatch(self.last_name)
        if dated and self.sha256 != checksum(dataset):
            return self.reaches_date(name)
        return self.last >= time

    def reaches_date(self, day: str) -> bool:
        """Whether a fact of this day, such as ``2031-05-10``, or of a later one, was seen."""
        return bool(_DATE.fullmatch(self.last_name)) and self.last_name >= day


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The manifest of a file.

    Attributes:
        content: what the file contains.
        sha256: checksum of the file; None if it is not stated.
        version: version of the program that wrote it.
        seen: the facts that its content was learned from; None if from none.
        not_returned: of ranks, the rank that means "not among the returned answers"; 0 if every
            rank is that of an answer among all entities.
    """

    content: Content
    sha256: str | None = None
    version: str | None = None
    seen: Seen | None = None
    not_returned: int | None = None


def checksum(dataset: Dataset) -> str:
    """SHA-256 of the facts of all splits, in their order."""
    digest = hashlib.sha256()
    for split in Split:
        if split in dataset.splits:
            digest.update(split.encode() + dataset.splits[split].rows().tobytes())
    return digest.hexdigest()


def manifest_path(path: str | Path) -> Path:
    """The path of the manifest of a file."""
    return Path(f"{path}{ENDING}")


def write_manifest(
    path: str | Path, content: Content, seen: Seen | None, *, not_returned: int | None = None
) -> None:
    """Write the manifest of a file that was just written; a stream has none.

    Raises:
        OutputError: the manifest cannot be written.
    """
    from solver.manifest import versions

    digest = sha256(path)
    if digest is None:
        return
    found = Manifest(
        content=content,
        sha256=digest,
        version=versions()["hopcheck"],
        seen=seen,
        not_returned=not_returned,
    )
    write_json(manifest_path(path), msgspec.to_builtins(found))


def remove_manifest(path: str | Path) -> None:
    """Remove the manifest of an earlier file of this name."""
    with suppress(FileNotFoundError):
        try:
            manifest_path(path).unlink()
        except FileNotFoundError:
            raise
        except OSError as error:
            message = f"cannot be removed: {error.strerror}"
            raise OutputError(message, where=str(manifest_path(path))) from None


def read_manifest(path: str | Path, content: Content) -> Manifest | None:
    """Read the manifest of a file; None if it has none.

    Raises:
        InputError: the manifest is malformed, or of another file.
    """
    place = manifest_path(path)
    if str(path) == STDIN or not place.is_file():
        return None
    found = read_document(place, Manifest, "manifest")
    if found.content is not content:
        message = f"found the manifest of {found.content}, expected that of {content}"
        raise InputError(message, where=str(place))
    if found.sha256 is not None and found.sha256 != sha256(path):
        message = f"found the manifest of another file, expected the checksum of {path}"
        raise InputError(
            message, where=str(place), hint="write the file anew, or remove the manifest"
        )
    return found


def seen_by(path: str | Path, content: Content) -> Seen | None:
    """What the manifest of a file states that it was learned from; None if nothing is stated."""
    found = read_manifest(path, content)
    return None if found is None else found.seen


def refuse_leak(
    seen: Seen | None, dataset: Dataset, times: Ids, what: str, *, allow: bool = False
) -> tuple[str, ...]:
    """Refuse to evaluate something on times of which it has seen facts.

    Args:
        seen: what it was learned from; None if unknown.
        dataset: the graph.
        times: the evaluated times.
        what: name of what is evaluated.
        allow: accept it nevertheless.

    Returns:
        A note if it was accepted nevertheless.

    Raises:
        LeakError: it has seen facts of the first of these times, or of a later one.
    """
    if seen is None or not len(times) or not seen.reaches(dataset, int(times.min())):
        return ()
    begin = dataset.vocabulary.time(int(times.min()))
    learned = f"{', '.join(seen.splits)} of {seen.graph}, up to time {seen.last_name}"
    if allow:
        return (f"{what} was learned from {learned}, and is evaluated from time {begin} on",)
    message = f"learned from {learned}, expected facts before time {begin}, the first evaluated one"
    raise LeakError(message, where=what, hint="pass --allow-leak to evaluate it nevertheless")
