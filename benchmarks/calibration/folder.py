"""Records the problem of a search in its folder, so that only the same search is resumed."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

from benchmarks.calibration.journal import JournalError
from benchmarks.calibration.trial import Problem
from solver.manifest import sha256, versions
from solver.theories import encoding
from solver.tkg.patterns import PATTERN_ENCODINGS
from solver.writing import atomic
from solver.writing.jsonl import line

JOURNAL = "journal.log"
STAMP = "search.json"


def claim(folder: Path, problem: Problem) -> Path:
    """Record the problem in a folder and return the path of the journal.

    Raises:
        JournalError: the folder belongs to another search.
        OutputError: the file cannot be written.
    """
    content = line(_stamp(problem))
    stamp = folder / STAMP
    if stamp.exists() and stamp.read_bytes() != content:
        raise JournalError(
            "the folder holds a search with other options, another reference or other versions",
            where=str(folder),
            hint="choose another --out",
        )
    if not stamp.exists():
        if (folder / JOURNAL).exists():
            message = f"the folder holds a {JOURNAL} without {STAMP}"
            raise JournalError(message, where=str(folder), hint="choose another --out")
        with atomic(stamp) as file:
            file.write(content)
    return folder / JOURNAL


def _stamp(problem: Problem) -> dict[str, object]:
    """Everything that the trials depend on."""
    libraries = {name: version(name) for name in ("numpy", "optuna")}
    return {
        "base": problem.space.base.as_json(),
        "fixed": dict(problem.space.fixed),
        "parameters": {name: str(one) for name, one in problem.space.parameters.items()},
        "reference": problem.reference.as_json(),
        "objective": problem.objective.as_json(),
        "seed": problem.seed,
        "versions": versions() | libraries,
        "encodings": {name: sha256(encoding(name)) for name in PATTERN_ENCODINGS},
    }
