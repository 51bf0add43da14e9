"""Explains one item: verdict, certificate, and the feasible relations of the claim's events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from grammar.errors import HopcheckError
from grammar.eventhop.model import AllenRelation, Certificate, Claim, Item, Status, Verdict
from solver.drawing.canvas import shorten
from solver.eventhop.certificates.evidence import Evidence
from solver.eventhop.certificates.expand import evidence
from solver.eventhop.engines import ItemSettings
from solver.eventhop.io import read_records
from solver.eventhop.messages import in_words
from solver.eventhop.outcomes import ItemDecider, Outcome, as_json
from solver.eventhop.records import BrokenRecord, ItemPlace, ReadRecord, Record

if TYPE_CHECKING:
    from solver.eventhop.columns import ItemMap

GIVEN = "given"


class NotFoundError(HopcheckError):
    """An id that does not occur in a file."""

    code = "not-found"


class UnparsedItemError(HopcheckError):
    """An item whose text does not parse."""

    code = "unparsed"


@dataclass(frozen=True, slots=True, kw_only=True)
class FeasibleRelations:
    """The Allen relations that can hold between the claim's two events.

    Attributes:
        relations: in Allen's order; None if they were not computed.
        note: why they were not computed, or a qualification.
    """

    relations: tuple[AllenRelation, ...] | None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """One item with its verdict, certificate and feasible relations.

    Attributes:
        item: the graph of the texts.
        certificate: the proof of the verdict.
        evidence: the certificate in steps and points: a chain, a cycle or two timelines.
        outcome: findings and causes of a wrong gold label, as ``verify`` reports them.
        words: the certificate in words, line by line.
        settings: the settings it was decided with.
    """

    record: Record
    item: Item
    verdict: Verdict
    certificate: Certificate
    evidence: Evidence
    outcome: Outcome
    feasible: FeasibleRelations
    words: tuple[str, ...]
    settings: ItemSettings

    @property
    def label(self) -> str:
        """The decided label."""
        return self.settings.label(self.verdict)

    @property
    def status(self) -> Status:
        """The logical status of the claim."""
        return self.verdict.status

    @property
    def consistent(self) -> bool:
        """Whether the whole premise is consistent."""
        return self.verdict.consistent

    @property
    def hops(self) -> int | None:
        """Premise relations on the shortest proof of the status; None for *unknown*."""
        return self.outcome.hops

    @property
    def gold(self) -> str | None:
        """The gold label."""
        return self.record.label

    def picture(self, form: str = "svg") -> bytes:
        """The drawing of the certificate, as the bytes of a file: svg, png or pdf."""
        from solver.eventhop.drawing import picture

        return picture(self.item, self.verdict, self.certificate, hops=self.hops, form=form)

    def svg(self) -> str:
        """The drawing of the certificate, as SVG."""
        return self.picture().decode()

    def as_json(self) -> dict[str, Any]:
        """The explanation as JSON values; a row for ``check``, as in ``items.jsonl``, and more."""
        row, relations = as_json(self.outcome, self.settings), self.feasible.relations
        del row["file"], row["line"]
        read = {
            "premise": [str(relation) for relation in self.item.premise],
            "claim": str(self.item.claim),
        }
        feasible = None if relations is None else [relation.value for relation in relations]
        verdict: dict[str, Any] = row["verdict"]
        return verdict | row | {"read": read, "words": self.words, "feasible": feasible}

    def _repr_html_(self) -> str:
        """The drawing with its explanation, for notebooks."""
        from html import escape

        words = "<br>".join(map(escape, self.words))
        return f"<div>{self.svg()}<p>{words}</p></div>"


def find(path: str, item_id: str, mapping: ItemMap | None = None) -> Record:
    """The item of a file with an id; the file may name columns and labels otherwise.

    Raises:
        NotFoundError: there is none, or there are several.
        HopcheckError: the file cannot be read, or the item's row is malformed.
    """
    seen: list[str] = []
    found: list[ReadRecord] = []
    for record in read_records(path, mapping=mapping):
        if record.id == item_id:
            found.append(record)
        seen = [*seen[:1], record.id]
    if len(found) > 1:
        places = " and ".join(record.place.at() for record in found[:2])
        message = f"found the id {shorten(item_id, 60)!r} at {places}, expected one item with it"
        raise NotFoundError(message, where=path, hint="number the rows, or pass the texts")
    for record in found:
        if isinstance(record, BrokenRecord):
            raise record.error
        return record
    ids = " to ".join(shorten(known, 40) for known in dict.fromkeys(seen))
    raise NotFoundError(
        f"found no item {shorten(item_id, 60)!r}", where=path, hint=f"its items are {ids}"
    )


def record_from_texts(premise: str, claim: str) -> Record:
    """A record of a premise and a claim without a file; invalid UTF-8 is replaced."""
    premise, claim = (
        text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        for text in (premise, claim)
    )
    place = ItemPlace(file=GIVEN, line=1, premise=1, claim=1)
    return Record(id=GIVEN, premise=premise, claim=claim, gold=None, label=None, place=place)


def explain(record: Record, settings: ItemSettings) -> Explanation:
    """Decide, certify and explain one item.

    Raises:
        HopcheckError: its text does not parse, or the engines disagree.
    """
    outcome = next(iter(ItemDecider(settings).outcomes([record])))
    item, verdict, certificate = outcome.item, outcome.verdict, outcome.certificate
    if item is None or verdict is None or certificate is None:
        raise UnparsedItemError(outcome.error or "the item cannot be parsed")
    found = evidence(item, verdict, certificate)
    return Explanation(
        # With the premise as it was read.
        record=outcome.record if isinstance(outcome.record, Record) else record,
        item=item,
        verdict=verdict,
        certificate=certificate,
        evidence=found,
        outcome=outcome,
        feasible=_feasible(item, verdict),
        words=tuple(in_words(item, verdict, found)),
        settings=settings,
    )


def _feasible(item: Item, verdict: Verdict) -> FeasibleRelations:
    from solver.eventhop.engines.timelines import TooLargeError, feasible_relations

    if not isinstance(item.claim, Claim) or item.claim.left == item.claim.right:
        return FeasibleRelations(relations=None, note="the claim is not about two events")
    try:
        found = feasible_relations(item, item.claim.left, item.claim.right)
    except TooLargeError as error:
        return FeasibleRelations(relations=None, note=error.message)
    note = "" if verdict.consistent else "in the relaxed premise"
    return FeasibleRelations(relations=tuple(r for r in AllenRelation if r in found), note=note)
