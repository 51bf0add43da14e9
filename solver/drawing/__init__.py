"""Draws why an item has its label: intervals with the chain or the cycle, or two timelines.

The same item, verdict and certificate give the same bytes. matplotlib is imported only when
something is drawn.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from io import BytesIO
from typing import TYPE_CHECKING

from solver.model import Certificate, Item, Timelines, Verdict

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["PICTURE_FORMATS", "draw", "picture"]

PICTURE_FORMATS = ("svg", "png", "pdf")
DOTS_PER_INCH = 144


def draw(item: Item, verdict: Verdict, certificate: Certificate, *, hops: int | None = None) -> str:
    """Draw an item as the text of an SVG file."""
    from solver.drawing.caption import caption
    from solver.drawing.markup import tidied

    heading = caption(item, verdict, hops)
    svg = picture(item, verdict, certificate, hops=hops, form="svg")
    return tidied(svg, f"{heading.claim}. {heading.status.capitalize()}: {heading.explained}.")


def picture(
    item: Item,
    verdict: Verdict,
    certificate: Certificate,
    *,
    hops: int | None = None,
    form: str,
) -> bytes:
    """Draw an item in one of ``PICTURE_FORMATS``, as matplotlib writes it."""
    written = BytesIO()
    with _style(salt=item.id):
        figure = _figure(item, verdict, certificate, hops)
        figure.savefig(written, format=form, dpi=DOTS_PER_INCH, metadata=_METADATA[form])
    return written.getvalue()


_METADATA: dict[str, dict[str, str | None]] = {
    "svg": {"Date": None, "Creator": None, "Format": None, "Type": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


def _figure(item: Item, verdict: Verdict, certificate: Certificate, hops: int | None) -> Figure:
    from solver.drawing import intervals, possibilities
    from solver.drawing.scene import scene

    if isinstance(certificate, Timelines):
        return possibilities.paint(possibilities.possibilities(item, verdict, certificate))
    return intervals.paint(scene(item, verdict, certificate, hops))


@contextmanager
def _style(salt: str) -> Iterator[None]:
    """Draw as matplotlib does out of the box, whatever the user's own settings are.

    Identifiers inside the SVG differ between items, so that a page can hold many drawings.
    """
    import matplotlib as mpl

    digest = blake2b(salt.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    with mpl.rc_context(), warnings.catch_warnings():
        # A viewer of the SVG has fonts that this machine may lack.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        mpl.rcdefaults()
        mpl.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": f"hopcheck-{digest}"})
        yield
