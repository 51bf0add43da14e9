"""Tests the engines on items with known labels."""

from __future__ import annotations

from dataclasses import dataclass

from grammar.errors import HopcheckError
from grammar.eventhop.model import Bound, Claim, ClaimRelation, Item, Order, Point, Relation, Status
from solver.eventhop.certificates.lines import certificate_error
from solver.eventhop.certificates.make import certify, hops
from solver.eventhop.crosscheck import engine
from solver.eventhop.engines import EngineName


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """Result for an engine; ``trouble`` is empty if it works."""

    engine: EngineName
    trouble: str


def self_test() -> list[Check]:
    """Run each engine on the known items and check the certificates."""
    return [Check(engine=name, trouble=_trouble(name)) for name in EngineName]


def _trouble(name: EngineName) -> str:
    try:
        verdicts = engine(name).decide(list(_KNOWN))
        for (item, status), verdict in zip(_KNOWN.items(), verdicts, strict=True):
            if verdict.status is not status:
                return f"found {verdict.status} for item {item.id}, expected {status}"
            certificate = certify(item, verdict)
            error = certificate_error(item, verdict, hops(certificate), certificate)
            if error is not None:
                return f"certificate of item {item.id} rejected: {error}"
    except (HopcheckError, ImportError) as failure:
        return f"fails: {failure}"
    return ""


def _item(name: str, claimed: ClaimRelation, *premise: str) -> Item:
    """An item about A and B; in ``A+<B-``, minus marks a start and plus an end."""
    return Item(
        id=name,
        premise=tuple(
            Relation(left=_point(text[:2]), order=_ORDERS[text[2]], right=_point(text[3:]))
            for text in premise
        ),
        claim=Claim(left="A", relation=claimed, right="B"),
    )


def _point(text: str) -> Point:
    return Point(event=text[0], bound=Bound.START if text[1] == "-" else Bound.END)


_ORDERS = {"<": Order.BEFORE, ">": Order.AFTER, "=": Order.SIMULTANEOUS}
_BEFORE, _OVERLAPS = ClaimRelation.BEFORE, ClaimRelation.OVERLAPS
_KNOWN = {
    _item("meeting", _BEFORE, "A+=C-", "C-=B-"): Status.ENTAILED,
    _item("nested", _OVERLAPS, "A-<B-", "A+>B+"): Status.ENTAILED,
    _item("apart", _OVERLAPS, "A+<B-"): Status.REFUTED,
    _item("open", _BEFORE, "A-<B-"): Status.UNKNOWN,
    _item("contradictory", _BEFORE, "A-=B-", "A-<B-"): Status.CONTRADICTORY,
    _item("contradictory elsewhere", _BEFORE, "C-<D-", "D-<C-", "A+<B-"): Status.ENTAILED,
}
