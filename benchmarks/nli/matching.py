"""Puts predictions beside the items they answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.nli.cases import Case
from benchmarks.nli.predictions import Prediction, Predictions
from solver.errors import HopcheckError
from solver.model import Label


class UnmatchedError(HopcheckError):
    """Predictions and items that do not belong to each other."""

    code = "unmatched"


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """The answers to items, in the order of the items.

    Attributes:
        labels: the label that each item was answered with; None if unreadable or missing.
        missing: ids of items without a prediction.
        unknown: ids of predictions for which there is no item.
        unreadable: predictions whose text tells no label.
    """

    labels: tuple[Label | None, ...]
    missing: tuple[str, ...]
    unknown: tuple[str, ...]
    unreadable: tuple[Prediction, ...]


def match(cases: Sequence[Case], predictions: Predictions) -> Matched:
    """Match by id.

    Raises:
        UnmatchedError: two items have one id, or no prediction has the id of an item.
    """
    ids = [case.record.id for case in cases]
    doubled = [one for one, count in Counter(ids).items() if count > 1]
    if doubled:
        raise UnmatchedError(
            f"{len(doubled):,} ids are those of several items, {doubled[0]!r} for one; "
            "expected one item an id",
            hint="score files with the same ids one by one",
        )
    found = [predictions.answers.get(one) for one in ids]
    answered = [one for one in found if one is not None]
    if not answered:
        raise UnmatchedError(
            f"none of its ids ({len(predictions.answers):,}) is that of an item, as {ids[0]!r} is",
            where=predictions.name,
            hint="name the data that were answered: --data PATH",
        )
    known = set(ids)
    return Matched(
        labels=tuple(None if one is None else one.label for one in found),
        missing=tuple(one for one, said in zip(ids, found, strict=True) if said is None),
        unknown=tuple(one for one in predictions.answers if one not in known),
        unreadable=tuple(one for one in answered if one.label is None),
    )
