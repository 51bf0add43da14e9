"""A data set as one sealed object: its manifest, its splits and every file of each split.

Opening a folder, or a file of it, checks that no file is missing, changed or additional, that the
manifest is whole, and that its entries agree. A folder without a manifest of this project has no
seal. ``opening`` decides for one command whether broken seals are refused or recorded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grammar.errors import HopcheckError
from solver.io.json_lines import read_document
from solver.io.remote import Folder, changed_files
from solver.io.sources import MANIFEST, InputError, is_uri, shown

FORMATS = (".jsonl", ".jsonl.gz", ".parquet", ".tsv", ".tsv.gz")
"""Formats in which the rows of a split are written; readers prefer the first."""

TIMED = "timed"
"""Entry of a manifest: files without a checksum, as they contain times."""

CERTIFIED = re.compile(r"(?:items|certificates)(?:-.+)?\.jsonl")
"""Files that repeat the rows of all splits with certificates."""

SHARD_NUMBER = re.compile(r"-\d{6,}$")
"""The number of a shard, at the end of the name of its file."""

_DATA = (".jsonl", ".ndjson", ".json", ".tsv", ".txt", ".csv", ".parquet", ".npy")
"""Endings of files that a reader could take as a part of a data set."""

CARD = "README.md"
_CARD_FILE = re.compile(r'^ +path: "?([^\s"]+)"?$', re.MULTILINE)

_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach:
    """A place where a data set differs from its manifest."""

    where: str
    message: str

    def __str__(self) -> str:
        """Format as ``data/test.jsonl: found sha256 …, expected …``."""
        return f"{self.where}: {self.message}"


class SealError(HopcheckError):
    """A data set whose files differ from its manifest."""

    code = "seal"

    @classmethod
    def of(cls, breaches: Iterable[Breach]) -> SealError:
        """The error about the first breach, with the number of the others."""
        first, *others = breaches
        more = f"; {len(others):,} more" if others else ""
        hint = "generate or fetch the data set again; --unsealed reads it nevertheless"
        return cls(f"{first.message}{more}", where=first.where, hint=hint)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DataSet:
    """A folder with a manifest, or one file of it.

    Attributes:
        folder: the folder.
        manifest: all entries of its manifest.
        name: name of the manifest.
        only: the file that was named; None for the whole folder.
    """

    folder: Folder
    manifest: Mapping[str, Any]
    name: str = MANIFEST
    only: str | None = None

    @property
    def outputs(self) -> Mapping[str, str]:
        """Checksums of the files by name; empty if the manifest states none."""
        stated = self.manifest.get("outputs")
        return stated if isinstance(stated, dict) else {}

    @property
    def splits(self) -> dict[str, dict[str, tuple[str, ...]]]:
        """Names of the files of each split, in order, by format."""
        files: dict[str, dict[str, tuple[str, ...]]] = {}
        for name in sorted(self.outputs):
            ending = next((end for end in FORMATS if name.endswith(end)), None)
            if ending is None or "/" in name or CERTIFIED.fullmatch(name):
                continue
            split = files.setdefault(SHARD_NUMBER.sub("", name.removesuffix(ending)), {})
            split[ending] = (*split.get(ending, ()), name)
        return files

    def breaches(self) -> Iterator[Breach]:
        """Everything in which the files differ from the manifest, and the manifest from itself."""
        manifest = self.folder.path(self.name)
        faults = [Breach(where=manifest, message=fault) for fault in _form(self.manifest)]
        yield from faults
        if faults:
            return
        outputs = self.outputs
        declared = outputs if self.only is None else {self.only: outputs[self.only]}
        for path, expected, digest in changed_files(self.folder, declared):
            stated = f"expected sha256 {expected}, that of {self.name}"
            actual = "no such file" if digest is None else f"sha256 {digest}"
            yield Breach(where=path, message=f"found {actual}, {stated}")
        if self.only is None and self.name == MANIFEST:
            yield from self._additional()
            yield from self._unlisted()

    def _additional(self) -> Iterator[Breach]:
        listed = {*self.outputs, *self.manifest.get(TIMED, ()), self.name}
        for name in sorted(self.folder.names() - listed):
            if name[0] != "." and name.removesuffix(".gz").endswith(_DATA):
                message = f"found a file that {self.name} does not list, expected none"
                yield Breach(where=self.folder.path(name), message=message)

    def _unlisted(self) -> Iterator[Breach]:
        """Files that the card names and the manifest does not."""
        if CARD not in self.outputs or not self.folder.has(CARD):
            return
        card = self.folder.read(CARD).decode(errors="replace")
        for name in sorted(set(_CARD_FILE.findall(card)) - self.outputs.keys()):
            if "*" not in name:
                message = f"named in {CARD}, but not listed in {self.name}"
                yield Breach(where=self.folder.path(name), message=message)


_ENTRIES: Mapping[str, Callable[[object], bool]] = {
    "config": lambda value: isinstance(value, dict),
    "encodings": lambda value: isinstance(value, dict) and all(map(_is_digest, value.values())),
    "inputs": lambda value: isinstance(value, list) and all(map(_is_input, value)),
    "outputs": lambda value: (
        isinstance(value, dict) and bool(value) and all(map(_is_digest, value.values()))
    ),
    "seed": lambda value: value is None or _is_count(value),
    "versions": lambda value: (
        isinstance(value, dict)
        and {"hopcheck", "python"} <= value.keys()
        and all(map(_is_version, value.values()))
    ),
}
"""The entries of a manifest, each with what it has to be."""


def _is_digest(value: object) -> bool:
    return isinstance(value, str) and _DIGEST.fullmatch(value) is not None


def _is_input(value: object) -> bool:
    if not isinstance(value, dict) or value.keys() != {"name", "sha256"}:
        return False
    return isinstance(value["name"], str) and (
        value["sha256"] is None or _is_digest(value["sha256"])
    )


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_version(value: object) -> bool:
    return value is None or (isinstance(value, str) and value[:1].isdigit())


def _form(manifest: Mapping[str, Any]) -> Iterator[str]:
    """Entries that are missing or malformed, or contradict another one."""
    for name, is_right in _ENTRIES.items():
        if name not in manifest:
            yield f"found no {name}, expected those of a whole manifest"
        elif not is_right(manifest[name]):
            yield f"found {name} {shown(str(manifest[name]))}, expected those that were written"
    config = manifest.get("config")
    if isinstance(config, dict) and config.get("seed", manifest.get("seed")) != manifest.get(
        "seed"
    ):
        yield f"found seed {manifest.get('seed')}, expected {config['seed']}, as config states"


def open_dataset(place: str | Path) -> DataSet | None:
    """Open a folder or a file; None if no manifest of this project lists it.

    Args:
        place: a path or a URI.

    Raises:
        InputError: the manifest cannot be read.
    """
    if is_uri(place):
        head, mark, options = str(place).partition("?")
        above, _, file = head.rstrip("/").rpartition("/")
        # By its name, which saves requests.
        if not file.removesuffix(".gz").endswith(_DATA):
            folder = Folder(str(place))
            return _opened(folder, MANIFEST) if folder.has(MANIFEST) else None
        parent = Folder(f"{above}{mark}{options}")
    else:
        path = Path(place)
        try:
            is_folder, is_file = path.is_dir(), path.is_file()
        except OSError:  # a text that no path can be
            return None
        if is_folder:
            return _opened(Folder(str(place)), MANIFEST) if (path / MANIFEST).is_file() else None
        if not is_file:
            return None
        parent, file = Folder(str(path.parent)), path.name
    for name in (MANIFEST, f"{file.partition('.')[0]}.{MANIFEST}"):
        if file != name and parent.has(name):
            found = _opened(parent, name, file)
            if found is None:
                continue
            # A manifest of the name of the file that lists no file at all has lost its list.
            if file in found.outputs or (name != MANIFEST and not found.outputs):
                return found
    return None


def _opened(folder: Folder, name: str, only: str | None = None) -> DataSet | None:
    try:
        manifest = read_document(folder.path(name), dict[str, Any], "manifest")
    except InputError:
        # Beside a single file, it may be of another project.
        if only is None:
            raise
        return None
    # Two entries are enough: the others may have been removed.
    ours = len(_ENTRIES.keys() & manifest.keys()) > 1
    return DataSet(folder=folder, manifest=manifest, name=name, only=only) if ours else None


@dataclass(slots=True, kw_only=True)
class Opening:
    """How the data sets of one command are opened.

    Attributes:
        unsealed: whether broken seals are recorded instead of refused.
        checked: the places that were checked.
        postponed: URIs that are checked when the workers of a cluster can read them.
        breaches: the breaches that were recorded.
    """

    unsealed: bool = False
    checked: set[str] = field(default_factory=set)
    postponed: list[str] = field(default_factory=list)
    breaches: list[Breach] = field(default_factory=list)

    def require_sealed(self, place: str | Path) -> None:
        """Check a data set, once.

        Raises:
            SealError: its seal is broken, and broken seals are refused.
            InputError: its manifest cannot be read.
        """
        if str(place) in self.checked:
            return
        self.checked.add(str(place))
        dataset = open_dataset(place)
        self.add(() if dataset is None else dataset.breaches())

    def require_postponed(self) -> None:
        """Check the URIs that were postponed.

        Raises:
            SealError: the seal of one is broken, and broken seals are refused.
            InputError: a manifest cannot be read.
        """
        while self.postponed:
            self.require_sealed(self.postponed.pop(0))

    def record(self, breaches: Iterable[Breach]) -> None:
        """Record breaches of data that were read earlier."""
        self.breaches += [breach for breach in breaches if breach not in self.breaches]

    def add(self, breaches: Iterable[Breach]) -> None:
        """Record breaches.

        Raises:
            SealError: there are some, and broken seals are refused.
        """
        broken = list(breaches)
        if broken and not self.unsealed:
            raise SealError.of(broken)
        self.breaches += broken


_OPENING: ContextVar[Opening | None] = ContextVar("opening", default=None)


@contextmanager
def opening(*, unsealed: bool = False) -> Iterator[Opening]:
    """Open the data sets of a command; an inner opening is the same as the outer one."""
    outer = _OPENING.get()
    if outer is not None and not unsealed:
        yield outer
        return
    token = _OPENING.set(opened := Opening(unsealed=unsealed))
    try:
        yield opened
    finally:
        _OPENING.reset(token)


def require_sealed(*places: str | Path) -> None:
    """Check data sets before they are read, as the command decided.

    Raises:
        SealError: the seal of one is broken.
        InputError: a manifest cannot be read.
    """
    with opening() as opened:
        for place in places:
            opened.require_sealed(place)


def accepted() -> tuple[Breach, ...]:
    """The breaches that the command, or the call of a public function, has accepted so far."""
    opened = _OPENING.get()
    return () if opened is None else tuple(opened.breaches)


def unsealed() -> list[str]:
    """The accepted breaches in words, for manifests and figures."""
    return list(map(str, accepted()))


def unsealed_as_json() -> dict[str, list[str]]:
    """The accepted breaches as an entry of figures and manifests, if there are any."""
    breaches = unsealed()
    return {"unsealed": breaches} if breaches else {}


@contextmanager
def recording(breaches: Iterable[Breach]) -> Iterator[None]:
    """Record breaches of data that were read earlier in what is written here."""
    with opening() as opened:
        opened.record(breaches)
        yield
