"""Answers at random: what a question's answers are worth that nobody knows anything of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.questions.asked import TwoHops
from solver.rules.queries import Queries
from solver.rules.scores import Scores
from solver.seeding import seed_of
from solver.tkg.quadruples import Ids, Quadruples


class Chance:
    """Draws entities and choices, all alike, and is never sure of a fact: most are not known.

    What is drawn for a question depends on the question, and not on the others.

    Args:
        entities: how many there are.
        most: answers to give to a question.
        seed: of the draws.
    """

    def __init__(self, entities: int, *, most: int, seed: int) -> None:
        self._entities = entities
        self._most = min(most, entities)
        self._seed = seed

    def reached(self, asked: Queries) -> Sequence[Ids]:
        """Some entities."""
        return self._drawn(np.stack((asked.head, asked.relation, asked.time), axis=1))

    def joined(self, asked: TwoHops) -> Sequence[Ids]:
        """Some entities, the named one perhaps among them."""
        return self._drawn(np.stack((asked.head, asked.given, asked.asked, asked.time), axis=1))

    def surely(self, facts: Quadruples) -> Scores:
        """Not at all."""
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
