"""Writes the folder of a forecast: facts, certificates, history, report and manifest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path

from generators.forecast.factfiles import facts_of, write_certificates, write_facts
from generators.forecast.outcome import Outcome
from generators.forecast.report import write_report
from solver.cli.printing import make_folder
from solver.manifest import manifest
from solver.temporal_facts.findings import COHERENCY, SCHEMA
from solver.verify.facts_folder import CERTIFICATES, FACTS, HISTORY, MANIFEST
from solver.verify.facts_support import GROUNDINGS
from solver.writing import write_json


def write_forecast(folder: Path, outcome: Outcome, inputs: Sequence[Path]) -> tuple[Path, ...]:
    """Write all files and return their paths, the manifest last.

    Raises:
        OutputError: a file cannot be written.
    """
    home, graph = make_folder(folder), outcome.graph
    forecasts = outcome.result.forecasts
    written = [
        write_facts(home / FACTS, facts_of(forecasts), graph),
        write_facts(home / HISTORY, graph.facts, graph),
        write_certificates(home / CERTIFICATES, forecasts, graph),
        write_report(home, outcome),
    ]
    metadata = manifest(
        config=_config(outcome),
        seed=outcome.plan.settings.seed,
        encodings=[GROUNDINGS, *_encodings(outcome)],
        inputs=[file for path in inputs for file in _files(path)],
        outputs=sorted(written),
    )
    figures = outcome.figures.as_json() | {"violations": outcome.checked.counts()}
    write_json(home / MANIFEST, metadata | {"figures": figures})
    return (*written, home / MANIFEST)


def _files(path: Path) -> list[Path]:
    """The files of a folder, sorted, or the file itself."""
    return sorted(one for one in path.iterdir() if one.is_file()) if path.is_dir() else [path]


def _config(outcome: Outcome) -> dict[str, object]:
    """The plan as JSON values, with ISO dates."""
    plan: dict[str, object] = asdict(outcome.plan)
    settings = asdict(outcome.plan.settings)
    days = {name: date.fromordinal(settings[name]).isoformat() for name in ("begin", "end")}
    del plan["settings"]
    return plan | settings | days | {"reference": outcome.reference.year}


def _encodings(outcome: Outcome) -> tuple[str, ...]:
    return (COHERENCY,) if outcome.plan.schema is None else (COHERENCY, SCHEMA)
