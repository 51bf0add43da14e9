"""Instances of patterns: which fact is which step of which."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from generators.tkg.plan import STEPS, Plan
from generators.tkg.space import Space
from solver.tkg.labels import Labels
from solver.tkg.quadruples import Ids, Quadruples

ABSENT = -1
"""In the place of a step that the pattern does not have or that falls behind the last time."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Instances:
    """Instances in the order of their numbers.

    Attributes:
        pattern: shape (instances,).
        codes: shape (instances, STEPS): the fact of each step as ``Space`` numbers it, or ABSENT.
    """

    pattern: Ids
    codes: Ids

    def __len__(self) -> int:
        return len(self.pattern)

    @classmethod
    def none(cls) -> Instances:
        """No instance at all."""
        return cls(pattern=np.empty(0, np.int64), codes=np.empty((0, STEPS), np.int64))

    @classmethod
    def joined(cls, *parts: Instances) -> Instances:
        """Instances of several sets, one after the other."""
        if not parts:
            return cls.none()
        return cls(
            pattern=np.concatenate([part.pattern for part in parts]),
            codes=np.concatenate([part.codes for part in parts]),
        )

    def facts(self) -> Ids:
        """The numbers of all facts, ascending, each once."""
        return np.unique(self.codes[self.codes != ABSENT])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LabelledGraph:
    """What was generated.

    Attributes:
        facts: each once, sorted by time, head, relation and tail.
        labels: of these facts; every fact has one, sorted.
        forced: how many instances were planted; they come before those that followed.
    """

    facts: Quadruples
    labels: Labels
    plan: Plan
    forced: int

    @property
    def instances(self) -> int:
        """How many there are, those that followed included."""
        return int(self.labels.instance.max()) + 1 if len(self.labels) else 0


def labelled(instances: Instances, plan: Plan, space: Space, forced: int) -> LabelledGraph:
    """The facts of instances, and their labels."""
    number, step = np.nonzero(instances.codes != ABSENT)
    codes, fact = np.unique(instances.codes[number, step], return_inverse=True)
    # Instances ascend already, and steps within them: a stable sort by fact is all.
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
