"""Renders a figure as SVG, PNG or PDF, deterministically."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from hashlib import blake2b
from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PICTURE_FORMATS = ("svg", "png", "pdf")
DOTS_PER_INCH = 144

_METADATA: dict[str, dict[str, str | None]] = {
    "svg": {"Date": None, "Creator": None, "Format": None, "Type": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


def render(paint: Callable[[], Figure], *, salt: str, form: str) -> bytes:
    """Render a figure with matplotlib's default settings, ignoring the user's own.

    Args:
        paint: makes the figure.
        salt: makes the identifiers inside the SVG unique, so that a page can embed many pictures.
        form: one of ``PICTURE_FORMATS``.
    """
    import matplotlib as mpl

    digest = blake2b(salt.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    written = BytesIO()
    with mpl.rc_context(), warnings.catch_warnings():
        # The SVG's viewer may have fonts that are missing here.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        mpl.rcdefaults()
        mpl.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": f"hopcheck-{digest}"})
        paint().savefig(written, format=form, dpi=DOTS_PER_INCH, metadata=_METADATA[form])
    return written.getvalue()
