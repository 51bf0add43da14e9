"""Bytes of a file or of standard input, decompressed if they are gzip.

An error in the middle (a truncated gzip, a failing disk) ends the stream as the end of the file
does, so that everything before it is read; readers then check ``fault``.
"""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from solver.reading.failures import Fault, InputError, shown_path

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

STDIN = "-"
HEAD = 8 * 1024
_BLOCK = 128 * 1024
_GZIP = b"\x1f\x8b"
_PARQUET = b"PAR1"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
ITEMS = "a TSV, JSONL or Parquet file"
"""Description of an item file in messages."""


class _Readable(Protocol):
    def read1(self, size: int, /) -> bytes: ...


class _FaultRecorder(io.RawIOBase):
    """Ends where its source fails and records why; the first block has at least ``HEAD`` bytes."""

    def __init__(self, source: _Readable, expected: str) -> None:
        self._source = source
        self._expected = expected
        self._begun = False
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
            return self._source.read1(size)
        except EOFError:
            self.fault = Fault(
                message="the gzip data end early, expected their end mark",
                hint="download or compress the file again; the data before this were read",
            )
        except (zlib.error, gzip.BadGzipFile) as error:
            self.fault = Fault(
                message=f"damaged gzip data ({_uncapitalised(str(error))}), expected intact data",
                hint="download or compress the file again; the data before this were read",
            )
        except OSError as error:
            self.fault = Fault(
                message=f"{_reason(error)}, expected {self._expected}", hint="read it again"
            )
        return b""


class Source:
    """An open input.

    Attributes:
        name: name of the file in messages.
        path: path of the file; None for standard input.
        packed: whether it is gzip.
        stream: its decompressed bytes.
    """

    def __init__(
        self, name: str, path: Path | None, file: _Readable, expected: str = "a file"
    ) -> None:
        self.name = name
        self.path = path
        self._layers = [_FaultRecorder(file, expected)]
        self.stream = io.BufferedReader(self._layers[0], _BLOCK)
        self.packed = self.stream.peek(HEAD).startswith(_GZIP)
        if self.packed:
            self._layers.append(_FaultRecorder(gzip.GzipFile(fileobj=self.stream), expected))
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
        return self.path is not None and self.head().startswith(_PARQUET)

    def whole(self) -> bytes:
        """All bytes after a byte order mark.

        Raises:
            InputError: the stream ended early.
        """
        read = self.stream.read()
        if self.fault is not None:
            raise InputError(self.fault.message, where=self.name, hint=self.fault.hint)
        return read.removeprefix(BYTE_ORDER_MARK)


@contextmanager
def open_input(path: str | Path, expected: str = "a file") -> Iterator[Source]:
    """Open a file, or standard input for ``-``.

    Args:
        path: of the file.
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
    try:
        file = Path(path).open("rb")  # noqa: SIM115 - closed below; only opening may fail here
    except (OSError, ValueError) as error:
        raise _unopened(name, error, expected) from None
    with file:
        yield Source(name, Path(path), file, expected)


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
    return _uncapitalised(message or str(error))


def _uncapitalised(text: str) -> str:
    """Lower the first letter, except of acronyms such as ``CRC``."""
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]
