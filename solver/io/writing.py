"""Atomic writes: a file appears complete or not at all.

Within ``all_or_nothing``, the run of a command, what a failing command has replaced comes back.
Killed processes leave hidden files with names that end in ``.hopcheck``; the next process that
writes into their folder removes them.
"""

from __future__ import annotations

import gzip
import io
import os
import platform
import re
import secrets
import shutil
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

import msgspec

from grammar.errors import HopcheckError
from solver.io.sources import MANIFEST

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class OutputError(HopcheckError):
    """A file that cannot be written."""

    code = "output"


@contextmanager
def atomic(path: str | Path) -> Iterator[BinaryIO]:
    """Write a temporary file in the same folder and rename it when it is complete.

    A failure or an interrupt removes the temporary file and leaves the previous file unchanged.
    Special files (a pipe, ``/dev/stdout``) are written directly.

    Raises:
        OutputError: writing fails.
    """
    target = Path(path)
    with os_errors_reported(target):
        direct = target.exists() and not target.is_file()
    if direct:
        with open_output(target, "wb", target) as file:
            yield file
        return
    temporary = hidden_beside(target)
    try:
        with open_output(temporary, "xb", target) as file:
            yield file
            flush_to_disk(file, target)
        _replace(temporary, target)
    finally:
        with suppress(OSError):
            temporary.unlink()


@contextmanager
def os_errors_reported(path: Path) -> Iterator[None]:
    """Turn an ``OSError`` of writing a file into an ``OutputError``."""
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        hint = "check the folder, its permissions and its space"
        raise OutputError(f"cannot be written: {reason}", where=str(path), hint=hint) from error


class _OutputFile(io.FileIO):
    """A file whose own failures are ``OutputError``; those of other files pass through."""

    def __init__(self, path: Path, mode: str, target: Path) -> None:
        self._target = target
        with os_errors_reported(target):
            super().__init__(path, mode)

    def write(self, block: ReadableBuffer, /) -> int:
        with os_errors_reported(self._target):
            return super().write(block)


def open_output(path: Path, mode: str, target: Path) -> BinaryIO:
    """Open a file for writing; errors name the target.

    Raises:
        OutputError: on opening, and on any write, flush or close.
    """
    return cast(BinaryIO, io.BufferedWriter(_OutputFile(path, mode, target)))


def flush_to_disk(file: BinaryIO, target: Path) -> None:
    """Flush a file and its system buffers to disk."""
    file.flush()
    with os_errors_reported(target):
        os.fsync(file.fileno())


def rename(source: Path, target: Path) -> None:
    """Rename a finished file and sync its folder."""
    with os_errors_reported(target):
        source.replace(target)
    # Where a folder cannot be opened or synced, the rename itself is still valid.
    with suppress(OSError):
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


_HIDDEN = re.compile(r"\..+\.([0-9a-f]{8})-([0-9]+)-[0-9a-f]{8}\.hopcheck")
_swept: set[Path] = set()


def hidden_beside(target: Path) -> Path:
    """A new name beside a file or folder, after what killed processes have left there is removed.

    Each process looks into a folder once.
    """
    host = f"{zlib.crc32(platform.node().encode()):08x}"
    if target.parent not in _swept:
        _swept.add(target.parent)
        # A folder that cannot be read is reported by what writes into it.
        with suppress(OSError):
            for path in list(target.parent.iterdir()):
                match = _HIDDEN.fullmatch(path.name)
                if match and match[1] == host and not _runs(int(match[2])):
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
    return target.with_name(f".{target.name}.{host}-{os.getpid()}-{secrets.token_hex(4)}.hopcheck")


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


class Ending(Enum):
    """How a command ends, as far as its files are concerned."""

    SUCCESS = auto()
    FAILURE = auto()
    INTERRUPT = auto()


class _Level(Enum):
    """Which files go back if the command does not succeed."""

    OUTPUT = auto()
    REPORT = auto()
    LASTING = auto()


class _Replaced:
    """The files that a command has replaced, with their earlier versions, until it ends."""

    def __init__(self) -> None:
        self.level = _Level.OUTPUT
        self._earlier: dict[Path, Path | None] = {}
        self._reports: set[Path] = set()

    def keep(self, target: Path) -> None:
        """Keep the earlier version of a file that is about to be replaced for the first time."""
        if self.level is _Level.LASTING or target in self._earlier:
            return
        earlier = None
        if target.exists():
            earlier = hidden_beside(target)
            with os_errors_reported(target):
                try:
                    os.link(target, earlier)
                except OSError:
                    shutil.copy2(target, earlier)
        self._earlier[target] = earlier
        if self.level is _Level.REPORT:
            self._reports.add(target)

    def settle(self, ending: Ending) -> list[Path]:
        """Remove the earlier versions, or put them back; returns what is not written then."""
        withheld = []
        for target, earlier in self._earlier.items():
            stays = ending is Ending.SUCCESS or (
                ending is Ending.FAILURE and target in self._reports
            )
            withheld += [] if stays else [target]
            with suppress(OSError):
                if stays and earlier is not None:
                    earlier.unlink()
                elif earlier is not None:
                    earlier.replace(target)
                elif not stays:
                    target.unlink()
        return withheld


_replaced: _Replaced | None = None


@contextmanager
def all_or_nothing(withheld: Callable[[list[Path]], object]) -> Iterator[Callable[[Ending], None]]:
    """Let the outputs of a command appear together, or not at all if it fails.

    Files that are written within ``lasting`` stay in either case, those within ``reporting`` unless
    it is interrupted.

    Args:
        withheld: is called with the files that are as they were before, because of a failure.

    Yields:
        a function to state how the command ends; without a call, it has failed.
    """
    global _replaced
    before, replaced, endings = _replaced, _Replaced(), [Ending.FAILURE]
    _replaced = replaced
    try:
        yield endings.append
    finally:
        _replaced = before
        if files := replaced.settle(endings[-1]):
            withheld(files)


