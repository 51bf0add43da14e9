"""Checks the certificates of documents: a timeline that satisfies all links, or a cycle.

It shares the model types with the rest and nothing else: it has its own table of relations.
Source: docs/links.md, section "Certificates".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grammar.errors import HopcheckError
from grammar.eventhop.model import Bound, Point
from grammar.links.calendar import dated_order
from grammar.links.model import (
    Document,
    During,
    Interpretation,
    Link,
    Reading,
    RelationType,
    Step,
)


class RejectedError(HopcheckError):
    """A certificate that does not show what it is given for."""

    code = "rejected"


def check_timeline(
    document: Document, interpretation: Interpretation, timeline: Mapping[str, tuple[int, int]]
) -> None:
    """Check that a timeline satisfies every link.

    Raises:
        RejectedError: it does not.
    """
    for name in document.nodes:
        ends = timeline.get(name)
        if ends is None or not all(type(one) is int for one in ends) or not ends[0] < ends[1]:
            raise RejectedError(f"{name} is not placed, or ends before it starts")
    for link in document.links:
        if not _holds(link, interpretation, *timeline[link.left], *timeline[link.right]):
            raise RejectedError(f"the timeline violates the link {link}")
    if interpretation.dates:
        for left, strict, right in dated_order(document):
            one, other = (timeline[p.event][p.bound is Bound.END] for p in (left, right))
            if not (one < other or (one == other and not strict)):
                raise RejectedError(f"the timeline violates the calendar: {left} and {right}")


def _holds(link: Link, interpretation: Interpretation, a: int, b: int, c: int, d: int) -> bool:
    """Whether a link is satisfied by its left node from a to b and its right one from c to d."""
    lenient = interpretation.reading is Reading.LENIENT
    during = interpretation.during is During.SIMULTANEOUS
    inside = (c <= a and b <= d) if lenient else (c < a and b < d)
    around = (a <= c and d <= b) if lenient else (a < c and d < b)
    same = a == c and b == d
    return {
        RelationType.BEFORE: b <= c if lenient else b < c,
        RelationType.AFTER: d <= a if lenient else d < a,
        RelationType.IBEFORE: b == c,
        RelationType.IAFTER: d == a,
        RelationType.INCLUDES: around,
        RelationType.IS_INCLUDED: inside,
        RelationType.SIMULTANEOUS: same,
        RelationType.IDENTITY: same,
        RelationType.BEGINS: a == c and b < d,
        RelationType.BEGUN_BY: a == c and b > d,
        RelationType.ENDS: b == d and a > c,
        RelationType.ENDED_BY: b == d and a < c,
        RelationType.DURING: same if during else inside,
        RelationType.DURING_INV: same if during else around,
        RelationType.OVERLAP: a < d and c < b,
        RelationType.STARTS_BEFORE: a < c,
        RelationType.STARTS_AFTER: a > c,
        RelationType.STARTS_EQUAL: a == c,
        RelationType.VAGUE: True,
    }[link.relation]


def check_cycle(document: Document, interpretation: Interpretation, cycle: Sequence[Step]) -> None:
    """Check that steps lead from a point back to it, one of them strict.

    Raises:
        RejectedError: a step does not follow from its link, from a duration or from the calendar,
            the steps do not join, or none is strict.
    """
    if not cycle or not any(one.strict for one in cycle):
        raise RejectedError("the cycle has no strict step")
    dated = set(dated_order(document)) if interpretation.dates else set()
    for one, following in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
        if one.target != following.source:
            raise RejectedError(
                f"the step from {one.source} to {one.target} does not join the next"
            )
        if one.relation is None:
            lasts = (
                one.source.event == one.target.event
                and one.source.event in document.nodes
                and (one.source.bound, one.target.bound) == (Bound.START, Bound.END)
            )
            if not lasts and (one.source, one.strict, one.target) not in dated:
                raise RejectedError(f"nothing leads from {one.source} to {one.target}")
        elif not 0 <= one.relation < len(document.links):
            raise RejectedError(f"there is no link {one.relation}")
        elif not _implies(document.links[one.relation], interpretation, one):
            link = document.links[one.relation]
            raise RejectedError(f"{link} does not lead from {one.source} to {one.target}")


def _implies(link: Link, interpretation: Interpretation, step: Step) -> bool:
    """Whether a link puts the step's points in order: whether no line that satisfies it refutes it.

    Two intervals have four end points; instants from 0 to 3 show every order of them.
    """
    ends = {
        Point(event=link.left, bound=Bound.START): 0,
        Point(event=link.left, bound=Bound.END): 1,
        Point(event=link.right, bound=Bound.START): 2,
        Point(event=link.right, bound=Bound.END): 3,
    }
    if step.source not in ends or step.target not in ends:
        return False
    p, q = ends[step.source], ends[step.target]
    for line in _LINES:
        refuted = line[p] > line[q] or (step.strict and line[p] == line[q])
        if refuted and _holds(link, interpretation, *line):
            return False
    return True


_LINES = tuple(
    (a, b, c, d)
    for a in range(4)
    for b in range(a + 1, 4)
    for c in range(4)
    for d in range(c + 1, 4)
)
