"""Contradictions planted away from the claim: its own points stay free of them."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from generators.eventhop.chains import directed, lay, links
from generators.eventhop.draft import Draft, MisfitError
from generators.eventhop.kinds import Bag

LONGEST = 4
"""Relations of a planted cycle, at most."""


def plant(random: Random, bag: Bag, draft: Draft, *, events: int, relations: int) -> None:
    """Add a cycle through no event of the claim: through new ones, on a chain, or both.

    Args:
        random: where to draw from.
        bag: kinds that are left.
        draft: to be added to.
        events: how many the finished item has.
        relations: likewise.

    Raises:
        MisfitError: there is no room for it, or no kind.
    """
    space = _Space(
        relations=relations - len(draft.edges),
        new=events - draft.events,
        unnamed=events - len(draft.named),
    )
    ways = [_on_new_events] if space.lengths(old=0) else []
    if any(draft.inner) and space.lengths(old=1):
        ways.append(_through_a_chain)
    if any(len(inner) > 1 for inner in draft.inner):
        ways.append(_back_along_a_chain)
    if not ways:
        raise MisfitError
    random.choice(ways)(random, bag, draft, space)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Space:
    """Relations, new events and events to be named that an item still has room for."""

    relations: int
    new: int
    unnamed: int

    def holds(self, relations: int, new: int) -> bool:
        """Whether the relations that are left after these can name all events."""
        spare = self.relations - relations
        return spare >= 0 and new <= self.new and self.unnamed - new <= 2 * spare

    def lengths(self, *, old: int) -> list[int]:
        """Cycles that fit, through so many events that are there already."""
        return [n for n in range(2, LONGEST + 1) if self.holds(n, n - old)]


def _on_new_events(random: Random, bag: Bag, draft: Draft, space: _Space) -> None:
    hops = random.choice(space.lengths(old=0))
    _close(random, bag, draft, draft.fresh(), hops)


def _through_a_chain(random: Random, bag: Bag, draft: Draft, space: _Space) -> None:
    hops = random.choice(space.lengths(old=1))
    event = random.choice([event for inner in draft.inner for event in inner])
    _close(random, bag, draft, event, hops)


def _close(random: Random, bag: Bag, draft: Draft, event: int, hops: int) -> None:
    cycle = links(random, bag, hops, closed=True)
    if not (directed(cycle) or cycle[-1].into != cycle[0].out):
        raise MisfitError
    lay(draft, cycle, [event, *(draft.fresh() for _ in cycle[1:]), event])


def _back_along_a_chain(random: Random, bag: Bag, draft: Draft, space: _Space) -> None:
    """One relation from an event inside a chain back to an earlier one."""
    if not space.holds(1, 0):
        raise MisfitError
    inner = random.choice([inner for inner in draft.inner if len(inner) > 1])
    first = random.randrange(len(inner) - 1)
    last = random.randrange(first + 1, min(len(inner), first + LONGEST))
    entered = {edge.later for edge in draft.edges}
    left_by = {edge.earlier for edge in draft.edges}
    # From the event's last point on the chain, or a later one; to the other's first, or earlier.
    (link,) = links(random, bag, 1)
    source, target = 2 * inner[last] + link.out, 2 * inner[first] + link.into
    behind = any(p in entered and p <= source for p in (source, source ^ 1))
    ahead = any(p in left_by and p >= target for p in (target, target ^ 1))
    if not (behind and ahead and link.strict):
        raise MisfitError
    draft.add(source, target, link.strict)
