"""Statistics of a forecast, and its comparison with the year that it imitates.

Each comparison states the total variation distance of two distributions and a floor: no forecast
with these rules and known facts has a smaller distance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.facts.model import DatedGraph, Forecast, Settings
from generators.facts.oracle import AGES, Weights, age_class, new_pairs
from generators.facts.reference import Reference, total_variation
from generators.facts.run import ForecastResult
from solver.facts.model import Bound
from solver.facts.role_rules import OPEN, Intervals, RelationKinds
from solver.graph.model import Ids, Quadruples
from solver.io.writing import OutputError, atomic

BOUNDS = (Bound.START, Bound.END, Bound.POINT)
DURATIONS = ("a week", "a month", "3 months", "6 months", "1 year", "2 years", "4 years", "more")

NEWS = 0.25
"""A forecast says nothing new if its share of new pairs is below this part of the year's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The distributions of a feature in a year and in the forecast.

    Attributes:
        name: the feature: ``bounds``, ``pairs``, ``relations`` or ``durations``.
        values: the values of the feature.
        past, made: number of facts with each value.
        distance: total variation distance, in [0, 1]; lower is better.
        floor: lower bound of the distance, in [0, 1].
    """

    name: str
    values: tuple[str, ...]
    past: tuple[int, ...]
    made: tuple[int, ...]
    distance: float
    floor: float

    def as_json(self) -> dict[str, Any]:
        """The JSON object of the manifest; values that do not occur are left out."""
        counted = zip(self.values, self.past, self.made, strict=True)
        return {
            "distance": round(self.distance, 6),
            "floor": round(self.floor, 6),
            "counts": {value: [past, made] for value, past, made in counted if past or made},
        }

    @property
    def rows(self) -> tuple[tuple[str, str, str, str, str], ...]:
        """Rows of value, count and share in the year, count and share in the forecast."""
        past, made = max(sum(self.past), 1), max(sum(self.made), 1)
        return tuple(
            (value, f"{number:,}", f"{number / past:.2%}", f"{other:,}", f"{other / made:.2%}")
            for value, number, other in zip(self.values, self.past, self.made, strict=True)
            if number or other
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Possible:
    """What a forecast could contain before it begins.

    Attributes:
        able: for each relation, whether it is the head of a rule.
        limited: whether only what is open can end.
        openings: for each base relation, the number of facts that are open.
    """

    able: NDArray[np.bool_]
    limited: bool
    openings: Ids


def compare(
    made: Sequence[Forecast],
    graph: DatedGraph,
    kinds: RelationKinds,
    reference: Reference,
    possible: Possible,
    settings: Settings,
) -> tuple[Comparison, ...]:
    """Compare a forecast with its reference year; durations only if facts end in either."""
    facts = Quadruples.of(
        np.array([forecast.fact for forecast in made], dtype=np.int64).reshape(-1, 4)
    )
    relations = _relations(facts, graph, kinds, reference, possible)
    found = [
        _bounds(facts, kinds, reference, possible),
        _pairs(facts, graph, kinds, reference, possible),
        relations,
    ]
    durations = _durations(facts, graph, kinds, reference, settings)
    return tuple(found) if durations is None else (*found, durations)


def says_nothing_new(comparisons: Sequence[Comparison]) -> str | None:
    """A warning if hardly any fact joins two entities that no earlier fact joins."""
    pairs = next(comparison for comparison in comparisons if comparison.name == "pairs")
    past, made = max(sum(pairs.past), 1), max(sum(pairs.made), 1)
    if pairs.made[0] / made >= NEWS * pairs.past[0] / past:
        return None
    found = f"{pairs.made[0]:,} of {made:,} facts ({pairs.made[0] / made:.1%}) join a new pair"
    return f"{found} of entities, expected about {pairs.past[0] / past:.1%}"


def _bounds(
    facts: Quadruples, kinds: RelationKinds, reference: Reference, possible: Possible
) -> Comparison:
    marks = np.stack([kinds.marks(bound) for bound in BOUNDS])
    past = marks @ reference.relations
    made = marks[:, facts.relation].sum(axis=1)
    openings = int(possible.openings.sum()) if possible.limited else OPEN
    floor = least_variation(
        past / past.sum(),
        able=marks @ possible.able > 0,
        partner=np.array([-1, 0, -1]),
        openings=np.array([0, openings, 0]) / max(len(facts), 1),
    )
    return _comparison("bounds", BOUNDS, past, made, floor)


def _pairs(
    facts: Quadruples,
    graph: DatedGraph,
    kinds: RelationKinds,
    reference: Reference,
    possible: Possible,
) -> Comparison:
    known = Quadruples.joined(graph.facts, facts)
    new = int(new_pairs(known, graph.vocabulary.entities)[len(graph.facts) :].sum())
    made = np.array([new, len(facts) - new])
    past = np.array([reference.new.sum(), (reference.relations - reference.new).sum()])
    # An end joins the pair of its start.
    able = np.array([(possible.able & ~kinds.marks(Bound.END)).any(), possible.able.any()])
    floor = float((past / past.sum())[~able].sum())
    return _comparison("pairs", ("new", "known"), past, made, floor)


def _relations(
    facts: Quadruples,
    graph: DatedGraph,
    kinds: RelationKinds,
    reference: Reference,
    possible: Possible,
) -> Comparison:
    words = graph.vocabulary
    made = np.bincount(facts.relation, minlength=words.relations)
    starts = {
        kinds.relation[number]: number
        for number in np.flatnonzero(kinds.marks(Bound.START)).tolist()
    }
    ends = kinds.marks(Bound.END)
    partner = [
        starts.get(kind, -1) if end else -1 for kind, end in zip(kinds.relation, ends, strict=True)
    ]
    openings = possible.openings[list(kinds.relation)] / max(len(facts), 1)
    floor = least_variation(
        reference.shares,
        able=possible.able,
        partner=np.array(partner),
        openings=np.where(ends & possible.limited, openings, np.inf),
    )
    names = tuple(words.relation(number) for number in range(words.relations))
    return _comparison("relations", names, reference.relations, made, floor)


def _durations(
    facts: Quadruples,
    graph: DatedGraph,
    kinds: RelationKinds,
    reference: Reference,
    settings: Settings,
) -> Comparison | None:
    lasting = Intervals.of(Quadruples.joined(graph.facts, facts), kinds)
    begin, end = settings.begin - graph.first, settings.end - graph.first
    ended = (lasting.end >= begin) & (lasting.end != OPEN)
    if not len(reference.durations) or not ended.any():
        return None
    past, made = (
        np.bincount(age_class(days), minlength=len(AGES))
        for days in (reference.durations, (lasting.end - lasting.start)[ended])
    )
    # What is open may end in each class that its age passes; what starts may end at any age that
    # the days to forecast allow.
    old = (lasting.start < begin) & (lasting.end >= begin)
    ages = age_class(begin - lasting.start[old]), age_class(end - lasting.start[old])
    classes = np.arange(len(AGES))[:, None]
    most = ((classes >= ages[0]) & (classes <= ages[1])).sum(axis=1)
    short = end - begin >= AGES
    lacking = np.maximum(past / past.sum() - most / ended.sum(), 0.0)
    floor = float(np.where(short, 0.0, lacking).sum())
    return _comparison("durations", DURATIONS, past, made, floor)


def _comparison(name: str, values: Sequence[str], past: Ids, made: Ids, floor: float) -> Comparison:
    return Comparison(
        name=name,
        values=tuple(map(str, values)),
        past=tuple(past.tolist()),
        made=tuple(made.tolist()),
        distance=total_variation(made, past / max(past.sum(), 1)),
        floor=floor,
    )


def least_variation(
    shares: Weights, *, able: NDArray[np.bool_], partner: Ids, openings: Weights
) -> float:
    """Lower bound of the total variation distance of a forecast to given shares.

    A relation that is not able has no facts, and a relation with a partner has at most as many as
    are open, plus those of its partner. The distance is the sum of what relations lack. Where an
    end lacks openings, a further start gives one, but takes the place of another fact; so at most
    half of what is lacking can be regained in this way.

    Args:
        shares: shares to reach; they sum to 1.
        able: relations that can have facts.
        partner: for the end of a relation its start, -1 for all others.
        openings: for the end of a relation, the facts open, as a part of all facts to forecast.
    """
    started = np.where(partner >= 0, np.where(able, shares, 0.0)[partner], np.inf)
    lacking = np.where(able, np.maximum(shares - openings - started, 0.0), shares)
    with_start = able & (partner >= 0) & able[partner]
    regained = min(float(lacking[with_start].sum()), float(lacking.sum()) / 2)
    return float(lacking.sum()) - regained


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Statistics of a forecast.

    Attributes:
        comparisons: how the forecast differs from the reference year.
        rules: number of rules used.
        by_roles: number of facts that role rules derive.
        first: number of facts whose object scores highest; None without scores.
    """

    facts: int
    wanted: int
    attempts: int
    comparisons: tuple[Comparison, ...]
    confidence: float
    rules: int
    by_roles: int
    first: int | None = None

    def comparison(self, name: str) -> Comparison:
        """The comparison of a feature."""
        return next(comparison for comparison in self.comparisons if comparison.name == name)

    @property
    def total_variation(self) -> float:
        """Distance between the relations of the forecast and the reference year."""
        return self.comparison("relations").distance

    @property
    def least_total_variation(self) -> float:
        """Lower bound of that distance."""
        return self.comparison("relations").floor

    def as_json(self) -> dict[str, Any]:
        """The JSON object of the manifest; shares are rounded."""
        return {
            "facts": self.facts,
            "wanted": self.wanted,
            "attempts": self.attempts,
            "relations": sum(count > 0 for count in self.comparison("relations").made),
            "compared": {comparison.name: comparison.as_json() for comparison in self.comparisons},
            "new_pairs": self.comparison("pairs").made[0],
            "nothing_new": says_nothing_new(self.comparisons),
            "mean_confidence": round(self.confidence, 6),
            "rules_used": self.rules,
            "by_role_rules": self.by_roles,
        } | ({} if self.first is None else {"first_ranked": self.first})


