"""The remaining relations of an item, which name every event and preserve its status and hops."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from generators.eventhop.skeleton import (
    CLAIMED,
    END,
    FAR,
    LEFT,
    RIGHT,
    SIDES,
    START,
    Bag,
    Draft,
    Edge,
    Guard,
    Kind,
    MisfitError,
    directed,
    in_random_order,
    kind_of,
    lay,
    links,
    pick,
)
from solver.eventhop.engines.graph import PremiseGraph

STRICT = tuple(kind for kind in Kind if kind.strict)
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
        graphs = _Graphs(drafts, cycles=cycles)
        for _ in range(left):
            _place_one(random, bag, graphs, events)
        if not graphs.finished():
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
    edge = (Edge(2 * event + earlier, 2 * other + later, kind < Kind.EQUAL_SAME),)
    for draft in drafts:
        draft.extend(edge)


def _place_one(random: Random, bag: Bag, graphs: _Graphs, events: int) -> None:
    number, admit = random.random, graphs.admit
    kinds = in_random_order(random, bag)
    # The items of a matched group share these relations, so they may be of another kind, too.
    others = [kind for kind in STRICT if not bag[kind]] if graphs.several else ()
    for kind in (*kinds, *others):
        strict = kind < Kind.EQUAL_SAME
        sides = SIDES[kind]
        for _ in range(TRIES):
            first = int(number() * events)
            last = int(number() * (events - 1))
            last += last >= first
            earlier, later = sides[int(number() * len(sides))]
            p, q = 2 * first + earlier, 2 * last + later
            if admit(p, q, strict):
                bag[kind if bag[kind] else kinds[0]] -= 1
                graphs.add(p, q, strict)
                return
    raise MisfitError


class _Graphs:
    """The steps of several drafts, which take the same further relations.

    The sets of points of all drafts are packed into one integer, so that a relation is tried and
    added in all of them at once: point ``p`` of draft ``n`` is the bit ``n * size + p``. A set of
    drafts has the bits ``n * size``.
    """

    def __init__(self, drafts: Sequence[Draft], *, cycles: bool) -> None:
        self.several = len(drafts) > 1
        self._drafts = drafts
        self._cycles = cycles
        size = 2 * drafts[0].events
        lanes = [1 << (size * number) for number in range(len(drafts))]
        self._every = sum(lanes)
        self._full = (1 << size) - 1
        self._pairs = {pair for draft in drafts for pair in draft.pairs}
        self._added: list[Edge] = []
        self._acyclic = sum(
            lane for lane, draft in zip(lanes, drafts, strict=True) if not draft.cyclic
        )
        self._guarded = sum(lane for lane, draft in zip(lanes, drafts, strict=True) if draft.guards)
        # The points reachable from each point, itself included.
        self._beyond = [(self._every if p & 1 else 3 * self._every) << p for p in range(size)]
        members: dict[Edge, int] = {}
        for lane, draft in zip(lanes, drafts, strict=True):
            for edge in draft.edges:
                members[edge] = members.get(edge, 0) | lane
        for (earlier, later, strict), of in members.items():
            self._step(earlier, later, of)
            if not strict:
                self._step(later, earlier, of)
        self._apart: list[tuple[int, int, int]] = []
        self._steps: list[_Steps] = []
        self._distances: list[_Distances] = []
        for lane, draft in zip(lanes, drafts, strict=True):
            self._guard(lane, draft)

    def _guard(self, lane: int, draft: Draft) -> None:
        measured = [guard for guard in draft.guards if guard.hops != FAR]
        if measured:
            steps = _Steps(draft)
            self._steps.append(steps)
            self._distances += (_Distances(guard, steps) for guard in measured)
        for guard in draft.guards:
            if guard.hops == FAR:
                if self._beyond[guard.source] >> guard.target & lane:
                    raise MisfitError
                self._apart.append((guard.source, guard.target, lane))

    def admit(self, earlier: int, later: int, strict: bool) -> bool:
        """Whether a relation is new, keeps the guarded distances and closes no cycle.

        Where cycles are allowed it may close one with at most one of the claim's points on it.
        """
        pair = (earlier, later) if earlier < later else (later, earlier)
        if pair in self._pairs:
            return False
        beyond, every = self._beyond, self._every
        back = beyond[later] >> earlier & every
        if back and not (strict and self._cycles):
            return False
        for distances in self._distances:
            if distances.shortened_by(earlier, later) or (
                not strict and distances.shortened_by(later, earlier)
            ):
                return False
        for source, target, lane in self._apart:
            if beyond[source] >> earlier & beyond[later] >> target & lane or (
                not strict and beyond[source] >> later & beyond[earlier] >> target & lane
            ):
                return False
        if strict:
            return not back or not self._two_claimed(back, [(later, earlier)])
        if beyond[earlier] >> later & every:
            return False
        cyclic = every & ~self._acyclic
        # The claim's points must not share a cycle with simultaneous points.
        return not (cyclic and self._two_claimed(cyclic, [(p, p) for p in (earlier, later)]))

    def add(self, earlier: int, later: int, strict: bool) -> None:
        """Add an admitted relation."""
        if self._cycles and strict:
            self._acyclic &= ~(self._beyond[later] >> earlier)
        self._added.append(Edge(earlier, later, strict))
        self._pairs.add((earlier, later) if earlier < later else (later, earlier))
        ways = ((earlier, later),) if strict else ((earlier, later), (later, earlier))
        for source, target in ways:
            self._step(source, target, self._every)
            for steps in self._steps:
                steps.add(source, target)
        for source, target in ways:
            for distances in self._distances:
                distances.shorten(source, target)

    def finished(self) -> bool:
        """Add the relations to the drafts; False if one lacks a cycle that it has to have."""
        for draft in self._drafts:
            draft.edges += self._added
        return not (self._cycles and self._acyclic & self._guarded)

    def _two_claimed(self, drafts: int, ways: Sequence[tuple[int, int]]) -> int:
        """The drafts in which two of the claim's points are on a way from a point to another."""
        beyond, total = self._beyond, 0
        for point in CLAIMED:
            on_it = 0
            for first, last in ways:
                on_it |= beyond[first] >> point & beyond[point] >> last
            total += on_it & drafts
        return (total >> 1 | total >> 2) & drafts

    def _step(self, source: int, target: int, drafts: int) -> None:
        beyond, full = self._beyond, self._full
        fresh = drafts & ~(beyond[source] >> target)
        if fresh:
            more, at_source = beyond[target], fresh << source
            self._beyond = [
                reached | more & (of >> source) * full if (of := reached & at_source) else reached
                for reached in beyond
            ]


