"""The folder that a scoring command's ``--report`` leaves: figures, page, manifest."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from solver.manifest import manifest
from solver.report.sheet import Sheet, write_sheet
from solver.writing import write_json


class Reported(Protocol):
    """What came out of a run: its figures, and what it was made with."""

    @property
    def config(self) -> Mapping[str, object]:
        """The run's options."""

    @property
    def inputs(self) -> tuple[str, ...]:
        """Files that were read."""

    @property
    def seed(self) -> int:
        """Of its draws."""

    def as_json(self) -> dict[str, Any]:
        """All figures as JSON values."""


def write_folder(run: Reported, sheet: Sheet, folder: Path) -> Path:
    """Write ``scores.json``, ``report.html`` and, last, ``manifest.json``; gives the page.

    Raises:
        OutputError: the folder cannot be written to.
    """
    figures = folder / "scores.json"
    write_json(figures, run.as_json())
    page = write_sheet(folder / "report.html", sheet)
    described = manifest(
        config=run.config, seed=run.seed, encodings=(), inputs=run.inputs, outputs=[figures, page]
    )
    write_json(folder / "manifest.json", described)
    return page
