"""The remaining relations of an item, which name every event and preserve its status and hops."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from generators.eventhop.cells import END, SIDES, START, Bag, Kind, in_random_order, kind_of, pick
from generators.eventhop.skeleton import (
    CLAIMED,
    FAR,
    LEFT,
    RIGHT,
    Draft,
    Guard,
    MisfitError,
    directed,
    lay,
    links,
)
from solver.eventhop.engines.graph import PremiseGraph

TRIES = 12
"""Positions tried for a relation of one kind before another kind is tried."""


def fill(
    random: Random, bag: Bag, drafts: Sequence[Draft], events: int, *, cycles: bool = False
) -> None:
    """Add the rest of the bag so that every event is named.

    Args:
        random: source of randomness.
        bag: kinds that remain.
        drafts: the items to extend, all by the same relations; they relate the same events.
        events: number of events of the finished items.
        cycles: whether at least one relation has to close a cycle by chance, with at most one of
            the claim's points on it.

    Raises:
        MisfitError: some relation cannot be added.
    """
    for draft in drafts:
        while draft.events < events:
            draft.fresh()
    _name_the_rest(random, bag, drafts)
    left = sum(bag)
    if left or any(guard.hops == FAR for draft in drafts for guard in draft.guards):
        graphs = [_Graph(draft, cycles=cycles) for draft in drafts]
        for _ in range(left):
            _place_one(random, bag, graphs, events)
        if cycles and not all(draft.cyclic for draft in drafts if draft.guards):
            raise MisfitError


def _name_the_rest(random: Random, bag: Bag, drafts: Sequence[Draft]) -> None:
    """Relate each unnamed event to another one, which closes no walk."""
    draft = drafts[0]
    unnamed = [event for event in range(draft.events) if event not in draft.named]
    random.shuffle(unnamed)
    spare = sum(bag) - len(unnamed)
    tied = sorted(draft.named)
    while unnamed:
        event = unnamed.pop()
        # Pair two unnamed events where relations are scarce, and occasionally elsewhere.
        together = unnamed and (spare < 0 or not tied or random.random() < 0.15)
        if together:
            other = unnamed.pop()
            tied.append(other)
            spare += 1
        elif tied:
            other = pick(random, tied)
        else:
            raise MisfitError
        if {event, other} == {LEFT, RIGHT}:
            raise MisfitError
        if not any(bag):
            raise MisfitError
        _tie(random, bag, drafts, event, other)
        tied.append(event)


def _tie(random: Random, bag: Bag, drafts: Sequence[Draft], event: int, other: int) -> None:
    kind = random.choices(tuple(Kind), bag)[0]
    bag[kind] -= 1
    earlier, later = pick(random, SIDES[kind])
    if random.random() < 0.5:
        event, other = other, event
    for draft in drafts:
        draft.add(2 * event + earlier, 2 * other + later, kind < Kind.EQUAL_SAME)


def _place_one(random: Random, bag: Bag, graphs: Sequence[_Graph], events: int) -> None:
    for kind in in_random_order(random, bag):
        for _ in range(TRIES):
            first = int(random.random() * events)
            last = int(random.random() * (events - 1))
            last += last >= first
            earlier, later = pick(random, SIDES[kind])
            p, q = 2 * first + earlier, 2 * last + later
            if all(graph.admits(p, q, kind < Kind.EQUAL_SAME) for graph in graphs):
                bag[kind] -= 1
                for graph in graphs:
                    graph.add(p, q, kind < Kind.EQUAL_SAME)
                return
    raise MisfitError


class _Graph:
    """The steps of a draft, with incrementally maintained guarded distances."""

    def __init__(self, draft: Draft, *, cycles: bool) -> None:
        self._draft = draft
        self._cycles = cycles
        size = 2 * draft.events
        self._onward: list[list[int]] = [[] for _ in range(size)]
        self._back: list[list[int]] = [[] for _ in range(size)]
        # Bit sets of the points reachable from each point, and of those that reach it.
        self._beyond = [1 << p if p & 1 else 3 << p for p in range(size)]
        self._behind = [3 << p - 1 if p & 1 else 1 << p for p in range(size)]
        for earlier, later, strict in draft.edges:
            self._link(earlier, later, strict)
        for guard in draft.guards:
            self._measure(guard)

    def admits(self, earlier: int, later: int, strict: bool) -> bool:
        """Whether a relation is new, keeps the guarded distances and closes no cycle.

        Where cycles are allowed it may close one with at most one of the claim's points on it.
        """
        pair = (earlier, later) if earlier < later else (later, earlier)
        if pair in self._draft.pairs:
            return False
        for guard in self._draft.guards:
            if guard.spoiled_by(earlier, later) or (
                not strict and guard.spoiled_by(later, earlier)
            ):
                return False
        if self._leads(later, earlier):
            return strict and self._cycles and self._keeps_off_the_claim(earlier, later)
        if strict:
            return True
        near = self._draft.cyclic and self._joins_the_claim(earlier, later)
        return not (near or self._leads(earlier, later))

    def add(self, earlier: int, later: int, strict: bool) -> None:
        """Add an admitted relation."""
        self._draft.cyclic |= self._cycles and strict and self._leads(later, earlier)
        self._draft.add(earlier, later, strict)
        self._link(earlier, later, strict)
        for guard in self._draft.guards:
            self._shorten(guard, earlier, later)
            if not strict:
                self._shorten(guard, later, earlier)

    def _keeps_off_the_claim(self, earlier: int, later: int) -> bool:
        on_it = [
            point for point in CLAIMED if self._leads(later, point) and self._leads(point, earlier)
        ]
        return len(on_it) < 2

    def _joins_the_claim(self, earlier: int, later: int) -> bool:
        """Whether two of the claim's points would share a cycle with simultaneous points."""
        on_it = [
            point
            for point in CLAIMED
            if any(self._leads(p, point) and self._leads(point, p) for p in (earlier, later))
        ]
        return len(on_it) > 1

    def _link(self, earlier: int, later: int, strict: bool) -> None:
        self._step(earlier, later)
        if not strict:
            self._step(later, earlier)

    def _step(self, source: int, target: int) -> None:
        self._onward[source].append(target)
        self._back[target].append(source)
        if self._leads(source, target):
            return
        behind, beyond = self._behind[source], self._beyond[target]
        for point in _points(behind):
            self._beyond[point] |= beyond
        for point in _points(beyond):
            self._behind[point] |= behind

    def _leads(self, source: int, target: int) -> bool:
        return bool(self._beyond[source] >> target & 1)

    def _measure(self, guard: Guard) -> None:
        size = len(self._onward)
        guard.after = [FAR] * size
        guard.until = [FAR] * size
        guard.after[guard.source] = 0
        guard.until[guard.target] = 0
        self._spread(guard.after, guard.source, self._onward, 0)
        self._spread(guard.until, guard.target, self._back, 1)
        if not guard.hops:
            # Freeze the current distance.
            guard.hops = guard.after[guard.target]
        if guard.after[guard.target] < guard.hops:
            raise MisfitError

    def _shorten(self, guard: Guard, earlier: int, later: int) -> None:
        if guard.after[earlier] + 1 < guard.after[later]:
            guard.after[later] = guard.after[earlier] + 1
            self._spread(guard.after, later, self._onward, 0)
        if guard.until[later] + 1 < guard.until[earlier]:
            guard.until[earlier] = guard.until[later] + 1
            self._spread(guard.until, earlier, self._back, 1)

    @staticmethod
    def _spread(distance: list[int], source: int, steps: list[list[int]], bound: int) -> None:
        """Propagate a shorter distance; an event's duration costs no hop."""
        fresh = deque([source])
        while fresh:
            point = fresh.popleft()
            here = distance[point]
            if point & 1 == bound and distance[point ^ 1] > here:
                distance[point ^ 1] = here
                fresh.appendleft(point ^ 1)
            for then in steps[point]:
                if distance[then] > here + 1:
                    distance[then] = here + 1
                    fresh.append(then)


def _points(bits: int) -> Iterator[int]:
    while bits:
        bit = bits & -bits
        yield bit.bit_length() - 1
        bits ^= bit


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
