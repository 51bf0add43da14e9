"""Decodes the choices of a JSON record one by one; errors name the letter of the choice."""

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


def decode_choices(
    raw: Sequence[msgspec.Raw] | None,
    decode: Callable[[msgspec.Raw], T],
    what: str,
    place: Place,
    line: str,
) -> tuple[T, ...]:
    """Decode the choices of a record; none if the field is absent.

    Args:
        raw: undecoded values.
        decode: decodes one value.
        what: its content, for messages, such as ``text``.
        place: place of the line.
        line: the whole line.

    Raises:
        RowError: there are too many choices, or one is malformed; with its letter and column.
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
