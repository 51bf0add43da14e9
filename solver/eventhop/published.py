"""The procedure that labelled the published EventHopNLI files, with its five faults as switches.

Algorithms 1 to 7 of the paper's appendix, as printed. They approximate derivation over the points
of a premise; ``Fault`` lists the deviations. With every fault repaired the label is that of the
``local`` policy.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain, combinations
from typing import TypeAlias

from grammar.errors import HopcheckError
from grammar.eventhop.model import (
    PUBLISHED_ORDERS,
    Claim,
    ClaimRelation,
    Item,
    Label,
    Order,
)
from solver.eventhop.engines import Fault
from solver.eventhop.engines.graph import NumberedItem, number


class UnpublishedClaimError(HopcheckError):
    """A claim relation that the published procedure does not support."""

    code = "unpublished-claim"


class UnpublishedOrderError(UnpublishedClaimError):
    """A premise with an order of points that the published procedure does not support."""

    code = "unpublished-order"


_Arcs: TypeAlias = list[list[tuple[int, bool]]]
"""For each point, the (target, strict) pairs of its outgoing steps, in the order tried."""


def _arcs(item: NumberedItem) -> _Arcs:
    """Outgoing steps: the event's duration first, then premise relations in text order."""
    arcs: _Arcs = []
    for event in range(len(item.events)):
        arcs += [(_end(event), True)], []
    for left, order, right in item.relations:
        if order is Order.BEFORE:
            arcs[left].append((right, True))
        elif order is Order.AFTER:
            arcs[right].append((left, True))
        else:
            arcs[left].append((right, False))
            arcs[right].append((left, False))
    return arcs


def _reached_strictly(arcs: _Arcs, source: int, *, seen_early: bool) -> frozenset[int]:
    """Points that Algorithm 2 finds to be after ``source``.

    The printed search stops as soon as its target is pushed with a strict arrival. Up to then it
    does not depend on the target, so one search serves all targets.
    """
    reached: set[int] = set()
    seen: set[int] = set()
    # States are 2 * point, and one more after a strict step.
    stack = [2 * source]
    while stack:
        state = stack.pop()
        key = state >> 1 if seen_early else state
        if key in seen:
            continue
        seen.add(key)
        for target, step in arcs[state >> 1]:
            if step or state & 1:
                reached.add(target)
                stack.append(2 * target + 1)
            else:
                stack.append(2 * target)
    return frozenset(reached)


def _simultaneous(arcs: _Arcs, source: int) -> frozenset[int]:
    """Other points that Algorithm 6 finds simultaneous with ``source``."""
    seen = {source}
    stack = [source]
    while stack:
        for target, strict in arcs[stack.pop()]:
            if not strict and target not in seen:
                seen.add(target)
                stack.append(target)
    return frozenset(seen - {source})


