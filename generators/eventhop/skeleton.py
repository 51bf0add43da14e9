"""The relations that determine the status of an item: a chain, two chains or a cycle at the claim.

Each builder removes the relations it adds from the bag and sets guards, so that later relations
change neither status nor hops. The claim is ``LEFT before RIGHT`` or ``LEFT overlaps RIGHT``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import pairwise
from random import Random
from typing import NamedTuple, TypeAlias, TypeVar

from generators.eventhop.config import Cell
from grammar.eventhop.model import Bound, ClaimRelation, Status

T = TypeVar("T")
START, END = 0, 1
BOUNDS = (Bound.START, Bound.END)


class Kind(IntEnum):
    """Which bounds are related (same, start with end, end with start), and how."""

    STRICT_SAME = 0
    STRICT_START_END = 1
    STRICT_END_START = 2
    EQUAL_SAME = 3
    EQUAL_MIXED = 4

    @property
    def strict(self) -> bool:
        """Whether the relation is ``<`` rather than ``=``."""
        return self < Kind.EQUAL_SAME


Bag: TypeAlias = list[int]
"""Number of remaining relations of each kind, indexed by ``Kind``."""

SIDES = (
    ((START, START), (END, END)),
    ((START, END),),
    ((END, START),),
    ((START, START), (END, END)),
    ((START, END), (END, START)),
)
"""For each kind, the bounds of its earlier and its later point."""

_KINDS = tuple(Kind)


def kind_of(earlier: int, later: int) -> Kind:
    """The kind of a strict relation between two points."""
    if earlier & 1 == later & 1:
        return Kind.STRICT_SAME
    return Kind.STRICT_END_START if earlier & 1 else Kind.STRICT_START_END


_STRICT = (45, 30, 25)
_EQUAL = (20, 20)


def draw(random: Random, relations: int, *, equal: bool) -> Bag:
    """Draw a bag of that many relations; ``equal``: whether ``=`` may occur."""
    weights = (*_STRICT, *(_EQUAL if equal else (0, 0)))
    bag = [0] * len(Kind)
    for kind in random.choices(_KINDS, weights, k=relations):
        bag[kind] += 1
    return bag


def draw_loosely(random: Random, relations: int, equals: int) -> Bag:
    """Draw a bag of that many relations, ``equals`` of them ``=``.

    Expected word counts are the same for all such bags: a relation of either kind has one start and
    one end, or as often two starts as two ends.
    """
    bag = [0] * len(Kind)
    for kind in random.choices(_KINDS[:3], _STRICT, k=relations - equals):
        bag[kind] += 1
    for kind in random.choices(_KINDS[3:], _EQUAL, k=equals):
        bag[kind] += 1
    return bag


def in_random_order(random: Random, bag: Bag) -> list[Kind]:
    """The kinds left in a bag in random order, weighted by their counts."""
    number = random.random
    keys = [(number() * count, kind) for kind, count in enumerate(bag) if count]
    keys.sort(reverse=True)
    return [_KINDS[kind] for _, kind in keys]


def pick(random: Random, things: Sequence[T]) -> T:
    """Choose one of a few elements; three times as fast as ``choice``."""
    return things[int(random.random() * len(things))]


LEFT, RIGHT = 0, 1
CLAIMED = range(4)
"""The points of the claim's events."""
FAR = 1_000
"""Distance between unconnected points."""


class MisfitError(Exception):
    """A draw that does not yield the requested item; the caller draws again."""


class Edge(NamedTuple):
    """A premise relation: ``earlier < later``, or ``earlier = later`` if not strict."""

    earlier: int
    later: int
    strict: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """A distance that later relations must not shorten.

    Attributes:
        source, target: points; the shortest chain between them has ``hops`` relations; ``FAR`` if
            there is none.
    """

    source: int
    target: int
    hops: int


@dataclass(slots=True, kw_only=True)
class Draft:
    """The relations of an item so far.

    Attributes:
        events: number of events, including the claim's two.
        pairs: related pairs of points, the smaller first.
        named: events that occur in a relation.
        guards: distances that further relations must preserve.
        walks: for each chain that a cycle can be planted on, its points, two per relation.
        cyclic: whether there is a cycle away from the claim.
    """

    events: int = 2
    edges: list[Edge] = field(default_factory=list)
    pairs: set[tuple[int, int]] = field(default_factory=set)
    named: set[int] = field(default_factory=set)
    guards: list[Guard] = field(default_factory=list)
    walks: list[list[int]] = field(default_factory=list)
    cyclic: bool = False

    def fresh(self) -> int:
        """Add an event."""
        self.events += 1
        return self.events - 1

    def add(self, earlier: int, later: int, strict: bool) -> None:
        """Add a relation."""
        self.extend((Edge(earlier, later, strict),))

    def extend(self, edges: Sequence[Edge]) -> None:
        """Add relations."""
        self.edges += edges
        for earlier, later, _ in edges:
            self.pairs.add((earlier, later) if earlier < later else (later, earlier))
            self.named.add(earlier >> 1)
            self.named.add(later >> 1)


