"""Constraints on a missing step of an instance, derived from its other steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from solver.tkg.dataset import Vocabulary
from solver.tkg.generated import GeneratedGraph
from solver.tkg.pattern import Triple
from solver.tkg.planted import PlantedPattern
from solver.tkg.quadruples import Ids

_SHOWN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedStep:
    """A step that no fact is labelled as.

    Attributes:
        step: in placeholders.
        relation: id of the graph.
        bound: entities of the placeholders that other steps bind.
        times: earliest and latest time allowed by the neighbouring steps; None without neighbours.
    """

    step: Triple
    relation: int
    bound: Mapping[int, int]
    times: tuple[int, int] | None

    @classmethod
    def of(
        cls, graph: GeneratedGraph, pattern: PlantedPattern, instance: int, position: int
    ) -> ExpectedStep:
        """Derive the constraints from the other steps; ``position`` counts from 1."""
        labels, rows = graph.labels, graph.facts.rows()
        bound: dict[int, int] = {}
        times: tuple[int, int] | None = None
        chosen = (labels.instance == instance) & (labels.fact < len(rows))
        for row in np.flatnonzero(chosen & (labels.position <= pattern.hops + 1)).tolist():
            place = int(labels.position[row])
            if place < 1 or labels.pattern[row] != pattern.id:
                continue
            step, fact = pattern.template.steps[place - 1], rows[labels.fact[row]].tolist()
            bound |= {step.head: fact[0], step.tail: fact[2]}
            if place == position - 1:
                lag = pattern.lags[place - 1]
                times = fact[3] + lag.low, fact[3] + lag.high
            elif place == position + 1 and times is None:
                lag = pattern.lags[position - 1]
                times = fact[3] - lag.high, fact[3] - lag.low
        step = pattern.template.steps[position - 1]
        return cls(step=step, relation=pattern.relation(step), bound=bound, times=times)

    def describe(self, words: Vocabulary) -> str:
        """Format as ``(e1, r0, ?, times 12 to 14)``."""
        ends = [
            words.entity(self.bound[end]) if end in self.bound else "?"
            for end in (self.step.head, self.step.tail)
        ]
        when = "?" if self.times is None else f"times {self.times[0]} to {self.times[1]}"
        return f"({ends[0]}, {words.relation(self.relation)}, {ends[1]}, {when})"

    def fitting(self, graph: GeneratedGraph) -> Ids:
        """Rows of the first few matching facts; none unless the times are known."""
        if self.times is None:
            return np.zeros(0, dtype=np.int64)
        facts = graph.facts
        fits = (facts.relation == self.relation) & (facts.time >= self.times[0])
        fits &= facts.time <= self.times[1]
        for end, column in ((self.step.head, facts.head), (self.step.tail, facts.tail)):
            if end in self.bound:
                fits &= column == self.bound[end]
        if self.step.head == self.step.tail:
            fits &= facts.head == facts.tail
        return np.flatnonzero(fits)[:_SHOWN]
