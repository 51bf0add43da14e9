"""A temporal graph with daily timestamps, cut before the first day to forecast."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

import numpy as np

from solver.errors import HopcheckError
from solver.reading.failures import shown
from solver.tkg.dataset import Dataset, Vocabulary
from solver.tkg.files.naming import day
from solver.tkg.quadruples import Quadruples


class ForecastError(HopcheckError):
    """No facts can be forecast for the given graph or days."""

    code = "forecast"


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedGraph:
    """The facts known before the first day to forecast.

    Attributes:
        facts: times are days since ``first``; chronological, within a day in input order.
        vocabulary: its times extend to the last day to forecast.
        first: the day of time 0, as a proleptic ordinal.
        later: number of facts excluded because they are not before the first day.
    """

    facts: Quadruples
    vocabulary: Vocabulary
    first: int
    later: int

    def date(self, time: int) -> str:
        """The ISO date of a time: ``2014-01-31``."""
        return date.fromordinal(self.first + time).isoformat()


def dated_graph(dataset: Dataset, *, begin: int, end: int) -> DatedGraph:
    """Keep the facts of a graph before a given day.

    Args:
        dataset: its times are named by dates.
        begin: first day to forecast, as a proleptic ordinal.
        end: last day to forecast.

    Raises:
        ForecastError: times have no dates, or there is no fact before ``begin``.
    """
    days = _days(dataset)
    facts = dataset.facts()
    at = days[facts.time // dataset.vocabulary.time_step]
    order = np.flatnonzero(at < begin)
    if not len(order):
        found = f"found no facts before {date.fromordinal(begin)}, expected at least one"
        if len(facts):
            found += f"; the earliest is of {date.fromordinal(int(at.min()))}"
        raise ForecastError(found, where=dataset.name)
    order = order[np.argsort(at[order], kind="stable")]
    first = int(at[order[0]])
    known = facts.take(order)
    return DatedGraph(
        facts=replace(known, time=at[order] - first),
        vocabulary=replace(dataset.vocabulary, times=end - first + 1, time_names=(), time_step=1),
        first=first,
        later=len(facts) - len(order),
    )


def _days(dataset: Dataset) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The day of each time."""
    names = dataset.vocabulary.time_names
    days = [day(name) for name in names]
    wrong = next((name for name, one in zip(names, days, strict=True) if one is None), None)
    if wrong is not None or not names:
        found = "no dates" if wrong is None else f"time {shown(wrong)}"
        raise ForecastError(
            f"found {found}, expected times such as 2014-01-31",
            where=dataset.name,
            hint="use dates in the facts, or name the times in ts2id.txt",
        )
    return np.array(days, dtype=np.int64)
