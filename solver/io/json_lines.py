"""Typed decoding of JSON Lines and of JSON documents, with one translation of errors.

Every failure has a position (``file:line:column``), what was found and what was expected.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from types import UnionType
from typing import Generic, TypeAlias, TypeVar

import msgspec

from solver.io import sources as limits
from solver.io.columns import (
    SAME_NAMES,
    ColumnNames,
    Known,
    misspelt,
    near_miss,
    require_names,
)
from solver.io.sources import (
    FieldError,
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
_ANY = msgspec.json.Decoder()
_MEMBERS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_FAILURES = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_BYTE = re.compile(r" \(byte (\d+)\)$")
_FIELD = re.compile(r" - at `\$\.(\w+)")
_MALFORMED = "JSON is malformed: "
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}:,]|[^\s"\[\]{}:,]+')
_NAME = re.compile(rb'"\s*:')
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
        known: the names of its fields; by default those of a struct.
    """

    def __init__(
        self,
        shape: type[T] | UnionType,
        *,
        what: str = "",
        hint: str = _HINT,
        known: Known | None = None,
    ) -> None:
        self._known = _names_of(shape) if known is None else known
        self._decode = msgspec.json.Decoder(shape).decode
        self._what = what
        self._hint = hint
        self._names = SAME_NAMES

    def with_names(self, names: ColumnNames) -> JsonDecoder[T]:
        """The same, but for objects whose members have other names."""
        # Other files of the kind have the other fields.
        fields = {name for field in self._known for name in field}
        columns = {ours: theirs for ours, theirs in names.columns.items() if ours in fields}
        if not columns:
            return self
        other = copy(self)
        other._names = ColumnNames(columns=columns)
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
            members = require_distinct(text)
            if self._known and (near := near_miss(self._ours(members), self._known)) is not None:
                raise misspelt(*near)
        except FieldError as error:
            column = _last_column(text, error.field)
            where = place.at(start() + column - 1)
            raise RowError(str(error), where=where, hint=error.hint) from None
        except _FAILURES as error:
            raise self._translated(text, place, start, error) from None
        return value

    def _ours(self, members: tuple[str, ...]) -> tuple[str, ...]:
        """The names of members as the fields are called."""
        if not self._names.columns:
            return members
        return tuple(self._names.named(dict.fromkeys(members)))

    def _renamed(self, text: str | bytes) -> bytes:
        return msgspec.json.encode(self._names.named(_MEMBERS.decode(text)))

    def rows(self, source: Source) -> Iterator[JsonRow[T] | BrokenRow]:
        """Decode the lines of a file, skipping blank ones, or the rows of a Parquet file.

        Raises:
            InputError: the stream ended early, or the Parquet file cannot be read.
        """
        if source.parquet:
            yield from self._table_rows(source)
            return
        mapped, present = set(self._names.columns.values()), set[str]()
        for line in lines(source):
            if line.blank:
                continue
            place = Place(file=source.name, line=line.number)
            if mapped - present:
                present |= _members_of(line.text)
            if line.error is not None:
                yield BrokenRow(place=place, error=line.error)
                continue
            try:
                value = self.decode(line.text, place)
            except RowError as error:
                yield BrokenRow(place=place, error=error)
            else:
                yield JsonRow(place=place, text=line.text, value=value)
        self._names.require_present(present, source.name)

    def _table_rows(self, source: Source) -> Iterator[JsonRow[T] | BrokenRow]:
        """The rows of a Parquet file; cells without a value are left out."""
        from solver.io.parquet import read_rows

        for place, values in read_rows(source, lambda names: names):
            text = msgspec.json.encode(without_nulls(values), enc_hook=str).decode()
            try:
                yield JsonRow(place=place, text=text, value=self.decode(text, place))
            except RowError as error:
                # A column of this text is none of the file.
                broken = RowError(error.message, where=place.at(), hint=error.hint)
                yield BrokenRow(place=place, error=broken)

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


def without_nulls(value: object) -> object:
    """A value without the members of objects that are null."""
    if isinstance(value, Mapping):
        return {name: without_nulls(part) for name, part in value.items() if part is not None}
    return [without_nulls(part) for part in value] if isinstance(value, list) else value


def _names_of(shape: object) -> Known:
    """The names of the fields of a struct or a dataclass; none of another type."""
    if isinstance(shape, type) and issubclass(shape, msgspec.Struct):
        return tuple((name,) for name in shape.__struct_encode_fields__)
    if isinstance(shape, type) and is_dataclass(shape):
        return tuple((field.name,) for field in fields(shape))
    return ()


def require_distinct(text: str | bytes) -> tuple[str, ...]:
    """The names of the members of an object, none for another value.

    Raises:
        FieldError: a name occurs twice in an object.
    """
    value = _ANY.decode(text)
    data = text.encode() if isinstance(text, str) else text
    # More of them are found in texts, which may contain what looks like a name.
    if len(_NAME.findall(data)) != _count_members(value):
        with suppress(ValueError, RecursionError):
            json.loads(text, object_pairs_hook=_distinct)
    return tuple(value) if isinstance(value, dict) else ()


def _count_members(value: object) -> int:
    if isinstance(value, dict):
        return len(value) + sum(map(_count_members, value.values()))
    return sum(map(_count_members, value)) if isinstance(value, list) else 0


def _distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    require_names([name for name, _ in pairs], ())
    return dict(pairs)


def _members_of(text: str) -> frozenset[str]:
    try:
        return frozenset(_MEMBERS.decode(text))
    except _FAILURES:
        return frozenset()


def _last_column(text: str | bytes, name: str) -> int:
    """The column of the last member of that name, from 1."""
    line = text if isinstance(text, str) else text.decode(errors="replace")
    return max(
        (key.start() + 1 for key in re.finditer(rf'"{re.escape(name)}"\s*:', line)), default=1
    )


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
        require_distinct(data)
    except FieldError as error:
        raise InputError(str(error), where=source.name, hint=error.hint) from None
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
