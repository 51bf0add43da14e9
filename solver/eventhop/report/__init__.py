"""The report of a run over items: figures, findings, and how they are written to a folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grammar.errors import ExitStatus
from solver.eventhop.engines import ItemSettings
from solver.eventhop.outcomes import ROWS, SHARDED_ROWS, Outcome
from solver.eventhop.tally import Tally
from solver.probes.probe import ProbeLevel
from solver.verification.report import VerifyReport
from solver.verification.run import verify

if TYPE_CHECKING:
    from solver.eventhop.artefacts import Artefacts
    from solver.eventhop.dataset import Dataset, Problem

SHOWN = 50
"""Maximum number of flawed items that the terminal shows."""

KEPT = 1_000
"""Maximum number of flawed items whose findings a report keeps, for wrong labels and for others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemReport(VerifyReport):
    """The report of items.

    Attributes:
        settings: how the items were decided.
        tally: counts of the outcomes.
        flawed: the first outcomes with findings, wrong labels first; at most ``SHOWN``.
        errors: the first messages about unparsed records and self-claims, at most ``ERRORS``.
        datasets: folders whose files were compared with their manifests; problems: of these.
        artefacts: results of the probes by file, or of all files together under their names; empty
            if no probes were run.
        probes: the probes that were run.
        written: the files of lines of items, if they were written.
        rows_of_page: the flawed items as ``solver.eventhop.report.findings`` encodes them.
        records: the source of the run.
    """

    settings: ItemSettings
    tally: Tally
    flawed: tuple[Outcome, ...] = ()
    errors: tuple[str, ...] = ()
    datasets: tuple[Dataset, ...] = ()
    problems: tuple[Problem, ...] = ()
    artefacts: Mapping[str, Artefacts] = field(default_factory=dict)
    probes: ProbeLevel = ProbeLevel.NONE
    written: tuple[Path, ...] = ()
    rows_of_page: tuple[bytes, ...] = ()
    records: tuple[object, ...] = ()

    @property
    def exit_status(self) -> ExitStatus:
        """Unreadable rows take precedence over findings."""
        if self.tally.unparsed or self.failure is not None:
            return ExitStatus.UNREADABLE
        return ExitStatus.VIOLATIONS if self.findings.counts() else ExitStatus.OK

    def as_json(self) -> dict[str, Any]:
        """The object printed by ``--json``; ``disagreements`` is 0, as one stops the run."""
        return {
            "files": list(self.files),
            "items": self.rows,
            **self.metrics,
            "findings": self.findings.counts(),
            **(self.scope_as_json() if self.scope else {}),
            "seconds": round(self.seconds, 3),
            "items_per_second": round(self.rows / self.seconds, 1) if self.seconds else 0.0,
        }

    def write(self, folder: str | Path) -> Path:
        """Write summary, page and manifest to a folder; returns the page's path.

        ``items.jsonl`` is written during a run with this folder; for any other run, the items are
        decided again. The manifest has no checksum of the summary, which contains the run time.
        """
        if not self.written:
            again = verify(
                self.records,
                self.kind,
                config=self.settings,
                folder=Path(folder),
                probes=self.probes,
            )
            return again.write(folder)
        from solver.eventhop.report.page import verification_report
        from solver.report.page import write_report

        folder, figures = Path(folder), self.as_json()
        return write_report(
            folder,
            verification_report(
                figures,
                self.tally,
                self.rows_of_page,
                self.artefacts,
                self.problems,
                file=ROWS if len(self.written) == 1 else SHARDED_ROWS,
            ),
            figures=figures | {"artefacts": self.artefacts},
            summary="summary.json",
            config=self.config,
            encodings=self.encodings,
            inputs=self.files,
            outputs=[folder / path.name for path in self.written],
            timed=True,
        )