EITHER = (START, END)


class Link(NamedTuple):
    """One relation of a chain: leaves an event at bound ``out``, enters the next at ``into``."""

    out: int
    into: int
    strict: bool


Links = list[Link]

# Precomputed: about a dozen links are drawn for each one that is kept.
_FORWARDS = tuple(
    tuple(Link(out=out, into=into, strict=kind.strict) for out, into in SIDES[kind])
    for kind in Kind
)
_BACKWARDS = tuple(links[::-1] for links in _FORWARDS)


def links(
    random: Random,
    bag: Bag,
    hops: int,
    *,
    outs: Sequence[int] = EITHER,
    ins: Sequence[int] = EITHER,
    closed: bool = False,
) -> Links:
    """Draw a chain from the bag, by backtracking.

    An event entered at its end is left at its end, because its start is earlier.

    Args:
        random: source of randomness.
        bag: kinds that remain; those of the chain are removed.
        hops: number of relations of the chain.
        outs: bounds at which the first event may be left.
        ins: bounds at which the last event may be entered.
        closed: whether the chain is a cycle.

    Raises:
        MisfitError: the bag has no such chain.
    """
    found: Links = []
    if sum(bag) < hops or not _extend(random, bag, hops, outs, ins, closed, found):
        raise MisfitError
    return found


def _extend(
    random: Random,
    bag: Bag,
    hops: int,
    outs: Sequence[int],
    ins: Sequence[int],
    closed: bool,
    found: Links,
) -> bool:
    if not hops:
        return True
    for kind in in_random_order(random, bag):
        for link in (_FORWARDS if random.random() < 0.5 else _BACKWARDS)[kind]:
            out, into, _ = link
            if out not in outs or (hops == 1 and not _may_end(into, ins, closed, found, out)):
                continue
            bag[kind] -= 1
            found.append(link)
            onward = EITHER if into == START else (END,)
            if _extend(random, bag, hops - 1, onward, ins, closed, found):
                return True
            found.pop()
            bag[kind] += 1
    return False


def _may_end(into: int, ins: Sequence[int], closed: bool, found: Links, out: int) -> bool:
    first = found[0].out if found else out
    return into in ins and (not closed or into <= first)


def directed(chain: Sequence[Link]) -> bool:
    """Whether some step between the two ends of the chain is strict."""
    if any(link.strict for link in chain):
        return True
    return any(link.into != then.out for link, then in pairwise(chain))


def lay(draft: Draft, chain: Sequence[Link], path: Sequence[int]) -> None:
    """Add a chain along a path of events, one more than it has links."""
    for link, event, then in zip(chain, path, path[1:], strict=False):
        draft.add(2 * event + link.out, 2 * then + link.into, link.strict)


def lay_between(draft: Draft, chain: Sequence[Link], first: int, last: int) -> None:
    """Add a chain through new events, and record its points."""
    path = [first, *(draft.fresh() for _ in chain[1:]), last]
    lay(draft, chain, path)
    steps = zip(chain, path, path[1:], strict=False)
    draft.walks.append(
        [p for link, event, then in steps for p in (2 * event + link.out, 2 * then + link.into)]
    )


LONGEST_NEAR_MISS = 4


def skeleton(random: Random, bag: Bag, cell: Cell) -> Draft:
    """Build the relations that determine the status of the cell.

    Raises:
        MisfitError: the bag lacks relations for it.
    """
    overlaps = cell.claim is ClaimRelation.OVERLAPS
    hops = cell.hops or 0
    draft = Draft()
    if cell.status is Status.CONTRADICTORY:
        _contradictory(random, bag, hops, draft)
    elif cell.status is Status.UNKNOWN:
        _unknown(random, bag, cell, draft, overlaps=overlaps)
    elif cell.status is Status.ENTAILED and overlaps:
        _overlapping(random, bag, hops, cell, draft)
    elif overlaps or cell.status is Status.ENTAILED:
        first, last = _either_way(random) if overlaps else (LEFT, RIGHT)
        _apart(random, bag, hops, draft, first, last)
    else:
        chain = links(random, bag, hops)
        if not (directed(chain) or chain[0].out == END or chain[-1].into == START):
            raise MisfitError
        lay_between(draft, chain, RIGHT, LEFT)
        draft.guards.append(_guard(RIGHT, START, LEFT, END, hops))
    return draft


def _either_way(random: Random) -> tuple[int, int]:
    return (LEFT, RIGHT) if random.random() < 0.5 else (RIGHT, LEFT)


def _guard(first: int, bound: int, last: int, other: int, hops: int) -> Guard:
    return Guard(source=2 * first + bound, target=2 * last + other, hops=hops)


def _apart(random: Random, bag: Bag, hops: int, draft: Draft, first: int, last: int) -> None:
    """The first event ends before or when the last one starts."""
    chain = links(random, bag, hops, outs=(END,), ins=(START,))
    lay_between(draft, chain, first, last)
    draft.guards.append(_guard(first, END, last, START, hops))


