"""The content of a drawing of a chain or a cycle, independent of matplotlib."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from grammar.eventhop.model import (
    Bound,
    Claim,
    Item,
    Order,
    Point,
    Relation,
    Status,
    Verdict,
)
from solver.drawing.canvas import Role, display_names, isolate
from solver.eventhop.certificates.evidence import Chain, Cycle, Step, Steps, order_of
from solver.eventhop.messages import (
    ORDER_WORDS,
    claim_in_words,
    claimed_events,
    hops_in_words,
    named_first,
    sentence_in_words,
    status_in_words,
)
from solver.io.sources import counted

LONGEST = 36
"""Maximum steps of all walks together; the middle of longer walks is left out."""


class LinkKind(StrEnum):
    """Kind of link between two points."""

    ORDER = "order"
    EQUAL = "equal"
    WEAK = "weak"
    DURATION = "duration"
    GAP = "gap"


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One drawn step, from an earlier (or equal) point to a later one.

    Attributes:
        walk: which walk of the certificate the step belongs to, from 0.
        sentence: the number of its premise sentence, from 1; None for a duration and a gap.
        skipped: number of steps that a gap replaces.
    """

    source: Point
    target: Point
    kind: LinkKind
    walk: int
    sentence: int | None = None
    skipped: int = 0


_KINDS = {
    Order.BEFORE: LinkKind.ORDER,
    Order.SIMULTANEOUS: LinkKind.EQUAL,
    Order.NOT_AFTER: LinkKind.WEAK,
}


