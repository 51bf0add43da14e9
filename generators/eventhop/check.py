"""Verification of items: two engines decide each item, and its certificate is checked."""

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
    """A rejected certificate: an engine or the certificate generator is wrong."""

    code = "uncertified"
    exit_status = ExitStatus.DISAGREEMENT


class Checker:
    """Checks whether items match their cells."""

    def __init__(self) -> None:
        self._crosscheck = Crosscheck(DEFAULT_ENGINES)

    def matches(self, items: Sequence[Item], cells: Sequence[Cell]) -> list[bool]:
        """For each item, whether its status, consistency and hops are those of its cell.

        Raises:
            DisagreementError: the engines disagree.
            UncertifiedError: a certificate is rejected.
        """
        verdicts = self._crosscheck.decide(items)
        return [
            _matches(item, cell, verdict)
            for item, cell, verdict in zip(items, cells, verdicts, strict=True)
        ]


def _matches(item: Item, cell: Cell, verdict: Verdict) -> bool:
    certificate = certify(item, verdict)
    error = certificate_error(item, verdict.status, certificate)
    if error is not None:
        raise UncertifiedError(
            f"the certificate does not prove that the item is {verdict.status}: {error}",
            where=item.id,
        )
    return (
        verdict.status is cell.status
        and verdict.consistent is not cell.contradiction
        and hops(certificate) == cell.hops
    )


def event_distance(item: Item) -> int | None:
    """Undirected distance between the claim's two events, in relations; None if unconnected."""
    neighbours: dict[str, list[str]] = {}
    for relation in item.premise:
        left, right = relation.left.event, relation.right.event
        neighbours.setdefault(left, []).append(right)
        neighbours.setdefault(right, []).append(left)
    first, last = str(item.claim.left), str(item.claim.right)
    distance = {first: 0}
    fresh = deque([first])
    while fresh:
        event = fresh.popleft()
        if event == last:
            return distance[event]
        for then in neighbours.get(event, ()):
            if then not in distance:
                distance[then] = distance[event] + 1
                fresh.append(then)
    return None
