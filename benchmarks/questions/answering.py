"""Answers linked questions, one query time after another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import numpy as np

from benchmarks.questions.asked import Batch, ParsedQuestion, TwoHops
from grammar.question import QuestionKind
from solver.questions.question import LETTERS, UNKNOWN, YES
from solver.rules.queries import Queries
from solver.rules.scores import Scores
from solver.tkg.dataset import Vocabulary
from solver.tkg.quadruples import Ids, Quadruples


class Basis(StrEnum):
    """Kinds of baselines."""

    RULES = "rules"
    FREQUENCY = "frequency"
    RECENCY = "recency"
    CHANCE = "chance"


class Answerer(Protocol):
    """Answers questions of one time: rankings with the best first, and scores of confidence."""

    def one_hop(self, asked: Queries) -> Sequence[Ids]:
        """Entities that answer 1-hop questions."""

    def two_hop(self, asked: TwoHops) -> Sequence[Ids]:
        """Entities that answer 2-hop questions."""

    def fact_confidence(self, facts: Quadruples) -> Scores:
        """Confidence that each fact holds; greater is surer."""

    def support(self, facts: Quadruples, choices: Quadruples) -> Scores:
        """Support of each fact by its four choices, shape (n, 4)."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BatchAnswers:
    """Answers to the questions of a batch, in its order.

    Attributes:
        entities: 1-hop and 2-hop questions: entities, the best first.
        sure: yes-unknown questions: confidence that the fact holds.
        letters: fact reasoning: numbers of the choices, the best first.
    """

    batch: Batch
    entities: dict[QuestionKind, Sequence[Ids]]
    sure: Scores
    letters: Ids


def answer_batch(answerer: Answerer, batch: Batch) -> BatchAnswers:
    """Answer the questions of one time."""
    support = answerer.support(batch.reasoning, batch.choices)
    return BatchAnswers(
        batch=batch,
        entities={
            QuestionKind.ONE_HOP: answerer.one_hop(batch.one_hop),
            QuestionKind.TWO_HOP: answerer.two_hop(batch.two_hop),
        },
        sure=answerer.fact_confidence(batch.yes_unknown),
        letters=np.argsort(-support, axis=1, kind="stable"),
    )


def rankings(
    parts: Sequence[BatchAnswers],
    asked: Sequence[ParsedQuestion],
    vocabulary: Vocabulary,
    threshold: float,
) -> list[tuple[str, ...]]:
    """The answers to all questions in order, by name.

    Args:
        parts: answers by batch.
        asked: all questions.
        vocabulary: vocabulary of the graph.
        threshold: minimal confidence for the answer yes.
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
