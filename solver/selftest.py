"""A self-test for an installation: every engine on items whose status is known."""

from __future__ import annotations

from dataclasses import dataclass

from solver.certificates.certify import certify
from solver.certificates.replay import objection
from solver.engines import EngineName, engine
from solver.errors import HopcheckError
from solver.model import Bound, Claim, ClaimRelation, Item, Order, Point, Relation, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """How an engine did; ``trouble`` is empty if it works."""

    engine: EngineName
    trouble: str


def self_test() -> list[Check]:
    """Ask each engine for the status of the known items, and replay the certificates."""
    return [Check(engine=name, trouble=_trouble(name)) for name in EngineName]


def _trouble(name: EngineName) -> str:
    try:
        verdicts = engine(name).decide(list(_KNOWN))
        for (item, status), verdict in zip(_KNOWN.items(), verdicts, strict=True):
            if verdict.status is not status:
                return f"says {verdict.status} of item {item.id}, which is {status}"
            why_not = objection(item, status, certify(item, verdict))
            if why_not is not None:
                return f"its verdict on item {item.id} has no certificate: {why_not}"
    except (HopcheckError, ImportError) as error:
        return f"fails: {error}"
    return ""


def _item(name: str, claimed: ClaimRelation, *premise: str) -> Item:
    """An item about A and B; sentences such as ``A+<B-``, minus for a start, plus for an end."""
    return Item(
        id=name,
        premise=tuple(
            Relation(left=_point(said[:2]), order=_ORDERS[said[2]], right=_point(said[3:]))
            for said in premise
        ),
        claim=Claim(left="A", relation=claimed, right="B"),
    )


def _point(said: str) -> Point:
    return Point(event=said[0], bound=Bound.START if said[1] == "-" else Bound.END)


_ORDERS = {"<": Order.BEFORE, ">": Order.AFTER, "=": Order.SIMULTANEOUS}
_BEFORE, _OVERLAPS = ClaimRelation.BEFORE, ClaimRelation.OVERLAPS
_KNOWN = {
    _item("meeting", _BEFORE, "A+=C-", "C-=B-"): Status.ENTAILED,
    _item("nested", _OVERLAPS, "A-<B-", "A+>B+"): Status.ENTAILED,
    _item("apart", _OVERLAPS, "A+<B-"): Status.REFUTED,
    _item("open", _BEFORE, "A-<B-"): Status.UNKNOWN,
    _item("torn", _BEFORE, "A-=B-", "A-<B-"): Status.CONTRADICTORY,
    _item("torn elsewhere", _BEFORE, "C-<D-", "D-<C-", "A+<B-"): Status.ENTAILED,
}
