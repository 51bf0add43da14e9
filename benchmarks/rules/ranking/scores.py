"""Score files: the scores of the candidates of each query ``(s, r, ?, t)``.

Either a table of ``s r t candidate score`` (text, JSON Lines, Parquet): scores are at least 0,
unlisted candidates score 0, and every query needs a row, such as a candidate with score 0. Or a
NumPy ``.npz`` file with ``queries``, integers of shape (q, 3) for s, r, t, and ``scores`` of shape
(q, entities).
"""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.rules.ranking.metrics import mrr
from benchmarks.rules.ranking.queries import FilteredAnswers, Queries
from benchmarks.rules.ranking.ranks import JoinError, Scorer, Tie, place
from benchmarks.rules.ranking.tables import Numbers, Table, read_table
from solver.graph.index import Index, expand
from solver.graph.model import Ids, Quadruples
from solver.io.sources import InputError

COLUMNS = ("s", "r", "t", "candidate", "score")
_QUERY = ("head", "relation", "time")


class ListedScores:
    """Scores of listed candidates; others score 0."""

    def __init__(self, model: str, queries: Queries, index: Index, table: Table) -> None:
        self.model = model
        self._entities = queries.entities
        self._begins, self._ends = index.ranges(queries.keys(queries.asked, _QUERY))
        self._candidates = table.column("candidate").astype(np.int64)[index.order]
        self._scores = table.column("score")[index.order]

    def block(self, rows: Ids) -> Numbers:
        """Scores of some queries, shape (rows, entities)."""
        scores = np.zeros((len(rows), self._entities))
        places, found = expand(self._begins[rows], self._ends[rows])
        scores[places, self._candidates[found]] = self._scores[found]
        return scores


class WholeScores:
    """Scores of all entities, from an array."""

    def __init__(self, model: str, scores: Numbers, places: Ids) -> None:
        self.model = model
        self._scores = scores
        self._places = places

    def block(self, rows: Ids) -> Numbers:
        """Scores of some queries, shape (rows, entities)."""
        return self._scores[self._places[rows]].astype(np.float64)


def read_scores(path: str, queries: Queries, *, model: str) -> ListedScores | WholeScores:
    """Read a score file.

    Raises:
        InputError: the file cannot be read, or a score is not finite, or a listed one negative.
        JoinError: a query has no scores, or a candidate has several.
    """
    if Path(path).suffix == ".npz":
        return _whole(path, queries, model)
    table = read_table(path, COLUMNS)
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
    """Whether a file contains scores rather than ranks, by its name: ``*.scores.*`` or ``.npz``."""
    name = Path(path).name
    return name.endswith(".npz") or ".scores" in name


def _check(table: Table) -> None:
    scores = table.column("score")
    wrong = np.flatnonzero(~(np.isfinite(scores) & (scores >= 0)))
    if len(wrong):
        message = f"found score {scores[wrong[0]]:.15g}, expected a finite number of at least 0"
        hint = "unlisted candidates score 0; use an .npz file for scores of all entities"
        raise InputError(message, where=table.where(int(wrong[0])), hint=hint)


def _keys(queries: Queries, s: Ids, r: Ids, t: Ids) -> Ids:
    """Keys of (s, r, t); -1 if there are no facts at t, and thus no query."""
    facts = Quadruples(head=s, relation=r, tail=s, time=t)
    return np.where(np.isin(t, queries.times), queries.keys(facts, _QUERY), -1)


def _refuse_missing(queries: Queries, index: Index, file: str) -> None:
    present = index.contains(queries.keys(queries.asked, _QUERY))
    if present.all():
        return
    missing = queries.asked.take(~present)
    s, r, _, t = missing.rows()[0].tolist()
    message = (
        f"{len(missing):,} of {len(queries):,} queries of {queries.split} have no scores, "
        f"such as ({s}, {r}, ?, {t}), expected scores for each"
    )
    raise JoinError(message, where=file)


def _whole(path: str, queries: Queries, model: str) -> WholeScores:
    expected = "queries of shape (q, 3) and scores of shape (q, entities)"
    try:
        with np.load(path, allow_pickle=False) as arrays:
            keys, scores = np.asarray(arrays["queries"]), np.asarray(arrays["scores"])
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{reason}, expected an .npz with {expected}", where=path) from None
    right = (keys.shape == (len(scores), 3), scores.shape == (len(keys), queries.entities))
    if (
        not all(right)
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
    s, r, t = np.ascontiguousarray(keys.T, dtype=np.int64)
    sizes = (queries.entities, 2 * queries.dataset.vocabulary.relations)
    if ((s < 0) | (s >= sizes[0]) | (r < 0) | (r >= sizes[1])).any():
        message = (
            f"ids out of range, expected entities below {sizes[0]}, relations below {sizes[1]}"
        )
        raise InputError(message, where=path)
    index = Index.of(_keys(queries, s, r, t))
    _refuse_missing(queries, index, path)
    begins, _ = index.ranges(queries.keys(queries.asked, _QUERY))
    return WholeScores(model, scores, index.order[begins])


SHARES = tuple(n / 10 for n in range(11))
"""The grid of RSMF, appendix B.2."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ensemble:
    """Scores ``share * first + (1 - share) * second``.

    Attributes:
        share: weight of the first model, in [0, 1]; eta of eq. 12.
    """

    first: Scorer
    second: Scorer
    share: float

    @property
    def model(self) -> str:
        """Name of the ensemble, with the weights."""
        return f"{self.share:g} {self.first.model} + {1 - self.share:g} {self.second.model}"

    def block(self, rows: Ids) -> Numbers:
        """Scores of some queries, shape (rows, entities)."""
        first, second = self.first.block(rows), self.second.block(rows)
        mixed: Numbers = self.share * first + (1 - self.share) * second
        return mixed


def search(
    first: Scorer, second: Scorer, queries: Queries, filtered: FilteredAnswers
) -> tuple[tuple[float, float], ...]:
    """The MRR of each share in ``SHARES`` on the validation queries."""
    found = []
    for share in SHARES:
        mixed = Ensemble(first=first, second=second, share=share)
        ranks = place(mixed, queries, filtered).ranks(Tie.REALISTIC)
        found.append((share, mrr(ranks)))
    return tuple(found)


def best(tried: tuple[tuple[float, float], ...]) -> float:
    """The share with the highest MRR; the smallest in case of ties."""
    return tried[int(np.argmax([figure for _, figure in tried]))][0]
