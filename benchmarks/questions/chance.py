"""The random baseline."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.questions.asked import TwoHops
from solver.rules.queries import Queries
from solver.rules.scores import Scores
from solver.seeding import seed_of
from solver.tkg.quadruples import Ids, Quadruples


class RandomBaseline:
    """Draws entities and choices uniformly, and answers unknown, the majority label.

    The draws for a question do not depend on the other questions.

    Args:
        entities: number of entities.
        most: answers per question.
        seed: random seed.
    """

    def __init__(self, entities: int, *, most: int, seed: int) -> None:
        self._entities = entities
        self._most = min(most, entities)
        self._seed = seed

    def one_hop(self, asked: Queries) -> Sequence[Ids]:
        """Random entities."""
        return self._drawn(np.stack((asked.head, asked.relation, asked.time), axis=1))

    def two_hop(self, asked: TwoHops) -> Sequence[Ids]:
        """Random entities, possibly including the named one."""
        return self._drawn(np.stack((asked.head, asked.given, asked.asked, asked.time), axis=1))

    def fact_confidence(self, facts: Quadruples) -> Scores:
        """0 for all facts."""
        return np.zeros(len(facts))

    def support(self, facts: Quadruples, choices: Quadruples) -> Scores:  # noqa: ARG002
        """Random numbers."""
        drawn = [self._source(row).random(4) for row in facts.rows().tolist()]
        return np.array(drawn).reshape(-1, 4)

    def _drawn(self, rows: Ids) -> list[Ids]:
        return [
            self._source(row).choice(self._entities, self._most, replace=False)
            for row in rows.tolist()
        ]

    def _source(self, row: list[int]) -> np.random.Generator:
        return np.random.Generator(
            np.random.PCG64(seed_of(self._seed, "questions", "chance", *row))
        )
