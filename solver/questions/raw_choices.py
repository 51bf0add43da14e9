"""The choices of a line of JSON, decoded one by one: a wrong one is told by its letter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

from solver.questions.question import LETTERS
from solver.reading.failures import RowError
from solver.reading.json_places import column_of_value
from solver.records import Place

T = TypeVar("T")
FIELD = "choices"


def decoded(
    raw: Sequence[msgspec.Raw] | None,
    decode: Callable[[msgspec.Raw], T],
    what: str,
    place: Place,
    line: str,
) -> tuple[T, ...]:
    """The choices of a record; none if it has no such field.

    Args:
        raw: as they stand in the line.
        decode: decodes each.
        what: it holds, as ``text``.
        place: of the line.
        line: all of it.

    Raises:
        RowError: there are too many, or one is none; with its letter and its column.
    """
    found: list[T] = []
    if raw is not None and len(raw) > len(LETTERS):
        where = place.at(column_of_value(line, (FIELD,)))
        raise RowError(f"found {len(raw)} choices, expected at most {len(LETTERS)}", where=where)
    for number, one in enumerate(raw or ()):
        try:
            found.append(decode(one))
        except (msgspec.DecodeError, RecursionError) as error:
            where = place.at(column_of_value(line, (FIELD, number)))
            message = f"choice {LETTERS[number]}: found no {what} of a choice: {error}"
            raise RowError(message, where=where) from None
    return tuple(found)
