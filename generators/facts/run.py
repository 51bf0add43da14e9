"""The forecasting loop: sample relations and subjects, predict objects, keep admissible facts.

Source: Amalvy & Huang, Beyond Known Facts, 2025, Algorithm 1, with role rules for pairs of entities
that nothing joins yet. A query sees only facts of earlier days, so all queries of a day are
answered in batches.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generators.facts.gate import FactFilter
from generators.facts.model import DatedGraph, Forecast, Settings
from generators.facts.oracle import (
    Candidates,
    Durations,
    KnownPairs,
    PredictorPool,
    RoleSampler,
    Weights,
)
from generators.facts.reference import (
    Attempts,
    Reference,
    attempts,
    deficit_weights,
    matching_weights,
    reference_weights,
)
from solver.facts.model import Bound
from solver.facts.role_rules import Intervals, RelationKinds, RoleRules
from solver.graph.model import Ids, Quadruples
from solver.rules.explain import latest_grounding
from solver.seeding import seed_of

AT_ONCE = 256
"""Maximal number of attempts per batch."""

LEAST_WEIGHT = 1e-6
"""Weight of a subject of an end none of whose facts is likely to end, relative to the largest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForecastResult:
    """The result of a run.

    Attributes:
        forecasts: in order of generation, which is chronological.
        wanted: number of facts requested for all days.
        attempts: number of attempts.
    """

    forecasts: tuple[Forecast, ...]
    wanted: int
    attempts: int


class Forecaster(ABC):
    """Forecasts facts day by day.

    Args:
        graph: the known facts.
        reference: the year to imitate.
        fact_filter: the constraints on facts.
        settings: settings of the run.
    """

    def __init__(
        self,
        graph: DatedGraph,
        reference: Reference,
        fact_filter: FactFilter,
        settings: Settings,
    ) -> None:
        self._graph = graph
        self._reference = reference
        self._filter = fact_filter
        self._settings = settings
        self._counts: Ids = np.zeros(graph.vocabulary.relations, dtype=np.int64)
        self._wanted = 0
        self._attempts = 0

    def run(self, progress: Callable[[int], object] | None = None) -> ForecastResult:
        """Forecast every day; ``progress`` is called after each."""
        made: list[Forecast] = []
        facts = Quadruples.of(np.empty((0, 4), dtype=np.int64))
        for day in range(self._settings.begin, self._settings.end + 1):
            quota = self._reference.quota(day, self._settings.most)
            self._wanted += quota
            time = day - self._graph.first
            self._filter.begin_day(time, facts)
            today = self._day(time, quota)
            facts = Quadruples.of(np.array([forecast.fact for forecast in today], dtype=np.int64))
            self._learn(facts)
            made += today
            if progress is not None:
                progress(1)
        return ForecastResult(forecasts=tuple(made), wanted=self._wanted, attempts=self._attempts)

    def _random(self, time: int, *parts: object) -> np.random.Generator:
        """Source of randomness of a day."""
        name, *others = parts
        seed = seed_of(self._settings.seed, name, self._graph.date(time), *others)
        return np.random.Generator(np.random.PCG64(seed))

    @abstractmethod
    def _day(self, time: int, quota: int) -> list[Forecast]:
        """Forecast the facts of a day, up to its quota."""

    @abstractmethod
    def _learn(self, facts: Quadruples) -> None:
        """Take the facts of a finished day into account."""


