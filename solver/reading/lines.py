"""Lines of text of a source, each of bounded length."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from solver.reading.failures import InputError, RowError
from solver.reading.source import BYTE_ORDER_MARK, Source

LINE_LIMIT = 4 * 1024 * 1024
"""Maximum bytes in a line, without its end; 10,000 sentences take about 1 MB."""

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
    number = 0
    while True:
        raw = source.stream.readline(LINE_LIMIT + 1)
        number += 1
        if number == 1:
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
