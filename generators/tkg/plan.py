"""Patterns as arrays with one row per pattern and one column per step, for vectorised joins.

Source: synthetic temporal knowledge graphs, section 4, Algorithm 1, lines 2-12.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generators.tkg.config import Guards
from grammar.errors import HopcheckError
from solver.graph.model import Ids, Quadruples, pack
from solver.patterns.model import MOST_HOPS
from solver.tkg.io import Labels
from solver.tkg.planted import PlantedPattern

STEPS = MOST_HOPS + 1
"""Number of columns; the consequence is in column ``hops``, later columns are unused."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Plan:
    """Planted patterns; entity placeholders are numbered from 0, like the columns of bindings.

    Attributes:
        head: placeholders, shape (patterns, STEPS).
        relation: relation ids, shape (patterns, STEPS).
        tail: placeholders, shape (patterns, STEPS).
        low: minimum lag from each step to the next, shape (patterns, MOST_HOPS).
        high: maximum lag, same shape.
        hops: number of antecedents.
        closed: whether the graph is closed under the pattern.
        placeholders: number of columns of a binding: the maximum over all patterns.
    """

    patterns: tuple[PlantedPattern, ...]
    head: Ids
    relation: Ids
    tail: Ids
    low: Ids
    high: Ids
    hops: Ids
    closed: NDArray[np.bool_]
    placeholders: int

    def __len__(self) -> int:
        return len(self.patterns)

    @classmethod
    def of(cls, patterns: Sequence[PlantedPattern]) -> Plan:
        """Build the arrays; the ids of the patterns must be 0, 1, 2, ..."""
        shape = (len(patterns), STEPS)
        head, relation, tail = (np.zeros(shape, dtype=np.int64) for _ in range(3))
        low, high = (np.zeros((len(patterns), MOST_HOPS), dtype=np.int64) for _ in range(2))
        for row, pattern in enumerate(patterns):
            for place, step in enumerate(pattern.template.steps):
                head[row, place] = step.head - 1
                relation[row, place] = pattern.relation(step)
                tail[row, place] = step.tail - 1
            for place, lag in enumerate(pattern.lags):
                low[row, place] = lag.low
                high[row, place] = lag.high
        return cls(
            patterns=tuple(patterns),
            head=head,
            relation=relation,
            tail=tail,
            low=low,
            high=high,
            hops=np.array([pattern.hops for pattern in patterns], dtype=np.int64),
            closed=np.array([pattern.closed for pattern in patterns], dtype=np.bool_),
            placeholders=max((pattern.placeholders for pattern in patterns), default=0),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """Space of all facts of a graph of given sizes."""

    entities: int
    relations: int
    steps: int

    def codes(self, facts: Quadruples) -> Ids:
        """Pack facts into codes."""
        return pack(
            (facts.time, facts.head, facts.relation, facts.tail),
            (self.steps, self.entities, self.relations, self.entities),
        )

    def facts(self, codes: Ids) -> Quadruples:
        """Unpack codes into facts, in order."""
        rest, tail = np.divmod(codes, self.entities)
        rest, relation = np.divmod(rest, self.relations)
        time, head = np.divmod(rest, self.entities)
        return Quadruples(head=head, relation=relation, tail=tail, time=time)


ABSENT = -1
"""Code of a step that the pattern lacks or that is beyond the last time step."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Instances:
    """Instances in the order of their numbers.

    Attributes:
        pattern: shape (instances,).
        codes: shape (instances, STEPS): code of each step's fact (see ``Space``), or ABSENT.
    """

    pattern: Ids
    codes: Ids

    def __len__(self) -> int:
        return len(self.pattern)

    @classmethod
    def none(cls) -> Instances:
        """The empty set of instances."""
        return cls(pattern=np.empty(0, np.int64), codes=np.empty((0, STEPS), np.int64))

    @classmethod
    def joined(cls, *parts: Instances) -> Instances:
        """Concatenate sets of instances."""
        if not parts:
            return cls.none()
        return cls(
            pattern=np.concatenate([part.pattern for part in parts]),
            codes=np.concatenate([part.codes for part in parts]),
        )

    def facts(self) -> Ids:
        """Codes of all facts, ascending, without duplicates."""
        return np.unique(self.codes[self.codes != ABSENT])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LabelledGraph:
    """A generated graph.

    Attributes:
        facts: facts without duplicates, sorted by time, head, relation and tail.
        labels: labels of the facts, sorted; every fact has at least one.
        forced: number of planted instances; they precede the derived ones.
    """

    facts: Quadruples
    labels: Labels
    plan: Plan
    forced: int

    @property
    def instances(self) -> int:
        """Number of instances, planted and derived."""
        return int(self.labels.instance.max()) + 1 if len(self.labels) else 0


def label_graph(instances: Instances, plan: Plan, space: Space, forced: int) -> LabelledGraph:
    """Collect the facts of instances and their labels."""
    number, step = np.nonzero(instances.codes != ABSENT)
    codes, fact = np.unique(instances.codes[number, step], return_inverse=True)
    # Instances and their steps are sorted already, so a stable sort by fact suffices.
    order = np.argsort(fact, kind="stable")
    number, step = number[order], step[order]
    pattern = instances.pattern[number]
    labels = Labels(
        fact=fact[order],
        pattern=pattern,
        instance=number,
        consequence=step == plan.hops[pattern],
        position=step + 1,
    )
    return LabelledGraph(facts=space.facts(codes), labels=labels, plan=plan, forced=forced)


class RunawayError(HopcheckError):
    """A graph that exceeded its guards."""

    code = "runaway"

    def __init__(self, message: str, pattern: int) -> None:
        hint = "plant fewer, lower closure.depth, widen the vocabulary, or raise the guard"
        super().__init__(message, hint=hint)
        self.pattern = pattern


class Guard:
    """Counts matches and consequences of each pattern in one run."""

    def __init__(self, plan: Plan, limits: Guards) -> None:
        self._plan = plan
        self._limits = limits
        self._total = 0
        self._matches = np.zeros(len(plan), dtype=np.int64)
        self._edges = np.zeros(len(plan), dtype=np.int64)

    def count_matches(self, pattern: Ids, counts: Ids) -> None:
        """Count partial matches before they are created.

        Raises:
            RunawayError: there are too many.
        """
        self._matches += np.bincount(pattern, counts, minlength=len(self._plan)).astype(np.int64)
        self._total += int(counts.sum())
        self._check_matches()

    def count_match(self, pattern: int, count: int) -> None:
        """Count matches of one pattern; raises as ``count_matches`` does."""
        self._matches[pattern] += count
        self._total += count
        self._check_matches()

    def count_edges(self, pattern: Ids, facts: int) -> None:
        """Count new consequences; ``facts`` is the resulting number of facts.

        Raises:
            RunawayError: there are too many facts.
        """
        self._edges += np.bincount(pattern, minlength=len(self._plan))
        self._check_edges(facts)

    def count_edge(self, pattern: int, facts: int) -> None:
        """Count one consequence; raises as ``count_edges`` does."""
        self._edges[pattern] += 1
        self._check_edges(facts)

    def _check_matches(self) -> None:
        if self._total > self._limits.matches:
            worst = int(self._matches.argmax())
            raise RunawayError(
                f"{self._named(worst)} ran away: it has {self._matches[worst]:,} of more than "
                f"{self._limits.matches:,} partial matches of antecedents",
                worst,
            )

    def _check_edges(self, facts: int) -> None:
        if facts > self._limits.edges:
            worst = int(self._edges.argmax())
            raise RunawayError(
                f"{self._named(worst)} ran away: it made {self._edges[worst]:,} consequences of a "
                f"graph of more than {self._limits.edges:,} facts",
                worst,
            )

    def _named(self, pattern: int) -> str:
        return f"pattern {pattern} ({self._plan.patterns[pattern]})"
