"""Joins values to queries by key; missing, duplicate and unknown rows are errors."""

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
    """A file whose rows do not match the queries one to one."""

    code = "join"


def joined(table: Table, column: str, queries: Queries, *, events: bool = False) -> Numbers:
    """The values of a column in the order of the queries, or of the events.

    Args:
        table: a table with the columns ``s r o t`` and ``column``, in any order of rows.
        column: name of the column.
        queries: the queries; the table has one row for each.
        events: whether the rows are the facts of the split in one direction.

    Raises:
        InputError: an id is out of range.
        JoinError: rows are missing, duplicate or unknown; the message counts and names them.
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
    """The facts of the rows of a table; without inverses, relations are below ``|R|``."""
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
    message = f"{len(rows):,} of {size:,} {what} of {queries.split} have no row: "
    message += named(queries.asked.take(rows[:_SHOWN]), len(rows))
    backwards = len(rows) == queries.events and bool((rows >= queries.events).all())
    if backwards:
        relations = queries.dataset.vocabulary.relations
        message += f", which are all subject queries, with relation r + {relations}"
    yield message


def _doubled(queries: Queries, rows: Ids) -> Iterable[str]:
    if len(rows):
        facts = named(queries.asked.take(rows[:_SHOWN]), len(rows))
        yield f"{len(rows):,} have more than one row: {facts}"


def _unknown(queries: Queries, facts: Quadruples, table: Table, rows: Ids) -> Iterable[str]:
    if not len(rows):
        return
    first = ", ".join(str(table.lines[row]) for row in rows[:_SHOWN])
    text = named(facts.take(rows[:_SHOWN]), len(rows))
    line = "line" if len(rows) == 1 else "lines"
    message = f"{len(rows):,} are not in {queries.split}: {text} ({line} {first})"
    yield message + _other_split(queries, facts.take(rows))


def _other_split(queries: Queries, facts: Quadruples) -> str:
    """Names the split that the rows are from, if it is another one."""
    for split, split_facts in queries.dataset.splits.items():
        if split is queries.split or not len(split_facts):
            continue
        other = split_facts.both_ways(queries.dataset.vocabulary.relations)
        known = queries.keys(other, ("head", "relation", "tail", "time"))
        if np.isin(queries.keys(facts, ("head", "relation", "tail", "time")), known).all():
            return f", all of them facts of {split}"
    return ""


def named(facts: Quadruples, count: int) -> str:
    """Format facts as ``(s, r, o, t)``; with an ellipsis if there are more."""
    rows: Sequence[Sequence[int]] = facts.rows().tolist()
    shown = ", ".join(f"({', '.join(map(str, row))})" for row in rows)
    return shown if len(rows) == count else f"{shown}, …"
