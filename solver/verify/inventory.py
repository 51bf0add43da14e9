"""Inventory of the items of a file as parsed, to compare with a manifest (see ``dataset``)."""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass, field

from solver.canonical import item_hash
from solver.model import Claim, Item, Status
from solver.records import Record
from solver.verify.outcome import Outcome


@dataclass(slots=True, kw_only=True)
class Inventory:
    """Contents of a file; uses 8 bytes per item.

    Attributes:
        items: number of rows, including those that do not parse.
        cells: items by cell name.
        timelines: timeline hashes, in item order.
        names: names of events in premises.
        wordings: texts between the two names of a sentence: a phrase and point markers.
    """

    items: int = 0
    cells: Counter[str] = field(default_factory=Counter)
    timelines: array[int] = field(default_factory=lambda: array("Q"))
    names: set[str] = field(default_factory=set)
    wordings: set[str] = field(default_factory=set)

    def count(self, outcome: Outcome) -> None:
        """Count one item."""
        self.items += 1
        record, item, verdict = outcome.record, outcome.item, outcome.verdict
        if not isinstance(record, Record) or item is None or verdict is None:
            return
        cell = outcome.cell
        claimed = item.claim.relation if isinstance(item.claim, Claim) else item.claim.order
        name = cell_name(
            events=cell.events,
            relations=cell.relations,
            claim=claimed,
            status=verdict.status,
            consistent=verdict.consistent,
            hops=outcome.hops,
        )
        self.cells[name] += 1
        timeline = item_hash(item)
        if timeline is not None:
            self.timelines.append(timeline)
        self.names.update(p.event for r in item.premise for p in (r.left, r.right))
        self.wordings.update(_wordings(record.premise, item))

    def add(self, other: Inventory) -> None:
        """Append the inventory of the next part of the file."""
        self.items += other.items
        self.cells.update(other.cells)
        self.timelines.extend(other.timelines)
        self.names |= other.names
        self.wordings |= other.wordings


def cell_name(
    *, events: int, relations: int, claim: str, status: Status, consistent: bool, hops: int | None
) -> str:
    """The name of a cell in manifests, such as ``4x3 before entailed consistent hops=1``."""
    state = "consistent" if consistent else "inconsistent"
    return f"{events}x{relations} {claim} {status} {state} hops={'-' if hops is None else hops}"


def _wordings(premise: str, item: Item) -> set[str]:
    sentences = premise.split(". ")
    if len(sentences) != len(item.premise):
        # A name contains a full stop; generated names do not.
        return set()
    found = set()
    for sentence, relation in zip(sentences, item.premise, strict=True):
        left, right = relation.left.event, relation.right.event
        found.add(sentence[sentence.find(left) + len(left) : sentence.rfind(right)].strip())
    return found