class RuleForecaster(Forecaster):
    """Forecasts facts by chain rules and role rules.

    Args:
        graph, reference, fact_filter, settings: see ``Forecaster``.
        predictors: the rule predictors.
        kinds: base relation and bound of each relation.
        roles: the role rules; None to forecast as published.
        window: days before a fact within which its grounding may lie; 0 for all.
    """

    def __init__(
        self,
        graph: DatedGraph,
        reference: Reference,
        fact_filter: FactFilter,
        settings: Settings,
        predictors: PredictorPool,
        kinds: RelationKinds,
        roles: RoleRules | None = None,
        window: int = 0,
    ) -> None:
        super().__init__(graph, reference, fact_filter, settings)
        words = graph.vocabulary
        self._kinds = kinds
        self._predictors = predictors
        self._roles = roles
        heads = predictors.own.application.rules.head
        self._chained = np.bincount(heads, minlength=2 * words.relations)[: words.relations] > 0
        self._sampler = RoleSampler(
            roles or RoleRules(rules=(), single=frozenset()),
            graph.facts,
            relations=words.relations,
            entities=words.entities,
            window=window,
        )
        self.with_rules = self._chained | self._sampler.able
        """For each relation, whether it is the head of a rule."""
        self._pairs = KnownPairs(graph.facts, words.entities)
        self._durations = Durations(
            intervals=Intervals.of(graph.facts, kinds), begin=settings.begin - graph.first
        )
        self._new: Ids = np.zeros(words.relations, dtype=np.int64)
        self._failed: set[tuple[int, bool | None]] = set()

    def _learn(self, facts: Quadruples) -> None:
        self._predictors.learn(facts)
        self._sampler.learn(facts)
        self._pairs.learn(facts)

    def _day(self, time: int, quota: int) -> list[Forecast]:
        made: list[Forecast] = []
        tried, spent = 0, np.zeros_like(self.with_rules)
        self._failed.clear()
        for batch in range(quota * self._settings.tries):
            left = min(quota * self._settings.tries - tried, AT_ONCE)
            if len(made) == quota or not left:
                break
            draw = self._random(time, "forecast", batch)
            number = min(2 * (quota - len(made)), left)
            batch_attempts = self._draw_attempts(draw, number, spent, time)
            if batch_attempts is None:
                break
            tried += number
            found = self._select(draw, batch_attempts, time, quota - len(made))
            # Relations that yielded nothing are suspended for the rest of the day.
            given = {forecast.fact[1] for forecast in found}
            drawn = set(batch_attempts.relation.tolist())
            spent[[attempt for attempt in drawn if attempt not in given]] = True
            made += found
        self._attempts += tried
        return made

    def _draw_attempts(
        self, draw: np.random.Generator, number: int, spent: NDArray[np.bool_], time: int
    ) -> Attempts | None:
        """Sample attempts; None if no relation can be drawn."""
        shares = self._reference.shares
        subjects = {
            relation: self._subjects(relation, time)
            for relation in np.flatnonzero(self._chained & (shares > 0)).tolist()
        }
        able = self._sampler.able & (shares > 0)
        able[[relation for relation, (array, _) in subjects.items() if len(array)]] = True
        keen = able & ~spent if (able & ~spent).any() else able
        if self._settings.match:
            weights = matching_weights(shares, self._counts, self._wanted, keen, self.with_rules)
        elif self._roles is None:
            weights = reference_weights(shares, able)
        else:
            weights = deficit_weights(shares, self._counts, self._wanted, keen)
        if not weights.sum():
            return None
        relations = draw.choice(len(weights), number, p=weights / weights.sum()).tolist()
        return attempts(
            draw,
            relations=relations,
            new=self._novelty(
                relations, {index for index, (array, _) in subjects.items() if len(array)}
            ),
            subjects=subjects,
            each=self._settings.subjects,
            by_roles=self._sampler.able,
        )

    def _subjects(self, relation: int, time: int) -> tuple[Ids, Weights | None]:
        """The admissible subjects of a relation; of ends, with the hazards of their open facts."""
        array = self._filter.subjects(relation)
        if self._roles is None or self._kinds.bound[relation] is not Bound.END or not len(array):
            return array, None
        hazards = self._durations.weights(
            self._filter.intervals,
            self._kinds.relation[relation],
            time,
            self._graph.vocabulary.entities,
        )[array]
        # Every admissible subject keeps a chance.
        return array, hazards + max(float(hazards.max()), 1.0) * LEAST_WEIGHT

    def _novelty(self, relations: list[int], chained: set[int]) -> list[bool | None]:
        """Whether the fact of each attempt must join a new pair, by the shares of the year."""
        drawn, new = self._counts.copy(), self._new.copy()
        found: list[bool | None] = []
        for relation in relations:
            if self._roles is None or self._kinds.bound[relation] is Bound.END:
                found.append(None)
                continue
            total = max(int(self._reference.relations[relation]), 1)
            drawn[relation] += 1
            is_new = new[relation] * total < self._reference.new[relation] * drawn[relation]
            if (relation, is_new) in self._failed:
                is_new = not is_new
            if relation not in chained:
                is_new = True
            new[relation] += is_new
            found.append(bool(is_new))
        return found

    def _select(
        self, draw: np.random.Generator, drawn: Attempts, time: int, most: int
    ) -> list[Forecast]:
        """Keep the most confident admissible fact of each attempt, up to ``most``."""
        candidates = self._predictors.predict(drawn.queries(time)) if len(drawn.subject) else None
        made: list[Forecast] = []
        for number, relation in enumerate(drawn.relation.tolist()):
            if len(made) == most:
                break
            if drawn.new[number] and self._sampler.able[relation]:
                forecast = self._proposed(draw, relation, time)
            else:
                forecast = self._predicted(draw, drawn, candidates, number, time)
            if forecast is None:
                self._failed.add((relation, drawn.new[number]))
                continue
            subject, _, object_, _ = forecast.fact
            self._filter.add(subject, relation, object_)
            self._counts[relation] += 1
            self._new[relation] += (subject, object_) not in self._pairs
            made.append(forecast)
        return made

    def _proposed(self, draw: np.random.Generator, relation: int, time: int) -> Forecast | None:
        """A fact of a role rule."""
        found = self._sampler.propose(
            draw, relation, time, self._filter, self._pairs, self._settings.subjects
        )
        if found is None or self._roles is None:
            return None
        rule = self._roles.rules[found.number]
        return Forecast(
            fact=(found.subject, relation, found.object, time),
            confidence=rule.confidence,
            rule=rule,
            number=found.number,
            grounding=found.grounding,
        )

    def _predicted(
        self,
        draw: np.random.Generator,
        drawn: Attempts,
        candidates: Candidates | None,
        number: int,
        time: int,
    ) -> Forecast | None:
        """The most confident admissible fact of a chain rule."""
        row = None if candidates is None else self._best(draw, drawn, candidates, number)
        if row is None or candidates is None:
            return None
        query = int(np.searchsorted(candidates.offsets, row, side="right")) - 1
        subject, object_ = int(drawn.subject[query]), int(candidates.entity[row])
        fact = (subject, int(drawn.relation[number]), object_, time)
        return self._certified(fact, float(candidates.score[row]), int(candidates.rule[row]))

    def _best(
        self, draw: np.random.Generator, drawn: Attempts, candidates: Candidates, number: int
    ) -> int | None:
        """The row of the best admissible candidate of an attempt, with ties broken at random."""
        begin, end = drawn.offsets[number], drawn.offsets[number + 1]
        first = int(candidates.offsets[begin])
        scores = candidates.score[first : int(candidates.offsets[end])]
        rows = first + np.lexsort((draw.random(len(scores)), -scores))
        queries = np.searchsorted(candidates.offsets, rows, side="right") - 1
        relation = int(drawn.relation[number])
        columns = (rows.tolist(), drawn.subject[queries].tolist(), candidates.entity[rows].tolist())
        for row, subject, object_ in zip(*columns, strict=True):
            new = drawn.new[number]
            if new is not None and new is ((subject, object_) in self._pairs):
                continue
            if self._filter.allows(subject, relation, object_):
                return int(row)
        return None

    def _certified(self, fact: tuple[int, int, int, int], score: float, row: int) -> Forecast:
        """Attach the best rule and its latest grounding."""
        application = self._predictors.own.application
        rule = application.rules.rule(row)
        history = self._predictors.own.history(fact[3])
        return Forecast(
            fact=fact,
            confidence=score,
            rule=rule,
            number=int(application.numbers[row]),
            grounding=latest_grounding(history, rule, fact[0], fact[2], distinct_facts=True),
        )
