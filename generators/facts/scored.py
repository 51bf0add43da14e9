"""Forecasts by the scores of any model: schema and coherency are the gate.

A model that knows nothing of this program takes part in two steps: ``asked_queries`` draws the
queries that it has to score, and ``ScoreForecaster`` goes through the days with its answers, as
Algorithm 1 of Amalvy & Huang (Beyond Known Facts, 2025) does with those of rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from generators.facts.gate import FactFilter
from generators.facts.model import DatedGraph, Forecast, ForecastError, Settings, days_of
from generators.facts.reference import Reference, deficit_weights
from generators.facts.run import Forecaster
from solver.graph.model import Dataset, Ids, Quadruples
from solver.io.sources import InputError
from solver.rules.provenance import LeakError
from solver.rules.score_folders import folder_seen, read_parts, refuse_unknown_ids
from solver.seeding import seed_of

PER_FACT = 2
"""Attempts for which queries are drawn, per requested fact: some attempts find none."""


def asked_queries(
    graph: DatedGraph,
    dataset: Dataset,
    reference: Reference,
    fact_filter: FactFilter,
    settings: Settings,
) -> Ids:
    """Draw queries for all days, by the relations of the reference year.

    The subjects of a relation are admissible before the first day, and drawn by how often they were
    its subject.

    Returns:
        Distinct rows ``s r t`` of ids and times of the data set, shape (q, 3), sorted by t, r, s.

    Raises:
        ForecastError: no fact is requested, or no subject admissible.
    """
    known = graph.facts
    size = graph.vocabulary.relations
    subjects = [fact_filter.subjects(relation) for relation in range(size)]
    shares = np.where([len(subject) > 0 for subject in subjects], reference.shares, 0.0)
    rows: list[tuple[int, int, int]] = []
    for day in range(settings.begin, settings.end + 1):
        number = PER_FACT * reference.quota(day, settings.most)
        time = _time(dataset, day)
        if not number or not shares.sum() or time is None:
            continue
        date = graph.date(day - graph.first)
        draw = np.random.Generator(np.random.PCG64(seed_of(settings.seed, "queries", date)))
        wanted = np.bincount(draw.choice(size, number, p=shares / shares.sum()), minlength=size)
        for relation in np.flatnonzero(wanted).tolist():
            array = subjects[relation]
            heads = known.head[known.relation == relation]
            weights = 1.0 + np.bincount(heads, minlength=graph.vocabulary.entities)[array]
            most = min(int(wanted[relation]) * settings.subjects, len(array))
            chosen = draw.choice(array, most, replace=False, p=weights / weights.sum())
            rows += [(subject, relation, time) for subject in sorted(chosen.tolist())]
    if not rows:
        message = "no queries could be drawn, expected some"
        raise ForecastError(message, where=dataset.name, hint="try another --reference")
    return np.array(rows, dtype=np.int64)


def _time(dataset: Dataset, day: int) -> int | None:
    """The time of a day; days after the last named one have the times that follow."""
    days, step = days_of(dataset), dataset.vocabulary.time_step
    if day > days[-1]:
        return int(len(days) - 1 + day - days[-1]) * step
    place = int(np.searchsorted(days, day))
    return place * step if days[place] == day else None


def _days_of_times(dataset: Dataset, times: Ids) -> Ids:
    """The day of each time, as ``_time`` numbers them."""
    days = days_of(dataset)
    places = times // dataset.vocabulary.time_step
    within = days[np.minimum(places, len(days) - 1)]
    found: Ids = np.where(places < len(days), within, days[-1] + places - len(days) + 1)
    return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoredQueries:
    """The scored queries of a folder that ask for objects.

    Attributes:
        subject, relation: ids, one per query.
        day: proleptic ordinals.
        name: the folder, for messages.
    """

    subject: Ids
    relation: Ids
    day: Ids
    name: str
    _parts: tuple[NDArray[np.float32], ...]
    _part: Ids
    _row: Ids

    @classmethod
    def read(cls, folder: Path, dataset: Dataset, *, begin: str) -> ScoredQueries:
        """Read the keys; scores are read when they are used.

        Args:
            folder: a folder of scores in parts.
            dataset: the graph of its ids and times.
            begin: the first day to forecast, such as ``2031-05-10``.

        Raises:
            InputError: a file has another form, a query occurs twice, or an id is unknown.
            LeakError: the scores were learned from facts of the first day or later ones.
        """
        words, name = dataset.vocabulary, str(folder)
        parts = read_parts(folder, entities=words.entities, graph=dataset.name)
        seen = folder_seen(folder)
        if seen is not None and seen.reaches_date(begin):
            message = f"learned from facts up to {seen.last_name}, expected facts before {begin}"
            hint = "train the model on earlier facts"
            raise LeakError(f"{message}, the first day", where=name, hint=hint)
        keys = np.concatenate([np.empty((0, 3), np.int64), *(array for array, _ in parts)])
        refuse_unknown_ids(keys, dataset, name)
        distinct, counts = np.unique(keys, axis=0, return_counts=True)
        if len(distinct) < len(keys):
            again = tuple(distinct[np.argmax(counts > 1)].tolist())
            raise InputError(f"found the query {again} twice, expected it once", where=name)
        sizes = [len(array) for array, _ in parts]
        rows = np.flatnonzero(keys[:, 1] < words.relations)
        part = np.repeat(np.arange(len(parts)), sizes)[rows]
        begins = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)]).astype(np.int64)
        return cls(
            subject=keys[rows, 0],
            relation=keys[rows, 1],
            day=_days_of_times(dataset, keys[rows, 2]),
            name=name,
            _parts=tuple(scores for _, scores in parts),
            _part=part,
            _row=rows - begins[part],
        )

    def scores(self, query: int) -> NDArray[np.float64]:
        """The scores of all entities.

        Raises:
            InputError: one is not finite.
        """
        row = self._parts[self._part[query]][self._row[query]]
        found = np.asarray(row, dtype=np.float64)
        if not np.isfinite(found).all():
            entity = int(np.argmin(np.isfinite(found)))
            key = (int(self.subject[query]), int(self.relation[query]))
            message = f"entity {entity} scores {found[entity]} for s, r = {key}"
            raise InputError(f"{message}, expected a finite number", where=self.name)
        return found


class ScoreForecaster(Forecaster):
    """Forecasts facts from scored queries.

    Args:
        graph, reference, fact_filter, settings: see ``Forecaster``.
        queries: the scored queries; each is the source of one fact at most.
    """

    def __init__(
        self,
        graph: DatedGraph,
        reference: Reference,
        fact_filter: FactFilter,
        settings: Settings,
        queries: ScoredQueries,
    ) -> None:
        super().__init__(graph, reference, fact_filter, settings)
        self._queries = queries

    def _day(self, time: int, quota: int) -> list[Forecast]:
        rows = np.flatnonzero(self._queries.day == time + self._graph.first)
        of = self._queries.relation[rows]
        left = {relation: rows[of == relation].tolist() for relation in np.unique(of).tolist()}
        draw = self._random(time, "scores")
        made: list[Forecast] = []
        while len(made) < quota:
            able = np.zeros(len(self._counts), dtype=np.bool_)
            able[[relation for relation, subjects in left.items() if subjects]] = True
            shares = self._reference.shares
            weights = deficit_weights(shares, self._counts, self._wanted, able)
            if not weights.sum():
                break
            relation = int(draw.choice(len(weights), p=weights / weights.sum()))
            most = min(self._settings.subjects, len(left[relation]))
            chosen = draw.choice(left[relation], most, replace=False).tolist()
            self._attempts += 1
            found = {query: self._best(draw, query, relation, time) for query in chosen}
            best: tuple[float, int, Forecast] | None = None
            for query, forecast in found.items():
                if forecast is None:
                    left[relation].remove(query)
                elif best is None or forecast.confidence > best[0]:
                    best = (forecast.confidence, query, forecast)
            if best is not None:
                left[relation].remove(best[1])
                subject, _, object_, _ = best[2].fact
                self._filter.add(subject, relation, object_)
                self._counts[relation] += 1
                made.append(best[2])
        return made

    def _learn(self, facts: Quadruples) -> None:
        """The scores are fixed."""

    def _best(
        self, draw: np.random.Generator, query: int, relation: int, time: int
    ) -> Forecast | None:
        """The fact of the best admissible answer, with ties broken at random."""
        subject = int(self._queries.subject[query])
        scores = self._queries.scores(query)
        order = np.lexsort((draw.random(len(scores)), -scores))
        for place, object_ in enumerate(order.tolist()):
            if self._filter.allows(subject, relation, object_):
                powers = np.exp(scores - scores.max())
                return Forecast(
                    fact=(subject, relation, object_, time),
                    confidence=float(powers[object_] / powers.sum()),
                    rank=place + 1,
                )
        return None