class _Steps:
    """The points after and before each point of a draft, without the durations of events."""

    def __init__(self, draft: Draft) -> None:
        size = 2 * draft.events
        self.onward: list[list[int]] = [[] for _ in range(size)]
        self.back: list[list[int]] = [[] for _ in range(size)]
        for earlier, later, strict in draft.edges:
            self.add(earlier, later)
            if not strict:
                self.add(later, earlier)

    def add(self, earlier: int, later: int) -> None:
        """Add a step."""
        self.onward[earlier].append(later)
        self.back[later].append(earlier)


class _Distances:
    """Fewest relations from the source of a guard to each point, and from there to its target."""

    def __init__(self, guard: Guard, steps: _Steps) -> None:
        self._steps = steps
        size = len(steps.onward)
        self._after = [FAR] * size
        self._until = [FAR] * size
        self._after[guard.source] = self._until[guard.target] = 0
        _spread(self._after, guard.source, steps.onward, 0)
        _spread(self._until, guard.target, steps.back, 1)
        distance = self._after[guard.target]
        # Without hops the current distance is kept.
        self._hops = guard.hops or distance
        if distance < self._hops:
            raise MisfitError

    def shortened_by(self, earlier: int, later: int) -> bool:
        """Whether a step between two points would make the chain shorter."""
        return self._after[earlier] + 1 + self._until[later] < self._hops

    def shorten(self, earlier: int, later: int) -> None:
        """Update the distances after a step was added."""
        after, until = self._after, self._until
        if after[earlier] + 1 < after[later]:
            after[later] = after[earlier] + 1
            _spread(after, later, self._steps.onward, 0)
        if until[later] + 1 < until[earlier]:
            until[earlier] = until[later] + 1
            _spread(until, earlier, self._steps.back, 1)


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
