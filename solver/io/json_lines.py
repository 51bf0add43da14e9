"""Typed decoding of JSON Lines and of JSON documents, with one translation of errors.

Every failure has a position (``file:line:column``), what was found and what was expected.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from types import UnionType
from typing import Generic, TypeAlias, TypeVar

import msgspec

from solver.io import sources as limits
from solver.io.columns import SAME_NAMES, ColumnNames
from solver.io.sources import (
    InputError,
    Place,
    RowError,
    Source,
    byte_location,
    lines,
    open_input,
    uncapitalised,
)

T = TypeVar("T")

Step: TypeAlias = str | int
"""Key of an object member, or index of an array element from 0."""

_HINT = "write one complete object per line, without commas between them"
_MEMBERS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_FAILURES = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_BYTE = re.compile(r" \(byte (\d+)\)$")
_FIELD = re.compile(r" - at `\$\.(\w+)")
_MALFORMED = "JSON is malformed: "
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}:,]|[^\s"\[\]{}:,]+')
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*+"')
_SQUARE = bytes.maketrans(b"{}", b"[]")
_OTHER = bytes(byte for byte in range(256) if byte not in b"[]{}")


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonRow(Generic[T]):
    """A line of JSON and its decoded value."""

    place: Place
    text: str
    value: T


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenRow:
    """A line that cannot be decoded; reading continues with the next one."""

    place: Place
    error: RowError


class JsonDecoder(Generic[T]):
    """Decodes values of one type.

    Args:
        shape: the type of a value.
        what: the content of a value, for messages, such as ``query``; by default an object.
        hint: how to write such a value.
    """

    def __init__(self, shape: type[T] | UnionType, *, what: str = "", hint: str = _HINT) -> None:
        self._decode = msgspec.json.Decoder(shape).decode
        self._what = what
        self._hint = hint
        self._names = SAME_NAMES

    def with_names(self, names: ColumnNames) -> JsonDecoder[T]:
        """The same, but for objects whose members have other names."""
        if not names.columns:
            return self
        other = copy(self)
        other._names = names
        return other

    def decode(self, text: str | bytes, place: Place, start: Callable[[], int] = lambda: 1) -> T:
        """Decode a value.

        Args:
            text: the whole line, or a part of it.
            place: of the line.
            start: computes the column of the line at which the text starts, for messages.

        Raises:
            RowError: the text is not JSON, is too deeply nested, or has another shape.
        """
        if len(text) > limits.LINE_LIMIT:
            message = f"found {len(text):,} bytes of JSON, expected at most {limits.LINE_LIMIT:,}"
            raise RowError(message, where=place.at(start()), hint=self._hint)
        try:
            value: T = self._decode(self._renamed(text) if self._names.columns else text)
            _require_shallow(text)
        except _FAILURES as error:
            raise self._translated(text, place, start, error) from None
        return value

    def _renamed(self, text: str | bytes) -> bytes:
        return msgspec.json.encode(self._names.named(_MEMBERS.decode(text)))

    def rows(self, source: Source) -> Iterator[JsonRow[T] | BrokenRow]:
        """Decode the lines of a file, skipping blank ones.

        Raises:
            InputError: the stream ended early.
        """
        for line in lines(source):
            if line.blank:
                continue
            place = Place(file=source.name, line=line.number)
            if line.error is not None:
                yield BrokenRow(place=place, error=line.error)
                continue
            try:
                value = self.decode(line.text, place)
            except RowError as error:
                yield BrokenRow(place=place, error=error)
            else:
                yield JsonRow(place=place, text=line.text, value=value)

    def sound_rows(self, source: Source) -> Iterator[JsonRow[T]]:
        """Decode the lines of a file, skipping blank ones.

        Raises:
            InputError: a line cannot be decoded, or the stream ended early.
        """
        for row in self.rows(source):
            if isinstance(row, BrokenRow):
                error = row.error
                raise InputError(error.message, where=error.where, hint=error.hint)
            yield row

    def _translated(
        self, text: str | bytes, place: Place, start: Callable[[], int], error: Exception
    ) -> RowError:
        reason, column = _reason(text, error, self._names)
        reason = uncapitalised(reason).replace("input data was", "the line is")
        message = f"broken JSON ({reason}), expected an object"
        if self._what and isinstance(error, msgspec.ValidationError):
            message = f"found no {self._what}: {reason}"
        return RowError(message, where=place.at(start() + column - 1), hint=self._hint)


def _reason(text: str | bytes, error: Exception, names: ColumnNames) -> tuple[str, int]:
    """The reason of msgspec's error and the column, from 1, at which it occurred."""
    data = text.encode() if isinstance(text, str) else text
    if isinstance(error, RecursionError):
        return "too deeply nested", 1
    reason = str(error)
    if byte := _BYTE.search(reason):
        # msgspec counts the first character after an object as already read.
        before = data[: int(byte[1]) - ("trailing characters" in reason)]
        reason, column = reason[: byte.start()], len(before.decode(errors="ignore")) + 1
    elif field := _FIELD.search(reason):
        reason = reason[: field.start()] if reason.endswith(f"{field[1]}`") else reason
        column = column_of_field(data.decode(errors="replace"), names.in_file(field[1]))
    else:
        column = len(data.decode(errors="replace")) + 1 if "truncated" in reason else 1
    return reason.removeprefix(_MALFORMED), column


