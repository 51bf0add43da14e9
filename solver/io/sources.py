"""Bytes of a file or of standard input, decompressed if they are gzip.

An error in the middle (a truncated gzip, a failing disk) ends the stream as the end of the file
does, so that everything before it is read; readers then check ``fault``.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import re
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from grammar.errors import HopcheckError
from solver.extras import require

if TYPE_CHECKING:
    import pyarrow as pa
    from _typeshed import WriteableBuffer
    from pyarrow.fs import FileSystem


MANIFEST = "manifest.json"
"""Name of the file that describes a folder."""

LINE_LIMIT = 4 * 1024 * 1024
"""Maximum bytes in a line, without its end; 10,000 sentences take about 1 MB."""

ROW_LINES = 1_000
"""Maximum number of lines in one row of a table with quoted line ends."""

NESTING = 200
"""Maximum depth of arrays and objects in JSON."""

WHOLE = 1024**3
"""Maximum bytes of a file that is read into memory, after decompression; of Parquet, the bytes of
its columns."""

DOCUMENT = 16 * 1024**2
"""Maximum bytes of a config or a manifest, whose values take up to 30 times as much memory."""

STREAM = 16 * 1024**3
"""Maximum decompressed bytes of a file."""

UNPACKED = 32 * 1024**2
"""Decompressed bytes that any file may have."""

EXPANSION = 50
"""Maximum decompressed bytes per further packed byte; texts and numbers reach 3 to 30, while
a decompression bomb reaches 1,000."""


_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+://")
"""The beginning of a URI."""

_PASSWORD = re.compile(r"([a-z][a-z0-9+.-]+://)[^/@?#]*:.*@")
"""The beginning of a URI with a password, in which a slash is not always encoded."""


def unpacked_limit(packed: int) -> int:
    """Maximum decompressed bytes of a file of so many packed bytes."""
    return min(STREAM, UNPACKED + EXPANSION * packed)


def in_words(size: int) -> str:
    """Format a limit: ``16 GiB``, ``1,000 bytes``."""
    for power, unit in ((3, "GiB"), (2, "MiB")):
        if size >= 1024**power:
            return f"{size / 1024**power:.3g} {unit}"
    return f"{size:,} bytes"


def counted(number: int, noun: str) -> str:
    """Format a count as ``1 thing``, ``2,000 things``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


_SHOWN = 40


class InputError(HopcheckError):
    """A file that cannot be read, or not beyond the reported position."""

    code = "input"


class RowError(HopcheckError):
    """A row that cannot be read; reading continues with the next one."""

    code = "row"


class FieldError(Exception):
    """A field with an invalid value.

    Internal to this package: each format turns it into a ``RowError`` with the position.
    """

    def __init__(self, field: str, found: str, expected: str, hint: str) -> None:
        super().__init__(f"{field}: found {found}, expected {expected}")
        self.field = field
        self.hint = hint


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Position of a row: its file, and its line from 1; in Parquet, the number of the row."""

    file: str
    line: int

    def at(self, column: int | None = None) -> str:
        """Format as ``file:line:column``, or ``file:line`` without a column."""
        line = f"{self.file}:{self.line}"
        return line if column is None else f"{line}:{column}"


def byte_location(file: str, data: bytes, position: int) -> str:
    """Location of a byte as ``file:line:column``; ``position`` counts from 0."""
    at = max(position, 0)
    begin = data.rfind(b"\n", 0, at) + 1
    column = len(data[begin:at].decode(errors="replace")) + 1
    return f"{file}:{data.count(10, 0, at) + 1}:{column}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Why a byte stream ended early; the position is added later."""

    message: str
    hint: str


def shown(text: str) -> str:
    """Quote text from a file: on one line, safe for a terminal, cut to 40 characters."""
    return repr(text) if len(text) <= _SHOWN else repr(text[:_SHOWN]) + "…"


def shown_path(path: str) -> str:
    """A path as the user wrote it; quoted if it contains unprintable characters."""
    return path if path.isprintable() else repr(path)


STDIN = "-"
HEAD = 8 * 1024
_BLOCK = 128 * 1024
_WHOLE_BLOCK = 1024**2
_GZIP = b"\x1f\x8b"
_PARQUET = b"PAR1"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
ITEMS = "a TSV, JSONL or Parquet file"
"""Description of an item file in messages."""


class _Readable(Protocol):
    def read1(self, size: int, /) -> bytes: ...


