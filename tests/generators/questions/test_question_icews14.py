"""All questions about ICEWS14: how many, how right, how they read, and what they cost."""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path

import pytest

from generators.questions.graph import QuestionGraph, Settings, question_graph
from generators.questions.run import DraftedDataset, Plan, make
from grammar.questions.model import QuestionKind
from grammar.questions.reader import read_question, read_statement
from solver.graph.io import read_dataset
from solver.graph.model import Split
from solver.questions.linking import Names, labelled_query, labelled_statement, link
from solver.questions.model import ASKED, Question
from solver.questions.names import Labels

RESULTS = Path(__file__).resolve().parents[3] / "benchmarks/results/generated-questions.json"
EVERY = 97
"""Of so many questions one is looked at closely."""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def graph(shared: Path) -> QuestionGraph:
    return question_graph(read_dataset(shared / "data" / "icews14"))


@pytest.fixture(scope="module")
def made(graph: QuestionGraph) -> DraftedDataset:
    return make(Plan(graph=graph, settings=Settings()))


@pytest.fixture(scope="module")
def questions(made: DraftedDataset) -> list[Question]:
    began = time.process_time()
    found = [one for split in Split for one in made.questions(split)]
    assert time.process_time() - began < 60
    return found


def test_counts_are_those_measured(questions: list[Question]) -> None:
    published = json.loads(RESULTS.read_bytes())["questions"]
    counts: Counter[tuple[str, str]] = Counter((one.kind, one.split) for one in questions)
    assert counts == {
        (kind, split): number
        for kind, splits in published.items()
        for split, number in splits.items()
    }


def test_nothing_is_asked_twice(questions: list[Question]) -> None:
    assert len({one.id for one in questions}) == len(questions)
    assert len({(one.kind, one.query, one.time) for one in questions}) == len(questions)
    assert len({one.text for one in questions}) == len(questions)


def test_two_hop_questions_are_some_of_all(questions: list[Question]) -> None:
    """Neither few beside those of one hop, nor most of them."""
    counts = Counter(one.kind for one in questions)
    share = counts[QuestionKind.TWO_HOP] / counts[QuestionKind.ONE_HOP]
    assert 0.3 <= share <= 0.6


def test_one_hop_answers_are_whole(questions: list[Question], graph: QuestionGraph) -> None:
    words, facts = graph.vocabulary, graph.facts
    counts = Counter(
        key
        for head, relation, tail, day in facts.rows().tolist()
        for key in (
            (words.entity(head), words.relation(relation), ASKED, words.time(day)),
            (ASKED, words.relation(relation), words.entity(tail), words.time(day)),
        )
    )
    one_hop = [one for one in questions if one.kind is QuestionKind.ONE_HOP]
    for one in one_hop:
        assert counts[*one.query[0], one.time] == len(one.answers)
    suits = {words.relation(number) for number in graph.suits.nonzero()[0].tolist()}
    assert len(one_hop) == sum(key[1] in suits for key in counts)


def test_texts_read_back(questions: list[Question], graph: QuestionGraph) -> None:
    names, labels = Names.of(graph.vocabulary), Labels.of(graph.vocabulary)
    for one in questions[::EVERY]:
        assert read_question(one.text).query == labelled_query(link(one, names).query, labels)
        for choice in one.choices:
            fact = names.fact(choice.fact)
            assert read_statement(choice.text).statement == labelled_statement(fact, labels)
