"""The forecasting loop: sample relations and subjects, predict objects, keep admissible facts.

Source: Amalvy & Huang, Beyond Known Facts, 2025, Algorithm 1. A query sees only facts of earlier
days, so all queries of a day are answered in batches.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generators.facts.gate import FactFilter
from generators.facts.model import DatedGraph, Forecast, Settings
from generators.facts.oracle import Candidates, PredictorPool
from generators.facts.reference import (
    Attempts,
    Reference,
    attempts,
    matching_weights,
    reference_weights,
)
from solver.graph.model import Ids, Quadruples
from solver.rules.explain import latest_grounding
from solver.seeding import seed_of

AT_ONCE = 256
"""Maximal number of attempts per batch."""


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


class Forecaster:
    """Forecasts facts day by day.

    Args:
        graph: the known facts.
        reference: the year to imitate.
        fact_filter: the constraints on facts.
        settings: settings of the run.
        predictors: the rule predictors.
    """

    def __init__(
        self,
        graph: DatedGraph,
        reference: Reference,
        fact_filter: FactFilter,
        settings: Settings,
        predictors: PredictorPool,
    ) -> None:
        self._graph = graph
        self._reference = reference
        self._filter = fact_filter
        self._settings = settings
        self._predictors = predictors
        relations = graph.vocabulary.relations
        heads = predictors.own.application.rules.head
        self.with_rules = np.bincount(heads, minlength=2 * relations)[:relations] > 0
        """For each relation, whether it is the head of a rule."""
        self._counts: Ids = np.zeros(relations, dtype=np.int64)
        self._wanted = 0
        self._attempts = 0

    def run(self, progress: Callable[[int], object] | None = None) -> ForecastResult:
        """Forecast every day; ``progress`` is called after each."""
        made: list[Forecast] = []
        for day in range(self._settings.begin, self._settings.end + 1):
            quota = self._reference.quota(day, self._settings.most)
            self._wanted += quota
            today = self._day(day - self._graph.first, quota)
            facts = Quadruples.of(np.array([one.fact for one in today], dtype=np.int64))
            self._predictors.learn(facts)
            self._filter.next_day()
            made += today
            if progress is not None:
                progress(1)
        return ForecastResult(forecasts=tuple(made), wanted=self._wanted, attempts=self._attempts)

    def _day(self, time: int, quota: int) -> list[Forecast]:
        """Forecast the facts of a day, up to its quota."""
        made: list[Forecast] = []
        tried, spent = 0, np.zeros_like(self.with_rules)
        for batch in range(quota * self._settings.tries):
            left = min(quota * self._settings.tries - tried, AT_ONCE)
            if len(made) == quota or not left:
                break
            seed = seed_of(self._settings.seed, "forecast", self._graph.date(time), batch)
            draw = np.random.Generator(np.random.PCG64(seed))
            number = min(2 * (quota - len(made)), left)
            batch_attempts = self._draw_attempts(draw, number, spent)
            if batch_attempts is None:
                break
            tried += number
            found = self._select(draw, batch_attempts, time, quota - len(made))
            # With match, relations that yielded nothing are suspended for the rest of the day.
            given = {one.fact[1] for one in found}
            drawn = set(batch_attempts.relation.tolist())
            spent[[one for one in drawn if one not in given]] = True
            made += found
        self._attempts += tried
        return made

    def _draw_attempts(
        self, draw: np.random.Generator, number: int, spent: NDArray[np.bool_]
    ) -> Attempts | None:
        """Sample attempts; None if no relation can be drawn."""
        shares = self._reference.shares
        subjects = {
            relation: self._filter.subjects(relation)
            for relation in np.flatnonzero(self.with_rules & (shares > 0)).tolist()
        }
        able = np.zeros_like(self.with_rules)
        able[[relation for relation, those in subjects.items() if len(those)]] = True
        weights = reference_weights(shares, able)
        if self._settings.match:
            keen = able & ~spent if (able & ~spent).any() else able
            weights = matching_weights(shares, self._counts, self._wanted, keen, self.with_rules)
        if not weights.sum():
            return None
        return attempts(
            draw, number=number, weights=weights, subjects=subjects, each=self._settings.subjects
        )

    def _select(
        self, draw: np.random.Generator, drawn: Attempts, time: int, most: int
    ) -> list[Forecast]:
        """Keep the most confident admissible fact of each attempt, up to ``most``."""
        candidates = self._predictors.predict(drawn.queries(time))
        made: list[Forecast] = []
        for number, relation in enumerate(drawn.relation.tolist()):
            if len(made) == most:
                break
            row = self._best(draw, drawn, candidates, number)
            if row is None:
                continue
            query = int(np.searchsorted(candidates.offsets, row, side="right")) - 1
            subject, object_ = int(drawn.subject[query]), int(candidates.entity[row])
            self._filter.add(subject, relation, object_)
            self._counts[relation] += 1
            fact = (subject, relation, object_, time)
            made.append(
                self._certified(fact, float(candidates.score[row]), int(candidates.rule[row]))
            )
        return made

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
