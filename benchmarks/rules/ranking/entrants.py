"""The models to compare: their names, and their ranks from rank files or score files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from benchmarks.rules.ranking.queries import FilteredAnswers, Queries
from benchmarks.rules.ranking.ranks import Scorer, Tie, Ties, place, read_ranks
from benchmarks.rules.ranking.scores import is_scores, read_scores
from benchmarks.rules.ranking.tables import Numbers
from grammar.errors import HopcheckError
from solver.io.sources import STDIN

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
    ties: Ties | None = None
    not_returned: int | None = None

    @property
    def whole(self) -> bool:
        """Whether all candidates are ranked, so that means over ranks are defined."""
        return self.not_returned is None


def read_models(
    paths: Sequence[str],
    queries: Queries,
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
        not_returned: model -> the rank that means "not returned", 0 for none; detected by default.

    Raises:
        HopcheckError: a file cannot be read or joined, or two models have the same name.
    """
    cut = dict(not_returned or {})
    found = []
    for path, model in zip(paths, names(paths), strict=True):
        if is_scores(path):
            entrant = scored(read_scores(path, queries, model=model), queries, filtered, tie, path)
        else:
            ranks = read_ranks(path, queries, model=model)
            last = cut.pop(model, None)
            returned = _not_returned(ranks.values) if last is None else last or None
            entrant = RankedModel(model=model, file=path, ranks=ranks.values, not_returned=returned)
        found.append(entrant)
    if cut:
        message = (
            f"no rank file is named {', '.join(cut)}, expected one of {', '.join(names(paths))}"
        )
        raise ModelNameError(message)
    return found


def _not_returned(ranks: Numbers) -> int | None:
    """The last rank, if too many answers share it for an actual rank."""
    last = float(ranks.max())
    sharing = int((ranks == last).sum())
    return int(last) if last > 10 and sharing >= max(20, 0.05 * len(ranks)) else None


def scored(
    scorer: Scorer, queries: Queries, filtered: FilteredAnswers, tie: Tie, file: str = ""
) -> RankedModel:
    """Rank the answers of a model by its scores."""
    ties = place(scorer, queries, filtered)
    return RankedModel(model=scorer.model, file=file, ranks=ties.ranks(tie), ties=ties)


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
