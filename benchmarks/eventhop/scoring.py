"""Runs of ``score nli`` and ``diagnose``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.eventhop.ablations.reasoners import DIAGNOSED, read_reasoners
from benchmarks.eventhop.cases import Cases, Gold, gold_labels, groups, minimal_groups, read_cases
from benchmarks.eventhop.diagnosis.likelihood import observations, reasoner_answers
from benchmarks.eventhop.diagnosis.ranking import rank
from benchmarks.eventhop.diagnosis.report import Diagnosis
from benchmarks.eventhop.predictions import (
    Prediction,
    answered_labels,
    read_label_predictions,
    unreadable,
)
from benchmarks.eventhop.report import ScoreReport
from benchmarks.eventhop.scores import score
from benchmarks.metrics.bootstrap import RESAMPLES
from benchmarks.predictions import MatchedPredictions, Predictions, match_predictions, unusable
from solver.eventhop.engines import ItemSettings
from solver.processes import Progress, no_progress


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerData:
    """Items, and the predictions matched with them."""

    items: Cases
    matched: MatchedPredictions[Prediction]

    @property
    def predictions(self) -> Predictions[Prediction]:
        """The predictions."""
        return self.matched.predictions

    def notes(self) -> Iterator[str]:
        """Describe in a line each what could not be used."""
        wrong = unreadable(self.matched)
        silent = [one.id for one in wrong if not one.ambiguous]
        several = [one.id for one in wrong if one.ambiguous]
        yield from self.matched.notes("item")
        yield from unusable("item", "answered without a label", silent)
        yield from unusable("item", "answered with several labels (ambiguous)", several)


def read_answer_data(path: str, data: Sequence[str], settings: ItemSettings) -> AnswerData:
    """Read predictions and items.

    Args:
        path: file of predictions.
        data: files of items.
        settings: how the items are read and decided.

    Raises:
        HopcheckError: a file cannot be read, or no prediction is for one of the items.
    """
    words = None if settings.mapping is None else settings.mapping.labels
    predictions = read_label_predictions(path, words)
    items = read_cases(data, settings)
    matched = match_predictions(predictions, [case.record.id for case in items.cases], "item")
    return AnswerData(items=items, matched=matched)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreConfig:
    """How answers to items are scored.

    Attributes:
        gold: source of the gold labels.
        settings: how the items are read and decided.
        resamples: number of bootstrap resamples.
        seed: random seed of the bootstrap.
    """

    gold: Gold = Gold.DECIDED
    settings: ItemSettings = field(default_factory=ItemSettings)
    resamples: int = RESAMPLES
    seed: int = 0


def score_answers(data: AnswerData, paths: Sequence[str], config: ScoreConfig) -> ScoreReport:
    """Score answers to items.

    Args:
        data: the items and the answers.
        paths: names of the item files.
        config: how they are scored.

    Raises:
        UnlabelledError: an item has no gold label in its file, which is the source of labels.
    """
    return ScoreReport(
        data=tuple(paths),
        predictions=data.predictions,
        matched=data.matched,
        gold=config.gold.value,
        differing=_differing(data.items),
        unparsed=len(data.items.unparsed),
        scores=score(
            gold_labels(data.items, config.gold),
            answered_labels(data.matched),
            groups(data.items.cases),
            minimal_groups(data.items.cases),
            seed=config.seed,
            resamples=config.resamples,
        ),
        config={
            "gold": config.gold.value,
            "resamples": config.resamples,
            "spatial": config.settings.spatial,
            "domain": config.settings.domain,
        },
        seed=config.seed,
    )


def _differing(read: Cases) -> int | None:
    labels = [(case.record.label, case.verdict.label) for case in read.cases]
    if all(gold is None for gold, _ in labels):
        return None
    return sum(gold is not None and gold is not decided for gold, decided in labels)


def diagnose_answers(
    data: AnswerData,
    paths: Sequence[str],
    settings: ItemSettings,
    *,
    seed: int = 0,
    reasoners: Sequence[str] = (),
    progress: Progress = no_progress,
) -> Diagnosis:
    """Find the ablated reasoner that best explains a model's answers.

    Args:
        data: the items and the answers.
        paths: names of the item files.
        settings: how the items were read and decided.
        seed: random seed.
        reasoners: programs of more reasoners, see ``read_reasoner``.
        progress: shows the progress of ``answers``.
    """
    pairs = zip(data.items.cases, answered_labels(data.matched), strict=True)
    readable = [(case, label) for case, label in pairs if label is not None]
    cases = [case for case, _ in readable]
    more = read_reasoners(reasoners)
    with progress("answers", len(cases) * (len(DIAGNOSED) + len(more) - 1)) as advance:
        answers = reasoner_answers(cases, more=more, progress=advance)
    labels = [label for _, label in readable]
    observed = observations(cases, answers, labels, seed=seed, more=more)
    return Diagnosis(
        data=tuple(paths),
        predictions=data.predictions,
        matched=data.matched,
        unparsed=len(data.items.unparsed),
        left_out=dict(answers.left_out),
        observed=observed,
        ranking=rank(observed, groups(cases)),
        config={
            "spatial": settings.spatial,
            "domain": settings.domain,
            "reasoners": [Path(one).name for one in reasoners],
        },
        seed=seed,
    )
