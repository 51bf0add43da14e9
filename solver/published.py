"""The procedure that labelled the published EventHopNLI files, its five faults as switches.

Algorithms 1 to 7 of the paper's appendix, as printed. What they search for is derivation over the
points of a premise; where they fail to find it is told by ``Fault``. With every fault repaired the
label is that of the ``local`` policy.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from solver.errors import HopcheckError
from solver.model import Claim, ClaimRelation, Item, Label, Order
from solver.numbering import NumberedItem, number


class Fault(StrEnum):
    """Where the printed procedure departs from derivation; the order is fixed."""

    SIMULTANEOUS_EXEMPT = "simultaneous-exempt"
    """Algorithm 4 never calls a pair contradictory that is derivably equal."""

    SAME_EVENT_EXEMPT = "same-event-exempt"
    """Algorithm 4 lets an event pass whose end is derivably before its start."""

    SEEN_EARLY = "seen-early"
    """Algorithm 2 marks a point as seen when met without a strict step, and misses a strict one."""

    PAIR_UNCHECKED = "pair-unchecked"
    """Algorithm 3 looks at four of the six pairs: never at end-end, never at end(A)-start(B)."""

    OVERLAP_BY_ABSENCE = "overlap-by-absence"
    """Algorithm 1 takes it that A starts first when nothing says that B does."""


class UnpublishedClaimError(HopcheckError):
    """A claim that the published procedure knows nothing of."""

    code = "unpublished-claim"


_Arcs: TypeAlias = list[list[tuple[int, bool]]]
"""For each point (target, strict) of each relation that leads on from it, in the order tried."""


def _arcs(item: NumberedItem) -> _Arcs:
    """A point's relations: its event's duration first, then those of the premise as written."""
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
    """Points that Algorithm 2 finds ``source`` to be before.

    The printed search ends when its target stands on the stack with the mark of a strict arrival;
    as it looks after every relation, that is when the target is put there. What it does until then
    does not depend on the target, so one search answers for all of them.
    """
    reached: set[int] = set()
    seen: set[int | tuple[int, bool]] = set()
    stack = [(source, False)]
    while stack:
        point, strict = stack.pop()
        state = point if seen_early else (point, strict)
        if state in seen:
            continue
        seen.add(state)
        for target, step in arcs[point]:
            if strict or step:
                reached.add(target)
            stack.append((target, strict or step))
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
    """Searches over one item, each made once: repairs other than ``SEEN_EARLY`` share them."""

    arcs: _Arcs
    strict: dict[tuple[int, bool], frozenset[int]] = field(default_factory=dict)
    loose: dict[int, frozenset[int]] = field(default_factory=dict)

    def after(self, source: int, *, seen_early: bool) -> frozenset[int]:
        """Points that Algorithm 2 puts after ``source``."""
        key = (source, seen_early)
        if key not in self.strict:
            self.strict[key] = _reached_strictly(self.arcs, source, seen_early=seen_early)
        return self.strict[key]

    def equal(self, source: int) -> frozenset[int]:
        """Points that Algorithm 6 puts together with ``source``."""
        if source not in self.loose:
            self.loose[source] = _simultaneous(self.arcs, source)
        return self.loose[source]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """The printed algorithms over one item, some faults repaired; events are numbers."""

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
        """Algorithm 4, its first line read as intended: p and q are one event's start and end."""
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
    """The published procedure over one item; asked again, it repeats no search.

    Args:
        item: an item that makes one of the paper's three claims.

    Raises:
        UnpublishedClaimError: for any other claim.
    """

    def __init__(self, item: Item) -> None:
        claim = item.claim
        if not isinstance(claim, Claim) or not isinstance(claim.relation, ClaimRelation):
            raise UnpublishedClaimError(
                f"the published procedure has no label for the claim '{claim}'; "
                "it knows before, after and overlaps, of two events",
                where=item.id,
                hint="use the policy local or global",
            )
        numbered = number(item)
        self._relation = claim.relation
        self._left, self._right = numbered.claim
        self._searches = _Searches(arcs=_arcs(numbered))

    def label(self, repaired: frozenset[Fault] = frozenset()) -> Label:
        """Label of the item once these faults are repaired."""
        run = _Run(searches=self._searches, repaired=repaired)
        return run.label(self._relation, self._left, self._right)


def published_label(item: Item, repaired: frozenset[Fault] = frozenset()) -> Label:
    """Label that the published procedure gives an item.

    Args:
        item: an item that makes one of the paper's three claims.
        repaired: the faults to repair; none of them is the procedure as printed, all of them the
            ``local`` policy.

    Raises:
        UnpublishedClaimError: for any other claim.
    """
    return Procedure(item).label(repaired)
