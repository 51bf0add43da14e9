"""Writes the report folder of a run: summary, page, manifest; ``items.jsonl`` already exists."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from solver.manifest import manifest
from solver.report import REPORT
from solver.report import write_report as write_page
from solver.theories import ENCODINGS
from solver.writing import write_json

if TYPE_CHECKING:
    from solver.verify.run import Run

ROWS = "items.jsonl"


def write_report(run: Run, folder: Path) -> Path:
    """Write ``summary.json``, ``report.html`` and ``manifest.json``; returns the page's path.

    The manifest has no checksum of the summary, which contains the run time.
    """
    settings = run.settings
    figures = run.figures()
    artefacts = None if run.samples is None else run.samples.artefacts(settings)
    write_json(folder / "summary.json", figures | {"artefacts": artefacts})
    page = write_page(folder, figures, run.tally, run.flawed, artefacts)
    config = {
        "policy": settings.policy,
        "repaired": sorted(settings.repaired),
        "spatial": settings.spatial,
        "domain": settings.domain,
        "engines": list(settings.engines),
    }
    made = manifest(
        config=config,
        encodings=[f"temporal/{path.name}" for path in (ENCODINGS / "temporal").glob("*.*")],
        inputs=run.files,
        outputs=[folder / ROWS, folder / REPORT],
    )
    write_json(folder / "manifest.json", made)
    return page
