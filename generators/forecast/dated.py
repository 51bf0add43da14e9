"""A graph whose times are days, cut where the future begins."""

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
    """A graph, or days, for which no facts can be forecast."""

    code = "forecast"


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedGraph:
    """What is known before the future begins.

    Attributes:
        facts: times count days from ``first``; in order of time, within a day as listed.
        vocabulary: its times reach to the last day that is to be forecast.
        first: the day of time 0, from the first of year 1.
        later: how many facts were left out, for they are not before the future.
    """

    facts: Quadruples
    vocabulary: Vocabulary
    first: int
    later: int

    def date(self, time: int) -> str:
        """The day of a time, as ``2014-01-31``."""
        return date.fromordinal(self.first + time).isoformat()


def dated_graph(dataset: Dataset, *, begin: int, end: int) -> DatedGraph:
    """Cut a graph before a day.

    Args:
        dataset: its times have dates for names.
        begin: the first day of the future, from the first of year 1.
        end: the last one.

    Raises:
        ForecastError: times have no dates, or nothing is before the future.
    """
    days = _days(dataset)
    facts = dataset.facts()
    at = days[facts.time // dataset.vocabulary.time_step]
    order = np.flatnonzero(at < begin)
    if not len(order):
        found = f"found no facts before {date.fromordinal(begin)}, expected some to learn from"
        if len(facts):
            found += f": the first one is of {date.fromordinal(int(at.min()))}"
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
    """The day of each named time."""
    names = dataset.vocabulary.time_names
    days = [day(name) for name in names]
    wrong = next((name for name, one in zip(names, days, strict=True) if one is None), None)
    if wrong is not None or not names:
        found = "no dates" if wrong is None else f"time {shown(wrong)}"
        raise ForecastError(
            f"found {found}, expected times such as 2014-01-31",
            where=dataset.name,
            hint="write facts with dates, or name the times in ts2id.txt",
        )
    return np.array(days, dtype=np.int64)
