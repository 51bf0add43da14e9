"""Every item is decided by two engines and certified before it is written."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from generators.eventhop.cells import Cell
from solver.certificates.certify import certify, hops
from solver.certificates.replay import certificate_error
from solver.crosscheck import Crosscheck
from solver.errors import ExitStatus, HopcheckError
from solver.model import Item, Verdict
from solver.verify.settings import DEFAULT_ENGINES


class UncertifiedError(HopcheckError):
    """A certificate that does not replay: the engines or the certificates are wrong."""

    code = "uncertified"
    exit_status = ExitStatus.DISAGREEMENT


class Checker:
    """Says whether items are what their cells want."""

    def __init__(self) -> None:
        self._crosscheck = Crosscheck(DEFAULT_ENGINES)

    def right(self, items: Sequence[Item], cells: Sequence[Cell]) -> list[bool]:
        """One answer an item; its status, its consistency and its hops have to be the cell's.

        Raises:
            DisagreementError: the engines differ.
            UncertifiedError: a certificate does not show its verdict.
        """
        verdicts = self._crosscheck.decide(items)
        return [
            _right(item, cell, verdict)
            for item, cell, verdict in zip(items, cells, verdicts, strict=True)
        ]


def _right(item: Item, cell: Cell, verdict: Verdict) -> bool:
    certificate = certify(item, verdict)
    why_not = certificate_error(item, verdict.status, certificate)
    if why_not is not None:
        raise UncertifiedError(
            f"the certificate of an item does not show that it is {verdict.status}: {why_not}",
            where=item.id,
        )
    return (
        verdict.status is cell.status
        and verdict.consistent is not cell.contradiction
        and hops(certificate) == cell.hops
    )


def event_distance(item: Item) -> int | None:
    """Relations between the claim's two events, direction aside; None if nothing joins them."""
    beside: dict[str, list[str]] = {}
    for relation in item.premise:
        left, right = relation.left.event, relation.right.event
        beside.setdefault(left, []).append(right)
        beside.setdefault(right, []).append(left)
    first, last = str(item.claim.left), str(item.claim.right)
    distance = {first: 0}
    fresh = deque([first])
    while fresh:
        event = fresh.popleft()
        if event == last:
            return distance[event]
        for then in beside.get(event, ()):
            if then not in distance:
                distance[then] = distance[event] + 1
                fresh.append(then)
    return None
