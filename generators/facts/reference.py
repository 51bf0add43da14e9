"""The reference year that a forecast imitates: facts per day, and shares of relations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np
from numpy.typing import NDArray

from generators.facts.model import DatedGraph, ForecastError
from generators.facts.oracle import Weights, new_pairs
from solver.facts.model import without_rare
from solver.facts.role_rules import Intervals, RelationKinds
from solver.graph.model import Ids
from solver.graph.queries import Queries


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """Counts of one year.

    Attributes:
        year: calendar year.
        days: number of facts by month and day.
        relations: number of facts of each relation, shape (relations,).
        new: of these, how many join two entities that no fact of an earlier day joins.
        durations: days of the intervals that ended in the year.
    """

    year: int
    days: dict[tuple[int, int], int]
    relations: Ids
    new: Ids
    durations: Ids

    def quota(self, day: int, most: int) -> int:
        """The number of facts to forecast for a day (proleptic ordinal), at most ``most``.

        29 February takes the number of 28 February if the year has no leap day.
        """
        calendar_day = date.fromordinal(day)
        place = (calendar_day.month, calendar_day.day)
        if place == (2, 29) and place not in self.days:
            place = (2, 28)
        return min(self.days.get(place, 0), most)

    @property
    def shares(self) -> NDArray[np.float64]:
        """The share of each relation among the year's facts."""
        shares: NDArray[np.float64] = self.relations / self.relations.sum()
        return shares


def reference_of(graph: DatedGraph, kinds: RelationKinds, year: int | None) -> Reference:
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
        day = date.fromordinal(ordinal)
        calendar[day.month, day.day] = count
    size, known = graph.vocabulary.relations, graph.facts
    new = rows[new_pairs(known, graph.vocabulary.entities)[rows]]
    lasting = Intervals.of(known, kinds)
    ended = (lasting.end >= begin - graph.first) & (lasting.end <= end - graph.first)
    return Reference(
        year=chosen,
        days=calendar,
        relations=np.bincount(known.relation[rows], minlength=size),
        new=np.bincount(known.relation[new], minlength=size),
        durations=(lasting.end - lasting.start)[ended],
    )


def total_variation(counts: Ids, shares: NDArray[np.float64]) -> float:
    """Total variation distance between two distributions, in [0, 1]; 0 if they are equal.

    Args:
        counts: number of facts of each relation; if all are 0, the distance is 1.
        shares: the distribution to compare with; sums to 1.
    """
    made = counts.sum()
    return float(np.abs(counts / made - shares).sum() / 2) if made else 1.0


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class _Lasting:
    """A fact without time: the start and the end of a fact count once."""

    subject: int
    relation: int
    object: int


def without_rare_entities(graph: DatedGraph, kinds: RelationKinds) -> DatedGraph:
    """Return the facts that remain once no entity has a single fact.

    Raises:
        ForecastError: none remains.
    """
    facts = graph.facts
    relation = np.array(kinds.relation, dtype=np.int64)[facts.relation]
    rows = [
        _Lasting(subject=head, relation=name, object=tail)
        for head, name, tail in zip(
            facts.head.tolist(), relation.tolist(), facts.tail.tolist(), strict=True
        )
    ]
    left = set(without_rare(sorted(set(rows))))
    if not left:
        raise ForecastError(
            "removing rare entities leaves no facts, expected at least one",
            hint="omit --without-rare",
        )
    kept = np.array([row in left for row in rows], dtype=np.bool_)
    return replace(graph, facts=facts.take(kept))


def reference_weights(shares: Weights, able: NDArray[np.bool_]) -> Weights:
    """The reference shares, restricted to relations that can yield facts."""
    return np.where(able, shares, 0.0)


def deficit_weights(shares: Weights, made: Ids, wanted: int, able: NDArray[np.bool_]) -> Weights:
    """The deficit of each relation against its share of all facts so far.

    Args:
        shares: shares in the reference year.
        made: number of facts of each relation so far.
        wanted: number of facts requested by the end of the day, at least those made.
        able: relations that can be drawn now.

    Returns:
        Weights; those by share if no able relation has a deficit.
    """
    weights = np.where(able, np.maximum(shares * wanted - made, 0.0), 0.0)
    return weights if weights.sum() else reference_weights(shares, able)


def matching_weights(
    shares: Weights, made: Ids, wanted: int, able: NDArray[np.bool_], with_rules: NDArray[np.bool_]
) -> Weights:
    """The deficit of each relation with rules against its share of all facts so far.

    Args:
        shares: shares in the reference year.
        made: number of facts of each relation so far.
        wanted: number of facts requested by the end of the day, at least those made.
        able: relations that can be drawn now.
        with_rules: relations with rules; they share out the part of those without.

    Returns:
        Weights, all 0 only if no relation is able.
    """
    among = np.where(with_rules, shares, 0.0)
    if not among.sum():
        return among
    lacking = np.maximum(among / among.sum() * wanted - made, 0.0)
    weights = np.where(able, lacking, 0.0)
    return weights if weights.sum() else np.where(able, among, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Attempts:
    """Attempts at facts of one day, in order.

    Attributes:
        relation: relation of each attempt.
        offsets: subjects of attempt ``k`` are rows ``offsets[k]`` to ``offsets[k + 1]``.
        subject: distinct within an attempt; none if a role rule is to propose the fact.
        new: whether the fact must join a new pair of entities; None if this is irrelevant.
    """

    relation: Ids
    offsets: Ids
    subject: Ids
    new: tuple[bool | None, ...]

    def queries(self, time: int) -> Queries:
        """A query for each subject, in order."""
        return Queries(
            head=self.subject,
            relation=np.repeat(self.relation, np.diff(self.offsets)),
            time=np.full(len(self.subject), time),
        )


def attempts(
    draw: np.random.Generator,
    *,
    relations: Sequence[int],
    new: Sequence[bool | None],
    subjects: Mapping[int, tuple[Ids, Weights | None]],
    each: int,
    by_roles: NDArray[np.bool_],
) -> Attempts:
    """Sample subjects.

    Args:
        draw: source of randomness.
        relations: relation of each attempt.
        new: whether the fact of each attempt must join a new pair; None if this is irrelevant.
        subjects: admissible subjects of each relation, and their weights.
        each: subjects per attempt, fewer only if not as many are admissible.
        by_roles: relations whose new pairs are proposed by role rules.
    """
    drawn: list[Ids] = []
    for relation, is_new in zip(relations, new, strict=True):
        if is_new and by_roles[relation]:
            drawn.append(np.empty(0, dtype=np.int64))
            continue
        array, weights = subjects[relation]
        number = min(each, len(array))
        shares = None if weights is None else weights / weights.sum()
        drawn.append(draw.choice(array, number, replace=False, p=shares))
    return Attempts(
        relation=np.array(relations, dtype=np.int64),
        offsets=np.cumsum([0, *map(len, drawn)]),
        subject=np.concatenate(drawn),
        new=tuple(new),
    )
