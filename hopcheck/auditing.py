"""Audits of public benchmarks: ``audit``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from benchmarks.audits.model import ReadingError
from benchmarks.audits.patches import corrected_copy, write_patch
from benchmarks.audits.report import AuditReport
from benchmarks.audits.run import audit as audit_files
from grammar.errors import ExitStatus
from hopcheck.inputs import ArgumentError, PathLike, paths_of, sealed
from solver.verification.report import Finding, Findings

SetName: TypeAlias = Literal[
    "bbh", "bbeh", "bigbench", "stepgame", "babi", "tempreason", "timex-nli", "tot", "reasoning-gym"
]
"""The sets that are known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """What an audit found.

    Attributes:
        report: the whole report, with every item, reading and certificate.
    """

    report: AuditReport

    @property
    def verdicts(self) -> dict[str, int]:
        """Number of items of each verdict; each item has one."""
        return self.report.verdicts

    @property
    def coverage(self) -> float:
        """Share of the items that are read, in [0, 1]."""
        return float(self.report.as_json()["coverage"])

    @property
    def exit_status(self) -> ExitStatus:
        """As that of the command: 0 without findings, 1 with, 3 where an item is unread."""
        return self.report.exit_status

    @property
    def findings(self) -> Findings:
        """The items whose label is not right in every reading; ``to_pandas()`` is a table."""
        return Findings(self._findings())

    def _findings(self) -> Iterator[Finding]:
        for file in self.report.files:
            for item in file.findings():
                yield Finding(
                    code=item.verdict.value,
                    where=item.where,
                    message=f"gold {item.gold}, decided {item.decided}: {item.proof}",
                    certificate=item.certificate,
                    id=str(item.id),
                )

    def corrected(self) -> dict[str, bytes]:
        """The bytes of a corrected copy of each file, by its name.

        Raises:
            HopcheckError: a corrected label is wrong.
        """
        return {file.file.name: corrected_copy(file)[0] for file in self.report.files}

    def patch(self, out: PathLike) -> list[Path]:
        """Write corrected copies, ``changes.tsv`` and a text for the maintainers to a folder."""
        return write_patch(self.report, Path(out))

    def write(self, out: PathLike) -> Path:
        """Write the items, the figures and a page to a folder; returns the path of the page."""
        return self.report.write(Path(out))

    def __str__(self) -> str:
        """The headline of each file."""
        return "\n".join(file.headline for file in self.report.files)


@sealed
def audit(
    name: SetName,
    paths: PathLike | Sequence[PathLike],
    *,
    reading: Mapping[str, str] | None = None,
    jobs: int = 1,
    unsealed: bool = False,  # noqa: ARG001
) -> Audit:
    """Audit local copies of a public set: each item is decided twice, and each fault proved.

    Args:
        name: the set, such as stepgame.
        paths: a file as published, plain or gzip, or several; the task is found from their rows.
        reading: values of conventions that labels depend on, instead of the default ones.
        jobs: number of worker processes.
        unsealed: also read files of data sets that differ from their manifest.

    Returns:
        The verdicts, findings and corrections.

    Raises:
        HopcheckError: the set or a convention is unknown, a file cannot be read, or engines
            disagree.

    Examples:
        >>> import hopcheck as hc
        >>> found = hc.audit("bbh", "examples/audits/date_understanding.json")
        >>> found.verdicts["wrong"] + found.verdicts["no-right-option"], len(found.findings) > 0
        (2, True)
    """
    try:
        return Audit(report=audit_files(name, paths_of(paths), reading=reading, jobs=jobs))
    except ReadingError as error:
        raise ArgumentError(f"reading: {error.message}", hint=error.hint) from None
