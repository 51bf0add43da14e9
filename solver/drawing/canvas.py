"""A canvas measured in inches from its upper left corner, drawing primitives, legible names."""

from __future__ import annotations

import re
import unicodedata
import warnings
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from io import BytesIO
from typing import TYPE_CHECKING, Literal, TypeAlias
from xml.etree.ElementTree import Element

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.path import Path


ELLIPSIS = "…"
_ISOLATE, _POP = "\u2068", "\u2069"
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})
_SPACE = frozenset({"Zs", "Zl", "Zp", "Cc"})
_NOT_XML = frozenset("\ufffe\uffff")
_DIRECTION_MARKS = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)


def legible(name: str) -> str:
    """Replace characters that XML forbids or that change the direction of the text around."""
    kept = "".join(_fit(letter) for letter in name if letter not in _DIRECTION_MARKS)
    return " ".join(kept.split()) or "\N{REPLACEMENT CHARACTER}"


def _fit(letter: str) -> str:
    category = unicodedata.category(letter)
    if category in _SPACE:
        return " "
    unfit = category == "Cs" or letter in _NOT_XML
    return "\N{REPLACEMENT CHARACTER}" if unfit else letter


def width(text: str) -> float:
    """Estimate the width of a text in units of an average Latin letter."""
    return sum(_letter_width(letter) for letter in text)


def _letter_width(letter: str) -> float:
    if unicodedata.combining(letter):
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.9
    return 1.25 if letter.isupper() else 1.0


def shorten(text: str, limit: float) -> str:
    """Cut a text in the middle so that its estimated width stays within a limit."""
    if width(text) <= limit:
        return text
    budget = max(limit - 1.0, 2.0)
    head, tail = "", ""
    for letter in text:
        if width(head + letter) > budget * 0.6:
            break
        head += letter
    for letter in reversed(text):
        if width(letter + tail) > budget - width(head):
            break
        tail = letter + tail
    return f"{head.rstrip()}{ELLIPSIS}{tail.lstrip()}"


def isolate(text: str) -> str:
    """Add Unicode isolates to a right-to-left name, so that the text around keeps its order."""
    if any(unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT for letter in text):
        return f"{_ISOLATE}{text}{_POP}"
    return text


def display_names(names: Iterable[str], limit: float) -> dict[str, str]:
    """Map each name to a short form; forms that would coincide are numbered."""
    forms = {name: shorten(legible(name), limit) for name in dict.fromkeys(names)}
    uses = Counter(forms.values())
    seen: Counter[str] = Counter()
    shown: dict[str, str] = {}
    for name, form in forms.items():
        seen[form] += 1
        shown[name] = f"{form} #{seen[form]}" if uses[form] > 1 else form
    return shown


ROW = 0.42
"""Height of an event's row, in inches."""

INK = "#1f2328"
FAINT_INK = "#656d76"
RULE = "#e4e7eb"
PAPER = "#ffffff"


class Role(StrEnum):
    """Role of an event in the claim."""

    LEFT = "left"
    RIGHT = "right"
    OTHER = "other"


EVENT_FILL = {Role.LEFT: "#80b8d8", Role.RIGHT: "#f2cf80", Role.OTHER: "#d3d8de"}
EVENT_INK = {Role.LEFT: "#005a8e", Role.RIGHT: "#8f5f00", Role.OTHER: INK}
LineStyle: TypeAlias = Literal["solid"] | tuple[float, tuple[float, ...]]
WALK_STYLE: tuple[LineStyle, ...] = ("solid", (0, (5, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)))
"""Line styles of the first, second, ... walk of a certificate."""

