"""Draws why an item has its label: intervals with the chain or the cycle, or two timelines.

The same item, verdict and certificate give the same bytes. matplotlib is imported only to draw.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from grammar.eventhop.model import Certificate, Item, Verdict
from solver.drawing.canvas import render

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def picture(
    item: Item,
    verdict: Verdict,
    certificate: Certificate,
    *,
    hops: int | None = None,
    form: str = "svg",
) -> bytes:
    """Draw an item in one of ``PICTURE_FORMATS``."""
    from solver.eventhop.drawing.scene import caption

    heading = caption(item, verdict, hops)
    title = f"{heading.claim}. {heading.status.capitalize()}: {heading.explained}."
    figure = partial(_figure, item, verdict, certificate, hops)
    return render(figure, salt=item.id, form=form, title=title)


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
