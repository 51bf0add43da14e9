"""Counts over outcomes, which add up whatever the order of the shards."""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass, field

from solver.verify.outcome import Cell


@dataclass(slots=True, kw_only=True)
class Tally:
    """What a verification run counted; the only mutable noun here.

    Attributes:
        confusion: (gold as the file writes it, decided label) -> items.
        declared: (declared consistent, found consistent) -> items.
        status: status -> items.
        causes: names of faults joined by ``+``, or ``unexplained`` -> wrong labels.
        findings: finding -> records.
        cells: (cell, cause or ``right``) -> items with a gold label.
        digests: a 64-bit digest of each item's text, to find duplicates.
    """

    items: int = 0
    unparsed: int = 0
    confusion: Counter[tuple[str, str]] = field(default_factory=Counter)
    declared: Counter[tuple[bool, bool]] = field(default_factory=Counter)
    status: Counter[str] = field(default_factory=Counter)
    causes: Counter[str] = field(default_factory=Counter)
    findings: Counter[str] = field(default_factory=Counter)
    cells: Counter[tuple[Cell, str]] = field(default_factory=Counter)
    digests: array[int] = field(default_factory=lambda: array("Q"))
