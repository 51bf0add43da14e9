"""Weights of events: strikingness files, ``s r o t sk``, one row per fact of the split."""

from __future__ import annotations

import numpy as np

from benchmarks.ranking.joining import KEYS, joined
from benchmarks.ranking.queries import Queries
from benchmarks.ranking.tables import Numbers, read_table
from solver.reading.failures import InputError

BIAS = 0.1
"""The b of eqs. 10 and 11 recommended by the paper."""


def read_strikingness(path: str, queries: Queries) -> Numbers:
    """Read the strikingness of each fact of the split, in file order.

    Raises:
        InputError: the file cannot be read, or a value is not in [0, 1].
        JoinError: the rows do not match the split.
    """
    table = read_table(path, (*KEYS, "sk"))
    values = table.column("sk")
    wrong = np.flatnonzero(~((values >= 0) & (values <= 1)))
    if len(wrong):
        message = f"found strikingness {values[wrong[0]]:.15g}, expected 0 to 1"
        raise InputError(message, where=table.where(int(wrong[0])))
    return joined(table, "sk", queries, events=True)


def weights_of(values: Numbers, *, bias: float = BIAS) -> Numbers:
    """The weight of each query, ``sk + b``, the same for both queries of an event.

    Args:
        values: strikingness of each event, in [0, 1].
        bias: b, positive, so that all weights are positive.
    """
    return np.concatenate([values, values]) + bias
