"""The relations that determine the status of an item: a chain, two chains or a cycle at the claim.

Each builder removes the relations it adds from the bag and sets guards, so that later relations
change neither status nor hops. The claim is ``LEFT before RIGHT`` or ``LEFT overlaps RIGHT``.
"""

from __future__ import annotations

from random import Random

from generators.eventhop.cells import Cell
from generators.eventhop.chains import Links, directed, lay, lay_between, links
from generators.eventhop.draft import FAR, LEFT, RIGHT, Draft, Guard, MisfitError
from generators.eventhop.kinds import END, START, Bag, Kind
from solver.model import ClaimRelation, Status

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
