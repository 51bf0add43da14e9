"""Draws why an item has its label: intervals with the chain or the cycle, or two timelines.

The same item, verdict and certificate give the same bytes. matplotlib is imported only to draw.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from grammar.eventhop.model import Certificate, Item, Verdict
from solver.drawing.canvas import PICTURE_FORMATS, render

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["PICTURE_FORMATS", "draw", "picture"]


def draw(item: Item, verdict: Verdict, certificate: Certificate, *, hops: int | None = None) -> str:
    """Draw an item as SVG text."""
    from solver.drawing.canvas import tidy_svg
    from solver.eventhop.drawing.scene import caption

    heading = caption(item, verdict, hops)
    svg = picture(item, verdict, certificate, hops=hops, form="svg")
    return tidy_svg(svg, f"{heading.claim}. {heading.status.capitalize()}: {heading.explained}.")


def picture(
    item: Item,
    verdict: Verdict,
    certificate: Certificate,
    *,
    hops: int | None = None,
    form: str,
) -> bytes:
    """Draw an item in one of ``PICTURE_FORMATS``, as matplotlib writes it."""
    return render(lambda: _figure(item, verdict, certificate, hops), salt=item.id, form=form)


def _figure(item: Item, verdict: Verdict, certificate: Certificate, hops: int | None) -> Figure:
    from solver.eventhop.certificates.evidence import Chain, Timelines
    from solver.eventhop.certificates.expand import evidence
    from solver.eventhop.drawing import paint
    from solver.eventhop.drawing.scene import scene

    found = evidence(item, verdict, certificate)
    if isinstance(found, Timelines):
        return paint.paint_possibilities(paint.possibilities(item, verdict, found))
    apart = paint.timeline_rows(item, found.apart) if isinstance(found, Chain) else ()
    return paint.paint(scene(item, verdict, found, hops), apart)
