"""Rank files and score files, joined to the queries of a split by key.

A rank file has the columns ``s r o t rank``, one row per query, both directions, in any order.

A score file lists the scores of the candidates of each query ``(s, r, ?, t)``. Either a table of
``s r t candidate score`` (text, JSON Lines, Parquet): scores are at least 0, unlisted candidates
score 0, and every query needs a row, such as a candidate with score 0. Or a NumPy ``.npz`` file
with ``queries``, integers of shape (q, 3) for s, r, t, and ``scores`` of shape (q, entities).
Or a folder of such arrays in parts (``solver.rules.score_folders``).
Scores of PyKEEN and TGB are read as well (``benchmarks.rules.ranking.foreign``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from benchmarks.metrics.ranking import Numbers
from benchmarks.rules.ranking import foreign
from benchmarks.rules.ranking.queries import JoinError, SplitQueries
from benchmarks.rules.ranking.tables import BROKEN, Table, npz_arrays, read_table
from solver.graph.model import Ids, Index, Quadruples, expand
from solver.io.sources import InputError
from solver.rules.score_folders import is_score_folder, read_parts

KEYS = ("s", "r", "o", "t")
RANK_COLUMNS = (*KEYS, "rank")
SCORE_COLUMNS = ("s", "r", "t", "candidate", "score")
QUERY = ("head", "relation", "time")
_SHOWN = 3


def joined(table: Table, column: str, queries: SplitQueries, *, events: bool = False) -> Numbers:
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


def keys_of(table: Table, queries: SplitQueries, *, inverses: bool = True) -> Quadruples:
    """The facts of the rows of a table; without inverses, relations are below ``|R|``."""
    vocabulary = queries.dataset.vocabulary
    return Quadruples(
        head=table.ids("s", vocabulary.entities, "entity"),
        relation=table.ids("r", vocabulary.relations * (2 if inverses else 1), "relation"),
        tail=table.ids("o", vocabulary.entities, "entity"),
        time=table.ids("t", 2**53, "time"),
    )


def _missing(queries: SplitQueries, rows: Ids, size: int) -> Iterable[str]:
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


def _doubled(queries: SplitQueries, rows: Ids) -> Iterable[str]:
    if len(rows):
        facts = named(queries.asked.take(rows[:_SHOWN]), len(rows))
        yield f"{len(rows):,} have more than one row: {facts}"


def _unknown(queries: SplitQueries, facts: Quadruples, table: Table, rows: Ids) -> Iterable[str]:
    if not len(rows):
        return
    first = ", ".join(str(table.lines[row]) for row in rows[:_SHOWN])
    text = named(facts.take(rows[:_SHOWN]), len(rows))
    line = "line" if len(rows) == 1 else "lines"
    message = f"{len(rows):,} are not in {queries.split}: {text} ({line} {first})"
    yield message + _other_split(queries, facts.take(rows))


def _other_split(queries: SplitQueries, facts: Quadruples) -> str:
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


def read_ranks(path: str, queries: SplitQueries) -> Numbers:
    """Read the ranks of the true answers in the order of the queries; halves are mean ranks.

    Raises:
        InputError: the file cannot be read, an id is out of range, or a rank is not finite, below
            1 or above the number of entities.
        JoinError: queries have no rank or several, or rows match no query.
    """
    table = read_table(path, RANK_COLUMNS)
    ranks = table.column("rank")
    wrong = np.flatnonzero(~((ranks >= 1) & (ranks <= queries.entities)))
    if len(wrong):
        found = f"{ranks[wrong[0]]:.15g}"
        message = f"found rank {found}, expected 1 to {queries.entities:,}, the number of entities"
        hint = f"in {len(wrong):,} rows" if len(wrong) > 1 else ""
        raise InputError(message, where=table.where(int(wrong[0])), hint=hint)
    return joined(table, "rank", queries)


class ListedScores:
    """Scores of listed candidates; others score 0."""

    def __init__(self, model: str, queries: SplitQueries, index: Index, table: Table) -> None:
        self.model = model
        self._entities = queries.entities
        self._begins, self._ends = index.ranges(queries.keys(queries.asked, QUERY))
        self._candidates = table.column("candidate").astype(np.int64)[index.order]
        self._scores = table.column("score")[index.order]

    def block(self, rows: Ids) -> Numbers:
        """Scores of some queries, shape (rows, entities)."""
        scores = np.zeros((len(rows), self._entities))
        places, found = expand(self._begins[rows], self._ends[rows])
        scores[places, self._candidates[found]] = self._scores[found]
        return scores


class WholeScores:
    """Scores of all entities, from an array with a row for each query, whose number is given."""

    def __init__(self, model: str, scores: Numbers, places: Ids) -> None:
        self.model = model
        self._scores = scores
        self._places = places

    def block(self, rows: Ids) -> Numbers:
        """Scores of some queries, shape (rows, entities)."""
        return self._scores[self._places[rows]].astype(np.float64)


class ScoreFolder:
    """The scores of a folder, in the order of the queries of a split."""

    def __init__(self, path: str, queries: SplitQueries, *, model: str) -> None:
        """Open a folder.

        Raises:
            InputError: a file is missing or has another shape, or a score is not finite.
            JoinError: a query of the split has no scores, or is given twice.
        """
        self.model = model
        folder = Path(path)
        self._shards = read_parts(folder, entities=queries.entities, graph=queries.dataset.name)
        keys = [rows for rows, _ in self._shards]
        every = np.concatenate([np.empty((0, 3), np.int64), *keys]).astype(np.int64)
        index = query_index(every, queries, path)
        again = _repeated(index)
        if len(again):
            s, r, t = every[index.order[again[0]]].tolist()
            message = f"found the query ({s}, {r}, ?, {t}) twice, expected it once"
            raise JoinError(message, where=path)
        begins, _ = index.ranges(queries.keys(queries.asked, QUERY))
        sizes = [len(rows) for rows in keys]
        firsts = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)]).astype(np.int64)
        rows = index.order[begins]
        self._shard = np.searchsorted(firsts, rows, side="right") - 1
        self._row = rows - firsts[self._shard]

    def block(self, rows: Ids) -> Numbers:
        """Scores of some queries, shape (rows, entities)."""
        shards = self._shard[rows]
        width = self._shards[0][1].shape[1] if self._shards else 0
        scores = np.empty((len(rows), width))
        for shard in np.unique(shards).tolist():
            places = np.flatnonzero(shards == shard)
            scores[places] = self._shards[shard][1][self._row[rows[places]]]
        return scores


def read_scores(
    path: str, queries: SplitQueries, *, model: str
) -> ListedScores | WholeScores | ScoreFolder:
    """Read a score file, or open a folder of scores.

    Raises:
        InputError: the file cannot be read, or a score is not finite, or a listed one negative.
        JoinError: a query has no scores, or a candidate has several.
    """
    if is_score_folder(path):
        return ScoreFolder(path, queries, model=model)
    if Path(path).suffix == ".npz":
        if foreign.is_tgb(path):
            return WholeScores(model, *foreign.tgb_scores(path, queries))
        return _whole(path, queries, model)
    if foreign.is_pykeen(path):
        return WholeScores(model, *foreign.pykeen_scores(path, queries))
    table = read_table(path, SCORE_COLUMNS)
    _check(table)
    candidates = table.ids("candidate", queries.entities, "candidate")
    keys = _keys(
        queries,
        table.ids("s", queries.entities, "entity"),
        table.ids("r", 2 * queries.dataset.vocabulary.relations, "relation"),
        table.ids("t", 2**53, "time"),
    )
    index = Index.of(keys)
    _refuse_missing(queries, index, table.file)
    pairs = np.lexsort((candidates, keys))
    same = (np.diff(keys[pairs]) == 0) & (np.diff(candidates[pairs]) == 0)
    if same.any():
        row = int(pairs[1:][same].min())
        message = f"found {int(same.sum()):,} duplicate candidates, expected one score for each"
        raise JoinError(message, where=table.where(row))
    return ListedScores(model, queries, index, table)


def is_scores(path: str) -> bool:
    """Whether a path contains scores rather than ranks: ``*.scores.*``, ``.npz`` or a folder."""
    name = Path(path).name
    return name.endswith(".npz") or ".scores" in name or Path(path).is_dir()


def _check(table: Table) -> None:
    scores = table.column("score")
    wrong = np.flatnonzero(~(np.isfinite(scores) & (scores >= 0)))
    if len(wrong):
        message = f"found score {scores[wrong[0]]:.15g}, expected a finite number of at least 0"
        hint = "unlisted candidates score 0; use an .npz file for scores of all entities"
        raise InputError(message, where=table.where(int(wrong[0])), hint=hint)


def _keys(queries: SplitQueries, s: Ids, r: Ids, t: Ids) -> Ids:
    """Keys of (s, r, t); -1 if there are no facts at t, and thus no query."""
    facts = Quadruples(head=s, relation=r, tail=s, time=t)
    return np.where(np.isin(t, queries.times), queries.keys(facts, QUERY), -1)


def _refuse_missing(queries: SplitQueries, index: Index, file: str) -> None:
    present = index.contains(queries.keys(queries.asked, QUERY))
    if present.all():
        return
    missing = queries.asked.take(~present)
    s, r, _, t = missing.rows()[0].tolist()
    message = (
        f"{len(missing):,} of {len(queries):,} queries of {queries.split} have no scores, "
        f"such as ({s}, {r}, ?, {t}), expected scores for each"
    )
    raise JoinError(message, where=file)


def _whole(path: str, queries: SplitQueries, model: str) -> WholeScores:
    expected = "queries of shape (q, 3) and scores of shape (q, entities)"
    try:
        keys, scores = npz_arrays(path, ("queries", "scores")).values()
    except BROKEN as error:
        reason = getattr(error, "strerror", None) or str(error) or "unreadable"
        raise InputError(f"{reason}, expected an .npz with {expected}", where=path) from None
    rows = keys.shape[:1]
    if (
        (keys.shape, scores.shape) != ((*rows, 3), (*rows, queries.entities))
        or not np.issubdtype(keys.dtype, np.integer)
        or scores.dtype.kind not in "fiu"
    ):
        message = f"found shapes {keys.shape} and {scores.shape}, expected {expected} with "
        raise InputError(message + f"{queries.entities:,} entities", where=path)
    broken = np.argwhere(~np.isfinite(scores))
    if len(broken):
        row, entity = broken[0].tolist()
        message = f"scores[{row}, {entity}] is {scores[row, entity]}, expected a finite number"
        raise InputError(message, where=path, hint=f"{len(broken):,} scores are not finite")
    index = query_index(keys, queries, path)
    _refuse_contradictions(index, keys, scores, path)
    begins, _ = index.ranges(queries.keys(queries.asked, QUERY))
    return WholeScores(model, scores, index.order[begins])


def query_index(rows: Ids, queries: SplitQueries, file: str) -> Index:
    """Index rows ``s r t``, shape (q, 3), by query; those of other times have the key -1.

    Raises:
        InputError: an id is out of range.
        JoinError: a query has no row.
    """
    s, r, t = np.ascontiguousarray(rows.T, dtype=np.int64)
    sizes = (queries.entities, 2 * queries.dataset.vocabulary.relations)
    if ((s < 0) | (s >= sizes[0]) | (r < 0) | (r >= sizes[1])).any():
        message = (
            f"ids out of range, expected entities below {sizes[0]}, relations below {sizes[1]}"
        )
        raise InputError(message, where=file)
    index = Index.of(_keys(queries, s, r, t))
    _refuse_missing(queries, index, file)
    return index


def _repeated(index: Index) -> Ids:
    """Places of the rows of a query that has another row after it."""
    return np.flatnonzero((index.keys[1:] == index.keys[:-1]) & (index.keys[1:] >= 0))


def _refuse_contradictions(index: Index, keys: Ids, scores: Numbers, file: str) -> None:
    """Refuse a query that is given twice with different scores; equal rows are accepted."""
    for place in _repeated(index).tolist():
        first, second = index.order[place : place + 2].tolist()
        if not np.array_equal(scores[first], scores[second]):
            s, r, t = keys[first].tolist()
            message = f"found different scores of the query ({s}, {r}, ?, {t}) in rows {first} and "
            raise JoinError(f"{message}{second}, expected one row for each query", where=file)
