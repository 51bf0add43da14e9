"""Provenance of a run: versions, config, seed, checksums.

Reproducible: a manifest holds no times and no absolute paths.
"""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping
from enum import Enum
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path, PurePath

from solver.dataset.seal import unsealed_as_json
from solver.encodings import ENCODINGS, encoding, with_included
from solver.io.sources import sha256

_DISTRIBUTIONS = ("hopcheck", "clingo", "z3-solver", "lark")


def manifest(
    *,
    config: Mapping[str, object],
    seed: int | None = None,
    encodings: Iterable[str] | None = None,
    inputs: Iterable[str | Path] = (),
    outputs: Iterable[Path] = (),
    folder: Path | None = None,
) -> dict[str, object]:
    """Describe a run; write it with ``solver.io.write_json``, which sorts the keys.

    Args:
        config: the run's options; paths are reduced to file names.
        seed: random seed, if any.
        encodings: the encodings used, such as ``temporal/claims.lp``; their includes are added.
            All encodings by default.
        inputs: files read; ``-`` and pipes have no checksum.
        outputs: files written, in the run's folder.
        folder: the run's folder, if some files are in folders below it.
    """
    used = _all_encodings() if encodings is None else with_included(encodings)
    return {
        "versions": versions(),
        "config": {name: _plain(value) for name, value in config.items()},
        "seed": seed,
        "encodings": {name: sha256(encoding(name)) for name in used},
        "inputs": [{"name": PurePath(path).name, "sha256": sha256(path)} for path in inputs],
        "outputs": {_output_name(path, folder): sha256(path) for path in outputs},
    } | unsealed_as_json()


def _output_name(path: Path, folder: Path | None) -> str:
    return path.name if folder is None else path.relative_to(folder).as_posix()


def versions() -> dict[str, str | None]:
    """Versions of Python, hopcheck and its solvers; None for a package that is not installed."""
    return {"python": platform.python_version()} | {name: _version(name) for name in _DISTRIBUTIONS}


def _version(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def _all_encodings() -> list[str]:
    found = (path for ending in ("*.lp", "*.smt2") for path in ENCODINGS.rglob(ending))
    return sorted(path.relative_to(ENCODINGS).as_posix() for path in found)


def _plain(value: object) -> object:
    """Convert a value to JSON types."""
    if isinstance(value, Enum):
        return _plain(value.value)
    if isinstance(value, PurePath):
        return value.name
    if isinstance(value, Mapping):
        return {str(name): _plain(part) for name, part in value.items()}
    if isinstance(value, set | frozenset):
        return sorted((_plain(part) for part in value), key=str)
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value
