"""JSON Lines: one object per line, fields as in ``named``; other fields are ignored."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from solver.reading import named
from solver.reading.failures import FieldError, RowError
from solver.reading.lines import Line
from solver.records import BrokenRecord, Place, ReadRecord

_Fields = msgspec.defstruct(
    "_Fields", [(n, object, None) for n in named.FIELDS + named.OTHER_NAMES]
)
_ALIASES = {"claim": ("claim", "hypothesis"), "label": ("gold", "label")}
_BYTE = re.compile(r" \(byte (\d+)\)$")
_BAD_FIELD = re.compile(r" - at `\$\.(\w+)")
_HINT = "write one complete object per line, without commas between them"


def read_jsonl(lines: Iterable[Line], file: str) -> Iterator[ReadRecord]:
    """Read the records of a file's lines, skipping blank lines."""
    decode = msgspec.json.Decoder(_Fields).decode
    for line in lines:
        if line.blank:
            continue
        place = Place(file=file, line=line.number)
        if line.error is not None:
            yield BrokenRecord(id=str(line.number), place=place, error=line.error)
            continue
        try:
            values = msgspec.structs.asdict(decode(line.text))
        except (msgspec.DecodeError, RecursionError) as error:
            broken = malformed(line.text, place, error)
            yield BrokenRecord(id=str(line.number), place=place, error=broken)
            continue
        try:
            yield named.record(values, place)
        except FieldError as error:
            where = place.at(column_of(line.text, error.field))
            broken = RowError(str(error), where=where, hint=error.hint)
            yield BrokenRecord(id=_id(values, place), place=place, error=broken)


def _id(values: dict[str, object], place: Place) -> str:
    try:
        return named.identifier(values, place)
    except FieldError:
        return str(place.line)


def malformed(text: str, place: Place, error: Exception) -> RowError:
    """Turn msgspec's error for a line that is not an object into an error at its column."""
    reason = str(error)
    if isinstance(error, RecursionError):
        reason, column = "too deeply nested", 1
    elif byte := _BYTE.search(reason):
        # msgspec counts the first character after an object as already read.
        before = text.encode()[: int(byte[1]) - ("trailing characters" in reason)]
        reason, column = reason[: byte.start()], len(before.decode(errors="ignore")) + 1
    elif field := _BAD_FIELD.search(reason):
        reason, column = reason[: field.start()], column_of(text, field[1])
    else:
        column = len(text) + 1 if "truncated" in reason else 1
    reason = reason.removeprefix("JSON is malformed: ").replace("Input data was", "the line is")
    message = f"broken JSON ({reason[:1].lower() + reason[1:]}), expected an object"
    return RowError(message, where=place.at(column), hint=_HINT)


def column_of(text: str, field: str) -> int:
    """The column at which a field's value starts; 1 if the field is missing."""
    for name in _ALIASES.get(field, (field,)):
        # Inside a string a quote is written \", so a match is always a whole key.
        if key := re.search(rf'"{name}"\s*:\s*', text):
            return key.end() + 1
    return 1
