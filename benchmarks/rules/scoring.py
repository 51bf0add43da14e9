"""Runs of ``score ranks`` and ``strikingness``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from benchmarks.metrics.bootstrap import RESAMPLES
from benchmarks.metrics.ranking import Numbers
from benchmarks.rules.ranking.comparison import compare_models
from benchmarks.rules.ranking.files import is_scores, read_scores
from benchmarks.rules.ranking.groups import (
    BIAS,
    frequency_inverse,
    read_strikingness,
    temporal_inverse,
)
from benchmarks.rules.ranking.models import (
    Ensemble,
    RankedModel,
    best_share,
    names,
    ranked_model,
    read_models,
    scored,
    search,
)
from benchmarks.rules.ranking.queries import Asked, Filter, FilteredAnswers, SplitQueries
from benchmarks.rules.ranking.report import RankingRun
from benchmarks.rules.strikingness.measure import ablate, strikingness
from benchmarks.rules.strikingness.peers import Evidence
from benchmarks.rules.strikingness.report import StrikingnessRun
from benchmarks.rules.strikingness.settings import Settings
from solver.graph.model import Dataset, Split
from solver.graph.queries import Tie
from solver.processes import Progress, no_progress
from solver.rules.application import RankedFacts
from solver.rules.model import RuleTable
from solver.rules.provenance import Content, refuse_leak, seen_by
from solver.rules.score_folders import folder_seen, is_score_folder
from solver.verification.settings import option, setting

Pair: TypeAlias = tuple[str, str]

BASELINE_MEASURES = {"freq-inverse": frequency_inverse, "temporal-inverse": temporal_inverse}
"""Measures that can replace a file of strikingness."""


def _ranks_not_returned(given: Sequence[str]) -> dict[str, int]:
    """The ranks of ``MODEL=RANK``, and of ``RANK`` for all other rank files."""
    found = {}
    for text in given:
        model, named, rank = text.rpartition("=")
        if (named and not model) or not rank.isdecimal():
            raise ValueError(f"{text!r} is not MODEL=RANK or RANK.")
        found[model] = int(rank)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingConfig:
    """How models are compared by the ranks of the true answers.

    In ``not_returned`` the empty name is for rank files that do not state it in their manifest.
    """

    split: Split = setting(Split.TEST, "Split to read.")
    weights: str | None = setting(
        None,
        "File with the strikingness of the split's facts, `s r o t sk`; or a baseline measure: "
        f"{' or '.join(BASELINE_MEASURES)}.",
        metavar="FILE|MEASURE",
    )
    bias: float = setting(BIAS, "Bias that is added to each weight.", above=0)
    filter: Filter = setting(
        Filter.TIME_AWARE,
        "Filtered setting: keep other true answers (raw), or remove those of any time (static) or "
        "of the query's time (time-aware).",
    )
    queries: Asked = setting(
        Asked.FACTS,
        "What is asked: each fact, or each head, relation and tail once, at its first time, as "
        "tools without times do (distinct).",
    )
    ties: Tie = setting(Tie.REALISTIC, "Tie-breaking: best, mean or worst rank of equal scores.")
    not_returned: Mapping[str, int] = field(
        default_factory=dict,
        metadata=option(
            "Rank that this model, or each other rank file, assigns to answers it did not return; "
            "disables its MRR. 0 for none. By default as its manifest states.",
            repeated=True,
            metavar="[MODEL=]RANK",
            convert=_ranks_not_returned,
        ),
    )
    ensemble: Pair | None = setting(
        None,
        "Score files of two models to combine by a weighted sum.",
        number=2,
        metavar="FILE FILE",
    )
    valid: Pair | None = setting(
        None,
        "Score files of the ensemble on the split valid, to tune eta.",
        number=2,
        metavar="FILE FILE",
    )
    eta: float | None = setting(None, "Weight of the first model of the ensemble.", least=0, most=1)
    allow_leak: bool = setting(False, "Accept what was learned from facts of the evaluated times.")
    resamples: int = setting(RESAMPLES, "Number of bootstrap resamples.", low=100, high=100_000)
    seed: int = setting(0, "Random seed.", low=0)

    def as_json(self) -> dict[str, object]:
        """The options to record with the figures."""
        left_out = ("not_returned", "seed")
        return {name: getattr(self, name) for name in self.__slots__ if name not in left_out}


def score_ranks(
    dataset: Dataset,
    paths: Sequence[str],
    config: RankingConfig,
    *,
    ranked: Sequence[RankedFacts] = (),
    details: bool,
) -> RankingRun:
    """Compare models by their rank files, score files and optionally an ensemble of two of them.

    Args:
        dataset: the graph.
        paths: rank files and score files.
        config: how the models are compared.
        ranked: facts of the split that rules have ranked; the models are called ``rules``.
        details: whether to compute groups, agreement and tests.

    Raises:
        HopcheckError: a file cannot be read or joined to the queries.
    """
    queries = SplitQueries.of(dataset, config.split)
    filtered = FilteredAnswers(queries, config.filter)
    weights = config.weights
    files = () if weights is None or weights in BASELINE_MEASURES else (weights,)
    read = (*paths, *(config.ensemble or ()))
    leaks = (
        *_leaks(read, queries, config),
        *_leaks(files, queries, config, Content.STRIKINGNESS),
    )
    for facts in ranked:
        refuse_leak(facts.seen, dataset, queries.asked.time, "rules", allow=config.allow_leak)
    values = None if weights is None else _strikingness(weights, queries)
    models = read_models(
        paths, queries, filtered, tie=config.ties, not_returned=config.not_returned
    )
    models += [ranked_model("rules", facts, queries, config.ties) for facts in ranked]
    shares: tuple[tuple[float, float], ...] = ()
    if config.ensemble:
        if config.eta is None and config.valid:
            shares = _tuned(config.ensemble, config.valid, queries, filtered)
        share = best_share(shares) if config.eta is None else config.eta
        mixed = _mixed(config.ensemble, share, queries)
        models.append(scored(mixed, queries, filtered, config.ties))
    candidates = filtered.candidates(queries.entities)
    if config.queries is Asked.DISTINCT:
        rows = queries.first()
        values = None if values is None else values[rows[: len(rows) // 2]]
        queries, candidates = queries.only(rows), candidates[rows]
        models = [model.only(rows) for model in models]
    return RankingRun(
        standings=compare_models(
            models,
            queries,
            candidates,
            strikingness=values,
            bias=config.bias,
            details=details,
            seed=config.seed,
            resamples=config.resamples,
        ),
        weights=Path(weights).name if weights else "",
        config=config.as_json(),
        inputs=(*paths, *(config.ensemble or ()), *(config.valid or ()), *files),
        shares=shares,
        notes=(*leaks, *_notes(models)),
        seed=config.seed,
    )


def _leaks(
    paths: Sequence[str],
    queries: SplitQueries,
    config: RankingConfig,
    content: Content | None = None,
) -> Iterator[str]:
    """Refuse files that were learned from facts of the queried times, or note them."""
    for path in paths:
        what = content or (Content.SCORES if is_scores(path) else Content.RANKS)
        seen = folder_seen(path) if is_score_folder(path) else seen_by(path, what)
        times = queries.asked.time
        yield from refuse_leak(seen, queries.dataset, times, path, allow=config.allow_leak)


def _strikingness(weights: str, queries: SplitQueries) -> Numbers:
    measure = BASELINE_MEASURES.get(weights)
    return read_strikingness(weights, queries) if measure is None else measure(queries)


def _mixed(files: Pair, share: float, queries: SplitQueries, named: Pair | None = None) -> Ensemble:
    first, second = (
        read_scores(path, queries, model=name)
        for path, name in zip(files, names(named or files), strict=True)
    )
    return Ensemble(first=first, second=second, share=share)


def _tuned(
    files: Pair, valid: Pair, queries: SplitQueries, filtered: FilteredAnswers
) -> tuple[tuple[float, float], ...]:
    """MRR on the split valid for each share of the first model of an ensemble."""
    asked = SplitQueries.of(queries.dataset, Split.VALID)
    mixed = _mixed(valid, 0.0, asked, files)
    return search(mixed.first, mixed.second, asked, FilteredAnswers(asked, filtered.filter))


def _notes(models: Sequence[RankedModel]) -> tuple[str, ...]:
    """Notes on models without MRR."""
    found = []
    for model in models:
        if model.not_returned is not None:
            share = float((model.ranks >= model.not_returned).mean())
            found.append(
                f"{share:.0%} of the ranks of {model.model} are {model.not_returned:,}, which is "
                "stated as not returned: no MRR"
            )
    return tuple(found)


def measure_strikingness(
    dataset: Dataset,
    rules: RuleTable,
    split: Split,
    settings: Settings,
    *,
    ablations: bool = False,
    allow_leak: bool = False,
    config: Mapping[str, object],
    inputs: tuple[str, ...] = (),
    progress: Progress = no_progress,
) -> StrikingnessRun:
    """Measure the strikingness of the facts of a split.

    Args:
        dataset: the graph.
        rules: mined rules.
        split: split whose facts are measured.
        settings: the definition.
        ablations: whether to measure the effect of each switch, too.
        allow_leak: accept rules that were mined from facts of the times of the split.
        config: options to record with the figures.
        inputs: files that were read.
        progress: shows the progress of ``events``.

    Raises:
        LeakError: the rules were mined from facts of the times of the split.
        HopcheckError: the split is empty, or the rules cannot be used.
    """
    events = SplitQueries.of(dataset, split).event()
    refuse_leak(rules.seen, dataset, events.time, "rules", allow=allow_leak)
    evidence = Evidence.of(dataset, rules, settings, events)
    with progress("events", len(events) * (8 if ablations else 1)) as advance:
        found = strikingness(evidence, events, advance=advance)
        changes = ablate(dataset, rules, found, advance=advance) if ablations else ()
    return StrikingnessRun(
        dataset=dataset,
        split=split,
        found=found,
        rules=len(evidence.book),
        left_out=evidence.book.left_out,
        changes=changes,
        seen=rules.seen,
        config=config,
        inputs=inputs,
    )
