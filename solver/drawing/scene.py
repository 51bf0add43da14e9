"""The content of a drawing of a chain or a cycle, independent of matplotlib."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from solver.drawing.caption import Caption, caption
from solver.drawing.links import Link, LinkKind, links, loop, sentences
from solver.drawing.names import display_names, isolate
from solver.drawing.placement import Placement, place
from solver.model import Bound, Chain, Cycle, Item, Point, Relation, Verdict, Walk
from solver.wording import claimed_events, counted, named_first, sentence_in_words

NAME_WIDTH = 36
MOST_NUMBERS = 12


class Role(StrEnum):
    """Role of an event in the claim."""

    LEFT = "left"
    RIGHT = "right"
    OTHER = "other"


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


def scene(item: Item, verdict: Verdict, certificate: Chain | Cycle, hops: int | None) -> Scene:
    """Lay out a chain or a cycle."""
    drawn = links(certificate)
    placement = _placement(drawn, certificate)
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
        conclusions=tuple(_conclusions(certificate, names)),
        notes=tuple(_notes(len(names) - len(events), certificate)),
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


def _placement(drawn: Sequence[Link], certificate: Chain | Cycle) -> Placement:
    """Prefer the walk in a chain; in a cycle prefer durations, so that a premise link breaks."""
    points = {point for link in drawn for point in (link.source, link.target)}
    durations = [
        Link(source=start, target=end, kind=LinkKind.DURATION, walk=-1)
        for start in sorted(points, key=str)
        if start.bound is Bound.START
        and (end := Point(event=start.event, bound=Bound.END)) in points
    ]
    if isinstance(certificate, Chain):
        return place([*drawn, *durations], mentioned=drawn)
    placed = place([*durations, *drawn], mentioned=drawn)
    if any(_folded(link, placed) for link in placed.broken):
        # An arrow between points in the same column would have no length.
        strict_first = sorted(drawn, key=lambda link: link.kind is LinkKind.EQUAL)
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


def _conclusions(certificate: Chain | Cycle, names: dict[str, str]) -> Iterator[str]:
    """What each walk proves, and by which sentences."""
    walks = certificate.walks if isinstance(certificate, Chain) else loop(certificate)
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


def _reached(walk: Walk, names: dict[str, str]) -> str:
    first, last = (
        Point(event=isolate(names[point.event]), bound=point.bound)
        for point in (walk[0].source, walk[-1].target)
    )
    strict = any(step.strict for step in walk)
    return f"{first} {'before' if strict else 'simultaneous with'} {last}"


def _notes(left_out: int, certificate: Chain | Cycle) -> Iterator[str]:
    if isinstance(certificate, Cycle):
        yield "No timeline satisfies all arrows: they lead from a point back to itself."
    else:
        yield "Only the order along the arrows is forced; lengths mean nothing."
    if left_out > 0:
        yield f"And {counted(left_out, 'more event')}, not drawn."
