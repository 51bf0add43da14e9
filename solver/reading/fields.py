"""Values of an item's fields: what may stand there, and what it means.

A value is None where the file says nothing.
"""

from __future__ import annotations

from types import MappingProxyType

from solver.model import Label
from solver.reading.failures import FieldError, shown

LARGEST = 999_999_999
"""The largest number that a field may hold."""

LABELS = MappingProxyType(
    {
        "true": Label.TRUE,
        "false": Label.FALSE,
        "impossible": Label.UNDEFINED,
        "undefined": Label.UNDEFINED,
        "contradictory": Label.UNDEFINED,
    }
)
"""What a gold label means; labels are read in any case."""

_DECLARED = MappingProxyType({"possible": True, "impossible": False})
_FORCED = MappingProxyType({"true": True, "false": False})
_KINDS = MappingProxyType(
    {bool: "a boolean", int: "a number", float: "a number", list: "an array", dict: "an object"}
)


def gold_label(gold: str) -> Label:
    """What a label means, in whatever case it is written.

    Raises:
        FieldError: it is none of those the format has.
    """
    meaning = LABELS.get(gold.lower())
    if meaning is None:
        expected = "True, False, Impossible, Undefined or Contradictory"
        raise FieldError("label", shown(gold), expected, "labels are read in any case")
    return meaning


def declared(value: str) -> bool:
    """Whether the premise is declared possible."""
    return _choice("declared", value, _DECLARED, "possible or impossible")


def forced(value: str) -> bool:
    """Whether the label was fixed by the cell, as the published file writes it."""
    return _choice("forced", value, _FORCED, "true or false")


def _choice(field: str, value: str, meanings: MappingProxyType[str, bool], expected: str) -> bool:
    meaning = meanings.get(value.lower())
    if meaning is None:
        raise FieldError(field, shown(value), expected, "leave it out if it is not known")
    return meaning


def written_number(field: str, value: str) -> int | None:
    """A number as a TSV writes it; an empty cell says nothing."""
    if not value:
        return None
    if not (value.isascii() and value.isdigit() and len(value) <= len(str(LARGEST))):
        raise _not_a_number(field, shown(value))
    return int(value)


def number(field: str, value: object) -> int | None:
    """A number as JSON or Parquet hold it; whole floats are what tables with gaps make of it."""
    if value is None:
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise _not_a_number(field, kind(value))
    if not 0 <= value <= LARGEST:
        raise _not_a_number(field, kind(value))
    return value


def text(field: str, value: object) -> str | None:
    """A string of JSON or Parquet."""
    if value is None or isinstance(value, str):
        return value
    raise FieldError(field, kind(value), "a string", "write it in quotes")


def flag(field: str, value: object) -> bool | None:
    """A boolean of JSON or Parquet."""
    if value is None or isinstance(value, bool):
        return value
    raise FieldError(field, kind(value), "true or false", "write it unquoted")


def kind(value: object) -> str:
    """What a value is, in words: ``an array``; a short string or number as it stands."""
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST:
        return repr(value)
    return _KINDS.get(type(value), f"a {type(value).__name__}")


def _not_a_number(field: str, found: str) -> FieldError:
    return FieldError(field, found, f"a whole number from 0 to {LARGEST:,}", "write digits only")
