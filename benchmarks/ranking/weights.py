"""Weights of events: strikingness files, ``s r o t sk``, a row each fact of the split."""

from __future__ import annotations

import numpy as np

from benchmarks.ranking.joining import KEYS, joined
from benchmarks.ranking.queries import Queries
from benchmarks.ranking.tables import Numbers, read_table
from solver.reading.failures import InputError

BIAS = 0.1
"""The b of eqs. 10 and 11 that the paper recommends."""


def read_strikingness(path: str, queries: Queries) -> Numbers:
    """Read the strikingness of each fact of the split, in the order of its file.

    Raises:
        InputError: the file cannot be read, or a value is not in [0, 1].
        JoinError: it is not that of this split.
    """
    table = read_table(path, (*KEYS, "sk"))
    values = table.column("sk")
    wrong = np.flatnonzero(~((values >= 0) & (values <= 1)))
    if len(wrong):
        message = f"found strikingness {values[wrong[0]]:.15g}, expected one from 0 to 1"
        raise InputError(message, where=table.where(int(wrong[0])))
    return joined(table, "sk", queries, events=True)


def weights_of(values: Numbers, *, bias: float = BIAS) -> Numbers:
    """The weight of each query, ``sk + b``; an event's counts in both directions.

    Args:
        values: in [0, 1], one an event.
        bias: b, positive, so that no event is without weight.
    """
    return np.concatenate([values, values]) + bias
