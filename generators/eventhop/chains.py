"""Chains and cycles of premise relations, which determine a status."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import NamedTuple

from generators.eventhop.draft import Draft, MisfitError
from generators.eventhop.kinds import END, SIDES, START, Bag, Kind, in_random_order

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
    return any(one.into != then.out for one, then in pairwise(chain))


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