def links(found: Chain | Cycle) -> tuple[Link, ...]:
    """Turn the walks of a certificate into links; a step that occurs twice is drawn once."""
    walks = found.walks if isinstance(found, Chain) else loop(found)
    limit = max(LONGEST // max(len(walks), 1), 4)
    drawn = [link for number, walk in enumerate(walks) for link in _links(walk, number, limit)]
    first: dict[tuple[frozenset[Point] | Point, Point | None, int | None], Link] = {}
    for link in drawn:
        first.setdefault(_identity(link), link)
    return tuple(first.values())


def _identity(link: Link) -> tuple[frozenset[Point] | Point, Point | None, int | None]:
    if link.kind is LinkKind.EQUAL:
        return frozenset((link.source, link.target)), None, link.sentence
    return link.source, link.target, link.sentence


def loop(cycle: Cycle) -> tuple[Steps, Steps]:
    """The two walks of a cycle, forward and backward."""
    return cycle.forward, cycle.backward


def _links(walk: Steps, number: int, limit: int) -> list[Link]:
    if len(walk) <= limit:
        return [_link(step, number) for step in walk]
    head, tail = walk[: limit // 2], walk[-(limit // 2) :]
    gap = Link(
        source=head[-1].target,
        target=tail[0].source,
        kind=LinkKind.GAP,
        walk=number,
        skipped=len(walk) - len(head) - len(tail),
    )
    return [*(_link(s, number) for s in head), gap, *(_link(s, number) for s in tail)]


def _link(step: Step, walk: int) -> Link:
    kind = LinkKind.DURATION if step.relation is None else _KINDS[order_of([step])]
    sentence = None if step.relation is None else step.relation + 1
    return Link(source=step.source, target=step.target, kind=kind, walk=walk, sentence=sentence)


def sentences(drawn: Sequence[Link]) -> list[int]:
    """Numbers of the premise sentences of links, in the order of the walks."""
    return list(dict.fromkeys(link.sentence for link in drawn if link.sentence is not None))


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """Columns of points.

    Attributes:
        places: point -> column, from 0; equal points share a column.
        broken: the links that the order violates.
    """

    places: Mapping[Point, int]
    broken: frozenset[Link]


@dataclass(slots=True, kw_only=True)
class _Order:
    """Points merged into classes, and the strict order between classes so far."""

    group: dict[Point, Point] = field(default_factory=dict)
    later: dict[Point, set[Point]] = field(default_factory=dict)

    def of(self, point: Point) -> Point:
        self.group.setdefault(point, point)
        while self.group[point] != point:
            point = self.group[point]
        self.later.setdefault(point, set())
        return point

    def reaches(self, source: Point, target: Point) -> bool:
        open_, seen = [source], {source}
        while open_:
            here = open_.pop()
            if here == target:
                return True
            fresh = {self.of(point) for point in self.later[here]} - seen
            seen |= fresh
            open_.extend(fresh)
        return False

    def accept(self, link: Link) -> bool:
        source, target = self.of(link.source), self.of(link.target)
        if link.kind is LinkKind.EQUAL:
            return source == target or self._merge(source, target)
        if link.kind is LinkKind.WEAK and source == target:
            return True
        if self.reaches(target, source):
            return False
        self.later[source].add(target)
        return True

    def merge_weak(self, links: Sequence[Link]) -> None:
        """Merge the points of weak links that further such links lead back from."""
        after: dict[Point, set[Point]] = {}
        for link in links:
            if link.kind in (LinkKind.EQUAL, LinkKind.WEAK):
                after.setdefault(link.source, set()).add(link.target)
                if link.kind is LinkKind.EQUAL:
                    after.setdefault(link.target, set()).add(link.source)
        for link in links:
            if link.kind is LinkKind.WEAK and link.source in _beyond(after, link.target):
                source, target = self.of(link.source), self.of(link.target)
                if source != target:
                    self._merge(source, target)

    def _merge(self, kept: Point, gone: Point) -> bool:
        if self.reaches(kept, gone) or self.reaches(gone, kept):
            return False
        self.group[gone] = kept
        self.later[kept] |= self.later.pop(gone)
        return True


def _beyond(after: Mapping[Point, set[Point]], point: Point) -> set[Point]:
    """The point, and all that steps lead to from it."""
    open_, seen = [point], {point}
    while open_:
        fresh = after.get(open_.pop(), set()) - seen
        seen |= fresh
        open_.extend(fresh)
    return seen


def place(ordered: Sequence[Link], *, mentioned: Sequence[Link]) -> Placement:
    """Place the points of links.

    Args:
        ordered: the links by priority, the most important first.
        mentioned: links with the same points in reading order, which breaks ties.
    """
    order = _Order()
    if any(link.kind is LinkKind.WEAK for link in ordered):
        order.merge_weak(ordered)
    broken = frozenset(link for link in ordered if not order.accept(link))
    points = dict.fromkeys(point for link in mentioned for point in (link.source, link.target))
    columns = _columns(order, list(dict.fromkeys(order.of(point) for point in points)))
    return Placement(places={point: columns[order.of(point)] for point in points}, broken=broken)


def _columns(order: _Order, groups: Sequence[Point]) -> dict[Point, int]:
    """Assign each class its own column, in a topological order."""
    waiting: dict[Point, set[Point]] = {group: set() for group in groups}
    for group in groups:
        for later in _roots(order, order.later[group]):
            waiting[later].add(group)
    columns: dict[Point, int] = {}
    while len(columns) < len(groups):
        ready = next(g for g in groups if g not in columns and waiting[g] <= columns.keys())
        columns[ready] = len(columns)
    return columns


def _roots(order: _Order, points: Iterable[Point]) -> set[Point]:
    return {order.of(point) for point in points}


CLAIM_NAME_WIDTH = 34


@dataclass(frozen=True, slots=True, kw_only=True)
class Caption:
    """A drawing's heading."""

    claim: str
    status: Status
    explained: str


def caption(item: Item, verdict: Verdict, hops: int | None) -> Caption:
    """Make the heading of an item's drawing."""
    parts = [status_in_words(verdict), hops_in_words(hops), f"label {verdict.label}"]
    return Caption(
        claim=f"Claim: {claim_in_words(_displayed(item))}",
        status=verdict.status,
        explained=" · ".join(part for part in parts if part),
    )


def _displayed(item: Item) -> Claim | Relation:
    shown = display_names(claimed_events(item), CLAIM_NAME_WIDTH)
    names = {name: isolate(form) for name, form in shown.items()}
    claim = item.claim
    if isinstance(claim, Claim):
        return Claim(left=names[claim.left], relation=claim.relation, right=names[claim.right])
    left, right = (
        type(point)(event=names[point.event], bound=point.bound)
        for point in (claim.left, claim.right)
    )
    return Relation(left=left, order=claim.order, right=right)


NAME_WIDTH = 36
MOST_NUMBERS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """An event as an interval on its own row.

    Attributes:
        start, end: columns; None for a point that the certificate does not use.
        impossible: whether the links order the end before the start.
    """

    name: str
    role: Role
    start: int | None
    end: int | None
    impossible: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrow:
    """A link between two points, as columns and rows.

    Attributes:
        lane: for a broken link, the number of broken links before it.
    """

    kind: LinkKind
    walk: int
    badge: str
    source_column: int
    source_row: int
    target_column: int
    target_row: int
    broken: bool
    lane: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A premise sentence that the certificate uses; ``number`` counts from 1."""

    number: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A drawing of a chain or a cycle."""

    caption: Caption
    bars: tuple[Bar, ...]
    arrows: tuple[Arrow, ...]
    sentences: tuple[Sentence, ...]
    conclusions: tuple[str, ...]
    notes: tuple[str, ...]
    columns: int


def scene(item: Item, verdict: Verdict, found: Chain | Cycle, hops: int | None) -> Scene:
    """Lay out a chain or a cycle."""
    drawn = links(found)
    placement = _placement(drawn, found)
    claimed = claimed_events(item)
    touched = dict.fromkeys(p.event for link in drawn for p in (link.source, link.target))
    events = sorted(
        dict.fromkeys((*touched, *claimed)), key=lambda event: _first_column(event, placement)
    )
    names = display_names(named_first(item), NAME_WIDTH)
    rows = {event: row for row, event in enumerate(events)}
    return Scene(
        caption=caption(item, verdict, hops),
        bars=tuple(_bar(event, names[event], claimed, placement) for event in events),
        arrows=tuple(_arrows(drawn, rows, placement)),
        sentences=tuple(
            Sentence(number=n, text=sentence(item.premise[n - 1], names)) for n in sentences(drawn)
        ),
        conclusions=tuple(_conclusions(found, names)),
        notes=tuple(_notes(len(names) - len(events), found)),
        columns=max(placement.places.values(), default=0) + 1,
    )


def role(event: str, claimed: Sequence[str]) -> Role:
    """The role of an event in the claim."""
    if event not in claimed:
        return Role.OTHER
    return Role.LEFT if event == claimed[0] else Role.RIGHT


def sentence(relation: Relation, names: dict[str, str]) -> str:
    """A premise relation in words, with display names: ``start of X before end of Y``."""
    left, right = (
        Point(event=isolate(names[point.event]), bound=point.bound)
        for point in (relation.left, relation.right)
    )
    return sentence_in_words(Relation(left=left, order=relation.order, right=right))


def _placement(drawn: Sequence[Link], found: Chain | Cycle) -> Placement:
    """Prefer the walk in a chain; in a cycle prefer durations, so that a premise link breaks."""
    points = {point for link in drawn for point in (link.source, link.target)}
    durations = [
        Link(source=start, target=end, kind=LinkKind.DURATION, walk=-1)
        for start in sorted(points, key=str)
        if start.bound is Bound.START
        and (end := Point(event=start.event, bound=Bound.END)) in points
    ]
    if isinstance(found, Chain):
        return place([*drawn, *durations], mentioned=drawn)
    placed = place([*durations, *drawn], mentioned=drawn)
    if any(_folded(link, placed) for link in placed.broken):
        # An arrow between points in the same column would have no length.
        loose = (LinkKind.EQUAL, LinkKind.WEAK)
        strict_first = sorted(drawn, key=lambda link: link.kind in loose)
        return place([*durations, *strict_first], mentioned=drawn)
    return placed


def _folded(link: Link, placed: Placement) -> bool:
    same_column = placed.places[link.source] == placed.places[link.target]
    return same_column and link.source != link.target


def _first_column(event: str, placement: Placement) -> int:
    places = (placement.places.get(Point(event=event, bound=bound)) for bound in Bound)
    return min((p for p in places if p is not None), default=len(placement.places))


def _bar(event: str, name: str, claimed: Sequence[str], placement: Placement) -> Bar:
    start = placement.places.get(Point(event=event, bound=Bound.START))
    end = placement.places.get(Point(event=event, bound=Bound.END))
    return Bar(
        name=name,
        role=role(event, claimed),
        start=start,
        end=end,
        impossible=start is not None and end is not None and end <= start,
    )


def _arrows(drawn: Sequence[Link], rows: dict[str, int], placement: Placement) -> Iterator[Arrow]:
    lane = 0
    for link in drawn:
        yield _arrow(link, rows, placement, lane)
        lane += link in placement.broken


def _arrow(link: Link, rows: dict[str, int], placement: Placement, lane: int) -> Arrow:
    badge = "" if link.sentence is None else str(link.sentence)
    if link.kind is LinkKind.GAP:
        badge = f"… {counted(link.skipped, 'more step')} …"
    return Arrow(
        kind=link.kind,
        walk=link.walk,
        badge=badge,
        source_column=placement.places[link.source],
        source_row=rows[link.source.event],
        target_column=placement.places[link.target],
        target_row=rows[link.target.event],
        broken=link in placement.broken,
        lane=lane,
    )


def _conclusions(found: Chain | Cycle, names: dict[str, str]) -> Iterator[str]:
    """What each walk proves, and by which sentences."""
    walks = found.walks if isinstance(found, Chain) else loop(found)
    for walk in walks:
        if walk:
            numbers = list(dict.fromkeys(s.relation + 1 for s in walk if s.relation is not None))
            yield f"{_by(numbers)}: {_reached(walk, names)}"


def _by(numbers: Sequence[int]) -> str:
    if not numbers:
        return "An event lasts"
    if len(numbers) > MOST_NUMBERS:
        return f"{len(numbers)} sentences together"
    return f"By {', '.join(str(number) for number in numbers)}"


def _reached(walk: Steps, names: dict[str, str]) -> str:
    first, last = (
        Point(event=isolate(names[point.event]), bound=point.bound)
        for point in (walk[0].source, walk[-1].target)
    )
    return f"{first} {ORDER_WORDS[order_of(walk)]} {last}"


def _notes(left_out: int, found: Chain | Cycle) -> Iterator[str]:
    if isinstance(found, Cycle):
        yield "No timeline satisfies all arrows: they lead from a point back to itself."
    else:
        yield "Only the order along the arrows is forced; lengths mean nothing."
        if found.elsewhere:
            yield "The premise contradicts itself elsewhere, but not about the claim's points."
    if left_out > 0:
        yield f"And {counted(left_out, 'more event')}, not drawn."
