"""Verifies files of any kind; the command line and the Python API call ``verify``.

A new kind is an encoding, a ``Verifier`` and a declaration (``solver.verification.kinds``).
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from grammar.errors import ExitStatus, HopcheckError
from solver.dataset.origin import require_origin, undecidable
from solver.dataset.seal import require_sealed
from solver.io.columns import SAME_NAMES, ColumnNames
from solver.io.sources import InputError
from solver.io.writing import atomic, lasting, make_folder, reporting
from solver.probes.probe import ProbeLevel
from solver.verification.kinds import detect, kind_named
from solver.verification.report import Findings, Unreadable, VerifyReport
from solver.verification.verifier import Execution, RunResult

if TYPE_CHECKING:
    from solver.encodings import ViolationAtom


class DisagreementError(HopcheckError):
    """Two engines disagree, so at least one of them is wrong.

    Attributes:
        name: kind of the input, for the name of the file.
        program: the input as ASP facts.
        encodings: the encodings that decide it.
    """

    code = "disagreement"
    exit_status = ExitStatus.DISAGREEMENT

    def __init__(
        self,
        message: str,
        *,
        where: str = "",
        hint: str = "",
        name: str = "",
        program: str = "",
        encodings: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message, where=where, hint=hint)
        self.name, self.program, self.encodings = name, program, encodings

    def write_reproducer(self, folder: Path) -> Path:
        """Write the input facts, name the command to run in the hint, and return the path."""
        path = make_folder(folder) / f"disagreement-{self.name}.lp"
        with lasting(), atomic(path) as file:
            file.write(f"{self.program}\n".encode())
        used = " ".join(f"encodings/{name}" for name in self.encodings)
        also = f", {self.hint}" if self.hint else ""
        self.hint = f"reproduce with: clingo {used} {path}{also}"
        return path


def difference(
    engines: tuple[str, str], atoms: Iterable[ViolationAtom], other: Iterable[ViolationAtom]
) -> tuple[str, ViolationAtom] | None:
    """The first finding of only one engine, as a multiset, with that engine; None if equal."""
    found = Counter(atoms), Counter(other)
    only = found[0] - found[1], found[1] - found[0]
    first = min([*only[0], *only[1]], default=None)
    return None if first is None else (engines[first in only[1]], first)


def found_alone(engine: str, finding: ViolationAtom, numbers: tuple[int, ...] | None = None) -> str:
    """The message about a finding of one engine: ``…: unlabelled(4) is found by asp alone``."""
    shown = finding.numbers if numbers is None else numbers
    named = f"{finding.code}({', '.join(map(str, shown))})"
    return f"engines disagree: {named} is found by {engine} alone"


@reporting()
def verify(
    source: str | Path | Iterable[object],
    kind: str | None = None,
    *,
    config: object | None = None,
    jobs: int = 1,
    progress: Callable[[int], object] | None = None,
    folder: Path | None = None,
    fail_fast: bool = False,
    probes: ProbeLevel = ProbeLevel.FAST,
    shard_size: int | None = None,
    columns: ColumnNames = SAME_NAMES,
) -> VerifyReport:
    """Verify files and report all findings, each with its certificate.

    Args:
        source: a path or several; ``-`` is standard input. Items may also be given as records.
        kind: kind of artefact; None to detect it.
        config: settings of the kind, such as ``ItemSettings`` or ``FactSettings``; None for its
            defaults.
        jobs: number of worker processes; the result does not depend on it.
        progress: called with the number of rows newly finished.
        folder: folder of the report: the lines of items are written there during the run, the
            rest by ``VerifyReport.write``.
        fail_fast: whether to stop soon after the first finding; for items only.
        probes: the probes that are run on kinds with labels.
        shard_size: rows in each file of lines; None for one file. For items only.
        columns: names of columns that differ from the declared ones; for items, a setting.

    Raises:
        InputError: a file cannot be read.
        DisagreementError: the engines disagree; their input is written to ``folder``, or to the
            working directory.
    """
    given = [source] if isinstance(source, str | Path) else list(source)
    paths = [option for option in given if isinstance(option, str | Path)]
    execution = Execution(
        jobs=jobs,
        progress=progress,
        folder=folder,
        fail_fast=fail_fast,
        probes=probes,
        shard_size=shard_size,
        columns=columns,
    )
    require_sealed(*paths)
    declared = kind_named(detect(paths) if kind is None else kind)
    require_origin(paths, declared)
    verifier = declared.make_verifier(config, execution)
    unreadable: list[Unreadable] = []

    def readable(rows: Iterable[object]) -> Iterator[object]:
        for row in rows:
            if isinstance(row, Unreadable):
                unreadable.append(row)
            else:
                yield row

    begun = time.perf_counter()
    try:
        findings = Findings(verifier.decide(readable(verifier.read(given))))
    except DisagreementError as error:
        error.write_reproducer(folder or Path())
        raise
    run = RunResult(
        files=tuple(map(str, paths)),
        findings=findings,
        unreadable=tuple(unreadable),
        seconds=time.perf_counter() - begun,
    )
    made = verifier.report(run)
    if not made.kind:
        made = replace(
            made,
            kind=declared.name,
            noun=declared.noun,
            files=made.files or run.files,
            findings=run.findings,
            unreadable=run.unreadable,
            seconds=run.seconds,
        )
    if not (made.rows or made.unreadable or made.findings):
        raise InputError(f"found no {made.noun}, expected at least one", where=run.files[0])
    return replace(made, undecidable=undecidable(paths, declared))
