"""The reference year that a forecast imitates: facts per day, and shares of relations."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from generators.forecast.dated import DatedGraph, ForecastError
from solver.tkg.quadruples import Ids


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """Counts of one year.

    Attributes:
        year: calendar year.
        days: number of facts by month and day.
        relations: number of facts of each relation, shape (relations,).
    """

    year: int
    days: dict[tuple[int, int], int]
    relations: Ids

    def quota(self, day: int, most: int) -> int:
        """The number of facts to forecast for a day (proleptic ordinal), at most ``most``.

        29 February takes the number of 28 February if the year has no leap day.
        """
        one = date.fromordinal(day)
        place = (one.month, one.day)
        if place == (2, 29) and place not in self.days:
            place = (2, 28)
        return min(self.days.get(place, 0), most)

    @property
    def shares(self) -> NDArray[np.float64]:
        """The share of each relation among the year's facts."""
        shares: NDArray[np.float64] = self.relations / self.relations.sum()
        return shares


def reference_of(graph: DatedGraph, year: int | None) -> Reference:
    """Count the facts of a year; default is the year of the last known fact.

    Raises:
        ForecastError: the year has no facts.
    """
    ordinals = graph.facts.time + graph.first
    chosen = date.fromordinal(int(ordinals[-1])).year if year is None else year
    begin, end = (date(chosen, 1, 1).toordinal(), date(chosen, 12, 31).toordinal())
    rows = np.flatnonzero((ordinals >= begin) & (ordinals <= end))
    if not len(rows):
        years = (date.fromordinal(int(ordinals[row])).year for row in (0, -1))
        found = f"found no facts of {chosen}, expected a year from {' to '.join(map(str, years))}"
        raise ForecastError(found, hint="choose another --reference")
    days, counts = np.unique(ordinals[rows], return_counts=True)
    calendar = {}
    for ordinal, count in zip(days.tolist(), counts.tolist(), strict=True):
        one = date.fromordinal(ordinal)
        calendar[one.month, one.day] = count
    return Reference(
        year=chosen,
        days=calendar,
        relations=np.bincount(graph.facts.relation[rows], minlength=graph.vocabulary.relations),
    )


def total_variation(counts: Ids, shares: NDArray[np.float64]) -> float:
    """Total variation distance between two distributions, in [0, 1]; 0 if they are equal.

    Args:
        counts: number of facts of each relation; if all are 0, the distance is 1.
        shares: the distribution to compare with; sums to 1.
    """
    made = counts.sum()
    return float(np.abs(counts / made - shares).sum() / 2) if made else 1.0