FADES = 8
FADE_LENGTH = 0.55
BAR_HEIGHT = 0.16


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A position on the canvas, in inches from the left and from the top."""

    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Canvas:
    """One figure with one set of axes whose units are inches."""

    figure: Figure
    axes: Axes

    def add(self, artist: Artist) -> None:
        """Add a line or a patch; unlike ``add_patch``, without its extent, as limits are fixed."""
        self.axes.add_artist(artist)

    def write(
        self,
        at: Spot,
        text: str,
        *,
        size: float = 9.5,
        colour: str = INK,
        align: Literal["left", "center", "right"] = "left",
        bold: bool = False,
    ) -> None:
        """Write one line, vertically centred at ``at``; ``$`` is not special."""
        weight = "bold" if bold else "normal"
        self.axes.text(
            at.x, at.y, text, size=size, color=colour, ha=align, va="center_baseline",
            weight=weight, parse_math=False, zorder=6,
        )  # fmt: skip

    def badge(self, at: Spot, text: str, colour: str) -> None:
        """Write a short text in a small round box that hides what is behind it."""
        shape = "circle,pad=0.22" if len(text) < 3 else "round,pad=0.28,rounding_size=0.75"
        box = {"boxstyle": shape, "facecolor": PAPER, "edgecolor": colour, "linewidth": 1.0}
        self.axes.text(
            at.x, at.y, text, size=7.5, color=colour, ha="center", va="center_baseline",
            weight="bold", bbox=box, parse_math=False, zorder=7,
        )  # fmt: skip

    def stamp(self, at: Spot, text: str, colour: str) -> None:
        """Write a word in a filled box that starts at a spot."""
        box = {"boxstyle": "round,pad=0.34", "facecolor": colour, "edgecolor": colour}
        self.axes.text(
            at.x + 0.05, at.y, text, size=7.5, color=PAPER, ha="left", va="center_baseline",
            weight="bold", bbox=box, parse_math=False, zorder=7,
        )  # fmt: skip

    def rule(self, start: Spot, end: Spot, colour: str, *, style: LineStyle = "solid") -> None:
        """Draw a thin straight line."""
        from matplotlib.lines import Line2D

        xs, ys = (start.x, end.x), (start.y, end.y)
        self.add(
            Line2D(xs, ys, color=colour, linewidth=0.8, linestyle=style, zorder=1, clip_on=False)
        )

    def bar(self, left: Spot, right: float, colour: str, *, alpha: float = 1.0) -> None:
        """Draw a bar from a spot to ``right``, vertically centred at the spot."""
        from matplotlib.patches import Rectangle

        self.add(
            Rectangle(
                (left.x, left.y - BAR_HEIGHT / 2), right - left.x, BAR_HEIGHT, linewidth=0,
                facecolor=colour, alpha=alpha, zorder=2, clip_on=False,
            )
        )  # fmt: skip

    def hatched(self, left: Spot, right: float, colour: str) -> None:
        """Draw the bar of an event that would end before it starts."""
        from matplotlib.patches import Rectangle

        self.add(
            Rectangle(
                (left.x, left.y - BAR_HEIGHT / 2), right - left.x, BAR_HEIGHT, linewidth=1.0,
                facecolor=PAPER, edgecolor=colour, hatch="//////", zorder=2, clip_on=False,
            )
        )  # fmt: skip

    def fade(self, at: Spot, colour: str, *, to_left: bool) -> None:
        """Draw a bar that fades out from a spot to one side."""
        slice_ = FADE_LENGTH / FADES
        for number in range(FADES):
            x = at.x - (number + 1) * slice_ if to_left else at.x + number * slice_
            self.bar(
                Spot(x=x, y=at.y), x + slice_, colour, alpha=0.85 * (1 - (number + 0.5) / FADES)
            )

    def point(self, at: Spot, colour: str) -> None:
        """Mark a point that a link touches."""
        from matplotlib.patches import Circle

        self.add(
            Circle(
                (at.x, at.y), 0.055, facecolor=PAPER, edgecolor=colour, linewidth=1.6, zorder=5,
                clip_on=False,
            )
        )  # fmt: skip


def canvas(width: float, height: float) -> Canvas:
    """Create a canvas; width and height in inches."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), facecolor=PAPER)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_xlim(0.0, width)
    axes.set_ylim(height, 0.0)
    axes.set_axis_off()
    return Canvas(figure=figure, axes=axes)


