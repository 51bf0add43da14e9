"""Counts of the written items, checked against the plan."""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from generators.eventhop.config import Config
from generators.eventhop.layout import LABELS, Layout
from generators.eventhop.presets import SharedTrait, Split
from generators.eventhop.rows import cell_of
from generators.eventhop.shards import SIDES
from solver.errors import ExitStatus, HopcheckError


class CensusError(HopcheckError):
    """A split whose counts differ from the plan."""

    code = "census"
    exit_status = ExitStatus.VIOLATIONS


class Census:
    """Counts of a split, in 16 bytes per item.

    Attributes:
        items: number of items.
        timelines: their hashes, in the order of the items.
    """

    def __init__(self, config: Config, split: Split) -> None:
        self._size = config.sizes[split]
        self._split = split
        self._side = SIDES[config.source(split, SharedTrait.TIMELINES)]
        self._cells: Counter[str] = Counter()
        self._labels: Counter[str] = Counter()
        self._texts = array("Q")
        self._misplaced = 0
        self.items = 0
        self.timelines = array("Q")

    def count(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Count some rows."""
        for row in rows:
            self.items += 1
            self._cells[cell_of(row).key] += 1
            self._labels[row["label"]] += 1
            timeline = int(row["timeline"], 16)
            self.timelines.append(timeline)
            self._misplaced += timeline & 1 != self._side
            text = f"{row['premise']}\t{row['claim']}".encode()
            self._texts.append(int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big"))

    def check(self, planned: Layout) -> None:
        """Compare the counts with the plan.

        Raises:
            CensusError: a cell has too few or too many items, or a timeline belongs to the other
                split.
        """
        due = planned.counts(self._size)
        spare = self._size % LABELS
        last = Counter(cell.key for cell in planned.cells(self._size // LABELS))
        over = self._cells - due
        if self.items != self._size or due - self._cells or over - last or over.total() != spare:
            raise CensusError(f"the cell counts of {self._split} differ from the plan")
        if self._misplaced:
            raise CensusError(f"{self._misplaced} timelines belong to the other split")

    def as_json(self) -> dict[str, object]:
        """The counts for the manifest."""
        return {
            "items": self.items,
            "labels": dict(sorted(self._labels.items())),
            "cells": dict(sorted(self._cells.items())),
            "timelines": _distinct(self.timelines),
            "repeated_texts": self.items - _distinct(self._texts),
            "timeline_bit": self._side,
        }


def _distinct(numbers: array[int]) -> int:
    # Sorting takes a tenth of the memory of a set.
    import numpy as np

    return len(np.unique(np.frombuffer(numbers, dtype=np.uint64))) if numbers else 0
