"""The names of a graph's entities, relations and times, with their labels in texts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from generators.questions.graph import QuestionGraph
from grammar.question import Statement
from solver.questions.question import Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Names by id; times are those with facts.

    Attributes:
        entities, relations, times: names in the graph.
        entity_labels, relation_labels, time_labels: labels in texts.
    """

    entities: tuple[str, ...]
    relations: tuple[str, ...]
    times: dict[int, str]
    entity_labels: tuple[str, ...]
    relation_labels: tuple[str, ...]
    time_labels: dict[int, str]

    @classmethod
    def of(cls, graph: QuestionGraph) -> Names:
        """All names of a graph."""
        words, labels = graph.vocabulary, graph.labels
        times = np.unique(graph.facts.time).tolist()
        return cls(
            entities=tuple(map(words.entity, range(words.entities))),
            relations=tuple(map(words.relation, range(words.relations))),
            times={time: words.time(time) for time in times},
            entity_labels=tuple(map(labels.entity_label, range(words.entities))),
            relation_labels=tuple(map(labels.relation_label, range(words.relations))),
            time_labels={time: labels.time_label(time) for time in times},
        )

    def fact(self, head: int, relation: int, tail: int, time: int) -> Fact:
        """A fact by names of the graph."""
        entities = self.entities
        return entities[head], self.relations[relation], entities[tail], self.times[time]

    def statement(self, head: int, relation: int, tail: int, time: int) -> Statement:
        """A fact by labels."""
        ends = self.entity_labels
        return Statement(
            subject=ends[head],
            relation=self.relation_labels[relation],
            object=ends[tail],
            time=self.time_labels[time],
        )