def _overlapping(random: Random, bag: Bag, hops: int, cell: Cell, draft: Draft) -> None:
    """Each event starts before the other ends."""
    equals = bag[Kind.EQUAL_SAME] + bag[Kind.EQUAL_MIXED]
    if equals >= hops and cell.shape.relations - hops >= 0 and random.random() < 0.5:
        _shared_point(random, bag, hops, draft)
    else:
        longest = min(hops, cell.shape.relations - hops, cell.shape.events - hops)
        if longest < 1:
            raise MisfitError
        back = random.randint(1, longest)
        first, last = _either_way(random)
        crossing = random.random() < 0.5
        there = links(random, bag, hops, ins=(END,) if crossing else (START, END))
        home = links(random, bag, back, outs=(START,) if crossing else (START, END))
        if not crossing and not (there[0].out == START and home[-1].into == END):
            raise MisfitError
        if not (directed(there) and directed(home)):
            raise MisfitError
        lay_between(draft, there, first, last)
        lay_between(draft, home, last, first)
    draft.guards.append(_guard(LEFT, START, RIGHT, END, 0))
    draft.guards.append(_guard(RIGHT, START, LEFT, END, 0))


def _shared_point(random: Random, bag: Bag, hops: int, draft: Draft) -> None:
    """A chain of ``=`` from a bound of the left event to the same bound of the right one.

    No cycle can be planted on it: the claim's own points would be on the cycle.
    """
    kinds = _equals(random, bag, hops)
    path = [LEFT, *(draft.fresh() for _ in kinds[1:]), RIGHT]
    _lay_equals(draft, kinds, path, random.choice((START, END)))


def _equals(random: Random, bag: Bag, hops: int) -> list[Kind]:
    """Draw that many ``=``, an even number of them between a start and an end."""
    most = min(hops, bag[Kind.EQUAL_MIXED])
    least = max(0, hops - bag[Kind.EQUAL_SAME])
    numbers = [mixed for mixed in range(least, most + 1) if mixed % 2 == 0]
    if not numbers:
        raise MisfitError
    mixed = random.choice(numbers)
    kinds = [Kind.EQUAL_MIXED] * mixed + [Kind.EQUAL_SAME] * (hops - mixed)
    random.shuffle(kinds)
    bag[Kind.EQUAL_MIXED] -= mixed
    bag[Kind.EQUAL_SAME] -= hops - mixed
    return kinds


def _lay_equals(draft: Draft, kinds: list[Kind], path: list[int], bound: int) -> None:
    for kind, event, then in zip(kinds, path, path[1:], strict=False):
        beyond = bound ^ (kind is Kind.EQUAL_MIXED)
        draft.add(2 * event + bound, 2 * then + beyond, False)
        bound = beyond


def _unknown(random: Random, bag: Bag, cell: Cell, draft: Draft, *, overlaps: bool) -> None:
    """A chain that orders the two events but not the claimed points, or no chain."""
    first, last = _either_way(random) if overlaps else (LEFT, RIGHT)
    longest = min(LONGEST_NEAR_MISS, longest_chain(cell))
    hops = random.randint(0, longest)
    if hops:
        chain = links(random, bag, hops)
        if (chain[0].out == END and chain[-1].into == START) or not directed(chain):
            raise MisfitError
        lay_between(draft, chain, first, last)
    draft.guards.append(_guard(first, END, last, START, FAR))
    draft.guards.append(_guard(last, START, first, END, FAR))


def longest_chain(cell: Cell) -> int:
    """The longest chain for which the other relations can still name every event."""
    reserved = 2 if cell.contradiction else 0
    spare = 2 * (cell.shape.relations - reserved) - (cell.shape.events - reserved) + 1
    return max(0, min(spare, cell.shape.relations - reserved, cell.shape.events - reserved - 1))


def _contradictory(random: Random, bag: Bag, hops: int, draft: Draft) -> None:
    """A cycle through the claim's own points."""
    cycle = links(random, bag, hops, closed=True)
    home, other = _either_way(random)
    path = [home, *(draft.fresh() for _ in cycle[1:]), home]
    place = 0
    if random.random() < 0.5:
        # The other event of the claim replaces a new one; later new events are renumbered.
        place = random.randrange(1, len(cycle))
        given = path[place]
        path = [other if e == given else e - (e > given) for e in path]
        draft.events -= 1
    if not _contradicts(cycle, place):
        raise MisfitError
    lay(draft, cycle, path)


def _contradicts(cycle: Links, place: int) -> bool:
    """Whether the cycle contains two of the claim's points and a strict step.

    Args:
        cycle: a cycle from one event of the claim.
        place: position of the claim's other event; 0 if it is not on the cycle.
    """
    lasts = cycle[-1].into != cycle[0].out
    lasts_within = place > 0 and cycle[place - 1].into != cycle[place].out
    return lasts or (place > 0 and (lasts_within or directed(cycle)))
