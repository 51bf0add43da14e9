"""Small graphs, and questions that are made of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from benchmarks.questions.inputs import ParsedQuestion, QuestionInput, QuestionText, link_texts
from benchmarks.questions.run import AnswerConfig, Basis
from generators.questions.graph import Settings, question_graph
from generators.questions.reasoning import FittedRules
from generators.questions.run import Plan, make
from grammar.questions.model import QuestionKind
from solver.graph.model import Dataset, Quadruples, Split, Vocabulary
from solver.io.sources import Place
from solver.questions.model import Question
from solver.questions.names import Labels
from solver.rules.model import RuleTable

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "questions" / "graph"
ENTITIES = ("Ann_(Leith)", "Bo", "Cy's_Mill", "Dee", "Élan,_Ltd.", "Fay", "Gus_of_Roe", "Hal")
RELATIONS = ("Consult", "Host_a_visit", "Accuse", "Praise_or_endorse", "Threaten", "Reject")
DAYS = 14
ENDS = {Split.TRAIN: 9, Split.VALID: 11, Split.TEST: DAYS}


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """A graph and the questions of its last split, with what they were made by."""

    dataset: Dataset
    questions: tuple[Question, ...]
    fitted: FittedRules

    @property
    def rules(self) -> RuleTable:
        """The rules for the last split."""
        return self.fitted.rules

    def means(self, basis: Basis | None, facts: Quadruples | None = None) -> AnswerConfig:
        """What answers them, in a graph with other facts perhaps."""
        chosen = self.dataset if facts is None else with_facts(self.dataset, facts)
        return AnswerConfig(
            dataset=chosen,
            basis=basis,
            rules=self.rules,
            reasoning=self.fitted.all,
            folds=self.fitted.folds,
        )

    def asked(self) -> list[ParsedQuestion]:
        """The questions, as their texts say them."""
        put = [
            QuestionInput(
                place=Place(file="questions.jsonl", line=number),
                question=QuestionText(id=question.id, text=question.text, choices=question.choices),  # type: ignore[arg-type]
            )
            for number, question in enumerate(self.questions, 1)
        ]
        return link_texts(put, Labels.of(self.dataset.vocabulary))


MakeWorld = Callable[[int], World]


def with_facts(dataset: Dataset, facts: Quadruples) -> Dataset:
    """The same graph with other facts, in splits by time."""
    splits, begin = {}, 0
    for split, end in ENDS.items():
        splits[split] = facts.take((facts.time >= begin) & (facts.time < end))
        begin = end
    return replace(dataset, splits=splits)


@pytest.fixture(scope="session")
def world() -> MakeWorld:
    """A random graph by its seed, with questions of all kinds about its last days."""

    @cache
    def build(seed: int) -> World:
        draw = np.random.default_rng(seed)
        sizes = (len(ENTITIES), len(RELATIONS), len(ENTITIES))
        # Squares prefer small numbers: pairs and relations come again.
        columns = [(draw.random(600) ** 2 * size).astype(np.int64) for size in sizes]
        facts = Quadruples.of(np.stack((*columns, draw.integers(DAYS, size=600)), axis=1))
        words = Vocabulary(
            entities=len(ENTITIES),
            relations=len(RELATIONS),
            times=DAYS,
            entity_names=ENTITIES,
            relation_names=RELATIONS,
            time_names=tuple(f"2030-01-{day + 1:02d}" for day in range(DAYS)),
        )
        dataset = with_facts(Dataset(name="world", vocabulary=words), facts.distinct())
        settings = Settings(cap=0, min_support=1, min_days=1, min_confidence=0)
        graph, questions = question_graph(dataset), list[Question]()
        # Kinds on their own do not share facts, so that there are more questions.
        for kind in QuestionKind:
            made = make(Plan(graph=graph, settings=replace(settings, kinds=(kind,))))
            questions += made.questions(Split.TEST)
        if made.rules is None:
            raise ValueError("questions of fact reasoning need rules")
        return World(dataset=dataset, questions=tuple(questions), fitted=made.rules)

    return build


@pytest.fixture(scope="session")
def folder(example_questions: Path) -> Path:
    """Questions about the example graph."""
    return example_questions
