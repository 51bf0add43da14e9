"""What rules propose for one day: answers to queries, new pairs, and which open facts may end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection

import numpy as np
from numpy.typing import NDArray

from generators.facts.gate import FactFilter
from solver.facts.role_rules import OBJECT, OPEN, SUBJECT, Intervals, Role, RoleRule, RoleRules
from solver.graph.model import Ids, Quadruples
from solver.graph.queries import Queries
from solver.processes import initialize_worker, worker_death_reported
from solver.rules.application import Application
from solver.rules.encode import Fact
from solver.rules.history import History
from solver.rules.ranks import Scores, noisy_or

Weights = NDArray[np.float64]

TRIES = 8
"""Objects tried per subject."""


class KnownPairs:
    """The pairs of entities that a fact of an earlier day joins, in either direction."""

    def __init__(self, facts: Quadruples, entities: int) -> None:
        self._entities = entities
        self._joined: set[int] = set()
        self.learn(facts)

    def learn(self, facts: Quadruples) -> None:
        """Add the pairs of the facts of a finished day."""
        self._joined.update(pair_keys(facts, self._entities).tolist())

    def __contains__(self, pair: tuple[int, int]) -> bool:
        return min(pair) * self._entities + max(pair) in self._joined


def pair_keys(facts: Quadruples, entities: int) -> Ids:
    """A number for the unordered pair of entities of each fact."""
    keys: Ids = np.minimum(facts.head, facts.tail) * entities + np.maximum(facts.head, facts.tail)
    return keys


def new_pairs(facts: Quadruples, entities: int) -> NDArray[np.bool_]:
    """For each fact, whether no fact of an earlier day joins its two entities."""
    _, pair = np.unique(pair_keys(facts, entities), return_inverse=True)
    first = np.full(int(pair.max(initial=-1)) + 1, OPEN, dtype=np.int64)
    np.minimum.at(first, pair, facts.time)
    new: NDArray[np.bool_] = facts.time == first[pair]
    return new


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A fact that a role rule derives, without its time.

    Attributes:
        number: number of the rule.
        grounding: the latest facts by which subject and object fill their roles.
    """

    subject: int
    object: int
    number: int
    grounding: tuple[Fact, Fact]


class RoleSampler:
    """Proposes facts between entities that no fact joins yet.

    Args:
        rules: the role rules.
        facts: the known facts, chronological.
        relations, entities: their numbers.
        window: days before a fact within which its grounding may lie; 0 for all.
    """

    def __init__(
        self, rules: RoleRules, facts: Quadruples, *, relations: int, entities: int, window: int
    ) -> None:
        self._window = window
        self._entities = entities
        self._by_head: dict[int, list[tuple[int, RoleRule]]] = {}
        for number, rule in enumerate(rules.rules):
            self._by_head.setdefault(rule.head, []).append((number, rule))
        # The row of the last fact by which each entity fills a role, -1 without one.
        self._last: dict[Role, Ids] = {
            role: np.full(entities, -1, dtype=np.int64)
            for rule in rules.rules
            for role in (rule.subject, rule.object)
        }
        self._times = np.empty(0, dtype=np.int64)
        self._rows = np.empty((0, 4), dtype=np.int64)
        self._counts = {
            (head, end): np.zeros(entities) for head in self._by_head for end in (SUBJECT, OBJECT)
        }
        self.able = np.zeros(relations, dtype=np.bool_)
        """For each relation, whether it is the head of a role rule."""
        self.able[list(self._by_head)] = True
        self.learn(facts)

    def learn(self, facts: Quadruples) -> None:
        """Add the facts of a finished day."""
        begin = len(self._rows)
        self._rows = np.concatenate((self._rows, facts.rows()))
        numbers = np.arange(begin, len(self._rows))
        for role, last in self._last.items():
            own = facts.relation == role.relation
            np.maximum.at(last, _entity(facts, role.end)[own], numbers[own])
        for (head, end), counts in self._counts.items():
            own = facts.relation == head
            counts += np.bincount(_entity(facts, end)[own], minlength=self._entities)

    def propose(
        self,
        draw: np.random.Generator,
        relation: int,
        time: int,
        fact_filter: FactFilter,
        known: KnownPairs,
        subjects: int,
    ) -> Proposal | None:
        """Draw a rule by confidence, then entities by how often they were at either end.

        Returns:
            A fact that the filter allows and that joins a new pair; None if a number of draws
            finds none.
        """
        rules = self._by_head[relation]
        weights = np.array([rule.confidence for _, rule in rules])
        number, rule = rules[int(draw.choice(len(rules), p=weights / weights.sum()))]
        free = fact_filter.subjects(relation), fact_filter.objects(relation)
        sides = [
            self._filling(role, allowed, time)
            for role, allowed in zip((rule.subject, rule.object), free, strict=True)
        ]
        if not all(len(side) for side in sides):
            return None
        heads = self._drawn(draw, relation, SUBJECT, sides[0], subjects)
        for subject in heads:
            for object_ in self._drawn(draw, relation, OBJECT, sides[1], TRIES):
                if subject == object_ or (subject, object_) in known:
                    continue
                if fact_filter.allows(subject, relation, object_):
                    cited = self._cited(rule.subject, subject), self._cited(rule.object, object_)
                    return Proposal(subject=subject, object=object_, number=number, grounding=cited)
        return None

    def _filling(self, role: Role, allowed: Ids, time: int) -> Ids:
        """The entities among those allowed that fill a role within the window."""
        rows = self._last[role][allowed]
        since = time - self._window if self._window else 0
        found: Ids = allowed[(rows >= 0) & (self._rows[rows, 3] >= since)]
        return found

    def _drawn(
        self, draw: np.random.Generator, relation: int, end: int, entities: Ids, most: int
    ) -> list[int]:
        weights = 1.0 + self._counts[relation, end][entities]
        number = min(most, len(entities))
        chosen = draw.choice(entities, number, replace=False, p=weights / weights.sum())
        return [int(choice) for choice in chosen]

    def _cited(self, role: Role, entity: int) -> Fact:
        head, relation, tail, time = self._rows[self._last[role][entity]].tolist()
        return head, relation, tail, time


