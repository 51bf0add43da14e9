"""All questions about ICEWS14: how many, how right, how they read, and what they cost."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from datetime import date
from itertools import product
from pathlib import Path
from typing import Any

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
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def graph(shared: Path) -> QuestionGraph:
    return question_graph(read_dataset(shared / "data" / "icews14"))


@pytest.fixture(scope="module")
def made(graph: QuestionGraph) -> DraftedDataset:
    return make(Plan(graph=graph, settings=Settings()))


@pytest.fixture(scope="module")
def questions(made: DraftedDataset, within: Callable[..., Any]) -> list[Question]:
    found: list[Question] = within(
        60, lambda: [question for split in Split for question in made.questions(split)]
    )
    return found


def test_counts_are_those_measured(questions: list[Question]) -> None:
    published = json.loads(RESULTS.read_bytes())["questions"]
    counts: Counter[tuple[str, str]] = Counter(
        (question.kind, question.split) for question in questions
    )
    assert counts == {
        (kind, split): number
        for kind, splits in published.items()
        for split, number in splits.items()
    }


def test_nothing_is_asked_twice(questions: list[Question]) -> None:
    assert len({question.id for question in questions}) == len(questions)
    assert len({(question.kind, question.query, question.time) for question in questions}) == len(
        questions
    )
    assert len({question.text for question in questions}) == len(questions)


def test_all_splits_have_every_kind(questions: list[Question]) -> None:
    assert {(question.kind, question.split) for question in questions} == set(
        product(QuestionKind, Split)
    )


def test_what_can_be_counted_of_choices_says_nothing(
    questions: list[Question], graph: QuestionGraph
) -> None:
    """Neither the greatest nor the least of any count is right in more than 30%."""
    words = graph.vocabulary
    relations: Counter[str] = Counter()
    triples: Counter[tuple[str, str, str]] = Counter()
    counted: dict[str, tuple[Counter[str], Counter[tuple[str, str, str]]]] = {}
    days = graph.facts.time.tolist()
    for (head, relation, tail, _), day in zip(graph.facts.rows().tolist(), days, strict=True):
        name = words.time(day)
        if name not in counted:
            counted[name] = relations.copy(), triples.copy()
        triple = words.entity(head), words.relation(relation), words.entity(tail)
        relations[triple[1]] += 1
        triples[triple] += 1
    for split in Split:
        right: dict[str, list[float]] = {}
        for question in questions:
            if not question.choices or question.split is not split:
                continue
            facts = [choice.fact for choice in question.choices]
            times = [date.fromisoformat(fact[3]).toordinal() for fact in facts]
            before = counted[question.time]
            values = {
                "age": times,
                "pause": [t - max((u for u in times if u < t), default=t) for t in times],
                "relation": [before[0][fact[1]] for fact in facts],
                "triple": [before[1][fact[:3]] for fact in facts],
            }
            answer = "ABCD".index(question.answers[0])
            for name, some in values.items():
                for best in (max(some), min(some)):
                    chance = (some[answer] == best) / some.count(best)
                    right.setdefault(f"{name} {best == max(some)}", []).append(chance)
        for name, shares in right.items():
            assert sum(shares) / len(shares) <= 0.3, (split, name)


def test_no_two_choices_report_one_event(questions: list[Question]) -> None:
    for question in questions:
        ends = {(frozenset(choice.fact[::2]), choice.fact[3]) for choice in question.choices}
        assert len(ends) == len(question.choices)


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
    for question in questions:
        if question.kind is QuestionKind.ONE_HOP:
            assert counts[*question.query[0], question.time] == len(question.answers)


def test_texts_read_back(questions: list[Question], graph: QuestionGraph) -> None:
    names, labels = Names.of(graph.vocabulary), Labels.of(graph.vocabulary)
    for question in questions:
        assert read_question(question.text).query == labelled_query(
            link(question, names).query, labels
        )
        for choice in question.choices:
            fact = names.fact(choice.fact)
            assert read_statement(choice.text).statement == labelled_statement(fact, labels)
