"""The folder of a search under way: notes what is searched there, so that it goes on as it was."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

from benchmarks.calibration.journal import JournalError
from benchmarks.calibration.trial import Problem
from solver.manifest import sha256, versions
from solver.theories import encoding
from solver.tkg.patterns import ASKED
from solver.writing import atomic
from solver.writing.jsonl import line

JOURNAL = "journal.log"
STAMP = "search.json"


def claim(folder: Path, problem: Problem) -> Path:
    """Note in a folder what is searched there, and give the path of the journal.

    Raises:
        JournalError: another search was begun there.
        OutputError: the system refuses to write.
    """
    said = line(_stamp(problem))
    stamp = folder / STAMP
    if stamp.exists() and stamp.read_bytes() != said:
        raise JournalError(
            "the folder holds a search with other options, another reference or other versions",
            where=str(folder),
            hint="give another --out",
        )
    if not stamp.exists():
        if (folder / JOURNAL).exists():
            message = f"the folder holds a {JOURNAL} but not what it is a search for"
            raise JournalError(message, where=str(folder), hint="give another --out")
        with atomic(stamp) as file:
            file.write(said)
    return folder / JOURNAL


def _stamp(problem: Problem) -> dict[str, object]:
    """What the trials depend on."""
    libraries = {name: version(name) for name in ("numpy", "optuna")}
    return {
        "base": problem.space.base.as_json(),
        "fixed": dict(problem.space.fixed),
        "parameters": {name: str(one) for name, one in problem.space.parameters.items()},
        "reference": problem.reference.as_json(),
        "objective": problem.objective.as_json(),
        "seed": problem.seed,
        "versions": versions() | libraries,
        "encodings": {name: sha256(encoding(name)) for name in ASKED},
    }