def _entity(facts: Quadruples, end: int) -> Ids:
    return facts.head if end == SUBJECT else facts.tail


AGES = np.array([0, 8, 31, 92, 183, 366, 731, 1462])
"""First days of the classes of durations: a week, a month, a quarter, half a year, years."""

LEAST_ENDED = 20
"""Minimum number of ended facts of a relation; with fewer, those of all relations count."""


def age_class(days: Ids) -> Ids:
    """The class of each duration in days."""
    return np.searchsorted(AGES, days, side="right") - 1


@dataclass(slots=True, eq=False)
class Durations:
    """How probably an open fact ends at its age, as it was before the first day to forecast.

    Attributes:
        intervals: the intervals before the first day.
        begin: the first day.
    """

    intervals: Intervals
    begin: int
    _hazards: dict[int, Weights] = field(default_factory=dict)

    def weights(self, intervals: Intervals, relation: int, day: int, entities: int) -> Weights:
        """For each entity, the hazards of its open facts of a base relation, summed.

        Args:
            intervals: the intervals known on the day.
            relation: the base relation.
            day: the day.
            entities: number of entities.
        """
        rows = (intervals.relation == relation) & (intervals.end == OPEN) & (intervals.start < day)
        ages = age_class(day - intervals.start[rows])
        hazards = np.zeros(entities)
        np.add.at(hazards, intervals.subject[rows], self._hazard(relation)[ages])
        return hazards

    def _hazard(self, relation: int) -> Weights:
        """The number of ends per day that a fact was open, by class of age."""
        if relation not in self._hazards:
            own = self.intervals.relation == relation
            if (own & (self.intervals.end != OPEN)).sum() < LEAST_ENDED:
                own = np.ones_like(own)
            ended = own & (self.intervals.end != OPEN)
            until = np.where(ended, self.intervals.end, self.begin)[own] - self.intervals.start[own]
            last = np.append(AGES[1:], OPEN)
            spent = [
                np.clip(until - first, 0, end - first).sum()
                for first, end in zip(AGES, last, strict=True)
            ]
            lasted = (self.intervals.end - self.intervals.start)[ended]
            ends = np.bincount(age_class(lasted), minlength=len(AGES))
            self._hazards[relation] = ends / np.maximum(spent, 1)
        return self._hazards[relation]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidates:
    """Candidate answers, one per row, grouped by query and sorted by entity.

    Attributes:
        offsets: candidates of query ``k`` are rows ``offsets[k]`` to ``offsets[k + 1]``.
        entity: the candidate entities.
        score: aggregated over all rules (noisy-or), in (0, 1].
        rule: the rule with the highest score, a row of ``Application.rules``.
    """

    offsets: Ids
    entity: Ids
    score: Scores
    rule: Ids

    @classmethod
    def joined(cls, parts: Sequence[Candidates]) -> Candidates:
        """Concatenate candidates of consecutive queries."""
        counts = [np.diff(part.offsets) for part in parts]
        return cls(
            offsets=np.cumsum(np.concatenate([np.zeros(1, np.int64), *counts])),
            entity=np.concatenate([part.entity for part in parts]),
            score=np.concatenate([part.score for part in parts]),
            rule=np.concatenate([part.rule for part in parts]),
        )


