"""Files named by a URI, such as ``s3://bucket/items.jsonl``: whatever ``pyarrow.fs`` opens.

They are read in ranges of bytes, or Parquet by row groups, and never as a whole. Graphs are copied
to a temporary folder, and output folders from one. A ``Folder`` is on disk or at a URI.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from grammar.errors import HopcheckError
from solver.extras import require
from solver.io.sources import (
    MANIFEST,
    InputError,
    first_line,
    is_uri,
    located,
    open_input,
    open_remote,
    sha256,
    shown_as,
)
from solver.io.writing import OutputError, atomic, lasting, make_folder, os_errors_reported
from solver.processes import connected_cluster, parallel_map

if TYPE_CHECKING:
    from pyarrow.fs import FileSystem


@contextmanager
def downloaded(uri: str) -> Iterator[Path]:
    """A copy of a file, or of the files of a folder, for the time of the context.

    Errors within the context name the URI.

    Raises:
        InputError: it is missing, or cannot be reached.
        MissingLibraryError: pyarrow is not installed.
    """
    require("a URI", "pyarrow")
    from pyarrow.fs import FileSelector, FileType, LocalFileSystem, copy_files

    with TemporaryDirectory(prefix="hopcheck-") as home:
        local = Path(home) / _name(uri)
        with _unreachable_reported(uri):
            system, path = located(uri)
            kind = system.get_file_info(path).type
            if kind is FileType.NotFound:
                raise FileNotFoundError("no such file or folder")
            if kind is FileType.Directory:
                local.mkdir()
                found = system.get_file_info(FileSelector(path))
                names = [entry.base_name for entry in found if entry.type is FileType.File]
                files = {f"{path}/{name}": local / name for name in names}
            else:
                files = {path: local}
            for there, here in files.items():
                copy_files(
                    there,
                    str(here),
                    source_filesystem=system,
                    destination_filesystem=LocalFileSystem(),
                )
        with _named(local, uri):
            yield local


@contextmanager
def uploaded(uri: str) -> Iterator[Path]:
    """A new folder whose files are copied to a URI at the end of the context, the manifest last.

    Each file appears there as a whole. If the context raises an error, nothing is copied; results
    with another exit status than 0 are not errors. Errors name the URI.

    Raises:
        OutputError: it cannot be reached, or a file cannot be written.
        MissingLibraryError: pyarrow is not installed.
    """
    with _failure_reported(uri):
        system, path = located(uri)
    with TemporaryDirectory(prefix="hopcheck-") as home:
        local = Path(home) / _name(uri)
        try:
            with _named(local, uri), shown_as(local, uri):
                yield local
        except (SystemExit, RuntimeError) as ended:
            # Exit of click is a RuntimeError with an exit status.
            if not isinstance(getattr(ended, "exit_code", getattr(ended, "code", None)), int):
                raise
            _upload(local, system, path, uri)
            raise
        _upload(local, system, path, uri)


def _upload(local: Path, system: FileSystem, path: str, uri: str) -> None:
    files = sorted(
        (file for file in local.rglob("*") if file.is_file()),
        key=lambda file: (file.name == MANIFEST, file),
    )
    with _failure_reported(uri):
        for file in files:
            target = PurePosixPath(path) / file.relative_to(local).as_posix()
            with file.open("rb") as source:
                _write(system, target, iter(partial(source.read, _BLOCK), b""))


def _write(system: FileSystem, target: PurePosixPath, blocks: Iterable[bytes]) -> None:
    """Write a file that appears as a whole."""
    # Object stores show a file once it is closed; disks show what is being written.
    own = system.type_name not in _STORES
    written = str(target.with_name(f".{target.name}.partial") if own else target)
    if own:
        system.create_dir(str(target.parent), recursive=True)
    try:
        with system.open_output_stream(written, compression=None) as stream:
            for block in blocks:
                stream.write(block)
    except BaseException:
        # Closing has completed what was written so far.
        with suppress(OSError):
            system.delete_file(written)
        raise
    if own:
        system.move(written, str(target))


_STORES = ("s3", "gcs", "abfs")
"""File systems that show a file once it is closed, and have no folders."""


def write_remote(uri: str, blocks: Iterable[bytes]) -> None:
    """Write a file that appears as a whole.

    Raises:
        OutputError: it cannot be written.
        MissingLibraryError: pyarrow is not installed.
    """
    with _failure_reported(uri):
        system, path = located(uri)
        _write(system, PurePosixPath(path), blocks)


def remove_remote(uri: str) -> None:
    """Remove a file, or a folder with its files, if there is one.

    Raises:
        OutputError: it cannot be removed.
        MissingLibraryError: pyarrow is not installed.
    """
    with _failure_reported(uri):
        from pyarrow.fs import FileType

        system, path = located(uri)
        kind = system.get_file_info(path).type
        if kind is FileType.File:
            system.delete_file(path)
        elif kind is FileType.Directory:
            system.delete_dir(path)


def is_remote_file(uri: str) -> bool:
    """Whether there is such a file.

    Raises:
        InputError: it cannot be reached.
        MissingLibraryError: pyarrow is not installed.
    """
    require("a URI", "pyarrow")
    from pyarrow.fs import FileType

    with _unreachable_reported(uri):
        system, path = located(uri)
        return system.get_file_info(path).type is FileType.File


def remote_names(uri: str) -> frozenset[str]:
    """The files of a folder, without those in folders below it; none if there is no such folder.

    Raises:
        InputError: it cannot be reached.
        MissingLibraryError: pyarrow is not installed.
    """
    require("a URI", "pyarrow")
    from pyarrow.fs import FileSelector, FileType

    with _unreachable_reported(uri):
        system, path = located(uri)
        found = system.get_file_info(FileSelector(path, allow_not_found=True))
    return frozenset(entry.base_name for entry in found if entry.type is FileType.File)


def remote_blocks(uri: str) -> Iterator[bytes]:
    """The bytes of a file.

    Raises:
        InputError: it cannot be read to its end.
        MissingLibraryError: pyarrow is not installed.
    """
    with _unreachable_reported(uri), open_remote(uri) as file:
        while block := file.read(_BLOCK):
            yield block


@contextmanager
def _failure_reported(uri: str) -> Iterator[None]:
    """Turn errors of writing a file into one that names its URI."""
    require("a URI", "pyarrow")
    import pyarrow as pa

    try:
        yield
    except (OSError, ValueError, pa.ArrowException) as error:
        raise OutputError(f"cannot be written: {first_line(str(error))}", where=uri) from None


@contextmanager
def _unreachable_reported(uri: str) -> Iterator[None]:
    """Turn errors of reading a file into one that names its URI."""
    require("a URI", "pyarrow")
    import pyarrow as pa

    try:
        yield
    except (OSError, ValueError, pa.ArrowException) as error:
        raise InputError(first_line(str(error)), where=uri) from None


_BLOCK = 1 << 20


def _name(uri: str) -> str:
    """The last name of a URI, which becomes the name of a graph or of a data set."""
    found = urlsplit(uri)
    return PurePosixPath(unquote(found.path)).name or found.hostname or "data"


@contextmanager
def _named(local: Path, uri: str) -> Iterator[None]:
    """Name the URI in errors about its copy."""
    try:
        yield
    except HopcheckError as error:
        error.where = error.where.replace(str(local), uri)
        raise


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
            return is_remote_file(self.path(name))
        return Path(self.path(name)).is_file()

    def names(self) -> frozenset[str]:
        """The files, without those in folders below it; none if there is no such folder.

        Raises:
            InputError: the URI cannot be reached.
        """
        if self.remote:
            return remote_names(self.place)
        path = Path(self.place)
        files = path.iterdir() if path.is_dir() else ()
        return frozenset(file.name for file in files if file.is_file())

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
            write_remote(self.path(name), [data])
            return
        path = Path(self.path(name))
        make_folder(path.parent)
        with lasting(), atomic(path) as file:
            file.write(data)

    def remove(self, name: str) -> None:
        """Remove a file, or a folder with its files, if there is one.

        Raises:
            OutputError: it cannot be removed.
        """
        if self.remote:
            remove_remote(self.path(name))
            return
        path = Path(self.path(name))
        with os_errors_reported(path):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)


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
