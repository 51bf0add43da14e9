"""Matches predictions with items by id."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.nli.cases import Case
from benchmarks.nli.predictions import Prediction, Predictions
from solver.errors import HopcheckError
from solver.model import Label


class UnmatchedError(HopcheckError):
    """Predictions and items whose ids do not match."""

    code = "unmatched"


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchedAnswers:
    """The answers to items, in the order of the items.

    Attributes:
        labels: the answered label of each item; None if unreadable or missing.
        missing: ids of items without a prediction.
        unknown: ids of predictions without an item.
        unreadable: predictions whose text contains no label.
    """

    labels: tuple[Label | None, ...]
    missing: tuple[str, ...]
    unknown: tuple[str, ...]
    unreadable: tuple[Prediction, ...]


def match(cases: Sequence[Case], predictions: Predictions) -> MatchedAnswers:
    """Match by id.

    Raises:
        UnmatchedError: two items share an id, or no prediction has the id of an item.
    """
    ids = [case.record.id for case in cases]
    doubled = [one for one, count in Counter(ids).items() if count > 1]
    if doubled:
        raise UnmatchedError(
            f"{len(doubled):,} ids occur several times in the data, such as {doubled[0]!r}; "
            "expected unique ids",
            hint="score files with the same ids separately",
        )
    found = [predictions.answers.get(one) for one in ids]
    answered = [one for one in found if one is not None]
    if not answered:
        raise UnmatchedError(
            f"none of the {len(predictions.answers):,} ids is that of an item, such as {ids[0]!r}",
            where=predictions.name,
            hint="pass the items that were answered: --data PATH",
        )
    known = set(ids)
    return MatchedAnswers(
        labels=tuple(None if one is None else one.label for one in found),
        missing=tuple(one for one, given in zip(ids, found, strict=True) if given is None),
        unknown=tuple(one for one in predictions.answers if one not in known),
        unreadable=tuple(one for one in answered if one.label is None),
    )
