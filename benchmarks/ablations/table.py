"""Scores of reasoners: macro-F1 and accuracy, overall and by group of items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.ablations.answering import Answers
from benchmarks.nli.dimension import Dimension
from benchmarks.nli.groups import Group
from benchmarks.nli.metrics import Numbers, accuracy, confusion, macro_f1, numbered
from solver.model import Label


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """Scores of a reasoner on some items; both are in [0, 1], higher is better."""

    macro_f1: float
    accuracy: float
    items: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Scores of one reasoner.

    Attributes:
        overall: on all items.
        by_group: dimension -> name of the group -> figure.
    """

    reasoner: str
    overall: Figure
    by_group: Mapping[Dimension, Mapping[str, Figure]]


def table(answers: Answers, decided: Sequence[Label], grouped: Sequence[Group]) -> list[Row]:
    """One row per reasoner."""
    gold = numbered(decided)
    return [_row(name, gold, numbered(labels), grouped) for name, labels in answers.labels.items()]


def _row(name: str, gold: Numbers, answers: Numbers, grouped: Sequence[Group]) -> Row:
    by_group: dict[Dimension, dict[str, Figure]] = {}
    for group in grouped:
        members = list(group.members)
        figure = _figure(gold[members], answers[members])
        by_group.setdefault(group.dimension, {})[group.name] = figure
    return Row(reasoner=name, overall=_figure(gold, answers), by_group=by_group)


def _figure(gold: Numbers, answers: Numbers) -> Figure:
    counts = confusion(gold, answers)
    return Figure(
        macro_f1=round(macro_f1(counts), 4),
        accuracy=round(accuracy(counts), 4),
        items=len(gold),
    )