class _FaultRecorder(io.RawIOBase):
    """Ends where its source fails and records why; the first block has at least ``HEAD`` bytes.

    Args:
        source: what to read.
        expected: description of the expected content, for messages.
        limit: gives the number of bytes after which reading fails; None for no limit.
    """

    def __init__(
        self, source: _Readable, expected: str, limit: Callable[[], int] | None = None
    ) -> None:
        self._source = source
        self._expected = expected
        self._limit = limit
        self._begun = False
        self.read_bytes = 0
        self.fault: Fault | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        view = memoryview(buffer)
        block = self._read(view.nbytes)
        # A pipe returns what it has and a terminal a line: only for the head do we wait.
        while not self._begun and len(block) < HEAD and (more := self._read(HEAD - len(block))):
            block += more
        self._begun = True
        view[: len(block)] = block
        return len(block)

    def _read(self, size: int) -> bytes:
        if self.fault is not None:
            return b""
        try:
            block = self._source.read1(size)
            self.read_bytes += len(block)
            if self._limit is None or self.read_bytes <= (most := self._limit()):
                return block
            self.fault = Fault(
                message=f"found more than {in_words(most)} of decompressed data",
                hint="the data before this were read; split the file, or decompress it",
            )
        except EOFError:
            self.fault = Fault(
                message="the gzip data end early, expected their end mark",
                hint="download or compress the file again; the data before this were read",
            )
        except (zlib.error, gzip.BadGzipFile) as error:
            self.fault = Fault(
                message=f"damaged gzip data ({uncapitalised(str(error))}), expected intact data",
                hint="download or compress the file again; the data before this were read",
            )
        except OSError as error:
            self.fault = Fault(
                message=f"{_reason(error)}, expected {self._expected}", hint="read it again"
            )
        return b""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of a file.

    Attributes:
        uri: of the file.
        format: name of the format of the file.
        start, end: its bytes; in Parquet, its rows within the row group.
        line: number of its first line, from 1; in Parquet, of its first row.
        group: number of its row group, from 0; None for text.
    """

    uri: str
    format: str
    start: int
    end: int
    line: int = 1
    group: int | None = None


class Source:
    """An open input.

    Attributes:
        name: name of the file in messages.
        path: path of the file; None for standard input and for a URI.
        uri: of the file, if it is named by one.
        part: which part of the file it is; None for the whole.
        packed: whether it is gzip.
        stream: its decompressed bytes.
    """

    def __init__(
        self,
        name: str,
        path: Path | None,
        file: _Readable,
        expected: str = "a file",
        *,
        uri: str | None = None,
        part: Part | None = None,
    ) -> None:
        self.name = name
        self.part = part
        self.path = path
        self.uri = uri
        self._layers = [_FaultRecorder(file, expected)]
        self.stream = io.BufferedReader(self._layers[0], _BLOCK)
        self.packed = part is None and self.stream.peek(HEAD).startswith(_GZIP)
        if self.packed:
            unpacked = gzip.GzipFile(fileobj=self.stream)
            packed = self._layers[0]
            limited = _FaultRecorder(unpacked, expected, lambda: unpacked_limit(packed.read_bytes))
            self._layers.append(limited)
            self.stream = io.BufferedReader(self._layers[1], _BLOCK)

    @property
    def fault(self) -> Fault | None:
        """Why the stream ended early, if it did; of several layers, the innermost."""
        return next((layer.fault for layer in self._layers if layer.fault), None)

    def head(self) -> bytes:
        """The first bytes after a byte order mark, without consuming them."""
        return self.stream.peek(HEAD)[:HEAD].removeprefix(BYTE_ORDER_MARK)

    @property
    def parquet(self) -> bool:
        """Whether it is a Parquet file; False for standard input, which is not seekable."""
        named = self.path is not None or self.uri is not None
        return named and self.head().startswith(_PARQUET)

    def whole(self, most: int | None = None) -> bytes:
        """All bytes after a byte order mark.

        Args:
            most: maximum number of bytes; ``WHOLE`` by default.

        Raises:
            InputError: the stream ended early, or is larger.
        """
        most = WHOLE if most is None else most
        content = io.BytesIO()
        # In blocks: a single read would allocate the limit itself.
        while left := most + 1 - content.tell():
            block = self.stream.read(min(left, _WHOLE_BLOCK))
            if not block:
                break
            content.write(block)
        read = content.getvalue()
        if len(read) > most:
            message = f"found more than {in_words(most)}, expected at most that"
            raise InputError(message, where=self.name, hint="split the file")
        if self.fault is not None:
            raise InputError(self.fault.message, where=self.name, hint=self.fault.hint)
        return read.removeprefix(BYTE_ORDER_MARK)


@contextmanager
def open_input(path: str | Path, expected: str = "a file") -> Iterator[Source]:
    """Open a file, or standard input for ``-``.

    Args:
        path: of the file, or its URI.
        expected: description of the expected content, for error messages.

    Raises:
        InputError: the file is missing, a folder, or not readable.
    """
    if str(path) == STDIN:
        if sys.stdin is None or sys.stdin.closed:
            raise InputError(f"closed, expected {expected}", where="<stdin>", hint="name a file")
        yield Source("<stdin>", None, cast(_Readable, sys.stdin.buffer), expected)
        return
    name = shown_path(str(path))
    if is_uri(path):
        with open_uri(str(path), expected) as remote:
            yield Source(name, None, cast(_Readable, remote), expected, uri=str(path))
        return
    try:
        file = Path(path).open("rb")  # noqa: SIM115 - closed below; only opening may fail here
    except (OSError, ValueError) as error:
        raise _unopened(name, error, expected) from None
    with file:
        yield Source(name, Path(path), file, expected)


def is_uri(path: str | Path) -> bool:
    """Whether a file is named by a URI.

    Raises:
        InputError: by one with a password, which messages and manifests would repeat.
    """
    if (secret := _PASSWORD.match(str(path))) is not None:
        where = f"{secret[1]}***@{str(path)[secret.end() :]}"
        hint = "for S3, set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
        raise InputError("found a password in a URI, expected none", where=where, hint=hint)
    return _SCHEME.match(str(path)) is not None


_SHOWN_AS: dict[Path, str] = {}


@contextmanager
def shown_as(folder: Path, name: str) -> Iterator[None]:
    """Give a folder another name in summaries, for the time of the context."""
    _SHOWN_AS[folder] = name
    try:
        yield
    finally:
        del _SHOWN_AS[folder]


def output_name(path: Path) -> str:
    """The name of an output in summaries: what the user wrote, a path or a URI."""
    for folder in (path, *path.parents):
        if folder in _SHOWN_AS:
            head, mark, options = _SHOWN_AS[folder].partition("?")
            below = path.relative_to(folder).parts
            return "/".join((head.rstrip("/"), *below)) + mark + options
    return str(path)


def open_uri(uri: str, expected: str = "a file") -> pa.NativeFile:
    """Open a file named by a URI, for reads at any position.

    Raises:
        InputError: it is missing, or cannot be reached.
        MissingLibraryError: pyarrow is not installed.
    """
    try:
        return open_remote(uri)
    except (OSError, ValueError) as error:
        raise _unopened(shown_path(uri), error, expected) from None


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
        system, path = located(uri)
        return system.open_input_file(path)
    except pa.ArrowException as error:
        raise ValueError(first_line(str(error))) from None
    except OSError as error:
        error.strerror = first_line(error.strerror or str(error))
        raise


def located(uri: str) -> tuple[FileSystem, str]:
    """The file system of a URI, and the path in it."""
    from urllib.parse import urlsplit

    from pyarrow.fs import FileSystem

    # Arrow would try for 15 minutes to reach Google's store.
    if urlsplit(uri).scheme in ("gs", "gcs") and "retry_limit_seconds" not in uri:
        uri += f"{'&' if '?' in uri else '?'}retry_limit_seconds={_PATIENCE}"
    system, path = FileSystem.from_uri(uri)
    return system, path


_PATIENCE = 10
_LONG = 200


def first_line(message: str) -> str:
    """The message of Arrow without its details and its hints for C++."""
    line = message.partition("\n")[0].partition(". Detail:")[0].rstrip(".")
    return line if len(line) <= _LONG else f"{line[:_LONG]} ..."


def _unopened(name: str, error: OSError | ValueError, expected: str) -> InputError:
    hints: dict[type[Exception], str] = {
        FileNotFoundError: "check the path; - reads standard input",
        IsADirectoryError: "name the files in it",
        PermissionError: "change its permissions or copy it",
    }
    hint = hints.get(type(error), "check the path")
    return InputError(f"{_reason(error)}, expected {expected}", where=name, hint=hint)


def _reason(error: OSError | ValueError) -> str:
    """The system's own message: ``no such file or directory``."""
    message = error.strerror if isinstance(error, OSError) else None
    return uncapitalised(message or str(error))


