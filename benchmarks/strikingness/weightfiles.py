"""Writes weight files, ``s r o t sk``, as read by ``benchmarks.ranking.weights``."""

from __future__ import annotations

from pathlib import Path

from benchmarks.ranking.joining import KEYS
from benchmarks.strikingness.measure import Strikingness
from solver.writing.packing import packed

DECIMALS = 9
"""Decimals of components and of unrounded weights."""


def write_strikingness(path: str | Path, found: Strikingness, *, components: bool = False) -> None:
    """Write one row per event, in order; gzip if the path ends in ``.gz``.

    Args:
        path: output file.
        found: the weights.
        components: whether to add a header line and the columns ``sk_object sk_subject
            sk_relation`` before the weight.

    Raises:
        OutputError: the file cannot be written.
    """
    numbers = [*(found.components.values() if components else ()), found.weight]
    names = [f"sk_{element}" for element in found.components] if components else []
    rows = zip(found.events.rows().tolist(), *(one.tolist() for one in numbers), strict=True)
    with packed(path) as file:
        if components:
            file.write("\t".join((*KEYS, *names, "sk")).encode() + b"\n")
        for fact, *values in rows:
            cells = (*map(str, fact), *(f"{round(value, DECIMALS):.15g}" for value in values))
            file.write("\t".join(cells).encode() + b"\n")
