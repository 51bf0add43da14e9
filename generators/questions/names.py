"""The names of a graph's parts: as the graph has them, and as a text says them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from generators.questions.graph import QuestionGraph
from grammar.question import Statement
from solver.questions.question import Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Names by id; times are those at which there are facts.

    Attributes:
        entities, relations, times: as the graph has them.
        said_entities, said_relations, said_times: as a text says them.
    """

    entities: tuple[str, ...]
    relations: tuple[str, ...]
    times: dict[int, str]
    said_entities: tuple[str, ...]
    said_relations: tuple[str, ...]
    said_times: dict[int, str]

    @classmethod
    def of(cls, graph: QuestionGraph) -> Names:
        """All names of a graph."""
        words, labels = graph.vocabulary, graph.labels
        times = np.unique(graph.facts.time).tolist()
        return cls(
            entities=tuple(map(words.entity, range(words.entities))),
            relations=tuple(map(words.relation, range(words.relations))),
            times={time: words.time(time) for time in times},
            said_entities=tuple(map(labels.said_entity, range(words.entities))),
            said_relations=tuple(map(labels.said_relation, range(words.relations))),
            said_times={time: labels.said_time(time) for time in times},
        )

    def fact(self, head: int, relation: int, tail: int, time: int) -> Fact:
        """A fact in the graph's names."""
        entities = self.entities
        return entities[head], self.relations[relation], entities[tail], self.times[time]

    def statement(self, head: int, relation: int, tail: int, time: int) -> Statement:
        """A fact as it is said."""
        said = self.said_entities
        return Statement(
            subject=said[head],
            relation=self.said_relations[relation],
            object=said[tail],
            time=self.said_times[time],
        )
