"""Renders a report as one self-contained HTML file or as Markdown, and writes its folder.

The page fetches nothing and runs no script; everything read from a file is escaped. The same
values give the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from solver.io.sources import MANIFEST
from solver.io.writing import atomic, make_folder, write_json
from solver.manifest import manifest, versions
from solver.report.model import Cell, Report, Section, Table

if TYPE_CHECKING:
    from markupsafe import Markup

PAGE = "report.html"


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
    """Write the figures, the page and, last, the manifest; return the path of the page.

    Args:
        folder: created if missing.
        report: content of the page.
        figures: all figures as JSON values.
        config: the run's options.
        summary: name of the file of the figures.
        page: name of the page; ``.md`` gives Markdown, with each plot in a file of its own.
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
    written = [*outputs, *write_page(folder / page, report)]
    if not timed:
        written.append(folder / summary)
    described = manifest(
        config=config, seed=seed, encodings=encodings, inputs=inputs, outputs=written
    )
    write_json(folder / MANIFEST, described)
    return folder / page


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
    numbers = count(1)
    environment.filters["inline"] = lambda svg: Markup(_inline(svg, next(numbers)))
    environment.filters["numeric"] = _numeric
    environment.filters["heading"] = _heading
    environment.filters["code"] = _code
    template = environment.get_template("report.html.jinja")
    return template.render(report=report, versions=versions())


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
        low, high = (float(one.replace(",", "")) for one in found.groups())
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
    if section.definitions:
        yield "\n"
        yield from (f"- `{name}`: {meaning}\n" for name, meaning in section.definitions.items())


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
