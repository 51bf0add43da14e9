"""Folders on disk or at a URI, by the names of their files; each file appears as a whole."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from solver.io.sources import is_uri, open_input, sha256
from solver.io.writing import atomic, make_folder, os_errors_reported
from solver.processes import connected_cluster, parallel_map


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder, perhaps not there yet; picklable.

    Attributes:
        place: its path or its URI, as the user wrote it.
    """

    place: str

    def __str__(self) -> str:
        """The path or the URI."""
        return self.place

    @property
    def remote(self) -> bool:
        """Whether it is named by a URI, so that every process can reach it."""
        return is_uri(self.place)

    def path(self, name: str) -> str:
        """The path or the URI of a file."""
        if not self.remote:
            return str(Path(self.place) / name)
        # What follows a question mark belongs to the file system: a region, an end point.
        head, mark, options = self.place.partition("?")
        return f"{head.rstrip('/')}/{name}{mark}{options}"

    def has(self, name: str) -> bool:
        """Whether there is such a file.

        Raises:
            InputError: the URI cannot be reached.
        """
        if self.remote:
            from solver.io.remote import is_remote_file

            return is_remote_file(self.path(name))
        return Path(self.path(name)).is_file()

    def names(self) -> frozenset[str]:
        """The files, without those in folders below it; none if there is no such folder.

        Raises:
            InputError: the URI cannot be reached.
        """
        if self.remote:
            from solver.io.remote import remote_names

            return remote_names(self.place)
        path = Path(self.place)
        files = path.iterdir() if path.is_dir() else ()
        return frozenset(one.name for one in files if one.is_file())

    def read(self, name: str) -> bytes:
        """The bytes of a file.

        Raises:
            InputError: it cannot be read.
        """
        with open_input(self.path(name)) as source:
            return source.whole()

    def sha256(self, name: str) -> str | None:
        """SHA-256 of a file in hexadecimal; None if it is missing.

        Raises:
            InputError: the URI cannot be read to its end.
        """
        if not self.remote:
            return sha256(self.path(name))
        if not self.has(name):
            return None
        from solver.io.remote import remote_blocks

        digest = hashlib.sha256()
        for block in remote_blocks(self.path(name)):
            digest.update(block)
        return digest.hexdigest()

    def write(self, name: str, data: bytes) -> None:
        """Write a file, with the folders that it needs; another file of its name is replaced.

        Raises:
            OutputError: it cannot be written.
        """
        if self.remote:
            from solver.io.remote import write_remote

            write_remote(self.path(name), [data])
            return
        path = Path(self.path(name))
        make_folder(path.parent)
        with atomic(path) as file:
            file.write(data)

    def remove(self, name: str) -> None:
        """Remove a file, if there is one.

        Raises:
            OutputError: it cannot be removed.
        """
        if self.remote:
            from solver.io.remote import remove_remote

            remove_remote(self.path(name))
            return
        path = Path(self.path(name))
        with os_errors_reported(path):
            path.unlink(missing_ok=True)

    def remove_folder(self, name: str) -> None:
        """Remove a folder below this one, if there is one, with its files.

        Raises:
            OutputError: it cannot be removed.
        """
        if self.remote:
            from solver.io.remote import remove_remote

            remove_remote(self.path(name))
            return
        path = Path(self.path(name))
        with os_errors_reported(path):
            if path.is_dir():
                shutil.rmtree(path)


def changed_files(
    folder: Folder, declared: Mapping[str, str]
) -> Iterator[tuple[str, str, str | None]]:
    """Compare files with the checksums that a manifest declares.

    Yields:
        The path of each file that differs, its declared checksum, and its own, None if missing.
    """
    names = sorted(declared)
    for name, found in zip(names, _checksums(folder, names), strict=True):
        if found != declared[name]:
            yield folder.path(name), declared[name], found


def _checksums(folder: Folder, names: Sequence[str]) -> Iterator[str | None]:
    """The checksum of each file; on a cluster the workers read what a URI names."""
    if folder.remote and connected_cluster() is not None:
        return parallel_map(folder.sha256, names, 1)
    return map(folder.sha256, names)
