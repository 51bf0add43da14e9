"""Matched groups: a true, a false and an undefined item from one premise graph.

The members of a group have the same graph of events, the same kinds of sentence, and the same
sentences about the claim's events, but for the other event that these name. So no count of
mentions, of sentences with both events, of starts, ends or orders, no degree and no distance says
anything about the label: the members differ only in how relations between other events are
directed, and in which of two sentences about an event of the claim names which other event.

Each member has the same chains of relations, some of which are broken by a *switch*:

- *turned*: an inner relation of a chain, ``X < Y``, becomes ``Y < X`` at the same bounds;
- *swapped*: the first relation of a chain leaves the claim's event at its end, and another relation
  leaves it at its start; the two exchange their bounds.

All other relations are the same in the three members.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from random import Random
from typing import NamedTuple

from generators.eventhop.config import Cell
from generators.eventhop.filling import fill
from generators.eventhop.skeleton import (
    CLAIMED,
    END,
    FAR,
    LEFT,
    RIGHT,
    START,
    Draft,
    Edge,
    Guard,
    MisfitError,
    draw,
    pick,
)
from grammar.eventhop.model import ClaimRelation, Status

TURNABLE = 3
"""Least number of relations of a chain that has an inner one."""


class Step(NamedTuple):
    """A relation of a chain: leaves event ``first`` at ``out`` and enters ``last`` at ``into``."""

    first: int
    out: int
    into: int
    last: int
    strict: bool


Chain = list[Step]
PASSING = ((START, START), (END, END), (START, END), (START, END))
"""Bounds at which a chain enters and leaves an event; a start comes before its end."""


def turned(chain: Chain, place: int) -> Chain:
    """The chain with one relation directed the other way."""
    step = chain[place]
    other = step._replace(first=step.last, last=step.first)
    return [*chain[:place], other, *chain[place + 1 :]]


class Way(StrEnum):
    """The chains of a group, and how they are switched."""

    BOTH_TURNED = "chain turned, cycle turned"
    SWAPPED = "chain swapped, cycle turned"
    TWO_TURNED = "chains either way, both turned"
    TWO_SWAPPED = "chains either way, one swapped, one turned"
    STRONG = "chain from the start or the end, chain back turned"
    EQUAL = "chain of simultaneous points swapped, cycle turned"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """A way to make a group.

    Attributes:
        relations: number of relations of the chains, and of what they are swapped with.
        events: number of events in the chains, besides those of the claim.
        cycle: whether the undefined item has a cycle of its own, rather than two chains.
    """

    way: Way
    relations: int
    events: int
    cycle: bool = True


def recipes(cells: Sequence[Cell], *, equal: bool, strong: bool = False) -> list[Recipe]:
    """The recipes for the cells of a group: entailed, refuted or unknown, contradictory.

    Args:
        cells: the three cells.
        equal: whether premises may contain *simultaneous*.
        strong: whether a refuted *before* is an entailed *after*.
    """
    true, false, undefined = cells
    h, r, c = true.hops or 0, false.hops, undefined.hops or 0
    found = _overlapping(h, r, c) if true.claim is ClaimRelation.OVERLAPS else _ordered(h, r, c)
    every = list(found)
    if strong and true.claim is not ClaimRelation.OVERLAPS:
        # A chain that is swapped still orders the two starts.
        every = [recipe for recipe in every if recipe.way is Way.TWO_TURNED]
    elif equal:
        every += _simultaneous(h, r, c)
    fitting = [recipe for recipe in every if _fits(recipe, true)]
    if stated(cells):
        # Without a cycle of its own, the undefined item would always contain that sentence.
        cyclic = [recipe for recipe in fitting if recipe.cycle]
        return cyclic or fitting if true.claim is ClaimRelation.OVERLAPS else cyclic
    return fitting


class Statement(StrEnum):
    """A sentence about both events of the claim that the label depends on."""

    STRICT = "strict"
    EQUAL = "equal"


def stated(cells: Sequence[Cell]) -> Statement | None:
    """How a single sentence about both events of the claim distinguishes the members, if it does.

    In one of them it says that one event ends before the other starts, or when it starts: *before*
    or *after* is entailed, *overlaps* is refuted in one hop. In the other it relates two starts, or
    two ends.
    """
    true, false, _ = cells
    if true.hops == 1 == false.hops:
        return Statement.EQUAL
    cell = false if true.claim is ClaimRelation.OVERLAPS else true
    return Statement.STRICT if cell.hops == 1 else None


def repeats(cells: Sequence[Cell]) -> float:
    """The share of undefined items that have a chain in common with the true item.

    The others have it in common with the false item. Undefined items contain a sentence that makes
    a claim true or false as often as all others only if *before* and *after* make up for *overlaps*
    in small shapes, where an undefined item always contains it.
    """
    true = cells[0]
    if stated(cells) is not Statement.STRICT or true.claim is ClaimRelation.OVERLAPS:
        return 0.5
    least = Recipe(way=Way.STRONG, relations=2 * TURNABLE + 2, events=2 * TURNABLE - 2)
    return 0.5 if _fits(least, true) else 0


def _fits(recipe: Recipe, cell: Cell) -> bool:
    """Whether the other relations can name the other events, and all can be placed."""
    shape = cell.shape
    left, unnamed = shape.relations - recipe.relations, shape.events - recipe.events - 2
    dense = shape.relations >= 2 * shape.events
    if dense:
        # Where most events are on the chains, few other relations leave the statuses as they are.
        return unnamed >= 3 * shape.events // 8 and left >= 2
    if cell.contradiction:
        left, unnamed = left - 2, unnamed - 1
    return 0 <= unnamed <= 2 * left


def _ordered(h: int, r: int | None, c: int) -> Iterator[Recipe]:
    """The recipes of *before*: in h hops entailed, in r refuted or unknown, in c contradictory."""
    if r is None:
        if c >= TURNABLE:
            yield Recipe(way=Way.SWAPPED, relations=h + c + 1, events=h + c - 2)
            if h >= TURNABLE:
                yield Recipe(way=Way.BOTH_TURNED, relations=h + c, events=h + c - 2)
        return
    if r < TURNABLE:
        return
    for cycle, own in ((False, 0), (True, c)):
        if c >= TURNABLE if cycle else c == h + r:
            needed, events = h + r + own, h + r - 2 + max(own - 1, 0)
            yield Recipe(way=Way.TWO_SWAPPED, relations=needed + 1, events=events, cycle=cycle)
            if h >= TURNABLE:
                yield Recipe(way=Way.TWO_TURNED, relations=needed, events=events, cycle=cycle)


def _overlapping(h: int, r: int | None, c: int) -> Iterator[Recipe]:
    """The recipes of *overlaps*, which takes a chain each way; the shorter one has one relation."""
    if r is None:
        if c >= TURNABLE and h >= TURNABLE:
            yield Recipe(way=Way.BOTH_TURNED, relations=h + c + 1, events=h + c - 2)
        return
    if r > h or h < TURNABLE:
        return
    if c >= TURNABLE:
        yield Recipe(way=Way.STRONG, relations=r + h + 1 + c, events=r + h + c - 3)
    if c == r + h:
        yield Recipe(way=Way.STRONG, relations=r + h + 1, events=r + h - 2, cycle=False)


def _simultaneous(h: int, r: int | None, c: int) -> Iterator[Recipe]:
    if r == h and c >= TURNABLE:
        yield Recipe(way=Way.EQUAL, relations=h + 1 + c, events=h + c - 2)


Gadget = tuple[list[Edge], list[Edge], list[Edge]]


class _Builder:
    """Builds the chains of a group on events below ``events``."""

    def __init__(self, random: Random, events: int, *, equal: bool) -> None:
        self._random = random
        self._equal = equal
        self._events = events
        self._free = list(range(2, events))
        random.shuffle(self._free)

    def path(self, first: int, inner: int, last: int) -> list[int]:
        """A path over new events, or old ones where no new one is left."""
        found = [self._free.pop() for _ in range(min(inner, len(self._free)))]
        if more := inner - len(found):
            others = [e for e in range(2, self._events) if e not in found]
            if more > len(others):
                raise MisfitError
            found += self._random.sample(others, more)
        self._random.shuffle(found)
        return [first, *found, last]

    def chain(self, path: Sequence[int], out: int | None = None, into: int | None = None) -> Chain:
        """A chain along a path, with a strict relation."""
        random = self._random
        outs = [random.randrange(2) if out is None else out]
        intos = []
        for _ in path[2:]:
            enter, leave = pick(random, PASSING)
            intos.append(enter)
            outs.append(leave)
        intos.append(random.randrange(2) if into is None else into)
        stricts = [not self._equal or random.random() < 0.75 for _ in intos]
        stricts[random.randrange(len(stricts))] = True
        return [
            Step(first, *bounds)
            for first, bounds in zip(
                path, zip(outs, intos, path[1:], stricts, strict=True), strict=False
            )
        ]

    def cycle(self, hops: int) -> Chain:
        """A cycle that contradicts an event of the claim."""
        home = self._random.randrange(2)
        return self.chain(self.path(home, hops - 1, home), END, START)

    def turned(self, chain: Chain) -> Chain:
        """The chain with a strict inner relation turned."""
        places = [n for n in range(1, len(chain) - 1) if chain[n].strict]
        if not places:
            raise MisfitError
        return turned(chain, pick(self._random, places))

    def beside(self, chain: Chain) -> Step:
        """A relation to exchange its bound with the first relation of a chain, at its start."""
        first = chain[0]
        if self._free and self._random.random() < 0.85:
            last = self._free.pop()
        else:
            last = pick(self._random, [e for e in range(self._events) if e != first.first])
        return first._replace(out=START, last=last)


def _edges(chains: Sequence[Chain], number: Mapping[int, int]) -> list[Edge]:
    """The relations of chains whose events have new numbers."""
    return [
        Edge(2 * number[first] + out, 2 * number[last] + into, strict)
        for chain in chains
        for first, out, into, last, strict in chain
    ]


def gadget(
    random: Random,
    cells: Sequence[Cell],
    recipe: Recipe,
    *,
    equal: bool,
    strong: bool = False,
    repeat: bool,
) -> Gadget:
    """The relations in which the members of a group differ; their events have the least numbers.

    With ``repeat``, an undefined item with a cycle of its own has the true item's chain, otherwise
    that of the false one.

    Raises:
        MisfitError: the draw does not have the statuses and hops of the cells.
    """
    true, false, undefined = cells
    build = _Builder(random, true.shape.events, equal=equal)
    overlaps = true.claim is ClaimRelation.OVERLAPS
    h, r, c = true.hops or 0, false.hops or 0, undefined.hops or 0
    match recipe.way:
        case Way.BOTH_TURNED | Way.SWAPPED:
            entailing, other = _unknown(random, build, recipe.way, h, overlaps=overlaps)
        case Way.TWO_TURNED | Way.TWO_SWAPPED:
            entailing, other, both = _either_way(build, recipe.way, h, r, strong=strong)
        case Way.STRONG:
            entailing, other, both = _strong(random, build, h, r)
        case Way.EQUAL:
            entailing, other = _equal(random, build, h, overlaps=overlaps)
    if recipe.cycle:
        cycle = build.cycle(c)
        also = entailing if repeat else other
        broken = build.turned(cycle)
        chains = [[entailing, broken], [other, broken], [also, cycle]]
    else:
        chains = [[entailing], [other], [both]]
    if recipe.way is Way.BOTH_TURNED and overlaps and closed(entailing[:-1], entailing[-1]):
        # Known before it is measured.
        raise MisfitError
    # All have the same events.
    used = {step.first for chain in chains[0] for step in chain}
    used |= {step.last for chain in chains[0] for step in chain}
    number = {event: place for place, event in enumerate(sorted(used | {LEFT, RIGHT}))}
    found = []
    for some, cell in zip(chains, cells, strict=True):
        edges = _edges(some, number)
        _require(edges, cell)
        found.append(edges)
    true_edges, false_edges, undefined_edges = found
    return true_edges, false_edges, undefined_edges


def _unknown(
    random: Random, build: _Builder, way: Way, h: int, *, overlaps: bool
) -> tuple[Chain, Chain]:
    """A chain that entails the claim, and the same chain, broken."""
    if overlaps:
        first, last = _either(random)
        chain = build.chain(build.path(first, h - 1, last))
        return [*chain, *(rest := build.chain([last, first]))], [*build.turned(chain), *rest]
    chain = build.chain(build.path(LEFT, h - 1, RIGHT), END, START)
    if way is Way.BOTH_TURNED:
        return chain, build.turned(chain)
    beside = build.beside(chain)
    return [*chain, beside], _swapped(chain, beside)


def closed(chain: Chain, back: Step) -> bool:
    """Whether a chain and a relation back from its end contradict both events."""
    return back.into <= chain[0].out and chain[-1].into <= back.out


def _either(random: Random) -> tuple[int, int]:
    return (LEFT, RIGHT) if random.random() < 0.5 else (RIGHT, LEFT)


def _either_way(
    build: _Builder, way: Way, h: int, r: int, *, strong: bool
) -> tuple[Chain, Chain, Chain]:
    """A chain in either direction: one of them, the other one, and both."""
    there = build.chain(build.path(LEFT, h - 1, RIGHT), END, START)
    ends = (END, START) if strong else (None, None)
    home = build.chain(build.path(RIGHT, r - 1, LEFT), *ends)
    if way is Way.TWO_TURNED:
        return [*there, *build.turned(home)], [*build.turned(there), *home], [*there, *home]
    beside = build.beside(there)
    kept = [*there, beside]
    return [*kept, *build.turned(home)], [*_swapped(there, beside), *home], [*kept, *home]


def _strong(random: Random, build: _Builder, h: int, r: int) -> tuple[Chain, Chain, Chain]:
    """A chain that leaves the first event at its start or at its end, and one back."""
    first, last = _either(random)
    strong = build.chain(build.path(first, r - 1, last), END, START)
    beside = build.beside(strong)
    home = build.chain(build.path(last, h - 1, first))
    kept = [*strong, beside]
    return [*_swapped(strong, beside), *home], [*kept, *build.turned(home)], [*kept, *home]


def _swapped(chain: Chain, beside: Step) -> Chain:
    """The chain and the relation beside it with the bounds of the first event exchanged."""
    return [chain[0]._replace(out=START), *chain[1:], beside._replace(out=END)]


def _equal(random: Random, build: _Builder, h: int, *, overlaps: bool) -> tuple[Chain, Chain]:
    """A chain of ``=`` from the end of the first event; from its start it says the opposite."""
    bounds = [random.randrange(2) for _ in range(h - 1)]
    path = build.path(LEFT, h - 1, RIGHT)
    steps = zip(path, [END, *bounds], [*bounds, START], path[1:], strict=False)
    chain = [Step(*step, False) for step in steps]
    beside = build.beside(chain)
    kept, swapped = [*chain, beside], _swapped(chain, beside)
    return (swapped, kept) if overlaps else (kept, swapped)


def signature(edges: Sequence[Edge]) -> tuple[object, ...]:
    """What the members of a group share.

    The graph of events, the kinds of sentence, and for each sentence about an event of the claim
    the bound and side of this event; and the bound of the other one, unless some sentence names
    both events of the claim: what that says is the claim itself, where this takes one hop.
    """
    direct = any(p < 4 and q < 4 for p, q, _ in edges)
    return (
        sorted([(p >> 1, q >> 1) if p < q else (q >> 1, p >> 1) for p, q, _ in edges]),
        sorted(map(_kind, edges)),
        sorted(sentence[: 2 if direct else 3] for sentence in _sentences(edges)),
    )


def _kind(edge: Edge) -> tuple[int, int, bool]:
    """The bounds of a relation, and whether it is strict; ``=`` is symmetric."""
    low, high = edge.earlier & 1, edge.later & 1
    return (low, high, True) if edge.strict else (min(low, high), max(low, high), False)


def _sentences(edges: Sequence[Edge]) -> Iterator[tuple[int, ...]]:
    for p, q, strict in edges:
        for point, other, side in ((p, q, 0), (q, p, 1)):
            if point >> 1 in (LEFT, RIGHT):
                yield point, side if strict else 2, other & 1


def _require(edges: Sequence[Edge], cell: Cell) -> None:
    """Reject relations without the status and hops of a cell, or with two for one pair."""
    pairs = {(p, q) if p < q else (q, p) for p, q, _ in edges}
    if len(pairs) < len(edges) or any(p >> 1 == q >> 1 for p, q in pairs):
        raise MisfitError
    if measured(edges, overlaps=cell.claim is ClaimRelation.OVERLAPS) != (cell.status, cell.hops):
        raise MisfitError


def measured(edges: Sequence[Edge], *, overlaps: bool) -> tuple[Status, int | None] | None:
    """Status and hops of a claim; None for a contradiction elsewhere.

    A fast screen: each finished item is decided by the engines.
    """
    found = evidence(edges, overlaps=overlaps)
    return found if found[0] is Status.CONTRADICTORY or _consistent(edges) else None


def evidence(edges: Sequence[Edge], *, overlaps: bool) -> tuple[Status, int | None]:
    """Status and hops of a claim, whether or not there is a contradiction elsewhere."""
    onward = _onward(edges)
    claimed = [_distances(onward, point) for point in CLAIMED]
    cycle = _cycle(claimed)
    if cycle < FAR:
        return Status.CONTRADICTORY, cycle
    a, b = 2 * LEFT, 2 * RIGHT
    if overlaps:
        there, home = claimed[a][2 * b + 3], claimed[b][2 * a + 3]
        if max(there, home) < FAR:
            return Status.ENTAILED, max(there, home)
        apart = min(claimed[a + 1][2 * b], claimed[b + 1][2 * a])
    else:
        if claimed[a + 1][2 * b] < FAR:
            return Status.ENTAILED, claimed[a + 1][2 * b]
        apart = claimed[b][2 * a + 3]
    return (Status.REFUTED, apart) if apart < FAR else (Status.UNKNOWN, None)


def _cycle(claimed: Sequence[Sequence[int]]) -> int:
    """Fewest relations of a contradiction between two points of the claim.

    Args:
        claimed: the distances from each of these points.
    """
    least = 2 * FAR
    for p, q in _CLAIMED_PAIRS:
        there, back = claimed[p], claimed[q]
        least = min(least, there[2 * q + 1] + back[2 * p], there[2 * q] + back[2 * p + 1])
    return least


_CLAIMED_PAIRS = tuple(combinations(CLAIMED, 2))


def entails_order(edges: Sequence[Edge]) -> bool:
    """Whether the left event ends before or when the right one starts."""
    return _distances(_onward(edges), 2 * LEFT + 1)[4 * RIGHT] < FAR


def _onward(edges: Sequence[Edge]) -> list[list[int]]:
    """The states after each state: ``2 * point``, and one more if a step to it was strict.

    The durations of events are left out.
    """
    size = max(4, _size(edges))
    onward: list[list[int]] = [[] for _ in range(2 * size)]
    for earlier, later, strict in edges:
        p, q = 2 * earlier, 2 * later
        onward[p].append(q + strict)
        onward[p + 1].append(q + 1)
        if not strict:
            onward[q].append(p)
            onward[q + 1].append(p + 1)
    return onward


def _size(edges: Sequence[Edge]) -> int:
    """The number of points of the events up to the last one."""
    return 1 + (max([p if p > q else q for p, q, _ in edges]) | 1)


def _consistent(edges: Sequence[Edge]) -> bool:
    """Whether no point is before itself: by sorting the classes of simultaneous points."""
    size = _size(edges)
    root = list(range(size))

    def find(point: int) -> int:
        while root[point] != point:
            point = root[point]
        return point

    for earlier, later, strict in edges:
        if not strict:
            root[find(earlier)] = find(later)
    place = list(map(find, root))
    onward: list[list[int]] = [[] for _ in root]
    waiting = [0] * size
    for start in range(0, size, 2):
        end = place[start + 1]
        onward[place[start]].append(end)
        waiting[end] += 1
    for earlier, later, strict in edges:
        if strict:
            then = place[later]
            onward[place[earlier]].append(then)
            waiting[then] += 1
    fresh = [p for p, first in enumerate(place) if p == first and not waiting[p]]
    # The list grows by each class that comes after none that is left.
    for point in fresh:
        for then in onward[point]:
            waiting[then] -= 1
            if not waiting[then]:
                fresh.append(then)
    return len(fresh) == len(set(place))


def _distances(onward: Sequence[Sequence[int]], source: int) -> list[int]:
    """Fewest relations of walks from a point to each state.

    The duration of an event is a strict step that costs no relation.
    """
    found = [FAR] * len(onward)
    level, distance = [2 * source], 0
    while level:
        then: list[int] = []
        # The level grows by the states that cost no further relation.
        for state in level:
            if found[state] <= distance:
                continue
            found[state] = distance
            if state & 1 and found[state - 1] > distance:
                # A strict walk is a walk.
                level.append(state - 1)
            if not state & 2 and found[state | 3] > distance:
                level.append(state | 3)
            then += onward[state]
        level = then
        distance += 1
    return found


def drafts(
    random: Random,
    cells: Sequence[Cell],
    ways: Sequence[Recipe],
    *,
    equal: bool,
    strong: bool,
    repeat: bool,
) -> list[Draft]:
    """Drafts of the members of a group, which have the same relations but for a gadget.

    Args:
        random: source of randomness.
        cells: the cells of an entailed, a refuted or unknown, and a contradictory item.
        ways: their recipes.
        equal: whether premises may contain *simultaneous*.
        strong: whether a refuted *before* is an entailed *after*.
        repeat: whether an undefined item with a cycle of its own has the true item's chain.

    Raises:
        MisfitError: this draw does not succeed; draw again.
    """
    parts = gadget(random, cells, pick(random, ways), equal=equal, strong=strong, repeat=repeat)
    first, *others = map(signature, parts)
    if any(other != first for other in others):
        raise MisfitError
    events = 1 + max(max(edge[:2]) for edge in parts[0]) // 2
    made = []
    for edges, cell in zip(parts, cells, strict=True):
        draft = Draft(events=events, guards=_guards(cell, strong=strong))
        draft.extend(edges)
        made.append(draft)
    shape = cells[0].shape
    bag = draw(random, shape.relations - len(parts[0]), equal=equal)
    elsewhere = cells[0].contradiction
    by_chance = elsewhere and shape.relations >= 2 * shape.events and random.random() < 0.5
    if elsewhere and not by_chance:
        _plant(random, made, events=shape.events, relations=shape.relations)
        bag = draw(random, shape.relations - len(made[0].edges), equal=equal)
    fill(random, bag, made, shape.events, cycles=by_chance)
    overlaps = cells[0].claim is ClaimRelation.OVERLAPS
    if elsewhere or (overlaps and cells[1].status is Status.UNKNOWN):
        # Guards do not see a cycle that comes near the claim, nor that events overlap after all.
        for draft, cell in zip(made, cells, strict=True):
            if evidence(draft.edges, overlaps=overlaps) != (cell.status, cell.hops):
                raise MisfitError
    return made


def _guards(cell: Cell, *, strong: bool) -> list[Guard]:
    """The distances that further relations must not shorten."""

    def guard(source: int, target: int, hops: int) -> Guard:
        return Guard(source=source, target=target, hops=hops)

    a, b, hops = 2 * LEFT, 2 * RIGHT, cell.hops or 0
    overlaps = cell.claim is ClaimRelation.OVERLAPS
    match cell.status:
        case Status.ENTAILED:
            if overlaps:
                return [guard(a, b + 1, 0), guard(b, a + 1, 0)]
            return [guard(a + 1, b, hops), *([guard(a, b + 1, hops)] if strong else [])]
        case Status.REFUTED:
            if overlaps:
                return [guard(a + 1, b, hops), guard(b + 1, a, hops)]
            return [guard(b, a + 1, hops)]
        case Status.UNKNOWN:
            if overlaps:
                return [guard(a + 1, b, FAR), guard(b + 1, a, FAR)]
            return [guard(a + 1, b, FAR), guard(b, a + 1, FAR)]
        case Status.CONTRADICTORY:
            return []


LONGEST = 4


def _plant(random: Random, made: Sequence[Draft], *, events: int, relations: int) -> None:
    """Add a cycle to all members, on new events or through at most one point of the claim."""
    old = made[0].events
    spare = relations - len(made[0].edges)
    home = None if random.random() < 0.5 and events - old >= 2 else random.randrange(old)
    most = min(spare, LONGEST, events - old + (home is not None))
    if most < 2:
        raise MisfitError
    hops = random.randint(2, most)
    new = [old + n for n in range(hops - (home is not None))]
    path = [*([] if home is None else [home]), *new]
    modes = [pick(random, PASSING) for _ in path]
    if home is not None and home < 2:
        bound = random.randrange(2)
        modes[0] = (bound, bound)
    for draft in made:
        draft.events = old + len(new)
        for place, event in enumerate(path):
            then = (place + 1) % hops
            draft.add(2 * event + modes[place][1], 2 * path[then] + modes[then][0], True)
        if draft.guards:
            draft.cyclic = True
        if len(draft.pairs) < len(draft.edges):
            raise MisfitError