@contextmanager
def lasting() -> Iterator[None]:
    """Write files that remain however the command ends: finished shards, checkpoints."""
    with _at(_Level.LASTING):
        yield


@contextmanager
def reporting() -> Iterator[None]:
    """Write a report, which remains if the command fails, and goes back if it is interrupted.

    The manifest of an earlier report is removed before the first of its files is replaced.
    """
    with _at(_Level.REPORT):
        yield


@contextmanager
def _at(level: _Level) -> Iterator[None]:
    if _replaced is None:
        yield
        return
    before, _replaced.level = _replaced.level, level
    try:
        yield
    finally:
        _replaced.level = before


def remove(target: Path) -> None:
    """Remove a file, if there is one; it comes back if the command fails.

    Raises:
        OutputError: it cannot be removed.
    """
    with os_errors_reported(target):
        if _replaced is not None and target.exists():
            _replaced.keep(target)
        target.unlink(missing_ok=True)


def _replace(source: Path, target: Path) -> None:
    if _replaced is not None:
        if _replaced.level is _Level.REPORT and target.name != MANIFEST:
            remove(target.with_name(MANIFEST))
        _replaced.keep(target)
    rename(source, target)


def make_folder(folder: Path) -> Path:
    """Create a folder if it does not exist, and return it.

    Raises:
        OutputError: it cannot be created.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot be made: {error.strerror}", where=str(folder)) from None
    return folder


@contextmanager
def packed(path: str | Path) -> Iterator[BinaryIO]:
    """Write a file atomically, as gzip if its name ends in ``.gz``.

    Raises:
        OutputError: writing fails.
    """
    with atomic(path) as file:
        if Path(path).suffix != ".gz":
            yield file
            return
        # Neither name nor time: the same values give the same bytes.
        with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as pressed:
            yield cast(BinaryIO, pressed)


_ENCODE = msgspec.json.Encoder(order="sorted").encode


FORMULA = ("=", "+", "@")
"""What a cell begins with that a spreadsheet would compute."""


def spreadsheet_cell(text: str) -> str:
    """A cell of a table for reading, marked as text by an apostrophe if it could be a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text


def line(value: object) -> bytes:
    """A value as one line of JSON, with its line end."""
    return _ENCODE(value) + b"\n"


def write_json(path: str | Path, value: object) -> None:
    """Write one value, indented."""
    with atomic(path) as file:
        file.write(msgspec.json.format(_ENCODE(value), indent=2) + b"\n")


class JsonLines:
    """An open JSON Lines file; made by ``json_lines``."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.whole = 0

    def write(self, value: object) -> None:
        """Append one value as a line."""
        self.write_lines(line(value))

    def write_lines(self, lines: bytes) -> None:
        """Append lines made by ``line``, perhaps in another process."""
        self._file.write(lines)
        self.whole += len(lines)


@contextmanager
def json_lines(path: str | Path) -> Iterator[JsonLines]:
    """Write lines into another file, which is renamed to ``PATH`` at the end.

    A failure leaves an existing ``PATH`` unchanged. Within ``reporting`` it keeps what was written,
    cut to complete lines, as ``PATH.partial``; the other outputs of a command are ``atomic``.
    Special files (a pipe, ``/dev/stdout``) are written directly.

    Raises:
        OutputError: writing fails.
    """
    target = Path(path)
    with os_errors_reported(target):
        direct = target.exists() and not target.is_file()
    if direct or (_replaced is not None and _replaced.level is _Level.OUTPUT):
        with atomic(target) as file:
            yield JsonLines(file)
        return
    partial = target.with_name(target.name + ".partial")
    with open_output(partial, "wb", partial) as file:
        lines = JsonLines(file)
        try:
            yield lines
        finally:
            # An interrupt may come in the middle of a line.
            file.truncate(lines.whole)
            flush_to_disk(file, partial)
    _replace(partial, target)


class NumberedLines:
    """Lines in numbered files; made by ``numbered_lines``.

    Attributes:
        paths: of the files so far.
    """

    def __init__(self, folder: Path, stem: str, size: int, stack: ExitStack) -> None:
        self.paths: list[Path] = []
        self._folder, self._stem, self._size = folder, stem, size
        self._stack = stack
        self._file: JsonLines | None = None
        self._left = 0

    def write_lines(self, lines: bytes) -> None:
        """Append whole lines; they go on in the next file where one is full."""
        start = 0
        while start < len(lines):
            if self._file is None or not self._left:
                self._file = self._next()
            end = start
            while self._left and end < len(lines):
                end = lines.index(b"\n", end) + 1
                self._left -= 1
            self._file.write_lines(lines[start:end])
            start = end

    def _next(self) -> JsonLines:
        self._stack.close()
        self.paths.append(self._folder / f"{self._stem}-{len(self.paths):06d}.jsonl")
        self._left = self._size
        return self._stack.enter_context(json_lines(self.paths[-1]))


@contextmanager
def numbered_lines(folder: Path, stem: str, size: int) -> Iterator[NumberedLines]:
    """Write lines into files ``STEM-000000.jsonl`` and so on, each as ``json_lines`` does.

    Args:
        folder: of the files, which exists.
        stem: of their names.
        size: lines of each file but the last.

    Raises:
        OutputError: writing fails.
    """
    with ExitStack() as stack:
        yield NumberedLines(folder, stem, size, stack)
