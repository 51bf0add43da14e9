"""The links between points in a drawing: the steps of a certificate's walks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from solver.model import Chain, Cycle, Point, Step, Walk

LONGEST = 36
"""Maximum steps of all walks together; the middle of longer walks is left out."""


class LinkKind(StrEnum):
    """Kind of link between two points."""

    ORDER = "order"
    EQUAL = "equal"
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


def links(certificate: Chain | Cycle) -> tuple[Link, ...]:
    """Turn the walks of a certificate into links; a step that occurs twice is drawn once."""
    walks = certificate.walks if isinstance(certificate, Chain) else loop(certificate)
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


def loop(cycle: Cycle) -> tuple[Walk, Walk]:
    """The two walks of a cycle, forward and backward."""
    return cycle.forward, cycle.backward


def _links(walk: Walk, number: int, limit: int) -> list[Link]:
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
    if step.relation is None:
        kind = LinkKind.DURATION
    else:
        kind = LinkKind.ORDER if step.strict else LinkKind.EQUAL
    sentence = None if step.relation is None else step.relation + 1
    return Link(source=step.source, target=step.target, kind=kind, walk=walk, sentence=sentence)


def sentences(drawn: Sequence[Link]) -> list[int]:
    """Numbers of the premise sentences of links, in the order of the walks."""
    return list(dict.fromkeys(link.sentence for link in drawn if link.sentence is not None))
