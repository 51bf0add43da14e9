"""Items with named fields: JSON objects and Parquet rows."""

from __future__ import annotations

from collections.abc import Mapping

from solver.reading import fields
from solver.reading.failures import FieldError
from solver.records import Place, Record

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

OTHER_NAMES = ("hypothesis", "gold")
"""Aliases that are also read: of ``claim`` and of ``label``."""


def record(values: Mapping[str, object], place: Place) -> Record:
    """Read an item; absent and null fields are None.

    Raises:
        FieldError: premise or claim is missing, or a value is invalid.
    """
    gold = fields.text("label", _either(values, "gold", "label"))
    declared = fields.text("declared", values.get("declared"))
    return Record(
        id=identifier(values, place),
        premise=_required("premise", values.get("premise")),
        claim=_required("claim", _either(values, "claim", "hypothesis")),
        gold=gold,
        label=None if gold is None else fields.gold_label(gold),
        place=place,
        declared=None if declared is None else fields.declared(declared),
        forced=fields.flag("forced", values.get("forced")),
        sampled=fields.text("relation", values.get("relation")),
        events=fields.number("events", values.get("events")),
        relations=fields.number("relations", values.get("relations")),
        event_distance=fields.number("event_distance", values.get("event_distance")),
        hops=fields.number("hops", values.get("hops")),
    )


def identifier(values: Mapping[str, object], place: Place) -> str:
    """The item's id, a string or a number; by default its line number."""
    value = values.get("id")
    if value is None:
        return str(place.line)
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise FieldError("id", fields.kind(value), "a string or a whole number", "or leave it out")


def _either(values: Mapping[str, object], name: str, other: str) -> object:
    value = values.get(name)
    return values.get(other) if value is None else value


def _required(field: str, value: object) -> str:
    text = fields.text(field, value)
    if text is None:
        raise FieldError(field, "nothing", "a string", "every item has a premise and a claim")
    return text
