"""Writes a run's report as one self-contained HTML file.

The page embeds its style and drawings, fetches nothing and runs no script; everything read from a
file is escaped. The same run gives the same bytes: timings are only in ``summary.json``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solver import NAMESPACE
from solver.eventhop.verify import Outcome, Tally

if TYPE_CHECKING:
    from solver.probes.findings import Artefacts

__all__ = ["REPORT", "report_html", "write_report"]

REPORT = "report.html"
_SHARED = f"{NAMESPACE}solver.report"
"""The package whose style sheet all reports include."""


def write_report(
    folder: Path,
    summary: Mapping[str, Any],
    tally: Tally,
    wrong: Sequence[Outcome],
    artefacts: Artefacts | None,
) -> Path:
    """Write ``report.html`` into an existing folder and return its path.

    Args:
        folder: output folder.
        summary: the contents of ``summary.json``.
        tally: the counts of the run.
        wrong: outcomes with findings, in the order of the file; the first 50 are drawn.
        artefacts: results of the artefact checks; None if they were not run.

    Raises:
        OutputError: the file cannot be written.
    """
    from solver.io.writing import atomic

    html = report_html(summary, tally, wrong, artefacts)
    path = folder / REPORT
    with atomic(path) as file:
        file.write(html.encode("utf-8", "replace"))
    return path


def report_html(
    summary: Mapping[str, Any],
    tally: Tally,
    wrong: Sequence[Outcome],
    artefacts: Artefacts | None,
) -> str:
    """The HTML of a report; see ``write_report``."""
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    from solver.eventhop.report.page import meanings, page
    from solver.manifest import versions
    from solver.report.page import printable

    environment = Environment(
        loader=ChoiceLoader([PackageLoader(__package__, ""), PackageLoader(_SHARED, "")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=printable,
    )
    template = environment.get_template("report.html.jinja")
    shown = page(summary, tally, wrong, artefacts, versions())
    return template.render(page=shown, meanings=meanings(summary["causes"]))
