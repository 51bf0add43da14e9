"""Scores as PyKEEN and TGB return them.

PyKEEN: a table (CSV, tabs, Parquet) with the columns ``head_id relation_id tail_id score``, as its
``predict_all(...).process().df`` or ``predict_triples`` write, other columns are not read. There
is no time in it, so a triple has the same score at every time. Each query needs a score for each
entity.

TGB: an ``.npz`` file with the arrays ``sources``, ``edge_type``, ``destinations``, ``timestamps``
and ``y_pred_pos``, one element a query, and ``y_pred_neg`` of shape (queries, n): the scores of the
negatives of its sampler in their order, and NaN after them.
"""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from benchmarks.export.graphs import seconds
from benchmarks.metrics.ranking import Numbers
from benchmarks.rules.ranking.queries import JoinError, SplitQueries
from benchmarks.rules.ranking.tables import BROKEN, npz_arrays
from solver.graph.model import Ids
from solver.io.parquet import read_rows
from solver.io.sources import InputError, Place, open_input, shown

PYKEEN = ("head_id", "relation_id", "tail_id", "score")
TGB = ("sources", "edge_type", "destinations", "timestamps", "y_pred_pos", "y_pred_neg")


def is_pykeen(path: str) -> bool:
    """Whether a file is a table of PyKEEN's predictions, by its columns."""
    if path == "-":
        return False
    with open_input(path) as source:
        if source.parquet:
            from pyarrow.parquet import read_schema

            return {*PYKEEN} <= {*read_schema(path).names}
        first = source.head().decode("utf-8", "replace").partition("\n")[0]
    return {*PYKEEN} <= {*_cells(first)}


def _cells(line: str) -> list[str]:
    try:
        return next(csv.reader([line.strip("\r\n\ufeff")], delimiter=_delimiter(line)), [])
    except csv.Error:
        return []


def _delimiter(line: str) -> str:
    return "\t" if "\t" in line else ","


def _rows(path: str) -> Iterator[tuple[Place, Mapping[str, Any]]]:
    with open_input(path, "scores") as source:
        if source.parquet:
            yield from read_rows(source, lambda _: PYKEEN)
            return
        text, name = source.whole().decode("utf-8-sig", "replace"), source.name
    delimiter = _delimiter(text.partition("\n")[0])
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        for row in rows:
            yield Place(file=name, line=rows.line_num), row
    except csv.Error as error:
        raise InputError(str(error), where=f"{name}:{rows.line_num}") from None


def pykeen_scores(path: str, queries: SplitQueries) -> tuple[Numbers, Ids]:
    """The scores of PyKEEN for each query.

    Returns:
        Scores of shape (rows, entities), and the row of each query.

    Raises:
        InputError: the file cannot be read, or a value is no id or no finite score.
        JoinError: a query lacks the score of an entity, or has two.
    """
    pairs: dict[tuple[int, int], int] = {}
    asked = zip(queries.asked.head.tolist(), queries.asked.relation.tolist(), strict=True)
    places = np.array([pairs.setdefault(pair, len(pairs)) for pair in asked], dtype=np.int64)
    scores = np.full((len(pairs), queries.entities), np.nan)
    relations = queries.dataset.vocabulary.relations
    sizes = {"head_id": queries.entities, "relation_id": relations, "tail_id": queries.entities}
    for place, row in _rows(path):
        head, relation, tail = (_id(row[name], name, size, place) for name, size in sizes.items())
        score = _score(row["score"], place)
        for pair, entity in (((head, relation), tail), ((tail, relation + relations), head)):
            if pair not in pairs:
                continue
            if not np.isnan(scores[pairs[pair], entity]):
                message = f"found another score of ({head}, {relation}, {tail}), expected one"
                raise JoinError(message, where=place.at())
            scores[pairs[pair], entity] = score
    missing = np.argwhere(np.isnan(scores))
    if len(missing):
        pair = list(pairs)[int(missing[0, 0])]
        message = (
            f"{len(missing):,} of {scores.size:,} scores are missing, such as that of the entity "
            f"{missing[0, 1]} for the query ({pair[0]}, {pair[1]}, ?), expected one for each entity"
        )
        hint = "predict all triples: predict_all(model=model, k=None)"
        raise JoinError(message, where=path, hint=hint)
    return scores, places


