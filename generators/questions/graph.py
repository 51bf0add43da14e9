"""The graph of a data set of questions: distinct facts, and those suitable for questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from generators.questions.settings import GenerationError
from grammar.question_phrases import phrase_table
from solver.questions.labels import Labels
from solver.questions.question import ASKED, PARTY
from solver.tkg.dataset import Dataset, Split, Vocabulary
from solver.tkg.quadruples import Quadruples


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class QuestionGraph:
    """Facts, each once, sorted by time, head, relation and tail.

    Attributes:
        facts: facts of all splits.
        splits: facts of each split; asked: those whose relation suits a question.
        suits: whether each relation suits a question.
        labels: labels used in texts.
    """

    name: str
    vocabulary: Vocabulary
    facts: Quadruples
    splits: Mapping[Split, Quadruples]
    asked: Mapping[Split, Quadruples]
    suits: NDArray[np.bool_]
    labels: Labels

    def training_facts(self, *, suitable: bool) -> Quadruples:
        """Facts of ``train``, from which rules are mined; none without such a split."""
        none = Quadruples.of(np.empty((0, 4), np.int64))
        return (self.asked if suitable else self.splits).get(Split.TRAIN, none)


def question_graph(dataset: Dataset) -> QuestionGraph:
    """Prepare a graph for question generation.

    Raises:
        GenerationError: splits share a time, an entity has the name of a query variable, or no
            relation suits a question.
    """
    words = dataset.vocabulary
    each = {split: facts.distinct() for split, facts in dataset.splits.items() if len(facts)}
    _require_apart(each, dataset)
    for mark in (ASKED, PARTY):
        if mark in words.entity_names:
            message = f"found an entity called {mark}, expected another name"
            hint = f"{mark} is a variable in queries"
            raise GenerationError(message, where=dataset.name, hint=hint)
    labels, table = Labels.of(words), phrase_table()
    names = (labels.relation_label(number) for number in range(words.relations))
    suits = np.fromiter((table.suits(name) for name in names), np.bool_, words.relations)
    asked = {split: facts.take(suits[facts.relation]) for split, facts in each.items()}
    if not any(len(facts) for facts in asked.values()):
        found = "found no fact with a relation that suits a question, expected some to ask about"
        raise GenerationError(found, where=dataset.name)
    return QuestionGraph(
        name=dataset.name,
        vocabulary=words,
        facts=dataset.facts().distinct(),
        splits=each,
        asked=asked,
        suits=suits,
        labels=labels,
    )


def _require_apart(splits: Mapping[Split, Quadruples], dataset: Dataset) -> None:
    """The query time must determine the split."""
    for (early, first), (late, second) in pairwise(splits.items()):
        end, begin = int(first.time[-1]), int(second.time[0])
        if begin <= end:
            name_of = dataset.vocabulary.time
            raise GenerationError(
                f"found {early} up to {name_of(end)} and {late} from {name_of(begin)} on, "
                "expected splits that follow each other in time",
                where=dataset.name,
                hint="split the facts by time, or pass one file without splits",
            )
