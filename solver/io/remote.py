"""Files named by a URI, such as ``s3://bucket/items.jsonl``: whatever ``pyarrow.fs`` opens.

They are read in ranges of bytes, or Parquet by row groups, and never as a whole. Graphs are copied
to a temporary folder, and output folders from one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from grammar.errors import HopcheckError
from solver.extras import require
from solver.io.sources import MANIFEST, InputError, shown_as
from solver.io.writing import OutputError

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow.fs import FileSystem


def open_remote(uri: str) -> pa.NativeFile:
    """Open a file for reads at any position.

    Raises:
        OSError: it is missing, or cannot be reached.
        ValueError: there is no such file system, or it lacks a library.
        MissingLibraryError: pyarrow is not installed.
    """
    require("a URI", "pyarrow")
    import pyarrow as pa

    try:
        system, path = _located(uri)
        return system.open_input_file(path)
    except pa.ArrowException as error:
        raise ValueError(_first_line(str(error))) from None
    except OSError as error:
        error.strerror = _first_line(error.strerror or str(error))
        raise


def _located(uri: str) -> tuple[FileSystem, str]:
    """The file system of a URI, and the path in it."""
    from pyarrow.fs import FileSystem

    system, path = FileSystem.from_uri(uri)
    return system, path


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
            system, path = _located(uri)
            kind = system.get_file_info(path).type
            if kind is FileType.NotFound:
                raise FileNotFoundError("no such file or folder")
            if kind is FileType.Directory:
                local.mkdir()
                found = system.get_file_info(FileSelector(path))
                names = [one.base_name for one in found if one.type is FileType.File]
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
        system, path = _located(uri)
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
        (one for one in local.rglob("*") if one.is_file()),
        key=lambda one: (one.name == MANIFEST, one),
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
        system, path = _located(uri)
        _write(system, PurePosixPath(path), blocks)


def remove_remote(uri: str) -> None:
    """Remove a file, or a folder with its files, if there is one.

    Raises:
        OutputError: it cannot be removed.
        MissingLibraryError: pyarrow is not installed.
    """
    with _failure_reported(uri):
        from pyarrow.fs import FileType

        system, path = _located(uri)
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
        system, path = _located(uri)
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
        system, path = _located(uri)
        found = system.get_file_info(FileSelector(path, allow_not_found=True))
    return frozenset(one.base_name for one in found if one.type is FileType.File)


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
        raise OutputError(f"cannot be written: {_first_line(str(error))}", where=uri) from None


@contextmanager
def _unreachable_reported(uri: str) -> Iterator[None]:
    """Turn errors of reading a file into one that names its URI."""
    require("a URI", "pyarrow")
    import pyarrow as pa

    try:
        yield
    except (OSError, ValueError, pa.ArrowException) as error:
        raise InputError(_first_line(str(error)), where=uri) from None


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


def _first_line(message: str) -> str:
    """The message of Arrow without its details and its hints for C++."""
    return message.partition("\n")[0].partition(". Detail:")[0].rstrip(".")
