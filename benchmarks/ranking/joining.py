"""Values joined to queries by their keys: what is missing, doubled or not asked is told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from benchmarks.ranking.queries import Queries
from benchmarks.ranking.tables import Numbers, Table
from solver.errors import HopcheckError
from solver.tkg.quadruples import Ids, Quadruples

KEYS = ("s", "r", "o", "t")
_SHOWN = 3


class JoinError(HopcheckError):
    """A file whose rows are not, each once, those that are asked for."""

    code = "join"


def joined(table: Table, column: str, queries: Queries, *, events: bool = False) -> Numbers:
    """The values of a column in the order of the queries, or of the events alone.

    Args:
        table: with the columns ``s r o t`` and the one that is wanted, in any order of rows.
        column: its name.
        queries: those that each must be there once.
        events: whether the rows are the split's facts, and not both directions of them.

    Raises:
        InputError: an id is out of range.
        JoinError: rows are missing, doubled or unknown; the message names and counts them.
    """
    facts = keys_of(table, queries, inverses=not events)
    rows = queries.rows_of(facts)
    size = queries.events if events else len(queries)
    places = np.bincount(rows[rows >= 0], minlength=size)
    faults = [
        *_missing(queries, np.flatnonzero(places == 0), size),
        *_doubled(queries, np.flatnonzero(places > 1)),
        *_unknown(queries, facts, table, np.flatnonzero(rows < 0)),
    ]
    if faults:
        hint = f"rows are joined by their key (s, r, o, t) to {queries.dataset.name}"
        raise JoinError("; ".join(faults), where=table.file, hint=hint)
    values = np.empty(size)
    values[rows] = table.column(column)
    return values


def keys_of(table: Table, queries: Queries, *, inverses: bool = True) -> Quadruples:
    """The facts that a table's rows are about; without inverses relations end at ``|R|``."""
    vocabulary = queries.dataset.vocabulary
    return Quadruples(
        head=table.ids("s", vocabulary.entities, "entity"),
        relation=table.ids("r", vocabulary.relations * (2 if inverses else 1), "relation"),
        tail=table.ids("o", vocabulary.entities, "entity"),
        time=table.ids("t", 2**53, "time"),
    )


def _missing(queries: Queries, rows: Ids, size: int) -> Iterable[str]:
    if not len(rows):
        return
    what = "facts" if size == queries.events else "queries"
    told = f"{len(rows):,} of {size:,} {what} of {queries.split} have no row: "
    told += named(queries.asked.take(rows[:_SHOWN]), len(rows))
    backwards = len(rows) == queries.events and bool((rows >= queries.events).all())
    if backwards:
        relations = queries.dataset.vocabulary.relations
        told += f", which are all that ask for the subject, with r + {relations} for the relation"
    yield told


def _doubled(queries: Queries, rows: Ids) -> Iterable[str]:
    if len(rows):
        told = named(queries.asked.take(rows[:_SHOWN]), len(rows))
        yield f"{len(rows):,} have more than one row: {told}"


def _unknown(queries: Queries, facts: Quadruples, table: Table, rows: Ids) -> Iterable[str]:
    if not len(rows):
        return
    first = ", ".join(str(table.lines[row]) for row in rows[:_SHOWN])
    told = named(facts.take(rows[:_SHOWN]), len(rows))
    line = "line" if len(rows) == 1 else "lines"
    told = f"{len(rows):,} are not asked in {queries.split}: {told} ({line} {first})"
    yield told + _other_split(queries, facts.take(rows))


def _other_split(queries: Queries, facts: Quadruples) -> str:
    """Whether the rows are those of another split."""
    for split, held in queries.dataset.splits.items():
        if split is queries.split or not len(held):
            continue
        other = held.both_ways(queries.dataset.vocabulary.relations)
        known = queries.keys(other, ("head", "relation", "tail", "time"))
        if np.isin(queries.keys(facts, ("head", "relation", "tail", "time")), known).all():
            return f", all of them facts of {split}"
    return ""


def named(facts: Quadruples, count: int) -> str:
    """Facts as ``(s, r, o, t)``; with a mark if there are more."""
    rows: Sequence[Sequence[int]] = facts.rows().tolist()
    shown = ", ".join(f"({', '.join(map(str, row))})" for row in rows)
    return shown if len(rows) == count else f"{shown}, …"
