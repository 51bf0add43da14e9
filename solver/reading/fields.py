"""Valid values of an item's fields and their meaning; a missing value is None."""

from __future__ import annotations

from types import MappingProxyType

from solver.model import Label
from solver.reading.failures import FieldError, shown

LARGEST = 999_999_999
"""Largest number in a field."""

LABELS = MappingProxyType(
    {
        "true": Label.TRUE,
        "false": Label.FALSE,
        "impossible": Label.UNDEFINED,
        "undefined": Label.UNDEFINED,
        "contradictory": Label.UNDEFINED,
    }
)
"""Gold labels, in lower case, and their meaning."""

_DECLARED = MappingProxyType({"possible": True, "impossible": False})
_FORCED = MappingProxyType({"true": True, "false": False})
_KINDS = MappingProxyType(
    {bool: "a boolean", int: "a number", float: "a number", list: "an array", dict: "an object"}
)


def gold_label(gold: str) -> Label:
    """The meaning of a gold label, case-insensitive.

    Raises:
        FieldError: it is not a label of the format.
    """
    meaning = LABELS.get(gold.lower())
    if meaning is None:
        expected = "True, False, Impossible, Undefined or Contradictory"
        raise FieldError("label", shown(gold), expected, "labels are case-insensitive")
    return meaning


def declared(value: str) -> bool:
    """Whether the premise is declared possible."""
    return _choice("declared", value, _DECLARED, "possible or impossible")


def forced(value: str) -> bool:
    """Whether the cell of the design fixed the label, as the published file writes it."""
    return _choice("forced", value, _FORCED, "true or false")


def _choice(field: str, value: str, meanings: MappingProxyType[str, bool], expected: str) -> bool:
    meaning = meanings.get(value.lower())
    if meaning is None:
        raise FieldError(field, shown(value), expected, "leave it out if unknown")
    return meaning


def written_number(field: str, value: str) -> int | None:
    """A number of a TSV; None for an empty cell."""
    if not value:
        return None
    if not (value.isascii() and value.isdigit() and len(value) <= len(str(LARGEST))):
        raise _not_a_number(field, shown(value))
    return int(value)


def number(field: str, value: object) -> int | None:
    """A number of JSON or Parquet; whole floats too, which tables with missing values contain."""
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
    """Describe a value: ``an array``; a string or a small number is quoted."""
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST:
        return repr(value)
    return _KINDS.get(type(value), f"a {type(value).__name__}")


def _not_a_number(field: str, found: str) -> FieldError:
    return FieldError(field, found, f"a whole number from 0 to {LARGEST:,}", "write digits only")
