"""The folder that ``--report`` of a scoring command writes: figures, page, manifest."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from solver.io.writing import write_json
from solver.manifest import manifest
from solver.report.page import Sheet, write_sheet


class ReportData(Protocol):
    """The result of a run: its figures, options and inputs."""

    @property
    def config(self) -> Mapping[str, object]:
        """The run's options."""

    @property
    def inputs(self) -> tuple[str, ...]:
        """Input files."""

    @property
    def seed(self) -> int:
        """Random seed."""

    def as_json(self) -> dict[str, Any]:
        """All figures as JSON values."""


def write_folder(run: ReportData, sheet: Sheet, folder: Path) -> Path:
    """Write ``scores.json``, ``report.html`` and, last, ``manifest.json``; returns the page.

    Raises:
        OutputError: a file cannot be written.
    """
    figures = folder / "scores.json"
    write_json(figures, run.as_json())
    page = write_sheet(folder / "report.html", sheet)
    described = manifest(
        config=run.config, seed=run.seed, encodings=(), inputs=run.inputs, outputs=[figures, page]
    )
    write_json(folder / "manifest.json", described)
    return page
