"""Data sets in the formats of the field's tools: ``export``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike as OsPathLike
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from hopcheck.analysis import scheme_of
from hopcheck.inputs import (
    ArgumentError,
    FormatName,
    PathLike,
    sealed,
)
from solver import NAMESPACE

FORMATS = {
    "hf": "benchmarks.export.hf:export",
    "inspect": "benchmarks.export.tasks:inspect",
    "lm-eval": "benchmarks.export.tasks:lm_eval",
    "reasoning-gym": "benchmarks.export.tasks:reasoning_gym",
    **{
        name: f"benchmarks.export.traces:{name}"
        for name in (
            "processbench",
            "prm800k",
            "stepwise",
            "preference",
            "verifiers",
            "openenv",
        )
    },
    "pykeen": "benchmarks.export.graphs:pykeen",
    "tgb": "benchmarks.export.graphs:tgb",
}
"""The function that writes each format."""


@sealed
def export(
    format: FormatName,
    folder: PathLike | Sequence[PathLike],
    out: PathLike,
    *,
    labels: str | Mapping[str, str] | None = None,
    unsealed: bool = False,  # noqa: ARG001
    **options: Any,  # noqa: ANN401 - of the format
) -> tuple[Path, ...]:
    """Write a data set in the format of another tool, as the command ``export`` does.

    Args:
        format: the tool:

            - ``hf``: the library ``datasets`` and the Hugging Face hub. Options: ``licence``;
              ``graph``, of questions, for the probes of the card.
            - ``inspect``, ``lm-eval`` and ``reasoning-gym``: these tools. Option: ``name``.
            - ``processbench``, ``prm800k``, ``stepwise`` and ``preference``: chains of thought.
            - ``verifiers`` and ``openenv``: chains of thought. Option: ``name``.
            - ``pykeen`` and ``tgb``: these libraries; a graph. Option of ``tgb``: ``name``.
        folder: a folder written by ``generate`` or ``forecast``, or the folder of a graph; for hf
            also a list of folders of items, or a file of rules, patterns, facts or documents.
        out: output folder.
        labels: of items for hf, inspect, lm-eval and reasoning-gym: a label scheme, or the word of
            each status, instead of true, false and undefined.
        unsealed: also read data sets that differ from their manifest; outputs record it.
        options: options of the format, with the defaults of the command.

    Returns:
        The files, the manifest last.

    Raises:
        ArgumentError: the format is unknown.
        TypeError: the format has no such option.
        HopcheckError: the data set cannot be read or exported, or a file not be written.

    Examples:
        >>> import hopcheck as hc
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     files = hc.export("hf", "examples/ranks/graph", folder, licence="cc-by-4.0")
        >>> [file.name for file in files][:3]
        ['facts-train.parquet', 'facts-valid.parquet', 'facts-test.parquet']
    """
    from benchmarks.export.source import read_source

    if format not in FORMATS:
        raise ArgumentError(f"found format={format!r}, expected one of {', '.join(FORMATS)}")
    write, scheme = resolve_name(NAMESPACE + FORMATS[format]), scheme_of(labels)
    if format == "hf":
        paths = [folder] if isinstance(folder, str | OsPathLike) else folder
        sources = [read_source(Path(path), scheme) for path in paths]
        return tuple(write(sources, Path(out), **options))
    if not isinstance(folder, str | OsPathLike):
        raise ArgumentError(f"found {type(folder).__name__} as folder, expected one folder")
    return tuple(write(read_source(Path(folder), scheme), Path(out), **options))
