"""Rank files: ``s r o t rank``, one row per query, both directions, in any order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol

import numpy as np

from benchmarks.rules.ranking.queries import FilteredAnswers, Queries
from benchmarks.rules.ranking.tables import Numbers, Table, read_table
from grammar.errors import HopcheckError
from solver.graph.model import Ids, Quadruples
from solver.io.sources import InputError
from solver.io.writing import atomic

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


class Tie(StrEnum):
    """Tie-breaking: rank of an answer among candidates of the same score."""

    OPTIMISTIC = "optimistic"
    REALISTIC = "realistic"
    PESSIMISTIC = "pessimistic"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ties:
    """Numbers of better and tied candidates of each query.

    Attributes:
        better: candidates that score higher than the answer.
        tied: candidates that score the same, including the answer; at least 1.
    """

    better: Ids
    tied: Ids

    def ranks(self, tie: Tie) -> Numbers:
        """Ranks from 1: the best, mean or worst of the tied ranks."""
        match tie:
            case Tie.OPTIMISTIC:
                return (self.better + 1).astype(np.float64)
            case Tie.REALISTIC:
                return (2 * self.better + self.tied + 1) / np.float64(2)
            case Tie.PESSIMISTIC:
                return (self.better + self.tied).astype(np.float64)

    def expected_hits(self, cut: int) -> Numbers:
        """The probability of ``rank <= cut`` if ties are broken at random, in [0, 1].

        ``clip((cut - better) / tied, 0, 1)``, between the hits of pessimistic and optimistic ranks.
        Source: McSherry and Najork 2008.
        """
        return np.clip((cut - self.better) / self.tied, 0.0, 1.0)

    def expected_reciprocal(self) -> Numbers:
        """The expected ``1 / rank`` if ties are broken at random, in (0, 1].

        ``(H(better + tied) - H(better)) / tied`` with harmonic numbers H. Never below the
        reciprocal of the realistic rank. Source: McSherry and Najork 2008.
        """
        # Differences of scipy's digamma lose precision for few ties at high ranks.
        most = int((self.better + self.tied).max(initial=0))
        harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, most + 1))])
        expected: Numbers = (harmonic[self.better + self.tied] - harmonic[self.better]) / self.tied
        return expected


_CELLS = 4_000_000
"""Maximum number of scores in memory: 32 MB."""


class ScoreError(HopcheckError):
    """A score that is not finite and cannot be ranked."""

    code = "score"


class Scorer(Protocol):
    """A model that scores every entity as the answer of a query; higher is better."""

    @property
    def model(self) -> str:
        """Name of the model."""

    def block(self, rows: Ids) -> Numbers:
        """A new array with the scores of some queries, shape (rows, entities)."""


def place(scorer: Scorer, queries: Queries, filtered: FilteredAnswers) -> Ties:
    """Count the candidates that score better than, or the same as, the true answer of each query.

    Raises:
        ScoreError: a score is not finite.
    """
    better = np.empty(len(queries), dtype=np.int64)
    tied = np.empty(len(queries), dtype=np.int64)
    # Queries of one time and relation are adjacent: scorers share work among them.
    order = np.lexsort((queries.asked.relation, queries.asked.time))
    size = max(1, _CELLS // queries.entities)
    for begin in range(0, len(order), size):
        rows = order[begin : begin + size]
        scores = scorer.block(rows)
        _check(scorer, scores, rows, queries)
        answers = scores[np.arange(len(rows)), queries.asked.tail[rows]][:, None].copy()
        scores[filtered.left_out(rows)] = -np.inf
        better[rows] = (scores > answers).sum(axis=1)
        tied[rows] = (scores == answers).sum(axis=1)
    return Ties(better=better, tied=tied)


def _check(scorer: Scorer, scores: Numbers, rows: Ids, queries: Queries) -> None:
    if np.isfinite(scores).all():
        return
    place, entity = (int(one[0]) for one in np.nonzero(~np.isfinite(scores)))
    query = named(queries.asked.take(rows[place : place + 1]), 1)
    raise ScoreError(
        f"entity {entity} scores {scores[place, entity]} for the query of {query}, "
        "expected a finite number",
        where=scorer.model,
    )
