"""Writes the report folder of ``verify --kind …``: summary, violations, page, manifest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from solver.cli.printing import make_folder
from solver.manifest import manifest
from solver.report.sheet import Section, Sheet, Table, write_sheet
from solver.verify.checked import VerifyReport
from solver.writing import json_lines, write_json

_SHOWN = 200


def write_report(
    checked: VerifyReport,
    folder: Path,
    *,
    config: Mapping[str, object],
    encodings: tuple[str, ...],
    sections: tuple[Section, ...] = (),
) -> Path:
    """Write the report folder; returns the path of the page."""
    make_folder(folder)
    write_json(folder / "summary.json", checked.as_json())
    rows = folder / "violations.jsonl"
    with json_lines(rows) as file:
        for one in checked.violations:
            file.write(one.as_json())
    page = write_sheet(folder / "report.html", _sheet(checked, sections))
    described = manifest(
        config={"kind": checked.kind, **config},
        encodings=encodings,
        inputs=checked.files,
        outputs=[rows, page],
    )
    write_json(folder / "manifest.json", described)
    return page


def _sheet(checked: VerifyReport, sections: tuple[Section, ...]) -> Sheet:
    counts = checked.counts()
    flawed = ", ".join(f"{number:,} {code}" for code, number in counts.items())
    unread = f"{checked.unread} unread" if checked.unread else ""
    return Sheet(
        title=f"{checked.counted}: {flawed or unread or 'as declared'}",
        lead="" if flawed or unread else f"{checked.right}.",
        facts={
            "files": ", ".join(checked.files),
            "engines": " = ".join(checked.engines) or "none",
            "unreadable rows": f"{len(checked.unreadable):,}",
            **{
                name.replace("_", " "): str(value)
                for name, value in checked.figures.items()
                if not isinstance(value, Mapping | list | tuple)
            },
        },
        sections=(*_violations(checked), *sections),
    )


def _violations(checked: VerifyReport) -> Iterator[Section]:
    if not checked.violations:
        return
    left = len(checked.violations) - _SHOWN
    yield Section(
        title="Violations",
        text=f"{left:,} more are in violations.jsonl." if left > 0 else "",
        table=Table(
            columns=("where", "code", "problem", "certificate"),
            rows=tuple(
                (one.where, one.code, one.message, _evidence(one.certificate))
                for one in checked.violations[:_SHOWN]
            ),
        ),
    )


def _evidence(certificate: Mapping[str, object]) -> str:
    return "; ".join(f"{name.replace('_', ' ')}: {value}" for name, value in certificate.items())
