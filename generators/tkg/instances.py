"""Instances of patterns: the fact of each step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from generators.tkg.plan import STEPS, Plan
from generators.tkg.space import Space
from solver.tkg.labels import Labels
from solver.tkg.quadruples import Ids, Quadruples

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
