"""Contradictions planted away from the claim, whose own points stay consistent."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from random import Random

from generators.eventhop.chains import directed, lay, links
from generators.eventhop.draft import CLAIMED, LEFT, RIGHT, Draft, MisfitError
from generators.eventhop.kinds import END, START, Bag, kind_of
from solver.engines.closure import PremiseGraph

LONGEST = 4
"""Maximum number of relations of a planted cycle."""


def plant(random: Random, bag: Bag, draft: Draft, *, events: int, relations: int) -> None:
    """Add a cycle that leaves the claim's points consistent, on a chain or on new events.

    Args:
        random: source of randomness.
        bag: kinds that remain.
        draft: the item to extend.
        events: number of events of the finished item.
        relations: number of relations of the finished item.

    Raises:
        MisfitError: too few relations, events or kinds remain.
    """
    space = _Space(
        relations=relations - len(draft.edges),
        new=events - draft.events,
        unnamed=events - len(draft.named),
    )
    ways = [_on_new_events] if space.lengths(old=0) else []
    if space.lengths(old=1):
        ways.append(_through_a_claimed_point)
        if _inside(draft):
            ways.append(_through_a_chain)
    if any(len(walk) > 3 for walk in draft.walks):
        ways.append(_back_along_a_chain)
    if not ways:
        raise MisfitError
    random.choice(ways)(random, bag, draft, space)
    if _reaches_the_claim(draft):
        raise MisfitError
    draft.cyclic = True


def _reaches_the_claim(draft: Draft) -> bool:
    """Whether two of the claim's points contradict each other by way of ``=``."""
    strict = [0 if point & 1 else 2 << point for point in range(2 * draft.events)]
    loose = [0] * len(strict)
    for earlier, later, is_strict in draft.edges:
        if is_strict:
            strict[earlier] |= 1 << later
        else:
            loose[earlier] |= 1 << later
            loose[later] |= 1 << earlier
    graph = PremiseGraph(strict=strict, loose=loose)
    after = [graph.descendants(point).strict for point in CLAIMED]
    return any(after[p] >> q & 1 and after[q] >> p & 1 for p, q in combinations(CLAIMED, 2))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Space:
    """Relations, new events and unnamed events that an item can still take."""

    relations: int
    new: int
    unnamed: int

    def holds(self, relations: int, new: int) -> bool:
        """Whether the remaining relations can name all events."""
        spare = self.relations - relations
        return spare >= 0 and new <= self.new and self.unnamed - new <= 2 * spare

    def lengths(self, *, old: int) -> list[int]:
        """Feasible cycle lengths through that many existing events."""
        return [n for n in range(2, LONGEST + 1) if self.holds(n, n - old)]


def _on_new_events(random: Random, bag: Bag, draft: Draft, space: _Space) -> None:
    hops = random.choice(space.lengths(old=0))
    _close(random, bag, draft, draft.fresh(), hops)


def _through_a_chain(random: Random, bag: Bag, draft: Draft, space: _Space) -> None:
    hops = random.choice(space.lengths(old=1))
    event = random.choice(_inside(draft))
    _close(random, bag, draft, event, hops)


def _inside(draft: Draft) -> list[int]:
    """The inner events of chains."""
    return [point >> 1 for walk in draft.walks for point in walk[1:-1:2]]


def _close(random: Random, bag: Bag, draft: Draft, event: int, hops: int) -> None:
    cycle = links(random, bag, hops, closed=True)
    if not (directed(cycle) or cycle[-1].into != cycle[0].out):
        raise MisfitError
    lay(draft, cycle, [event, *(draft.fresh() for _ in cycle[1:]), event])


def _through_a_claimed_point(random: Random, bag: Bag, draft: Draft, space: _Space) -> None:
    """Add a cycle through exactly one point of the claim."""
    hops = random.choice(space.lengths(old=1))
    event, bound = random.choice((LEFT, RIGHT)), random.choice((START, END))
    point = 2 * event + bound
    if any(not edge.strict and point in edge for edge in draft.edges):
        raise MisfitError
    cycle = links(random, bag, hops, outs=(bound,), ins=(bound,), closed=True)
    if not directed(cycle):
        raise MisfitError
    lay(draft, cycle, [event, *(draft.fresh() for _ in cycle[1:]), event])


def _back_along_a_chain(random: Random, bag: Bag, draft: Draft, space: _Space) -> None:
    """Add a strict relation back to an earlier point of a chain, one end of it inner."""
    if not space.holds(1, 0):
        raise MisfitError
    walk = random.choice([walk for walk in draft.walks if len(walk) > 3])
    hops = len(walk) // 2
    first = random.randrange(hops)
    last = random.randrange(first + 1, min(hops, first + LONGEST - 1) + 1)
    if first == 0 and last == hops:
        raise MisfitError
    # From an inner event either its entry point or a later one leads back; from the claim's own
    # events, at the ends of the chain, only the point on the chain.
    source, target = walk[2 * last - 1], walk[2 * first]
    if last < hops and random.random() < 0.5:
        source |= 1
    if first > 0 and random.random() < 0.5:
        target &= ~1
    kind = kind_of(source, target)
    if not bag[kind]:
        raise MisfitError
    bag[kind] -= 1
    draft.add(source, target, True)
