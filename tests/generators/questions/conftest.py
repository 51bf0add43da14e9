"""Small random graphs, whose questions can be worked out by looking at every fact."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from generators.questions.graph import QuestionGraph, Settings, question_graph
from generators.questions.run import DraftedDataset, Plan, make
from grammar.questions.model import QuestionKind
from solver.graph.model import Dataset, Quadruples, Split, Vocabulary
from solver.questions.model import Fact, Question

ENTITIES = ("Ann_(Leith)", "Bo", "Cy's_Mill", "Dee", "Élan,_Ltd.", "Fay", "Gus_of_Roe", "Hal")
SUITABLE = ("Consult", "Host_a_visit", "Accuse", "Praise_or_endorse")
RELATIONS = (*SUITABLE, "Decline_comment")
DAYS = 14
ENDS = {Split.TRAIN: 9, Split.VALID: 11, Split.TEST: DAYS}


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """A graph, and its facts in names."""

    dataset: Dataset
    graph: QuestionGraph
    facts: frozenset[Fact]
    splits: dict[Split, frozenset[Fact]] = field(default_factory=dict)

    def asked(self, split: Split) -> set[Fact]:
        """The facts of a split whose relation suits a question."""
        return {row for row in self.splits[split] if row[1] in SUITABLE}

    def made(self, **settings: object) -> DraftedDataset:
        """Questions of it; by default without a cap, and with rules that hold once."""
        plain = Settings(cap=0, min_support=1, min_days=1, min_confidence=0)
        return make(Plan(graph=self.graph, settings=replace(plain, **settings)))  # type: ignore[arg-type]

    def questions(self, kind: QuestionKind, split: Split, **settings: object) -> list[Question]:
        """The questions of one kind and split."""
        return list(self.made(kinds=(kind,), **settings).questions(split))


MakeWorld = Callable[..., World]


def dataset_of(rows: np.ndarray[tuple[int, int], np.dtype[np.int64]]) -> Dataset:
    """Facts with names, in splits by time; doubled ones stay."""
    facts = Quadruples.of(rows).by_time()
    splits, begin = {}, 0
    for split, end in ENDS.items():
        splits[split] = facts.take((facts.time >= begin) & (facts.time < end))
        begin = end
    words = Vocabulary(
        entities=len(ENTITIES),
        relations=len(RELATIONS),
        times=DAYS,
        entity_names=ENTITIES,
        relation_names=RELATIONS,
        time_names=tuple(f"2030-01-{day + 1:02d}" for day in range(DAYS)),
    )
    return Dataset(name="world", vocabulary=words, splits=splits)


def named(facts: Quadruples, words: Vocabulary) -> frozenset[Fact]:
    return frozenset(
        (words.entity(head), words.relation(relation), words.entity(tail), words.time(time))
        for head, relation, tail, time in facts.rows().tolist()
    )


@pytest.fixture(scope="session")
def world() -> MakeWorld:
    """A random graph, by its seed; some facts are loops, some are doubled."""

    def build(seed: int, facts: int = 120) -> World:
        draw = np.random.default_rng(seed)
        sizes = (len(ENTITIES), len(RELATIONS), len(ENTITIES), DAYS)
        # Squares prefer small numbers: pairs and relations come again.
        columns = [(draw.random(facts) ** 2 * size).astype(np.int64) for size in sizes[:3]]
        rows = np.stack((*columns, draw.integers(DAYS, size=facts)), axis=1)
        dataset = dataset_of(np.concatenate((rows, rows[:5])))
        words = dataset.vocabulary
        splits = {split: named(some, words) for split, some in dataset.splits.items()}
        return World(
            dataset=dataset,
            graph=question_graph(dataset),
            facts=frozenset().union(*splits.values()),
            splits=splits,
        )

    return build
