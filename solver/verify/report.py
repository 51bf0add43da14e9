"""The folder that ``--report`` leaves: figures, page, manifest; the rows are there already."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from grammar.domains import detect
from grammar.errors import ParseError
from grammar.reader import reader
from solver.artefacts import Artefacts, Sample, measure, sample
from solver.manifest import manifest
from solver.model import Item
from solver.records import Record
from solver.report import REPORT
from solver.report import write_report as write_page
from solver.theories import ENCODINGS
from solver.verify.settings import Settings
from solver.verify.summary import summary
from solver.writing import write_json

if TYPE_CHECKING:
    from solver.verify.run import Run

ROWS = "items.jsonl"


def write_report(run: Run, folder: Path) -> Path:
    """Write ``summary.json``, ``report.html`` and ``manifest.json``; gives the page's path.

    The manifest holds no digest of the summary: that tells how long the run took.
    """
    figures = summary(run.files, run.settings, run.tally, seconds=run.seconds)
    artefacts = _artefacts(run)
    write_json(folder / "summary.json", figures | {"artefacts": artefacts})
    page = write_page(folder, figures, run.tally, run.flawed, artefacts)
    settings = run.settings
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


def _artefacts(run: Run) -> Artefacts | None:
    if run.samples is None:
        return None
    seen = (_sample(record, run.settings) for record in run.samples.records())
    return measure([one for one in seen if one is not None])


def _sample(record: Record, settings: Settings) -> Sample | None:
    domain = settings.domain or detect(record.premise, record.claim)
    item: Item | None
    try:
        item = reader(domain, settings.spatial).read(record.id, record.premise, record.claim)
    except ParseError:
        item = None
    return sample(record, item)
