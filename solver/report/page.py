"""Renders a report as one self-contained HTML file or as Markdown, and writes its folder.

The page fetches nothing; everything read from a file is escaped. Only a page with a listing has a
script, ``browser.js``, which the page's policy names by its checksum. The same values give the same
bytes.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from solver.dataset.seal import TIMED, unsealed
from solver.io.sources import MANIFEST
from solver.io.writing import atomic, make_folder, reporting, write_json
from solver.manifest import manifest, versions
from solver.report.model import Cell, Column, Listing, Report, Section, Table
from solver.report.numbers import left_out

if TYPE_CHECKING:
    from jinja2 import Template
    from markupsafe import Markup

PAGE = "report.html"


@reporting()
def write_report(
    folder: Path,
    report: Report,
    *,
    figures: object,
    config: Mapping[str, object],
    summary: str = "scores.json",
    page: str = PAGE,
    seed: int | None = None,
    encodings: Iterable[str] | None = None,
    inputs: Iterable[str | Path] = (),
    outputs: Sequence[Path] = (),
    timed: bool = False,
) -> Path:
    """Write the figures, the page and, last, the manifest; return the path of the HTML page.

    Args:
        folder: created if missing.
        report: content of the page.
        figures: all figures as JSON values.
        config: the run's options.
        summary: name of the file of the figures.
        page: name of the page; for ``.md``, a Markdown page with each plot in a file of its own is
            written besides ``report.html``.
        seed: random seed, if any.
        encodings: the encodings used; all by default.
        inputs: files that were read.
        outputs: files already written to the folder.
        timed: whether the figures contain times, so that their checksum is no use.

    Raises:
        OutputError: a file cannot be written.
    """
    make_folder(folder)
    write_json(folder / summary, figures)
    written = [*outputs, *write_page(folder / PAGE, report)]
    if page != PAGE:
        written += write_page(folder / page, report)
    if not timed:
        written.append(folder / summary)
    described = manifest(
        config=config, seed=seed, encodings=encodings, inputs=inputs, outputs=written
    )
    write_json(folder / MANIFEST, {**described, TIMED: [summary]} if timed else described)
    return folder / PAGE


def write_page(path: Path, report: Report) -> list[Path]:
    """Write a report as HTML, or as Markdown with its plots; return the paths, the page first.

    Raises:
        OutputError: a file cannot be written.
    """
    plots: dict[Path, str] = {}
    if path.suffix == ".md":
        content = markdown(report)
        for section in report.sections:
            plots |= {path.with_name(f"{name}.svg"): svg for name, svg in section.plots.items()}
    else:
        content = html(report)
    for file, text in {**plots, path: content}.items():
        with atomic(file) as opened:
            opened.write(text.encode("utf-8", "replace"))
    return [path, *plots]


def html(report: Report) -> str:
    """The HTML of a report."""
    from markupsafe import Markup

    if breaches := unsealed():
        report = replace(report, facts={**report.facts, "unsealed": "; ".join(breaches)})
    numbers = count(1)
    listed = any(section.listing is not None for section in report.sections)
    script = _SCRIPT.read_text(encoding="utf-8") if listed else ""
    return _template().render(
        report=report,
        versions=versions(),
        script=Markup(script),
        policy=_policy(script),
        inline=lambda svg: Markup(_inline(svg, next(numbers))),
    )


@cache
def _template() -> Template:
    """The template, which takes longer to compile than most pages to write."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader(__package__, ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=printable,
    )
    environment.filters["numeric"] = _numeric
    environment.filters["heading"] = _heading
    environment.filters["code"] = _code
    environment.filters["json"] = lambda value: Markup(_embedded(value))
    environment.filters["column"] = _column
    return environment.get_template("report.html.jinja")


_SCRIPT = Path(__file__).with_name("browser.js")


def _policy(script: str) -> str:
    """The content security policy: styles, and this script if there is one."""
    allowed = ["default-src 'none'", "style-src 'unsafe-inline'", "base-uri 'none'"]
    if script:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        allowed.append(f"script-src 'sha256-{digest}'")
    return "; ".join([*allowed, "form-action 'none'"])


def _embedded(value: object) -> str:
    """A value as a line of JSON that can be embedded in a page."""
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return _UNFIT.sub("\N{REPLACEMENT CHARACTER}", written).replace("<", "\\u003c")


