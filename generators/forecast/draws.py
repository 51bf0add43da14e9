"""Samples attempts: a relation and admissible subjects for each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.rules.queries import Queries
from solver.tkg.quadruples import Ids


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Attempts:
    """Attempts at facts of one day, in order.

    Attributes:
        relation: relation of each attempt.
        offsets: subjects of attempt ``k`` are rows ``offsets[k]`` to ``offsets[k + 1]``.
        subject: distinct within an attempt.
    """

    relation: Ids
    offsets: Ids
    subject: Ids

    def queries(self, time: int) -> Queries:
        """A query for each subject, in order."""
        return Queries(
            head=self.subject,
            relation=np.repeat(self.relation, np.diff(self.offsets)),
            time=np.full(len(self.subject), time),
        )


def attempts(
    draw: np.random.Generator,
    *,
    number: int,
    weights: NDArray[np.float64],
    subjects: Mapping[int, Ids],
    each: int,
) -> Attempts:
    """Sample relations by weight and subjects uniformly.

    Args:
        draw: source of randomness.
        number: number of attempts.
        weights: weights of relations, not all 0; a relation with positive weight has subjects.
        subjects: admissible subjects of each relation.
        each: subjects per attempt, fewer only if not as many are admissible.
    """
    relations = draw.choice(len(weights), number, p=weights / weights.sum())
    drawn = [
        draw.choice(subjects[one], min(each, len(subjects[one])), replace=False)
        for one in relations.tolist()
    ]
    return Attempts(
        relation=relations,
        offsets=np.cumsum([0, *map(len, drawn)]),
        subject=np.concatenate(drawn),
    )