def _require_shallow(text: str | bytes) -> None:
    """Reject valid JSON that is nested deeper than ``limits.NESTING``.

    Raises:
        RecursionError: it is.
    """
    data = text.encode() if isinstance(text, str) else text
    if data.count(b"[") + data.count(b"{") <= limits.NESTING:
        return
    brackets = _STRING.sub(b"", data).translate(_SQUARE, _OTHER)
    # Each pass removes the innermost arrays and objects.
    for _ in range(limits.NESTING):
        brackets = brackets.replace(b"[]", b"")
    if brackets:
        raise RecursionError


def read_document(
    path: str | Path, shape: type[T], what: str, *, hint: str = "", most: int | None = None
) -> T:
    """Read a file with one JSON value.

    Args:
        path: of the file, plain or gzip.
        shape: the type of the value.
        what: its content, for messages, such as ``manifest``.
        hint: what to do about an invalid file.
        most: maximum number of bytes; ``limits.DOCUMENT`` by default.

    Raises:
        InputError: the file cannot be read, is too large or too deeply nested, or holds another
            value.
    """
    with open_input(path, f"a {what}") as source:
        data = source.whole(limits.DOCUMENT if most is None else most)
    try:
        data.decode()  # msgspec skips unknown members without looking at their bytes
        value = msgspec.json.decode(data, type=shape)
        _require_shallow(data)
    except UnicodeDecodeError as error:
        where = byte_location(source.name, data, error.start)
        raise InputError(f"found invalid UTF-8, expected one {what}", where=where) from None
    except _FAILURES as error:
        reason = "too deeply nested" if isinstance(error, RecursionError) else str(error)
        byte = _BYTE.search(reason)
        reason = reason[: byte.start()] if byte else reason
        message = f"found broken JSON ({reason}), expected one {what}"
        if isinstance(error, msgspec.ValidationError):
            message = f"found an invalid {what} ({reason})"
        end = len(data) if "truncated" in reason else 0
        where = byte_location(source.name, data, int(byte[1]) if byte else end)
        raise InputError(message, where=where, hint=hint) from None
    return value


def column_of_field(text: str, *names: str) -> int:
    """The column at which the value of a field starts; 1 if it is missing.

    Args:
        text: JSON, perhaps invalid after the field.
        names: of the field; the first one that is present counts.
    """
    for name in names:
        # Inside a string a quote is written \", so a match is always a whole key.
        if key := re.search(rf'"{name}"\s*:\s*', text):
            return key.end() + 1
    return 1


def column_of_value(text: str, path: Sequence[Step]) -> int:
    """The column, from 1, at which the value of a path starts; 1 if there is no such path.

    Args:
        text: valid JSON.
        path: from the outermost value, as ``("choices", 1, "text")``.
    """
    wanted = list(path)
    # As in decoding, the last of several members with the same key counts.
    return max((start + 1 for at, start in _values(text) if at == wanted), default=1)


def _values(text: str) -> Iterator[tuple[list[Step | None], int]]:
    """The path of each value, one list updated in place, and where the value starts."""
    path: list[Step | None] = []
    for token in _TOKEN.finditer(text):
        match token[0]:
            case ":":
                pass
            case ",":
                path[-1] = path[-1] + 1 if isinstance(path[-1], int) else None
            case "}" | "]":
                path.pop()
            case written if path and path[-1] is None:
                path[-1] = msgspec.json.decode(written, type=str)
            case written:
                yield path, token.start()
                if written in ("{", "["):
                    path.append(None if written == "{" else 0)
