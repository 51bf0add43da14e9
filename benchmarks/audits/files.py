"""Files of public sets: their bytes, the rows in them, and copies with some values replaced."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePath

import msgspec

from benchmarks.audits.model import AuditTask, Row
from solver.io.json_lines import require_distinct
from solver.io.sources import FieldError, InputError, open_input, require_text
from solver.io.writing import atomic, packed

EXAMPLES = "examples"
"""The field that lists the rows in files of BIG-Bench and its descendants."""

_MAX_ROWS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditFile:
    """A file as it was read.

    Attributes:
        name: in messages.
        data: its bytes, decompressed.
        sha256: of these.
        packed: whether it is gzip.
    """

    name: str
    data: bytes
    sha256: str
    packed: bool


def read_file(path: str | Path) -> AuditFile:
    """Read a file, plain or gzip.

    Raises:
        InputError: it cannot be read, or is not text.
    """
    with open_input(path, "a file of the set") as source:
        require_text(source)
        data, name, zipped = source.whole(), source.name, source.packed
    digest = hashlib.sha256(data).hexdigest()
    return AuditFile(name=name, data=data, sha256=digest, packed=zipped)


def json_rows(name: str, data: bytes) -> list[Row]:
    """The rows of a JSON file: a list of objects, a list in ``examples``, objects by key, or lines.

    Raises:
        InputError: the file has another form.
    """
    rows = [
        _row(number, f"{name}: item {number}", raw, start)
        for number, (raw, start) in enumerate(_placed(data, _objects(name, data)))
    ]
    if not rows:
        raise InputError("found no rows, expected some", where=name)
    return rows


def _objects(name: str, data: bytes) -> list[bytes]:
    """The bytes of each row, in the order of the file."""
    head = data.lstrip()[:1]
    try:
        if head == b"[":
            return [bytes(raw) for raw in msgspec.json.decode(data, type=list[msgspec.Raw])]
        try:
            whole = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
        except (msgspec.DecodeError, UnicodeDecodeError):
            # Several values: JSON Lines, of which the first one must be an object.
            return [line for line in data.splitlines() if line.strip()]
        _require_distinct(name, data)
        if EXAMPLES in whole:
            return [
                bytes(raw) for raw in msgspec.json.decode(whole[EXAMPLES], type=list[msgspec.Raw])
            ]
        values = [bytes(raw) for raw in whole.values()]
        return values if all(value[:1] == b"{" for value in values) else [data.strip()]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        hint = "expected JSON, or one JSON object a line"
        raise InputError(f"cannot be read as JSON: {error}", where=name, hint=hint) from None


def _require_distinct(where: str, data: bytes) -> None:
    try:
        require_distinct(data)
    except FieldError as error:
        raise InputError(str(error), where=where, hint=error.hint) from None


def _placed(data: bytes, parts: Iterable[bytes], start: int = 0) -> Iterator[tuple[bytes, int]]:
    """Parts of the data with their places; between two of them are only keys and punctuation."""
    for part in parts:
        start = data.index(part, start)
        yield part, start
        start += len(part)


def _row(number: int, where: str, raw: bytes, start: int) -> Row:
    try:
        fields = msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
        values = msgspec.json.decode(raw, type=dict[str, object])
        _require_distinct(where, raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"cannot be read as a JSON object: {error}", where=where) from None
    if number >= _MAX_ROWS:
        raise InputError(f"found more than {_MAX_ROWS:,} rows", where=where, hint="split the file")
    spans, at = {}, 0
    for key, value in fields.items():
        head, size = _KEY.match(raw, at), len(bytes(value))
        at = len(raw) if head is None else head.end()
        spans[key] = (start + at, start + at + size)
        at += size
    return Row(id=number, where=where, fields=values, spans=spans)


_KEY = re.compile(rb'[\s,{]*"(?:[^"\\]|\\.)*"\s*:\s*')
"""What is between two values of an object."""


def rows_of(task: AuditTask, file: AuditFile) -> Sequence[Row]:
    """The rows of a file of a task.

    Raises:
        InputError: the file has another form.
    """
    return (task.rows or json_rows)(file.name, file.data)


def replaced(
    task: AuditTask, file: AuditFile, changes: Sequence[tuple[Row, Mapping[str, object]]]
) -> bytes:
    """The bytes of a file with new values of fields; all other bytes are as before."""
    encode: Callable[[object], str] = (
        str if task.plain else partial(json.dumps, ensure_ascii=file.data.isascii())
    )
    edits = sorted(
        (row.spans[name], encode(value).encode())
        for row, values in changes
        for name, value in values.items()
    )
    parts, at = [], 0
    for (start, end), value in edits:
        parts += [file.data[at:start], value]
        at = end
    return b"".join((*parts, file.data[at:]))


def write_copy(folder: Path, file: AuditFile, data: bytes) -> Path:
    """Write a changed copy under the name of the file, packed as the file is."""
    path = folder / PurePath(file.name).name
    opened = packed(path) if file.packed and path.suffix == ".gz" else atomic(path)
    with opened as stream:
        stream.write(data)
    return path
