"""Bytes of a file or of standard input, unpacked if they are gzip, with their faults kept.

A fault in the middle (a truncated gzip, a failing disk) ends the stream as the end of the file
does, so that all that came before is read; whoever reads then looks at ``fault``.
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
"""What a file of items is, in messages."""


class _Readable(Protocol):
    def read1(self, size: int, /) -> bytes: ...


class _Faulty(io.RawIOBase):
    """Ends where its source fails and keeps why; its first block is never shorter than a head."""

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
        # A pipe gives what it has and a terminal a line: only the head is waited for.
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
                hint="fetch or pack the file again; what comes before was read",
            )
        except (zlib.error, gzip.BadGzipFile) as error:
            self.fault = Fault(
                message=f"damaged gzip data ({_uncapitalised(str(error))}), expected whole ones",
                hint="fetch or pack the file again; what comes before was read",
            )
        except OSError as error:
            self.fault = Fault(
                message=f"{_reason(error)}, expected {self._expected}", hint="read it again"
            )
        return b""


class Source:
    """An open input.

    Attributes:
        name: what the file is called in messages.
        path: where it lies; None for standard input.
        packed: whether it is gzip.
        stream: its bytes, unpacked.
    """

    def __init__(
        self, name: str, path: Path | None, file: _Readable, expected: str = "a file"
    ) -> None:
        self.name = name
        self.path = path
        self._layers = [_Faulty(file, expected)]
        self.stream = io.BufferedReader(self._layers[0], _BLOCK)
        self.packed = self.stream.peek(HEAD).startswith(_GZIP)
        if self.packed:
            self._layers.append(_Faulty(gzip.GzipFile(fileobj=self.stream), expected))
            self.stream = io.BufferedReader(self._layers[1], _BLOCK)

    @property
    def fault(self) -> Fault | None:
        """Why the stream ended early, if it did: the innermost reason."""
        return next((layer.fault for layer in self._layers if layer.fault), None)

    def head(self) -> bytes:
        """The first bytes after a byte order mark, without taking them off the stream."""
        return self.stream.peek(HEAD)[:HEAD].removeprefix(BYTE_ORDER_MARK)

    @property
    def parquet(self) -> bool:
        """Whether it is a file of Parquet; of standard input, which cannot be sought in, never."""
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
def opened(path: str | Path, expected: str = "a file") -> Iterator[Source]:
    """Open a file, or standard input for ``-``.

    Args:
        path: of the file.
        expected: what the file should be, said where it cannot be opened or read.

    Raises:
        InputError: it is missing, a folder, or may not be read.
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
    """What the system says, in its words: ``no such file or directory``."""
    said = error.strerror if isinstance(error, OSError) else None
    return _uncapitalised(said or str(error))


def _uncapitalised(text: str) -> str:
    """Begin with a small letter, except for what is written in capitals: ``CRC``."""
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]
