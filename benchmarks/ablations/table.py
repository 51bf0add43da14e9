"""How reasoners do: macro-F1 of each, overall and by group of items."""

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
    """How a reasoner does on some items; both figures are in [0, 1], higher is better."""

    macro_f1: float
    accuracy: float
    items: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """How one reasoner does.

    Attributes:
        overall: on all items.
        by_group: dimension -> name of the group -> figure.
    """

    reasoner: str
    overall: Figure
    by_group: Mapping[Dimension, Mapping[str, Figure]]


def table(answers: Answers, decided: Sequence[Label], grouped: Sequence[Group]) -> list[Row]:
    """One row a reasoner, in the order they were asked."""
    gold = numbered(decided)
    return [_row(name, gold, numbered(labels), grouped) for name, labels in answers.of.items()]


def _row(name: str, gold: Numbers, said: Numbers, grouped: Sequence[Group]) -> Row:
    by_group: dict[Dimension, dict[str, Figure]] = {}
    for group in grouped:
        members = list(group.members)
        figure = _figure(gold[members], said[members])
        by_group.setdefault(group.dimension, {})[group.name] = figure
    return Row(reasoner=name, overall=_figure(gold, said), by_group=by_group)


def _figure(gold: Numbers, said: Numbers) -> Figure:
    counts = confusion(gold, said)
    return Figure(
        macro_f1=round(macro_f1(counts), 4),
        accuracy=round(accuracy(counts), 4),
        items=len(gold),
    )