PICTURE_FORMATS = ("svg", "png", "pdf")
DOTS_PER_INCH = 144

_METADATA: dict[str, dict[str, str | None]] = {
    "svg": {"Date": None, "Creator": None, "Format": None, "Type": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


def render(paint: Callable[[], Figure], *, salt: str, form: str, title: str | None = None) -> bytes:
    """Render a figure with matplotlib's default settings, ignoring the user's own.

    Args:
        paint: makes the figure.
        salt: makes the identifiers inside the SVG unique, so that a page can embed many pictures.
        form: one of ``PICTURE_FORMATS``.
        title: of an SVG, which is then tidied; None to leave it as matplotlib writes it.
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
    drawn = written.getvalue()
    return tidy_svg(drawn, title).encode() if form == "svg" and title is not None else drawn


NAMESPACE = "http://www.w3.org/2000/svg"
FONTS = "'DejaVu Sans', Verdana, sans-serif"

_REFERENCE = re.compile(r"#([\w-]+)")
_FONT = re.compile(r"(font: [^;]*?\d(?:\.\d+)?px) [^;]*")
_LINE_STYLE = "stroke-linejoin: round; stroke-linecap: butt"


def tidy_svg(svg: bytes, title: str) -> str:
    """Clean up a drawing made by matplotlib and add a title."""
    # Trusted input: matplotlib has just written it.
    root = ElementTree.fromstring(svg)
    _drop(root, {"metadata", "style"})
    used = set(_references(root))
    for element in root.iter():
        _clean(element, used)
    root.attrib |= {"xmlns": NAMESPACE, "style": _LINE_STYLE, "role": "img", "aria-label": title}
    heading = Element("title")
    heading.text = title
    root.insert(0, heading)
    return f"{ElementTree.tostring(root, encoding='unicode')}\n"


def _drop(root: Element, names: set[str]) -> None:
    for parent in list(root.iter()):
        for child in list(parent):
            if _local(child.tag) in names:
                parent.remove(child)


def _references(root: Element) -> Iterator[str]:
    for element in root.iter():
        for value in element.attrib.values():
            yield from _REFERENCE.findall(value)


def _clean(element: Element, used: set[str]) -> None:
    element.tag = _local(element.tag)
    attributes = {_local(name): value for name, value in element.attrib.items()}
    if attributes.get("id") not in used:
        attributes.pop("id", None)
    for name, value in attributes.items():
        attributes[name] = _FONT.sub(rf"\1 {FONTS}", value) if name == "style" else value
    if "d" in attributes:
        attributes["d"] = " ".join(attributes["d"].split())
    element.attrib.clear()
    element.attrib.update(attributes)
    if element.text is not None and not element.text.strip():
        element.text = None
    if element.tail is not None and not element.tail.strip():
        element.tail = "\n" if element.tag == "g" else None


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def stroke(
    canvas: Canvas, path: Path, colour: str, width: float, order: float, style: LineStyle = "solid"
) -> None:
    """Draw a line."""
    from matplotlib.patches import PathPatch

    canvas.add(
        PathPatch(
            path, facecolor="none", edgecolor=colour, linewidth=width, linestyle=style,
            zorder=order, clip_on=False,
        )
    )  # fmt: skip


def draw_curve(canvas: Canvas, path: Path, colour: str, style: LineStyle) -> None:
    """Draw a line with an arrowhead at its end."""
    import numpy as np
    from matplotlib.patches import FancyArrowPatch

    stroke(canvas, path, colour, 1.9, 4, style)
    before, end = np.asarray(path.vertices, dtype=float)[-2:]
    tail = end + (before - end) * (0.02 / max(float(abs(before - end).max()), 0.02))
    canvas.add(
        FancyArrowPatch(
            (tail[0], tail[1]), (end[0], end[1]), arrowstyle="-|>", mutation_scale=12, color=colour,
            linewidth=0, shrinkA=0, shrinkB=0, zorder=4.5, clip_on=False,
        )
    )  # fmt: skip
