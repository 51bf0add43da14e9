"""A graph as it is asked about: each fact once, and which of them suit a question."""

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
        facts: of all splits.
        splits: the facts of each split; asked: those whose relation suits a question.
        suits: of each relation whether it suits a question.
        labels: how names are said.
    """

    name: str
    vocabulary: Vocabulary
    facts: Quadruples
    splits: Mapping[Split, Quadruples]
    asked: Mapping[Split, Quadruples]
    suits: NDArray[np.bool_]
    labels: Labels

    def training_facts(self, *, suitable: bool) -> Quadruples:
        """The facts of ``train`` that rules are mined from; none without such a split."""
        none = Quadruples.of(np.empty((0, 4), np.int64))
        return (self.asked if suitable else self.splits).get(Split.TRAIN, none)


def question_graph(dataset: Dataset) -> QuestionGraph:
    """Make a graph ready to be asked about.

    Raises:
        GenerationError: splits share a time, an entity is called as a mark of queries, or no
            relation suits a question.
    """
    words = dataset.vocabulary
    each = {split: facts.distinct() for split, facts in dataset.splits.items() if len(facts)}
    _require_apart(each, dataset)
    for mark in (ASKED, PARTY):
        if mark in words.entity_names:
            message = f"found an entity called {mark}, expected another name"
            hint = f"{mark} is what queries of questions have for an entity"
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
    """A question's time has to tell its split."""
    for (early, first), (late, second) in pairwise(splits.items()):
        end, begin = int(first.time[-1]), int(second.time[0])
        if begin <= end:
            name_of = dataset.vocabulary.time
            raise GenerationError(
                f"found {early} up to {name_of(end)} and {late} from {name_of(begin)} on, "
                "expected splits that follow each other in time",
                where=dataset.name,
                hint="part the facts by time, or give one file without splits",
            )