def compute_figures(made: ForecastResult, comparisons: tuple[Comparison, ...]) -> Figures:
    """Compute statistics."""
    confidences = [forecast.confidence for forecast in made.forecasts]
    ranks = [forecast.rank for forecast in made.forecasts if forecast.rank is not None]
    return Figures(
        facts=len(made.forecasts),
        wanted=made.wanted,
        attempts=made.attempts,
        comparisons=comparisons,
        confidence=float(np.mean(confidences)) if confidences else 0.0,
        rules=len(
            {
                (forecast.by_roles, forecast.number)
                for forecast in made.forecasts
                if forecast.rule is not None
            }
        ),
        by_roles=sum(forecast.by_roles for forecast in made.forecasts),
        first=ranks.count(1) if ranks else None,
    )


def rules_used(forecasts: Sequence[Forecast]) -> list[tuple[Forecast, int]]:
    """The first forecast of each rule and the rule's number of uses, most used first."""
    forecasts = [forecast for forecast in forecasts if forecast.rule is not None]
    counted = Counter((forecast.by_roles, forecast.number) for forecast in forecasts)
    first = {(forecast.by_roles, forecast.number): forecast for forecast in reversed(forecasts)}
    order = sorted(counted, key=lambda rule: (-counted[rule], rule))
    return [(first[rule], counted[rule]) for rule in order]


def facts_of(forecasts: Sequence[Forecast]) -> Quadruples:
    """The facts of forecasts, in order."""
    return Quadruples.of(np.array([forecast.fact for forecast in forecasts], dtype=np.int64))


def write_facts(path: Path, facts: Quadruples, graph: DatedGraph) -> Path:
    """Write one tab-separated ``subject relation object date`` per line; return the path.

    Raises:
        OutputError: a name contains a tab or line break, or the file cannot be written.
    """
    words = graph.vocabulary
    with atomic(path) as file:
        for subject, relation, object_, time in facts.rows().tolist():
            names = (words.entity(subject), words.relation(relation), words.entity(object_))
            for name in names:
                if any(sign in name for sign in "\t\n\r\0"):
                    message = f"the name {name!r} cannot be written to a line of {path.name}"
                    raise OutputError(message, hint="rename it in the graph")
            file.write("\t".join((*names, graph.date(time))).encode() + b"\n")
    return path
