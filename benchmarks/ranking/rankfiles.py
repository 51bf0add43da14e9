"""Rank files: ``s r o t rank``, one row per query, both directions, in any order."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.ranking.joining import KEYS, joined
from benchmarks.ranking.queries import Queries
from benchmarks.ranking.tables import Numbers, read_table
from solver.reading.failures import InputError
from solver.writing.atomic import atomic

COLUMNS = (*KEYS, "rank")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ranks:
    """Ranks of the true answers by a model, from 1; halves are mean ranks of ties.

    Attributes:
        model: name of the model.
        values: ranks in the order of the queries.
    """

    model: str
    values: Numbers


def read_ranks(path: str, queries: Queries, *, model: str) -> Ranks:
    """Read a rank file and join it to the queries by key.

    Raises:
        InputError: the file cannot be read, an id is out of range, or a rank is not finite, below
            1 or above the number of entities.
        JoinError: queries have no rank or several, or rows match no query.
    """
    table = read_table(path, COLUMNS)
    ranks = table.column("rank")
    wrong = np.flatnonzero(~((ranks >= 1) & (ranks <= queries.entities)))
    if len(wrong):
        found = f"{ranks[wrong[0]]:.15g}"
        message = f"found rank {found}, expected 1 to {queries.entities:,}, the number of entities"
        hint = f"in {len(wrong):,} rows" if len(wrong) > 1 else ""
        raise InputError(message, where=table.where(int(wrong[0])), hint=hint)
    return Ranks(model=model, values=joined(table, "rank", queries))


def write_ranks(path: str | Path, queries: Queries, ranks: Numbers) -> None:
    """Write a rank file in the order of the queries; integer ranks without decimal point."""
    facts = queries.asked.rows().tolist()
    with atomic(path) as file:
        for fact, rank in zip(facts, ranks.tolist(), strict=True):
            row = (*map(str, fact), f"{rank:.15g}")
            file.write("\t".join(row).encode() + b"\n")
