"""Scores of judged questions with bootstrap intervals: overall, by relation, by month."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from benchmarks.questions.judged import CHOSEN, ENTITIES, NOTHING, Judged
from benchmarks.questions.metrics import LabelScore, label_scores
from benchmarks.ranking.intervals import RESAMPLES, bootstrap
from benchmarks.ranking.tables import Numbers
from grammar.question import QuestionKind

BOTH = "1-hop and 2-hop"
PARTS: Mapping[str, frozenset[QuestionKind]] = {
    QuestionKind.ONE_HOP.value: frozenset({QuestionKind.ONE_HOP}),
    QuestionKind.TWO_HOP.value: frozenset({QuestionKind.TWO_HOP}),
    BOTH: frozenset(ENTITIES),
    QuestionKind.YES_UNKNOWN.value: frozenset({QuestionKind.YES_UNKNOWN}),
    QuestionKind.FACT_REASONING.value: frozenset({QuestionKind.FACT_REASONING}),
}
"""What is scored together."""

CUTS = (1, 10)
RANKED = ("mrr", "hits1", "hits10")
TOLD = ("accuracy",)


class Grouping(StrEnum):
    """What questions of a part are grouped by."""

    RELATION = "relation"
    MONTH = "month"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure in [0, 1], higher is better, with its 95% interval over questions drawn again."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """How some questions are answered.

    Attributes:
        answers: right ones, each of which is a query of its own where they are entities.
        figures: ``mrr``, ``hits1`` and ``hits10`` where answers are entities, else ``accuracy``.
    """

    questions: int
    answers: int
    figures: Mapping[str, Figure]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """How all questions are answered.

    Attributes:
        parts: by the names of ``PARTS`` that there are questions of; so ``groups``.
        groups: part -> grouping -> name -> score; the largest relations and the first months first.
        labels: of yes-unknown, by the right label; empty without such questions.
        chosen: of fact reasoning, how often each choice was chosen, none under the empty text.
    """

    parts: Mapping[str, Score]
    groups: Mapping[str, Mapping[Grouping, Mapping[str, Score]]]
    labels: Mapping[str, LabelScore]
    chosen: Mapping[str, int]

    @property
    def kinds(self) -> tuple[str, ...]:
        """The parts that are kinds: no question is in two of them."""
        return tuple(name for name in self.parts if name != BOTH)

    def as_json(self) -> dict[str, Any]:
        """All figures as JSON values."""
        return {
            "parts": {name: asdict(one) for name, one in self.parts.items()},
            "groups": {
                part: {
                    grouping.value: {name: asdict(one) for name, one in scores.items()}
                    for grouping, scores in by.items()
                }
                for part, by in self.groups.items()
            },
            "labels": {label: asdict(one) for label, one in self.labels.items()},
            "chosen": {name or "nothing": number for name, number in self.chosen.items()},
        }


def score(
    judged: Sequence[Judged], *, details: bool = True, seed: int = 0, resamples: int = RESAMPLES
) -> Scores:
    """Score judged questions, at least one.

    Args:
        judged: in any order.
        details: also by relation and by month.
        seed: of the bootstrap; ``resamples`` of it.
        resamples: how often questions are drawn again; the answers of one stay together.
    """
    parts, groups = {}, {}
    for name, kinds in PARTS.items():
        some = [one for one in judged if one.kind in kinds]
        if not some:
            continue
        parts[name] = scored(some, seed=seed, resamples=resamples)
        groups[name] = {
            grouping: {
                group: scored(members, seed=seed, resamples=resamples)
                for group, members in grouped(some, grouping).items()
            }
            for grouping in Grouping
            if details
        }
    told = [one for one in judged if one.kind is QuestionKind.YES_UNKNOWN]
    reasoned = [one.said for one in judged if one.kind is QuestionKind.FACT_REASONING]
    return Scores(
        parts=parts,
        groups=groups,
        labels=label_scores([one.gold for one in told], [one.said for one in told]),
        chosen={name: reasoned.count(name) for name in (*CHOSEN, NOTHING)} if reasoned else {},
    )


def grouped(judged: Iterable[Judged], grouping: Grouping) -> dict[str, list[Judged]]:
    """Questions by relation, most first, or by month, in order of time; others are left out."""
    found: dict[str, list[Judged]] = {}
    for one in judged:
        name = one.relation if grouping is Grouping.RELATION else one.month
        if name:
            found.setdefault(name, []).append(one)
    if grouping is Grouping.MONTH:
        return dict(sorted(found.items()))
    return dict(sorted(found.items(), key=lambda pair: (-len(pair[1]), pair[0])))


def scored(judged: Sequence[Judged], *, seed: int = 0, resamples: int = RESAMPLES) -> Score:
    """Score questions whose answers are all entities, or none of them."""
    names = RANKED if judged[0].kind in ENTITIES else TOLD
    values, sizes = _values(judged)
    return Score(
        questions=len(judged),
        answers=sum(sizes),
        figures=_figures(names, values, sizes, seed, resamples),
    )


def difference(
    judged: Sequence[Judged],
    other: Sequence[Judged],
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Figure:
    """How much more MRR or accuracy one run has than another, on the same draws of questions.

    Args:
        judged: as for ``scored``; other: the same questions in the same order.
        other: see ``judged``.
        seed: of the bootstrap; ``resamples`` of it.
        resamples: see ``seed``.
    """
    (one, *_), sizes = _values(judged)
    (two, *_), _ = _values(other)
    return _figures(("difference",), (one - two)[None], sizes, seed, resamples)["difference"]


def _values(judged: Sequence[Judged]) -> tuple[Numbers, list[int]]:
    """What is averaged, a row each metric; and how many answers each question has."""
    if judged[0].kind not in ENTITIES:
        return np.array([[float(one.said == one.gold) for one in judged]]), [1] * len(judged)
    ranks = np.array([rank for one in judged for rank in one.ranks])
    values = np.stack([1 / ranks, *((ranks <= cut).astype(np.float64) for cut in CUTS)])
    return values, [len(one.ranks) for one in judged]


def _figures(
    names: Sequence[str],
    values: Numbers,
    sizes: Sequence[int],
    seed: int,
    resamples: int,
) -> dict[str, Figure]:
    units = np.repeat(np.arange(len(sizes)), sizes)
    weights = np.ones(values.shape[1])
    drawn = bootstrap(values, weights, units=units, seed=seed, resamples=resamples)
    return {
        name: Figure(value=float(mean), low=one.low, high=one.high)
        for name, mean, one in zip(names, values.mean(axis=1), drawn.intervals, strict=True)
    }
