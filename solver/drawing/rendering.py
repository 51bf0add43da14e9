"""Writes a figure as SVG, PNG or PDF: the same figure, the same bytes."""

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


def rendered(paint: Callable[[], Figure], *, salt: str, form: str) -> bytes:
    """Have a figure painted, and write it in one of ``PICTURE_FORMATS`` as matplotlib does.

    It is drawn as matplotlib draws out of the box, whatever the user's own settings are.

    Args:
        paint: makes the figure.
        salt: identifiers inside the SVG differ from those of pictures with another one, so that a
            page can hold many.
        form: the format.
    """
    import matplotlib as mpl

    digest = blake2b(salt.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    written = BytesIO()
    with mpl.rc_context(), warnings.catch_warnings():
        # A viewer of the SVG has fonts that this machine may lack.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        mpl.rcdefaults()
        mpl.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": f"hopcheck-{digest}"})
        paint().savefig(written, format=form, dpi=DOTS_PER_INCH, metadata=_METADATA[form])
    return written.getvalue()