def _id(value: object, name: str, size: int, place: Place) -> int:
    text = str(value)
    if not text.isdecimal() or int(text) >= size:
        message = f"found {shown(text)} as {name}, expected a whole number from 0 to {size - 1:,}"
        raise InputError(message, where=place.at(), hint="pass the id maps of export pykeen")
    return int(text)


def _score(value: object, place: Place) -> float:
    try:
        score = float(str(value))
    except ValueError:
        score = np.nan
    if not np.isfinite(score):
        message = f"found {shown(str(value))} as score, expected a finite number"
        raise InputError(message, where=place.at())
    return score


def is_tgb(path: str) -> bool:
    """Whether an ``.npz`` file contains the arrays of TGB."""
    try:
        with zipfile.ZipFile(path) as archive:
            return {f"{name}.npy" for name in TGB} <= {*archive.namelist()}
    except BROKEN:
        return False  # reported where it is read


def tgb_scores(path: str, queries: SplitQueries) -> tuple[Numbers, Ids]:
    """The scores of TGB for each query.

    Returns:
        Scores of shape (rows, entities), and the row of each query. Other true answers at the
        query's time have no score in TGB; they score least, so only the time-aware filter, which
        removes them, is meaningful.

    Raises:
        InputError: the file cannot be read, or an array has another shape.
        JoinError: a query is missing or unknown.
    """
    try:
        arrays = npz_arrays(path, TGB)
    except BROKEN as error:
        raise InputError(f"{error}, expected the arrays {', '.join(TGB)}", where=path) from None
    size = len(arrays["sources"])
    columns = [np.asarray(arrays[name]) for name in TGB[:4]]
    negatives = np.asarray(arrays["y_pred_neg"], dtype=np.float64)
    positives = np.asarray(arrays["y_pred_pos"], dtype=np.float64).reshape(-1)
    if any(column.shape != (size,) or column.dtype.kind not in "iu" for column in columns) or (
        (len(positives), negatives.shape[:1]) != (size, (size,)) or negatives.ndim != 2
    ):
        message = "found arrays of other shapes, expected integers of shape (queries,), and scores"
        raise InputError(message, where=path)
    if not np.isfinite(positives).all():
        raise InputError("found y_pred_pos that is not finite", where=path)
    times = {stamp: time for time, stamp in seconds(queries.dataset).items()}
    rows = {
        (head, relation, tail, times.get(stamp, -1)): row
        for row, (head, relation, tail, stamp) in enumerate(
            zip(*(column.tolist() for column in columns), strict=True)
        )
    }
    asked = [tuple(fact) for fact in queries.asked.rows().tolist()]
    strange = rows.keys() - set(asked)
    absent = [fact for fact in asked if fact not in rows]
    if strange or absent:
        message = f"{len(absent):,} of {len(asked):,} queries are missing, {len(strange):,} unknown"
        raise JoinError(message, where=path, hint="pass the queries of the split, both directions")
    answers: dict[tuple[int, int, int], list[int]] = {}
    for head, relation, tail, time in queries.known.rows().tolist():
        answers.setdefault((head, relation, time), []).append(tail)
    # Below every score, so that it is not counted in any filter that removes true answers.
    least = min(float(np.nanmin(negatives, initial=0.0)), float(positives.min(initial=0.0))) - 1.0
    scores = np.full((len(asked), queries.entities), least)
    for place, fact in enumerate(asked):
        row, candidates = rows[fact], np.ones(queries.entities, dtype=np.bool_)
        candidates[answers[fact[0], fact[1], fact[3]]] = False
        count = int(candidates.sum())
        given = negatives[row]
        if np.isnan(given[:count]).any() or not np.isnan(given[count:]).all() or len(given) < count:
            message = f"found another number of negatives in row {row}, expected {count:,}"
            raise JoinError(message, where=path, hint="use the negatives of export tgb")
        scores[place, candidates] = given[:count]
        scores[place, fact[2]] = positives[row]
    return scores, np.arange(len(asked), dtype=np.int64)
