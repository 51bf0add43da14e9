"""Boosted trees over choices: what is counted is as defined, and what is planted is found."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from benchmarks.reproduction.questions.choice_trees import COUNTED, choices, tree_rows
from grammar.questions.model import QuestionKind
from solver.graph.model import Quadruples, Split, Vocabulary
from solver.questions.linking import LinkedQuery, LinkedQuestion
from solver.questions.model import LETTERS

ENTITIES, RELATIONS, DAYS = 12, 5, 40
WORDS = Vocabulary(entities=ENTITIES, relations=RELATIONS, times=DAYS)
Answer = Callable[[list[tuple[int, int, int, int]]], int]


def facts(seed: int, number: int) -> Quadruples:
    draw = np.random.default_rng(seed)
    # Squares prefer small numbers: triples come again.
    sizes = np.array((ENTITIES, RELATIONS, ENTITIES, DAYS))
    rows = (draw.random((number, 4)) ** 2 * sizes).astype(np.int64)
    return Quadruples.of(rows).distinct()


def asked(
    graph: Quadruples, answer: Answer | None, number: int
) -> dict[Split, list[LinkedQuestion]]:
    """Questions with random choices, and random answers without a rule for them."""
    draw = np.random.default_rng(3)
    rows = graph.rows().tolist()
    found: dict[Split, list[LinkedQuestion]] = {}
    for split in Split:
        found[split] = []
        for _ in range(number):
            # Of different days, as those of real questions.
            days = draw.choice(np.unique(graph.time), 4, replace=False)
            some = [
                tuple(rows[int(draw.choice(np.flatnonzero(graph.time == day)))]) for day in days
            ]
            time = max(values[3] for values in some) + 1
            query = LinkedQuery(
                kind=QuestionKind.FACT_REASONING,
                time=time,
                triples=((some[0][0], 0, int(draw.integers(ENTITIES))),),
            )
            right = int(draw.integers(4)) if answer is None else answer(some)
            question = LinkedQuestion(
                query=query, split=split, answers=(right,), choices=tuple(some)
            )
            found[split].append(question)
    return found


@pytest.mark.parametrize("seed", range(20))
def test_what_is_counted(seed: int) -> None:
    graph = facts(seed, 60)
    rows = graph.rows().tolist()
    some = asked(graph, None, 5)[Split.TEST]
    counted = choices(some, graph, WORDS)
    for number, question in enumerate(some):
        days = [fact[3] for fact in question.choices]
        for place, (head, relation, tail, day) in enumerate(question.choices):
            earlier = [row for row in rows if row[3] < question.query.time]
            expected = {
                "age": question.query.time - day,
                "pause": min((day - other for other in days if other < day), default=0),
                "triple": sum(row[:3] == [head, relation, tail] for row in earlier),
                "relation": sum(row[1] == relation for row in earlier),
                "same subject": head == question.query.triples[0][0],
                "kind": relation,
            }
            assert {name: values[number, place] for name, values in counted.items()} == expected


def test_nothing_is_found_in_random_answers() -> None:
    found = {
        row["name"]: row for row in tree_rows(asked(facts(1, 900), None, 150), facts(1, 900), WORDS)
    }
    assert set(found) == set(COUNTED)
    assert all(record["low"] < 1 / len(LETTERS) < record["high"] for record in found.values())


@pytest.mark.parametrize(
    ("planted", "seen", "unseen"),
    [
        (lambda some: int(np.argmax([row[3] for row in some])), "age", "the relation"),
        (lambda some: int(np.argmin([row[1] for row in some])), "the relation", "age"),
    ],
    ids=["latest", "smallest relation"],
)
def test_what_is_planted_is_found(planted: Answer, seen: str, unseen: str) -> None:
    graph = facts(1, 900)
    found = {row["name"]: row for row in tree_rows(asked(graph, planted, 150), graph, WORDS)}
    for name in (seen, "all"):
        assert found[name]["accuracy"] > 0.8
    # Days with few facts have few relations.
    assert found[unseen]["accuracy"] < 0.5


def test_without_questions_there_are_no_rows() -> None:
    assert tree_rows({Split.TEST: []}, facts(1, 60), WORDS) == []
    questions = asked(facts(1, 60), None, 3)[Split.TEST]
    assert tree_rows({Split.TEST: questions}, facts(1, 60), WORDS) == []
