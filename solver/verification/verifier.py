"""What decides the rows of a kind: the protocol of verifiers, and how a run executes one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from solver.io.columns import SAME_NAMES, ColumnNames
from solver.probes.probe import ProbeLevel
from solver.verification.report import Finding, Findings, Unreadable, VerifyReport

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True, kw_only=True)
class Execution:
    """How a verification is executed; only ``probes`` and ``columns`` change the result.

    Attributes:
        jobs: number of worker processes.
        progress: called with the number of rows newly finished.
        folder: folder for the lines of single rows and for the input of engines that disagree;
            None to write no lines, and that input to the working directory.
        fail_fast: whether to stop soon after the first finding.
        probes: the probes that are run; a shortcut is a finding.
        shard_size: rows in each file of lines; None for one file. For items only.
        columns: names of columns in the verified files that differ from the declared ones.
    """

    jobs: int = 1
    progress: Callable[[int], object] | None = None
    folder: Path | None = None
    fail_fast: bool = False
    probes: ProbeLevel = ProbeLevel.FAST
    shard_size: int | None = None
    columns: ColumnNames = SAME_NAMES


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """What a run collects; a verifier adds its metrics and makes the report."""

    files: tuple[str, ...]
    findings: Findings
    unreadable: tuple[Unreadable, ...]
    seconds: float


class Verifier(Protocol[Row]):
    """Reads and decides the rows of one kind of artefact.

    A row is what is decided at once: an item, a list of patterns, a whole graph.
    """

    @property
    def kind(self) -> str:
        """The kind that it verifies."""
        ...

    def read(self, source: Sequence[Any]) -> Iterator[Row | Unreadable]:
        """Read the rows; those that cannot be read do not end reading.

        Args:
            source: paths; ``-`` is standard input.

        Raises:
            InputError: a file cannot be read.
        """
        ...

    def decide(self, rows: Iterable[Row]) -> Iterator[Finding]:
        """Decide rows with all engines, compare these, and check the certificates.

        Raises:
            DisagreementError: the engines disagree; their input is written to a file.
        """
        ...

    def report(self, run: RunResult) -> VerifyReport:
        """The report of a finished run; without a kind, it is completed from the run."""
        ...
