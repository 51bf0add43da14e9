"""Day after day: draw relations and subjects, ask rules for objects, keep what may be, go on.

Source: Amalvy & Huang, Beyond Known Facts, 2025, Algorithm 1. A query sees the facts before its
day, so those of one day do not see each other, and a day's queries are answered together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generators.forecast.dated import DatedGraph
from generators.forecast.draws import Attempts, attempts
from generators.forecast.forecast import Forecast
from generators.forecast.gate import Gate
from generators.forecast.oracle import Expected
from generators.forecast.reference import Reference
from generators.forecast.settings import Settings
from generators.forecast.weights import matching_weights, reference_weights
from generators.forecast.workers import Oracles
from solver.rules.certificate import latest_grounding
from solver.seeding import seed_of
from solver.tkg.quadruples import Ids, Quadruples

AT_ONCE = 256
"""Attempts whose queries are answered together, at most; a batch depends on no other setting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What was forecast.

    Attributes:
        forecasts: in the order in which they were made, which is that of their days.
        wanted: facts of all days, as the reference year has them.
        attempts: how many there were.
    """

    forecasts: tuple[Forecast, ...]
    wanted: int
    attempts: int


class Forecasting:
    """A run.

    Args:
        graph: what is known.
        reference: the year to be like.
        gate: what may be said.
        settings: of the run.
        oracles: what rules expect.
    """

    def __init__(
        self,
        graph: DatedGraph,
        reference: Reference,
        gate: Gate,
        settings: Settings,
        oracles: Oracles,
    ) -> None:
        self._graph = graph
        self._reference = reference
        self._gate = gate
        self._settings = settings
        self._oracles = oracles
        relations = graph.vocabulary.relations
        heads = oracles.own.application.rules.head
        self.ruled = np.bincount(heads, minlength=2 * relations)[:relations] > 0
        """Of each relation whether rules lead to it."""
        self._counts: Ids = np.zeros(relations, dtype=np.int64)
        self._wanted = 0
        self._attempts = 0

    def run(self, progress: Callable[[int], object] | None = None) -> Made:
        """Forecast every day; ``progress`` is told of each."""
        made: list[Forecast] = []
        for day in range(self._settings.begin, self._settings.end + 1):
            quota = self._reference.quota(day, self._settings.most)
            self._wanted += quota
            today = self._day(day - self._graph.first, quota)
            facts = Quadruples.of(np.array([one.fact for one in today], dtype=np.int64))
            self._oracles.learn(facts)
            self._gate.next_day()
            made += today
            if progress is not None:
                progress(1)
        return Made(forecasts=tuple(made), wanted=self._wanted, attempts=self._attempts)

    def _day(self, time: int, quota: int) -> list[Forecast]:
        """The facts of a day, as many as wanted unless there are none to be found."""
        made: list[Forecast] = []
        tried, spent = 0, np.zeros_like(self.ruled)
        for batch in range(quota * self._settings.tries):
            left = min(quota * self._settings.tries - tried, AT_ONCE)
            if len(made) == quota or not left:
                break
            seed = seed_of(self._settings.seed, "forecast", self._graph.date(time), batch)
            draw = np.random.Generator(np.random.PCG64(seed))
            number = min(2 * (quota - len(made)), left)
            asked = self._asked(draw, number, spent)
            if asked is None:
                break
            tried += number
            found = self._chosen(draw, asked, time, quota - len(made))
            # To match is to insist on some relations, so those that give nothing have to rest.
            given = {one.fact[1] for one in found}
            spent[[one for one in set(asked.relation.tolist()) if one not in given]] = True
            made += found
        self._attempts += tried
        return made

    def _asked(
        self, draw: np.random.Generator, number: int, spent: NDArray[np.bool_]
    ) -> Attempts | None:
        """Draw attempts; None if there is nothing to draw."""
        shares = self._reference.shares
        subjects = {
            relation: self._gate.subjects(relation)
            for relation in np.flatnonzero(self.ruled & (shares > 0)).tolist()
        }
        able = np.zeros_like(self.ruled)
        able[[relation for relation, those in subjects.items() if len(those)]] = True
        weights = reference_weights(shares, able)
        if self._settings.match:
            keen = able & ~spent if (able & ~spent).any() else able
            weights = matching_weights(shares, self._counts, self._wanted, keen, self.ruled)
        if not weights.sum():
            return None
        return attempts(
            draw, number=number, weights=weights, subjects=subjects, each=self._settings.subjects
        )

    def _chosen(
        self, draw: np.random.Generator, asked: Attempts, time: int, most: int
    ) -> list[Forecast]:
        """Of each attempt the most confident fact that may be, until there are enough."""
        expected = self._oracles.expect(asked.queries(time))
        made: list[Forecast] = []
        for number, relation in enumerate(asked.relation.tolist()):
            if len(made) == most:
                break
            row = self._best(draw, asked, expected, number)
            if row is None:
                continue
            query = int(np.searchsorted(expected.offsets, row, side="right")) - 1
            subject, object_ = int(asked.subject[query]), int(expected.entity[row])
            self._gate.add(subject, relation, object_)
            self._counts[relation] += 1
            fact = (subject, relation, object_, time)
            made.append(self._certified(fact, float(expected.score[row]), int(expected.rule[row])))
        return made

    def _best(
        self, draw: np.random.Generator, asked: Attempts, expected: Expected, number: int
    ) -> int | None:
        """The row of the best candidate of an attempt that may be; any of those that are alike."""
        begin, end = asked.offsets[number], asked.offsets[number + 1]
        first = int(expected.offsets[begin])
        scores = expected.score[first : int(expected.offsets[end])]
        rows = first + np.lexsort((draw.random(len(scores)), -scores))
        queries = np.searchsorted(expected.offsets, rows, side="right") - 1
        relation = int(asked.relation[number])
        columns = (rows.tolist(), asked.subject[queries].tolist(), expected.entity[rows].tolist())
        for row, subject, object_ in zip(*columns, strict=True):
            if self._gate.allows(subject, relation, object_):
                return int(row)
        return None

    def _certified(self, fact: tuple[int, int, int, int], score: float, row: int) -> Forecast:
        """The fact with the latest grounding of its best rule."""
        application = self._oracles.own.application
        rule = application.rules.rule(row)
        history = self._oracles.own.history(fact[3])
        return Forecast(
            fact=fact,
            confidence=score,
            rule=rule,
            number=int(application.numbers[row]),
            grounding=latest_grounding(history, rule, fact[0], fact[2]),
        )
