"""A page of results: sections of text, tables and plots, as one self-contained HTML file.

The page fetches nothing and runs no script; everything read from a file is escaped. The same
values give the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from solver.io.writing import atomic


def printable(value: object) -> object:
    """Make a value safe to show in a template; markup is left unchanged."""
    from markupsafe import Markup

    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return "".join(map(_letter, value))


def _letter(letter: str) -> str:
    unfit = (letter < " " and letter not in "\n\t") or "\x7f" <= letter <= "\x9f"
    return "\N{REPLACEMENT CHARACTER}" if unfit or "\ud800" <= letter <= "\udfff" else letter


_XLINK = ' xmlns:xlink="http://www.w3.org/1999/xlink"'
_NUMBER = re.compile(r"–|[-+−<.]*\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.:–-])")
_RANGE = re.compile(r"(\d[\d,]*(?:\.\d+)?)[-–](\d[\d,]*(?:\.\d+)?)(?![\w.:–-])")
_REFERENCE = re.compile(r'\bid="|href="#|url\(#')


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows under named columns; numbers are formatted by the caller and right-aligned.

    Attributes:
        best: (row, column) of cells to highlight.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    best: frozenset[tuple[int, int]] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of the page.

    Attributes:
        plots: SVG documents, as ``solver.report.charts`` and ``solver.eventhop.drawing`` make them.
    """

    title: str
    text: str = ""
    table: Table | None = None
    plots: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A page: a headline with the result, facts about the run, sections."""

    title: str
    lead: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    sections: tuple[Section, ...] = ()


def write_sheet(path: Path, sheet: Sheet) -> Path:
    """Write the page atomically and return its path.

    Raises:
        OutputError: the file cannot be written.
    """
    with atomic(path) as file:
        file.write(sheet_html(sheet).encode("utf-8", "replace"))
    return path


def sheet_html(sheet: Sheet) -> str:
    """The HTML of the page."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    from solver.manifest import versions

    environment = Environment(
        loader=PackageLoader(__package__, ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=printable,
    )
    numbers = count(1)
    environment.filters["inline"] = lambda svg: Markup(_inline(svg, next(numbers)))
    environment.filters["numeric"] = _numeric
    template = environment.get_template("sheet.html.jinja")
    return template.render(sheet=sheet, versions=versions())


def _inline(svg: str, number: int) -> str:
    """Make an SVG document embeddable: drop its declarations and make its ids unique on the page.

    Plots of matplotlib share their ids; our own drawings have unique ones already.
    """
    drawing = svg[svg.index("<svg") :].replace(_XLINK, "")
    if 'id="figure_1"' not in drawing:
        return drawing
    return _REFERENCE.sub(lambda found: f"{found[0]}plot{number}-", drawing)


def _numeric(text: str) -> bool:
    """Whether a cell is a number or a range of numbers, not a name or date that contains one."""
    if found := _RANGE.match(text):
        low, high = (float(one.replace(",", "")) for one in found.groups())
        return low <= high
    return _NUMBER.match(text) is not None
