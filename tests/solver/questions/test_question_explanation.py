"""What leads to an answer, shown fact by fact."""

from __future__ import annotations

import numpy as np

from grammar.questions.model import QuestionKind
from solver.graph.model import Dataset, Quadruples, Split, Vocabulary
from solver.questions.codes import derivations
from solver.questions.linking import ASKED_ID, PARTY_ID, LinkedQuery, LinkedQuestion
from solver.questions.world import World

NAMED, ANSWER, PARTY = 1, 2, 0


def test_a_party_is_neither_the_entity_nor_the_answer() -> None:
    facts = [(party, 0, NAMED, 3) for party in range(3)] + [
        (party, 1, ANSWER, 3) for party in range(3)
    ]
    split = Quadruples.of(np.array([*facts, (4, 0, NAMED, 3), (4, 1, ANSWER, 2)]))
    names = Vocabulary(entities=5, relations=2, times=4)
    world = World.of(Dataset(name="loops", vocabulary=names, splits={Split.TRAIN: split}))
    query = LinkedQuery(
        kind=QuestionKind.TWO_HOP,
        time=3,
        triples=((PARTY_ID, 0, NAMED), (PARTY_ID, 1, ASKED_ID)),
    )
    question = LinkedQuestion(query=query, split=Split.TRAIN, answers=(ANSWER,))
    assert derivations(question, world, ANSWER) == [((PARTY, 0, NAMED, 3), (PARTY, 1, ANSWER, 3))]