class RulePredictor:
    """Answers the queries of a day; new facts are added day by day.

    Args:
        application: application of the rules to the known facts.
    """

    def __init__(self, application: Application) -> None:
        self.application = application
        self._day: tuple[int, History] | None = None

    def learn(self, facts: Quadruples) -> None:
        """Add the facts of a finished day."""
        if len(facts):
            self.application = self.application.extended(facts)
            self._day = None

    def history(self, time: int) -> History:
        """The facts visible to queries of a time."""
        if self._day is None or self._day[0] != time:
            self._day = time, self.application.history(time)
        return self._day[1]

    def predict(self, queries: Queries) -> Candidates:
        """Answer one or more queries of the same time, by rules only."""
        time = int(queries.time[0])
        events = self.application.events(queries, self.history(time))
        size = self.application.vocabulary.entities
        keys = events.query * size + events.entity
        found, scores = noisy_or(keys, events.score)
        order = np.lexsort((events.rule, -events.score, keys))
        first = order[np.searchsorted(keys[order], found)]
        query, entity = np.divmod(found, size)
        return Candidates(
            offsets=np.searchsorted(query, np.arange(len(queries) + 1)),
            entity=entity,
            score=scores,
            rule=events.rule[first],
        )


LEAST = 16
"""Minimal number of queries per process."""


class PredictorPool:
    """One predictor in this process and one in each worker; answers equal those of a single one."""

    def __init__(self, own_predictor: RulePredictor, others: list[Connection]) -> None:
        self.own = own_predictor
        self._others = others

    def learn(self, facts: Quadruples) -> None:
        """Add the facts of a finished day in all processes."""
        with worker_death_reported(EOFError, OSError):
            for other in self._others:
                other.send(facts)
        self.own.learn(facts)

    def predict(self, queries: Queries) -> Candidates:
        """Answer queries of the same time."""
        shares = min(len(self._others) + 1, max(len(queries) // LEAST, 1))
        parts = np.array_split(np.arange(len(queries)), shares)
        workers = self._others[: shares - 1]
        with worker_death_reported(EOFError, OSError):
            for other, part in zip(workers, parts[1:], strict=True):
                other.send(queries.take(part))
            found = [self.own.predict(queries.take(parts[0]))]
            found += [other.recv() for other in workers]
        return Candidates.joined(found)


@contextmanager
def predictor_pool(predictor: RulePredictor, jobs: int) -> Iterator[PredictorPool]:
    """Start the worker processes, and end them on exit.

    Raises:
        WorkerDiedError: a worker was killed, perhaps for lack of memory.
    """
    context = get_context("spawn")
    ends, processes = [], []
    try:
        for _ in range(jobs - 1):
            here, there = context.Pipe()
            process = context.Process(target=_answer, args=(there, predictor), daemon=True)
            process.start()
            there.close()
            ends.append(here)
            processes.append(process)
        yield PredictorPool(predictor, ends)
    finally:
        for end in ends:
            end.close()
        for process in processes:
            process.join()


def _answer(pipe: Connection, predictor: RulePredictor) -> None:
    """Serve requests until the pipe is closed."""
    initialize_worker()
    with suppress(EOFError, OSError):
        while True:
            match pipe.recv():
                case Quadruples() as facts:
                    predictor.learn(facts)
                case queries:
                    pipe.send(predictor.predict(queries))
