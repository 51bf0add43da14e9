"""A row of a benchmark file as read: texts, gold label and declared metadata."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeAlias

from grammar.errors import HopcheckError
from grammar.eventhop.model import Label
from solver.io.sources import FieldError, Place, RowError, shown


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemPlace(Place):
    """Position of an item.

    ``premise`` and ``claim`` are the columns, from 1 in characters, at which these texts start;
    None in formats without columns (JSONL, Parquet).
    """

    premise: int | None = None
    claim: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One item of a file; None marks a missing value.

    Attributes:
        gold: the label as written, such as ``Impossible``.
        label: ``gold`` as a ``Label``.
        declared: whether the premise is declared possible (consistent).
        forced: whether the generator fixed the label by its cell.
        sampled: the relation that the generator sampled.
        events, relations: declared sizes.
        event_distance: breadth-first distance of the claim's events in the event graph.
        hops: declared number of hops (files made by hopcheck).
        group: the minimal group that the item belongs to (preset ``minimal-pairs``).
        stated: the values of ``STATED`` that the row has; read of data sets only.
    """

    id: str
    premise: str
    claim: str
    gold: str | None
    label: Label | None
    place: ItemPlace
    declared: bool | None = None
    forced: bool | None = None
    sampled: str | None = None
    events: int | None = None
    relations: int | None = None
    event_distance: int | None = None
    hops: int | None = None
    group: str | None = None
    stated: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenRecord:
    """A malformed row; reading continues with the next one.

    Attributes:
        id: the item's id if it could be read, otherwise its line number.
        error: position, what was found, what was expected, and a hint.
    """

    id: str
    place: ItemPlace
    error: HopcheckError


ReadRecord: TypeAlias = Record | BrokenRecord


def broken(id: str, place: ItemPlace, column: int | None, error: FieldError) -> BrokenRecord:
    """A row with an invalid value, in a column if it is known."""
    located = RowError(str(error), where=place.at(column), hint=error.hint)
    return BrokenRecord(id=id, place=place, error=located)


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

DECLARED = MappingProxyType({True: "possible", False: "impossible"})
"""How files write whether a premise is declared consistent."""

_CONSISTENT = MappingProxyType({word: value for value, word in DECLARED.items()})
_FORCED = MappingProxyType({"true": True, "false": False})
_KINDS = MappingProxyType(
    {bool: "a boolean", int: "a number", float: "a number", list: "an array", dict: "an object"}
)


MAP_COLUMNS = "--map premise=COLUMN,claim=COLUMN names other columns"
MAP_LABELS = "--map entailment=true,contradiction=false,neutral=false reads other labels"


def gold_label(gold: str) -> Label:
    """The meaning of a gold label, case-insensitive.

    Raises:
        FieldError: it is not a label of the format.
    """
    meaning = LABELS.get(gold.lower())
    if meaning is None:
        expected = "True, False, Impossible, Undefined or Contradictory"
        raise FieldError("label", shown(gold), expected, MAP_LABELS)
    return meaning


def declared_value(value: str) -> bool:
    """Whether the premise is declared possible."""
    return _choice("declared", value, _CONSISTENT, "possible or impossible")


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


def text_value(field: str, value: object) -> str | None:
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


FIELDS = (
    "id",
    "premise",
    "claim",
    "label",
    "declared",
    "forced",
    "relation",
    "events",
    "relations",
    "event_distance",
    "hops",
)
"""Field names, as they are written."""

LABEL_NAMES = ("gold", "gold_label", "label")
"""Names of the label; the first one that is present counts."""

OTHER_NAMES = ("hypothesis", *LABEL_NAMES[:-1])
"""Aliases that are also read: of ``claim`` and of ``label``."""

STATED = ("status", "domain", "timeline", "outline")
"""Further fields of generated items, which are compared with what is decided."""

GROUP = "group"
"""The name of a group, which is read and never refused: other files use the word otherwise."""


def record(values: Mapping[str, object], place: ItemPlace) -> Record:
    """Read an item; absent and null fields are None.

    Raises:
        FieldError: premise or claim is missing, or a value is invalid.
    """
    gold = text_value("label", _either(values, *LABEL_NAMES))
    declared = text_value("declared", values.get("declared"))
    group = values.get(GROUP)
    return Record(
        id=identifier(values, place),
        premise=_required("premise", values.get("premise")),
        claim=_required("claim", _either(values, "claim", "hypothesis")),
        gold=gold,
        label=None if gold is None else gold_label(gold),
        place=place,
        declared=None if declared is None else declared_value(declared),
        forced=flag("forced", values.get("forced")),
        sampled=text_value("relation", values.get("relation")),
        events=number("events", values.get("events")),
        relations=number("relations", values.get("relations")),
        event_distance=number("event_distance", values.get("event_distance")),
        hops=number("hops", values.get("hops")),
        group=None if isinstance(group, bool) or not isinstance(group, str | int) else str(group),
        stated={name: values[name] for name in STATED if values.get(name) is not None},
    )


def identifier(values: Mapping[str, object], place: ItemPlace) -> str:
    """The item's id, a string or a number; by default its line number."""
    value = values.get("id")
    if value is None:
        return str(place.line)
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise FieldError("id", kind(value), "a string or a whole number", "or leave it out")


def _either(values: Mapping[str, object], *names: str) -> object:
    return next((values[name] for name in names if values.get(name) is not None), None)


def _required(field: str, value: object) -> str:
    text = text_value(field, value)
    if text is None:
        raise FieldError(field, "nothing", "a string", MAP_COLUMNS)
    return text


def fields(record: Record) -> dict[str, str | int | bool | None]:
    """The values of ``FIELDS``, as ``record`` reads them; None if unknown."""
    return {
        "id": record.id,
        "premise": record.premise,
        "claim": record.claim,
        "label": record.gold,
        "declared": None if record.declared is None else DECLARED[record.declared],
        "forced": record.forced,
        "relation": record.sampled,
        "events": record.events,
        "relations": record.relations,
        "event_distance": record.event_distance,
        "hops": record.hops,
    }