@dataclass(slots=True, kw_only=True)
class _Searches:
    """Cached searches over one item; all repairs but ``SEEN_EARLY`` share them."""

    arcs: _Arcs
    strict: dict[tuple[int, bool], frozenset[int]] = field(default_factory=dict)
    loose: dict[int, frozenset[int]] = field(default_factory=dict)

    def after(self, source: int, *, seen_early: bool) -> frozenset[int]:
        """Points that Algorithm 2 finds to be after ``source``."""
        key = (source, seen_early)
        if key not in self.strict:
            self.strict[key] = _reached_strictly(self.arcs, source, seen_early=seen_early)
        return self.strict[key]

    def equal(self, source: int) -> frozenset[int]:
        """Points that Algorithm 6 finds simultaneous with ``source``."""
        if source not in self.loose:
            self.loose[source] = _simultaneous(self.arcs, source)
        return self.loose[source]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """The printed algorithms over one item with some faults repaired; events are numbers."""

    searches: _Searches
    repaired: frozenset[Fault]

    def label(self, claim: ClaimRelation, left: int, right: int) -> Label:
        if self._contradictory_events(left, right):
            return Label.UNDEFINED
        match claim:
            case ClaimRelation.BEFORE:
                holds = self._strictly_before(left, right)
            case ClaimRelation.AFTER:
                holds = self._strictly_before(right, left)
            case ClaimRelation.OVERLAPS:
                holds = self._overlaps_forwards(left, right) or self._overlaps_forwards(right, left)
        return Label.TRUE if holds else Label.FALSE

    def _overlaps_forwards(self, a: int, b: int) -> bool:
        """Algorithm 1."""
        if self._before(_end(a), _start(a)) or self._before(_end(b), _start(b)):
            return False
        if Fault.OVERLAP_BY_ABSENCE in self.repaired:
            return self._before(_start(a), _end(b)) and self._before(_start(b), _end(a))
        first = not self._before(_start(b), _start(a)) or self._before(_start(a), _start(b))
        return first and self._before(_start(b), _end(a))

    def _before(self, p: int, q: int) -> bool:
        """Algorithm 2."""
        return q in self.searches.after(p, seen_early=Fault.SEEN_EARLY not in self.repaired)

    def _contradictory_events(self, a: int, b: int) -> bool:
        """Algorithm 3."""
        return (
            self._contradictory(_start(a), _start(b))
            or self._contradictory(_start(a), _end(a))
            or self._contradictory(_start(a), _end(b))
            or self._contradictory(_start(b), _end(b))
            or (
                Fault.PAIR_UNCHECKED in self.repaired
                and (
                    self._contradictory(_end(a), _end(b)) or self._contradictory(_end(a), _start(b))
                )
            )
        )

    def _contradictory(self, p: int, q: int) -> bool:
        """Algorithm 4; its first line is read as: p and q are start and end of one event."""
        of_one_event = p % 2 == 0 and q == p + 1
        if of_one_event and Fault.SAME_EVENT_EXEMPT not in self.repaired:
            return False
        if not (self._before(p, q) and self._before(q, p)):
            return False
        return Fault.SIMULTANEOUS_EXEMPT in self.repaired or q not in self.searches.equal(p)

    def _strictly_before(self, a: int, b: int) -> bool:
        """Algorithm 7; meeting counts."""
        return self._before(_start(a), _start(b)) and (
            self._before(_end(a), _start(b)) or _start(b) in self.searches.equal(_end(a))
        )


def _start(event: int) -> int:
    return 2 * event


def _end(event: int) -> int:
    return 2 * event + 1


class Procedure:
    """The published procedure over one item; searches are cached.

    Args:
        item: an item with one of the paper's three claims.

    Raises:
        UnpublishedClaimError: for any other claim, or for a premise with a weak order.
    """

    def __init__(self, item: Item) -> None:
        claim = item.claim
        if not isinstance(claim, Claim) or not isinstance(claim.relation, ClaimRelation):
            raise UnpublishedClaimError(
                f"the published procedure does not support the claim '{claim}', "
                "only before, after and overlaps between two events",
                where=item.id,
                hint="use the policy local or global",
            )
        weak = (r for r in item.premise if r.order not in PUBLISHED_ORDERS)
        for relation in weak:
            from solver.eventhop.messages import sentence_in_words

            raise UnpublishedOrderError(
                "the published procedure does not support the sentence "
                f"'{sentence_in_words(relation)}', only before, after and simultaneous",
                where=item.id,
                hint="use the policy local or global",
            )
        numbered = number(item)
        self._relation = claim.relation
        self._left, self._right = numbered.claim
        self._searches = _Searches(arcs=_arcs(numbered))

    def label(self, repaired: frozenset[Fault] = frozenset()) -> Label:
        """Label of the item with these faults repaired."""
        run = _Run(searches=self._searches, repaired=repaired)
        return run.label(self._relation, self._left, self._right)


def published_label(item: Item, repaired: frozenset[Fault] = frozenset()) -> Label:
    """Label of an item under the published procedure.

    Args:
        item: an item with one of the paper's three claims.
        repaired: faults to repair; none gives the procedure as printed, all the ``local`` policy.

    Raises:
        UnpublishedClaimError: for any other claim, or for a premise with a weak order.
    """
    return Procedure(item).label(repaired)


def causes(item: Item, gold: Label, local: Label) -> tuple[Fault, ...]:
    """The smallest set of faults whose repair changes a published label to the correct one.

    Args:
        item: the item, in the spatial reading in which it was labelled.
        gold: the gold label.
        local: the label under the ``local`` policy.

    Returns:
        The faults in their fixed order; among several smallest sets the lexicographically first.
        Empty if ``gold`` is ``local``, if the procedure as printed does not give ``gold``, or if
        the claim is not one of the paper's three or the premise has a weak order.
    """
    try:
        procedure = Procedure(item)
    except UnpublishedClaimError:
        return ()
    if gold is local or procedure.label() is not gold:
        return ()
    sets = chain.from_iterable(combinations(Fault, size) for size in range(1, len(Fault) + 1))
    return next((faults for faults in sets if procedure.label(frozenset(faults)) is local), ())
