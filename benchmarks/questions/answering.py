"""Answers questions by ids, those of one time after those of another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import numpy as np

from benchmarks.questions.asked import Asked, Batch, TwoHops
from grammar.question import QuestionKind
from solver.questions.question import LETTERS, UNKNOWN, YES
from solver.rules.queries import Queries
from solver.rules.scores import Scores
from solver.tkg.dataset import Vocabulary
from solver.tkg.quadruples import Ids, Quadruples


class Basis(StrEnum):
    """What a baseline forecasts by."""

    RULES = "rules"
    FREQUENCY = "frequency"
    RECENCY = "recency"
    CHANCE = "chance"


class Answerer(Protocol):
    """What answers questions of one time; the best first, and greater scores for what is surer."""

    def reached(self, asked: Queries) -> Sequence[Ids]:
        """Entities that answer 1-hop questions."""

    def joined(self, asked: TwoHops) -> Sequence[Ids]:
        """Entities that answer 2-hop questions."""

    def surely(self, facts: Quadruples) -> Scores:
        """How sure it is that facts hold."""

    def support(self, facts: Quadruples, choices: Quadruples) -> Scores:
        """How much each of four choices speaks for its fact, shape (n, 4)."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Answered:
    """Answers to the questions of a batch, in its order.

    Attributes:
        entities: of 1-hop and of 2-hop questions, the best first.
        sure: of yes-unknown questions.
        letters: of fact reasoning, the numbers of the choices, the best first.
    """

    batch: Batch
    entities: dict[QuestionKind, Sequence[Ids]]
    sure: Scores
    letters: Ids


def answered(answerer: Answerer, batch: Batch) -> Answered:
    """Answer the questions of one time."""
    support = answerer.support(batch.reasoning, batch.choices)
    return Answered(
        batch=batch,
        entities={
            QuestionKind.ONE_HOP: answerer.reached(batch.one_hop),
            QuestionKind.TWO_HOP: answerer.joined(batch.two_hop),
        },
        sure=answerer.surely(batch.yes_unknown),
        letters=np.argsort(-support, axis=1, kind="stable"),
    )


def rankings(
    parts: Sequence[Answered], asked: Sequence[Asked], vocabulary: Vocabulary, threshold: float
) -> list[tuple[str, ...]]:
    """The answers to all questions in their order, by name.

    Args:
        parts: answers to each of them.
        asked: the questions.
        vocabulary: of the graph.
        threshold: a fact is told to hold if it is as sure as this.
    """
    found: list[tuple[str, ...]] = [()] * len(asked)
    for part in parts:
        places = part.batch.places
        for kind, lists in part.entities.items():
            for place, entities in zip(places[kind].tolist(), lists, strict=True):
                found[place] = tuple(map(vocabulary.entity, entities.tolist()))
        sure = (part.sure >= threshold).tolist()
        for place, yes in zip(places[QuestionKind.YES_UNKNOWN].tolist(), sure, strict=True):
            found[place] = (YES, UNKNOWN) if yes else (UNKNOWN, YES)
        letters = part.letters.tolist()
        for place, order in zip(places[QuestionKind.FACT_REASONING].tolist(), letters, strict=True):
            found[place] = tuple(LETTERS[number] for number in order)
    return found
