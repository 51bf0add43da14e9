"""Standard output and standard error of a command: safe to print to, whatever they lead to.

A command never fails in the middle because of what it prints: after the reader of a pipe has gone,
or on a full disk, the rest is discarded and the command runs to its end, so that its files are
complete and its exit status is that of its verdict. ``Output.fault`` is what went wrong.
"""

from __future__ import annotations

import codecs
import errno
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, TextIO

from grammar.errors import printable_lines

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_PLAIN = str.maketrans(
    {
        "█": "#", "▓": "+", "▒": ":", "░": ".", "├": "[", "┤": "]", "●": "o",
        "─": "-", "━": "-", "│": "|", "—": "-", "–": "-", "−": "-", "×": "x", "·": ".", "•": "*",
        "→": "->", "←": "<-", "↦": "->", "↓": "v", "↑": "^", "↩": "<", "±": "+-",
        "≤": "<=", "≥": ">=", "≠": "!=", "∧": "&", "∨": "|",
        "‘": "'", "’": "'", "“": '"', "”": '"', "…": "...", "\xa0": " ",
    }
)  # fmt: skip
_HANDLER = "hopcheck.plain"


def _as_plain(error: UnicodeError) -> tuple[str, int]:
    """Replace signs that an encoding lacks: drawing characters by ASCII, others by escapes."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    left = error.object[error.start : error.end].translate(_PLAIN)
    return left.encode("ascii", "backslashreplace").decode("ascii"), error.end


codecs.register_error(_HANDLER, _as_plain)


class _Discarding(io.RawIOBase):
    """Passes bytes on until that fails, and discards the rest."""

    def __init__(self, target: BinaryIO | None) -> None:
        self._target = target
        self.fault: OSError | None = None

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self._target is not None and self._target.isatty()

    def fileno(self) -> int:
        if self._target is None:
            raise io.UnsupportedOperation("fileno")
        return self._target.fileno()

    def write(self, block: ReadableBuffer, /) -> int:
        size = memoryview(block).nbytes
        if self._target is None or self.fault is not None:
            return size
        try:
            written = self._target.write(block)
            self._target.flush()
        except OSError as error:
            self.fault = error
            return size
        # An unbuffered file may accept a part; the caller sends the rest.
        return size if written is None else written


class Output(io.TextIOWrapper):
    """A text stream that escapes control characters and survives the failure of its target.

    Args:
        stream: where the text goes; None if it is closed.
    """

    def __init__(self, stream: TextIO | None) -> None:
        binary = getattr(stream, "buffer", None)
        self._discarding = _Discarding(getattr(binary, "raw", binary))
        encoding = getattr(stream, "encoding", None) or "utf-8"
        self._ascii = codecs.lookup(encoding).name == "ascii"
        super().__init__(
            io.BufferedWriter(self._discarding),
            # Around a stream in ASCII, click would write UTF-8 to its buffer instead.
            encoding="utf-8" if self._ascii else encoding,
            errors=_HANDLER,
            line_buffering=bool(getattr(stream, "line_buffering", False)),
            write_through=bool(getattr(stream, "write_through", False)),
        )
        self.styled = _Styled(self, "ascii" if self._ascii else encoding)

    @property
    def fault(self) -> OSError | None:
        """Why the rest of the output was discarded, if it was; the stream has to be flushed."""
        return self._discarding.fault

    def write(self, text: str, /) -> int:
        """Write text; control characters other than tabs and line ends are escaped."""
        self.write_styled(printable_lines(text))
        return len(text)

    def write_styled(self, text: str) -> int:
        """Write text with the escape sequences of a console, which has escaped all others."""
        if self._ascii:
            text = text.encode("ascii", _HANDLER).decode("ascii")
        return super().write(text)


class _Styled:
    """The output for a console."""

    def __init__(self, output: Output, encoding: str) -> None:
        self.encoding = encoding
        self.write = output.write_styled
        self.flush = output.flush
        self.isatty = output.isatty
        self.fileno = output.fileno


@contextmanager
def guarded_output() -> Iterator[list[OSError]]:
    """Replace standard output and standard error by safe ones for the run of a command.

    Streams without bytes, such as ``io.StringIO``, stay as they are.

    Yields:
        a list to which the fault of standard output is added at the end, if there is one.
    """
    faults: list[OSError] = []
    before = sys.stdout, sys.stderr
    for stream in before:
        if stream is not None:
            stream.flush()
    output, errors = (
        stream if stream is not None and not hasattr(stream, "buffer") else Output(stream)
        for stream in before
    )
    sys.stdout, sys.stderr = output, errors
    try:
        yield faults
    finally:
        sys.stdout, sys.stderr = before
        errors.flush()
        output.flush()
        if isinstance(output, Output) and output.fault is not None:
            faults.append(output.fault)


def reader_gone(fault: OSError) -> bool:
    """Whether the output was a pipe whose reader has ended, as ``| head`` does."""
    return fault.errno == errno.EPIPE
