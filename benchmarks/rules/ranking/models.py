"""The models to compare: their scores of candidates, ensembles, and ranks of the true answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Protocol

import numpy as np

from benchmarks.metrics.ranking import Numbers, mrr
from benchmarks.rules.ranking.files import is_scores, named, read_ranks, read_scores
from benchmarks.rules.ranking.queries import FilteredAnswers, JoinError, SplitQueries
from grammar.errors import HopcheckError
from solver.graph.model import Ids
from solver.graph.queries import Ranks, Tie
from solver.io.sources import STDIN
from solver.rules.application import RankedFacts
from solver.rules.provenance import Content, read_manifest

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


def place(scorer: Scorer, queries: SplitQueries, filtered: FilteredAnswers) -> Ranks:
    """Count the candidates that score better than, or the same as, the true answer of each query.

    Raises:
        ScoreError: a score is not finite.
    """
    better = np.empty(len(queries), dtype=np.int64)
    tied = np.empty(len(queries), dtype=np.int64)
    # SplitQueries of one time and relation are adjacent: scorers share work among them.
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
    return Ranks(better=better, tied=tied)


def _check(scorer: Scorer, scores: Numbers, rows: Ids, queries: SplitQueries) -> None:
    if np.isfinite(scores).all():
        return
    place, entity = (int(array[0]) for array in np.nonzero(~np.isfinite(scores)))
    query = named(queries.asked.take(rows[place : place + 1]), 1)
    raise ScoreError(
        f"entity {entity} scores {scores[place, entity]} for the query of {query}, "
        "expected a finite number",
        where=scorer.model,
    )


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
    first: Scorer, second: Scorer, queries: SplitQueries, filtered: FilteredAnswers
) -> tuple[tuple[float, float], ...]:
    """The MRR of each share in ``SHARES`` on the validation queries."""
    found = []
    for share in SHARES:
        mixed = Ensemble(first=first, second=second, share=share)
        ranks = place(mixed, queries, filtered).values(Tie.REALISTIC)
        found.append((share, mrr(ranks)))
    return tuple(found)


def best_share(tried: tuple[tuple[float, float], ...]) -> float:
    """The share with the highest MRR; the smallest in case of ties."""
    return tried[int(np.argmax([figure for _, figure in tried]))][0]


_ENDINGS = {".gz", ".txt", ".tsv", ".csv", ".jsonl", ".parquet", ".npz", ".scores", ".ranks"}


class ModelNameError(HopcheckError):
    """Models with the same name, or a name that no model has."""

    code = "model-name"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankedModel:
    """A model with its ranks.

    Attributes:
        model: name of the model.
        file: file of ranks or scores, as given; empty for an ensemble.
        ranks: ranks in the order of the queries.
        ties: tie counts of the scores; None if only ranks are known.
        not_returned: the rank that means "not among the returned candidates"; None if all
            candidates are ranked.
    """

    model: str
    file: str
    ranks: Numbers
    ties: Ranks | None = None
    not_returned: int | None = None

    def only(self, rows: Ids) -> RankedModel:
        """The ranks of some queries."""
        ties = self.ties
        if ties is not None:
            ties = Ranks(better=ties.better[rows], tied=ties.tied[rows])
        return replace(self, ranks=self.ranks[rows], ties=ties)

    @property
    def whole(self) -> bool:
        """Whether all candidates are ranked, so that means over ranks are defined."""
        return self.not_returned is None


class ConventionError(HopcheckError):
    """A rank file that does not state the rank of answers that were not returned."""

    code = "convention"


def read_models(
    paths: Sequence[str],
    queries: SplitQueries,
    filtered: FilteredAnswers,
    *,
    tie: Tie = Tie.REALISTIC,
    not_returned: Mapping[str, int] | None = None,
) -> list[RankedModel]:
    """Read a model from each file.

    Args:
        paths: rank files and score files; score files are recognised by name.
        queries: the queries.
        filtered: filtered answers, for score files.
        tie: tie-breaking, for score files.
        not_returned: model -> the rank that means "not returned", 0 for none; the empty name is
            for rank files that do not state it in their manifest.

    Raises:
        ConventionError: it is not known which rank of a rank file means "not returned".
        HopcheckError: a file cannot be read or joined, or two models have the same name.
    """
    stated = dict(not_returned or {})
    others = stated.pop("", None)
    found = []
    for path, model in zip(paths, names(paths), strict=True):
        if is_scores(path):
            entrant = scored(read_scores(path, queries, model=model), queries, filtered, tie, path)
        else:
            ranks = read_ranks(path, queries)
            manifest = read_manifest(path, Content.RANKS)
            declared = None if manifest is None else manifest.not_returned
            last = stated.pop(model, others if declared is None else declared)
            if last is None:
                message = "found no statement of which rank means that an answer was not returned"
                hint = f"pass --not-returned {model}=RANK, or {model}=0 if all answers are ranked"
                raise ConventionError(message, where=path, hint=hint)
            entrant = RankedModel(model=model, file=path, ranks=ranks, not_returned=last or None)
        found.append(entrant)
    if stated:
        message = (
            f"no rank file is named {', '.join(stated)}, expected one of {', '.join(names(paths))}"
        )
        raise ModelNameError(message)
    return found


def scored(
    scorer: Scorer, queries: SplitQueries, filtered: FilteredAnswers, tie: Tie, file: str = ""
) -> RankedModel:
    """Rank the answers of a model by its scores."""
    ties = place(scorer, queries, filtered)
    return RankedModel(model=scorer.model, file=file, ranks=ties.values(tie), ties=ties)


def ranked_model(
    name: str, ranked: RankedFacts, queries: SplitQueries, tie: Tie = Tie.REALISTIC
) -> RankedModel:
    """The model of facts that were ranked already, in the time-aware filtered setting.

    Raises:
        JoinError: the facts are not those of the queries.
    """
    rows = queries.rows_of(ranked.facts)
    if not np.array_equal(np.sort(rows), np.arange(len(queries))):
        where = queries.dataset.name
        raise JoinError(f"the ranked facts are not those of {queries.split}", where=where)
    order = np.argsort(rows)
    ties = Ranks(better=ranked.ranks.better[order], tied=ranked.ranks.tied[order])
    return RankedModel(model=name, file="", ranks=ties.values(tie), ties=ties)


def names(paths: Sequence[str]) -> list[str]:
    """Derive model names from file names, without their common prefix.

    Raises:
        ModelNameError: two names are the same.
    """
    stems = [_stem(path) for path in paths]
    first = stems[0].rpartition("_")[0] + "_" if stems else ""
    while first and not all(stem.startswith(first) and stem != first for stem in stems):
        first = first[:-1].rpartition("_")[0]
        first += "_" if first else ""
    found = [stem.removeprefix(first) if len(stems) > 1 else stem for stem in stems]
    for number, name in enumerate(found):
        if name in found[:number]:
            message = f"two files are named {name}, expected a distinct name for each model"
            raise ModelNameError(message, where=paths[number], hint="rename one of them")
    return found


def _stem(path: str) -> str:
    name = "stdin" if path == STDIN else PurePath(path).name
    while PurePath(name).suffix in _ENDINGS:
        name = PurePath(name).stem
    return name
