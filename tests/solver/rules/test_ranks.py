"""Ranks against counting by hand, over random candidates."""

from __future__ import annotations

import random

import numpy as np
import pytest

from solver.graph.model import Quadruples
from solver.graph.queries import Queries, Tie
from solver.rules.ranks import Candidates, filtered_ranks

ENTITIES = 9


@pytest.mark.parametrize("seed", range(20))
def test_ranks_as_counted(seed: int) -> None:
    chance = random.Random(seed)
    rows = {tuple(chance.randrange(n) for n in (3, 2, ENTITIES, 2)) for _ in range(25)}
    facts = Quadruples.of(np.array(chance.sample(sorted(rows), len(rows))))
    queries, numbers = Queries.of(facts)
    offsets, entities, scores = [0], [], []
    for _ in range(len(queries)):
        given = {e: chance.choice((0.2, 0.5, 0.9)) for e in chance.sample(range(ENTITIES), 6)}
        ordered = sorted(given, key=lambda entity: (-given[entity], entity))
        entities += ordered
        scores += [given[entity] for entity in ordered]
        offsets.append(len(entities))
    candidates = Candidates(
        offsets=np.array(offsets),
        entity=np.array(entities),
        score=np.array(scores),
        ruled=np.ones(len(queries), dtype=bool),
    )
    ranks = filtered_ranks(candidates, numbers, facts, ENTITIES)
    for row, (s, r, o, t) in enumerate(facts.rows().tolist()):
        here = candidates.rows(int(numbers[row]))
        score = dict(zip(candidates.entity[here].tolist(), candidates.score[here], strict=True))
        others = [score[e] for e in score if e != o and (s, r, e, t) not in rows]
        if o not in score:
            expected = (ENTITIES, ENTITIES, ENTITIES)
        else:
            best = 1 + sum(other_score > score[o] for other_score in others)
            worst = best + sum(other_score == score[o] for other_score in others)
            expected = (best, (best + worst) / 2, worst)
        assert tuple(ranks.values(tie)[row] for tie in Tie) == expected
