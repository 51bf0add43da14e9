"""Rows of items: fields of JSON Lines and Parquet, and columns of the published TSV."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from generators.eventhop.cells import Cell, Shape
from generators.eventhop.check import event_distance
from generators.eventhop.groups import Plan
from generators.eventhop.wording import WordedItem
from solver.model import ClaimRelation, Label, Status
from solver.records import Place, Record

DECLARED = {True: "possible", False: "impossible"}
PUBLISHED_LABELS = {Label.TRUE: "True", Label.FALSE: "False", Label.UNDEFINED: "Impossible"}
PUBLISHED_RELATIONS = {"overlaps": "overlap"}


def row(worded: WordedItem, plan: Plan) -> dict[str, Any]:
    """The fields of an item.

    ``relation`` is the claim's; ``timeline`` is the hash of the item's graph without names.
    """
    cell = plan.cell
    return {
        "id": worded.item.id,
        "premise": worded.text.premise,
        "claim": worded.text.claim,
        "label": cell.label.value,
        "declared": DECLARED[not cell.contradiction],
        "forced": False,
        "relation": cell.claim.value,
        "events": cell.shape.events,
        "relations": cell.shape.relations,
        "event_distance": event_distance(worded.item),
        "hops": cell.hops,
        "status": cell.status.value,
        "domain": worded.item.domain.value,
        "timeline": f"{plan.timeline:016x}",
    }


def cell_of(fields: Mapping[str, Any]) -> Cell:
    """The cell that a row belongs to."""
    return Cell(
        shape=Shape(events=fields["events"], relations=fields["relations"]),
        claim=ClaimRelation(fields["relation"]),
        status=Status(fields["status"]),
        contradiction=fields["declared"] == DECLARED[False],
        hops=fields["hops"],
    )


def published(fields: Mapping[str, Any], file: str) -> Record:
    """A row of the published format, with its names of labels and relations."""
    label = Label(fields["label"])
    return Record(
        id=fields["id"],
        premise=fields["premise"],
        claim=fields["claim"],
        gold=PUBLISHED_LABELS[label],
        label=label,
        place=Place(file=file, line=int(fields["id"]) + 1),
        declared=fields["declared"] == DECLARED[True],
        forced=fields["forced"],
        sampled=PUBLISHED_RELATIONS.get(fields["relation"], fields["relation"]),
        events=fields["events"],
        relations=fields["relations"],
        event_distance=fields["event_distance"],
    )
