"""A row of a benchmark file as read: texts, gold label and declared metadata."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, TypeAlias

import msgspec

from grammar.errors import HopcheckError
from grammar.eventhop.model import ClaimRelation, Domain, Label, Status
from solver.io.columns import Count, Known, RowReader, column, columns_of
from solver.io.sources import FieldError, Place, RowError, shown

if TYPE_CHECKING:
    from solver.eventhop.labels import LabelScheme


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemPlace(Place):
    """Position of an item.

    ``premise`` and ``claim`` are the columns, from 1 in characters, at which these texts start;
    None in formats without columns (JSONL, Parquet).
    """

    premise: int | None = None
    claim: int | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """The texts of a file that a grammar wrote as others.

    Attributes:
        grammar: its name.
        readers: its number of readers, one or two.
    """

    grammar: str
    readers: int
    premise: str
    claim: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One item of a file; None marks a missing value.

    Attributes:
        gold: the label as written, such as ``Impossible``.
        label: what ``gold`` means: a ``Label``, or a word of the label scheme.
        declared: whether the premise is declared possible (consistent).
        forced: whether the generator fixed the label by its cell.
        sampled: the relation that the generator sampled.
        events, relations: declared sizes.
        event_distance: breadth-first distance of the claim's events in the event graph.
        hops: declared number of hops (files made by hopcheck).
        group: the minimal group that the item belongs to (preset ``minimal-pairs``).
        stated: the values of ``STATED`` that the row has; read of data sets only.
        source: what the file has if a grammar wrote these texts.
    """

    id: str
    premise: str
    claim: str
    gold: str | None
    label: str | None
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
    source: Source | None = None


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

MAP_COLUMNS = "--map premise=COLUMN,claim=COLUMN names other columns"
MAP_LABELS = "--labels nli3 reads entailment, neutral and contradiction; or give your own words"

LABEL_NAMES = ("gold", "gold_label", "label")
"""Names of the label; the first one that is present counts."""

STATED = ("status", "domain", "timeline", "outline")
"""Further fields of generated items, which are compared with what is decided."""

GROUP = "group"
"""The name of a group, which is read and never refused: other files use the word otherwise."""


class ItemRow(msgspec.Struct, kw_only=True):
    """An item of a file."""

    id: Annotated[
        str | int | None, column("name of the item, by default its line number", example="7")
    ] = None
    premise: Annotated[
        str,
        column(
            "sentences about the order of starts and ends; may be empty",
            example="the end of the fair happened before the start of the race",
            names=("premise", "sentence1"),
        ),
    ]
    claim: Annotated[
        str,
        column(
            "sentence about two events",
            example="the fair happens before the race",
            names=("claim", "hypothesis", "sentence2"),
        ),
    ]
    label: Annotated[
        str | None,
        column(
            "gold label: True, False, or Impossible, Undefined and Contradictory, which all mean "
            "*undefined*; in any case. Without one, nothing is compared",
            example="True",
            names=LABEL_NAMES,
        ),
    ] = None
    declared: Annotated[
        str | None,
        column("whether the premise is declared consistent: possible or impossible",
               example="possible"),
    ] = None  # fmt: skip
    forced: Annotated[
        bool | None, column("whether the cell of the design fixed the label", example=False)
    ] = None
    relation: Annotated[
        str | None, column("relation that the generator sampled", example="before")
    ] = None
    events: Annotated[Count | None, column("declared number of events", example=4)] = None
    relations: Annotated[
        Count | None, column("declared number of sentences", unit="sentences", example=5)
    ] = None
    event_distance: Annotated[
        Count | None,
        column("distance of the claim's events in the graph of events", unit="edges", example=2),
    ] = None  # fmt: skip
    hops: Annotated[
        Count | None,
        column("fewest sentences from which the claim, or its opposite, follows",
               unit="sentences", example=2),
    ] = None  # fmt: skip


ROWS = RowReader(ItemRow, hint=MAP_COLUMNS)
"""Reads the values of an item."""

FIELDS = tuple(columns_of(ItemRow))
"""Field names, as they are written."""

KNOWN: Known = (*ROWS.known, (GROUP,), *((name,) for name in STATED))
NAMES = (*ROWS.names, GROUP, *STATED)
"""Names of all fields that are read."""


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


def meaning(gold: str, scheme: LabelScheme | None) -> str:
    """What a gold label means, in the words of the label scheme.

    Raises:
        FieldError: it is not a label of the scheme.
    """
    return gold_label(gold) if scheme is None else scheme.meaning(gold)


def label_words(scheme: LabelScheme | None) -> tuple[str, ...]:
    """The labels that items can have."""
    return tuple(Label) if scheme is None else scheme.order


NUMBERS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "label": tuple(Label),
        "status": tuple(Status),
        "declared": tuple(DECLARED.values()),
        "relation": tuple(ClaimRelation),
        "domain": tuple(Domain),
    }
)
"""The fields that exports for ``datasets`` write as numbers, and what these stand for."""


def in_words(
    values: Mapping[str, object], scheme: LabelScheme | None = None
) -> Mapping[str, object]:
    """The values of an exported row with words instead of numbers.

    Labels that are numbers could mean anything; those of our exports have a status beside them.
    """
    for name in ("label", "status"):
        if isinstance(values.get(name), bool) or not isinstance(values.get(name), int):
            return values
    found = dict(values)
    for name, words in {**NUMBERS, "label": label_words(scheme)}.items():
        number = values.get(name)
        if isinstance(number, int) and 0 <= number < len(words):
            found[name] = str(words[number])
    return found


def _consistent(declared: str) -> bool:
    meaning = _CONSISTENT.get(declared.lower())
    if meaning is None:
        hint = "leave it out if unknown"
        raise FieldError("declared", shown(declared), "possible or impossible", hint)
    return meaning


def record(
    values: Mapping[str, object], place: ItemPlace, scheme: LabelScheme | None = None
) -> Record:
    """Read an item; absent and null fields are None.

    Raises:
        FieldError: premise or claim is missing, or a value is invalid.
    """
    if scheme is None:
        values = in_words(values)
    group = values.get(GROUP)
    named = None if isinstance(group, bool) or not isinstance(group, str | int) else str(group)
    stated = {name: values[name] for name in STATED if values.get(name) is not None}
    return placed(ROWS.read(values), place, named, stated, scheme)


def placed(
    row: ItemRow,
    place: ItemPlace,
    group: str | None = None,
    stated: Mapping[str, object] | None = None,
    scheme: LabelScheme | None = None,
) -> Record:
    """The record of a row.

    Raises:
        FieldError: a label or the declared consistency is unknown.
    """
    gold, declared = row.label, row.declared
    if scheme is not None and gold in ("-", ""):
        gold = None  # as NLI files write a label that people did not agree on
    return Record(
        id=str(place.line if row.id is None else row.id),
        premise=row.premise,
        claim=row.claim,
        gold=gold,
        label=None if gold is None else meaning(gold, scheme),
        place=place,
        declared=None if declared is None else _consistent(declared),
        forced=row.forced,
        sampled=row.relation,
        events=row.events,
        relations=row.relations,
        event_distance=row.event_distance,
        hops=row.hops,
        group=group,
        stated=stated or {},
    )


def identifier(values: Mapping[str, object], place: ItemPlace) -> str:
    """The item's id if it has one, otherwise its line number."""
    id = values.get("id")
    return str(place.line if isinstance(id, bool) or not isinstance(id, str | int) else id)


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