_UNFIT = re.compile("[\x7f-\x9f\ud800-\udfff]")


def _column(column: Column) -> dict[str, object]:
    described: dict[str, object] = {"name": column.name, "title": column.title}
    if column.width is not None:
        described["width"] = column.width
    described |= {name: True for name in ("minor", "mark", "long") if getattr(column, name)}
    if not column.filtered:
        return described | {"values": list(column.values)}
    values = [(cell,) if isinstance(cell, str) else cell for cell in column.values]
    choices = sorted({choice for cell in values for choice in cell}, key=_natural)
    numbers = {choice: number for number, choice in enumerate(choices)}
    coded = [[numbers[choice] for choice in cell] for cell in values]
    short = [indices[0] if len(indices) == 1 else indices for indices in coded]
    return described | {"choices": choices, "values": short}


def _natural(text: str) -> list[tuple[int, int, str]]:
    """Sorts numbers by value, and before words."""
    parts = re.split(r"(\d+)", text)
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts if part]


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
        low, high = (float(group.replace(",", "")) for group in found.groups())
        return low <= high
    return _NUMBER.match(text) is not None


def _heading(table: Table, column: int) -> str:
    """The class of a column's heading, which is aligned like the first cell."""
    cell = table.rows[0][column] if table.rows else ""
    if isinstance(cell, Cell):
        return "heat"
    return "number" if _numeric(cell) else ""


def _code(text: str) -> Markup:
    """Show each part between backticks as code."""
    from markupsafe import Markup, escape

    parts = (escape(printable(part)) for part in text.split("`"))
    marked = (
        part if n % 2 == 0 else Markup("<code>%s</code>") % part for n, part in enumerate(parts)
    )
    return Markup("").join(marked)


def markdown(report: Report) -> str:
    """The Markdown of a report; plots are images in files next to the page."""
    return "".join(_markdown(report))


def _markdown(report: Report) -> Iterator[str]:
    yield f"# {report.title}\n"
    if report.lead:
        yield f"\n{report.lead}\n"
    if report.facts:
        yield "\n"
        yield from (f"- {name}: {value}\n" for name, value in report.facts.items())
    for section in report.sections:
        yield from _markdown_section(section)
    if report.footer:
        yield f"\n{report.footer}\n"


def _markdown_section(section: Section) -> Iterator[str]:
    yield f"\n## {section.title}\n"
    if section.text:
        yield f"\n{section.text}\n"
    if section.points:
        yield "\n"
        yield from (f"- {point.text}\n" for point in section.points)
    for name in section.plots:
        yield f"\n![{name.replace('-', ' ')}]({name}.svg)\n"
    for table in section.tables:
        yield "\n"
        yield from markdown_table(table)
    if section.listing is not None:
        yield "\n"
        yield from _markdown_listing(section.listing)
    if section.definitions:
        yield "\n"
        yield from (f"- `{name}`: {meaning}\n" for name, meaning in section.definitions.items())


def _markdown_listing(listing: Listing) -> Iterator[str]:
    shown = [column for column in listing.columns if column.width is not None]
    rows = [
        tuple(cell if isinstance(cell, str) else ", ".join(cell) for cell in row)
        for row in zip(*(column.values[:_MOST_ROWS] for column in shown), strict=True)
    ]
    titles = tuple(column.title for column in shown)
    yield from markdown_table(Table(columns=titles, rows=tuple(rows)))
    left = len(listing.columns[0].values) + listing.left_out - len(rows)
    if left:
        yield f"\n{left_out(left, listing.file)}\n"


_MOST_ROWS = 50
"""Maximum rows of a listing in Markdown."""


def markdown_table(table: Table) -> Iterator[str]:
    """The lines of a table; columns of numbers are right-aligned, the best cells in bold."""
    first = [str(cell) for cell in table.rows[0]] if table.rows else [""] * len(table.columns)
    yield _row(table.columns)
    yield "|" + "".join("---:|" if _numeric(cell) else "---|" for cell in first) + "\n"
    for y, row in enumerate(table.rows):
        yield _row(
            [f"**{cell}**" if (y, x) in table.best else str(cell) for x, cell in enumerate(row)]
        )


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(" ".join(cell.split()).replace("|", r"\|") for cell in cells) + " |\n"