def uncapitalised(text: str) -> str:
    """Lower the first letter, except of acronyms such as ``CRC``."""
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


_ARCHIVES = {
    b"PK\x03\x04": "a zip archive",
    b"\xfd7zXZ\x00": "an xz file",
    b"BZh": "a bzip2 file",
    b"\x28\xb5\x2f\xfd": "a zstd file",
}


def require_text(source: Source) -> None:
    """Reject an archive or a binary file as a whole, not line by line.

    Raises:
        InputError: the first bytes are those of an archive or binary data.
    """
    head = source.head()
    for magic, name in _ARCHIVES.items():
        if head.startswith(magic):
            raise InputError(
                f"found {name}, expected text, gzip or Parquet",
                where=f"{source.name}:1:1",
                hint="unpack it first",
            )
    at = head.find(b"\0")
    if at >= 0:
        before = head[:at]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode(errors="replace")) + 1
        raise InputError(
            "found binary data (a NUL byte), expected text in UTF-8",
            where=f"{source.name}:{line}:{column}",
            hint="text in UTF-16 is converted with iconv -f utf-16 -t utf-8",
        )


_CHUNK = 64 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line without its end; ``number`` counts from 1.

    ``error`` is set if the line cannot be read; its text is then empty.
    """

    number: int
    text: str
    end: str = "\n"
    error: RowError | None = None

    @property
    def blank(self) -> bool:
        """Whether the line is readable and contains only whitespace."""
        return self.error is None and not self.text.strip()


def lines(source: Source) -> Iterator[Line]:
    """Read line by line.

    Raises:
        InputError: the stream ended early.
    """
    number = 0 if source.part is None else source.part.line - 1
    marked = source.part is None or source.part.start == 0
    while True:
        raw = source.stream.readline(LINE_LIMIT + 1)
        number += 1
        if marked and number == 1:
            raw = raw.removeprefix(BYTE_ORDER_MARK)
        if source.fault is not None and not raw.endswith(b"\n"):
            where = f"{source.name}:{number}:{len(raw.decode(errors='replace')) + 1}"
            raise InputError(source.fault.message, where=where, hint=source.fault.hint)
        if not raw:
            return
        if len(raw) > LINE_LIMIT and not raw.endswith(b"\n"):
            read, raw = len(raw), b""
            yield _refused(source, number, read)
        else:
            yield _line(source.name, number, raw)


def sound_lines(source: Source, *, blank: bool = False) -> Iterator[Line]:
    """Read line by line, without blank lines unless ``blank``.

    Raises:
        InputError: a line cannot be read, or the stream ended early.
    """
    for line in lines(source):
        if line.error is not None:
            raise InputError(line.error.message, where=line.error.where, hint=line.error.hint)
        if blank or not line.blank:
            yield line


def _line(file: str, number: int, raw: bytes) -> Line:
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        column = len(raw[: error.start].decode()) + 1
        message = f"found byte 0x{raw[error.start]:02x}, expected text in UTF-8"
        hint = "convert the file, for example with iconv -f latin1 -t utf-8"
        return _broken(file, number, column, message, hint)
    if "\0" in text:
        message = "found a NUL character, expected text"
        hint = "the line is damaged, or binary"
        return _broken(file, number, text.index("\0") + 1, message, hint)
    if text.endswith("\r\n"):
        return Line(number=number, text=text[:-2], end="\r\n")
    return Line(number=number, text=text.removesuffix("\n"))


def _refused(source: Source, number: int, read: int) -> Line:
    """Skip the rest of a line that is too long, without keeping it."""
    while chunk := source.stream.readline(_CHUNK):
        read += len(chunk)
        if chunk.endswith(b"\n"):
            read -= 1
            break
    message = f"found a line of {read:,} bytes, expected at most {LINE_LIMIT:,}"
    return _broken(source.name, number, 1, message, "write one item a line; split a longer one")


def _broken(file: str, number: int, column: int, message: str, hint: str) -> Line:
    error = RowError(message, where=f"{file}:{number}:{column}", hint=hint)
    return Line(number=number, text="", error=error)


def sha256(path: str | Path) -> str | None:
    """SHA-256 of a regular file in hexadecimal; None for a stream or a missing file."""
    if not Path(path).is_file():
        return None
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


SPLIT_FILES = ("train.jsonl", "test.jsonl")
"""The files of a data set whose rows are JSON Lines."""


def row_files(paths: Sequence[str | Path]) -> Iterator[str]:
    """Files of rows: of a folder those of its splits, or its Parquet files.

    Raises:
        InputError: a folder has neither.
    """
    for path in paths:
        folder = Path(path)
        if not folder.is_dir():
            yield str(path)
            continue
        found = [folder / name for name in SPLIT_FILES if (folder / name).is_file()]
        found = found or sorted(folder.glob("*.parquet"))
        if not found:
            message = f"found no file, expected {' or '.join(SPLIT_FILES)}"
            raise InputError(message, where=str(path))
        yield from map(str, found)
