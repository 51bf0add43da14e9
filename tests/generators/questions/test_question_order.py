"""What the order of questions is, and what a seed and the other kinds change."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from generators.questions import two_hop
from generators.questions.graph import GenerationError, Settings, question_graph
from generators.questions.run import UNLIKE, Plan, make
from grammar.questions.model import QuestionKind
from grammar.questions.reader import read_question
from solver.graph.model import Dataset, Quadruples, Split, Vocabulary
from solver.questions.model import Question

from .conftest import MakeWorld, World

KINDS = tuple(QuestionKind)


def every(world: World, **settings: object) -> list[Question]:
    made = world.made(**settings)
    return [question for split in made.drafts for question in made.questions(split)]


def test_questions_stand_by_time_kind_and_query(world: MakeWorld) -> None:
    made = world(1, 500).made()
    for split in Split:
        questions = list(made.questions(split))
        keys = [(q.time, KINDS.index(q.kind), q.query) for q in questions]
        assert keys == sorted(keys)
        assert len(set(keys)) == len(keys) == made.size(split)
        assert {q.split for q in questions} == {split}
        assert len({q.kind for q in questions}) >= 3
        for kind in KINDS:
            ids = [q.id for q in questions if q.kind is kind]
            assert ids == [f"{split}-{kind}-{number:06d}" for number in range(len(ids))]


def test_times_are_those_of_the_split(world: MakeWorld) -> None:
    drawn_world = world(0)
    for question in every(drawn_world):
        assert question.time in {fact[3] for fact in drawn_world.splits[question.split]}


def test_the_same_seed_asks_the_same(world: MakeWorld) -> None:
    assert every(world(2, 300), seed=3, cap=2) == every(world(2, 300), seed=3, cap=2)


@pytest.mark.parametrize("kind", QuestionKind)
def test_another_seed_asks_in_other_words(world: MakeWorld, kind: QuestionKind) -> None:
    drawn_world = world(1, 500)
    texts = [
        {(q.id, q.text) for q in every(drawn_world, kinds=(kind,), seed=seed)} for seed in (0, 1)
    ]
    assert texts[0] != texts[1]


@pytest.mark.parametrize("kind", QuestionKind)
def test_other_kinds_do_not_change_the_wording(world: MakeWorld, kind: QuestionKind) -> None:
    """They only use up facts."""
    drawn_world = world(1, 100 if kind is QuestionKind.YES_UNKNOWN else 500)
    alone = {(q.query, q.time): q for q in every(drawn_world, kinds=(kind,), cap=2)}
    both = [
        (question, alone[question.query, question.time])
        for question in every(drawn_world, cap=2)
        if (question.query, question.time) in alone and question.kind is kind
    ]
    assert both
    for question, other in both:
        if kind is not QuestionKind.FACT_REASONING or question.choices == other.choices:
            assert question.text == other.text


@pytest.mark.parametrize("most", [1, 90])
def test_days_in_parts_have_the_same_questions(
    world: MakeWorld, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = every(world(2), cap=0)
    assert {question.kind for question in whole} == set(QuestionKind)
    monkeypatch.setattr(two_hop, "DAYS_PAIRS", most)
    kinds = tuple(kind for kind in QuestionKind if kind is not QuestionKind.TWO_HOP)
    parts = every(world(2), cap=0, kinds=kinds)
    monkeypatch.undo()
    assert parts == every(world(2), cap=0, kinds=kinds) != []


def test_a_rejected_rule_has_no_questions(world: MakeWorld) -> None:
    drawn_world = world(1)
    settings = Settings(
        kinds=(QuestionKind.TWO_HOP,), cap=2, min_support=1, min_days=1, min_confidence=0
    )
    plan = Plan(graph=drawn_world.graph, settings=settings)
    mined = make(plan)
    assert mined.two_hop
    curated = tuple(replace(rule, use=row % 2 == 0) for row, rule in enumerate(mined.two_hop))
    some = make(replace(plan, two_hop=curated))
    assert some.two_hop == curated
    rules = {question.rule for split in Split for question in some.questions(split)}
    assert rules
    assert all((rule or 0) % 2 == 0 for rule in rules)


@pytest.mark.parametrize("kind", QuestionKind)
def test_variants_all_occur(world: MakeWorld, kind: QuestionKind) -> None:
    texts = [question.text for question in every(world(1, 700), kinds=(kind,))]
    variants = {read_question(text).variant for text in texts[:120]}
    assert len(variants) >= 3


def graph_of(rows: list[tuple[int, int, int, int]], entities: int, split: Split) -> Dataset:
    facts = Quadruples.of(np.array(rows, dtype=np.int64))
    words = Vocabulary(entities=entities, relations=1, times=9)
    return Dataset(name="tiny", vocabulary=words, splits={split: facts})


def test_facts_that_no_change_makes_unknown_are_counted() -> None:
    """Two entities that do all to each other: nothing is left to be unknown."""
    rows = [(s, 0, 1 - s, t) for s in range(2) for t in range(2)]
    graph = question_graph(graph_of(rows, 2, Split.TRAIN))
    plan = Plan(graph=graph, settings=Settings(kinds=(QuestionKind.YES_UNKNOWN,)))
    with pytest.raises(GenerationError, match="found nothing to ask"):
        make(plan)
    plan = Plan(graph=graph, settings=Settings(seed=1))
    assert make(plan).left_out[QuestionKind.YES_UNKNOWN, Split.TRAIN] == {UNLIKE: 1}


@pytest.mark.parametrize("split", Split)
def test_a_single_split_is_enough(split: Split) -> None:
    rows = [(0, 0, 1, 0), (1, 0, 2, 3), (0, 0, 1, 8)]
    graph = question_graph(graph_of(rows, 4, split))
    made = make(Plan(graph=graph, settings=Settings()))
    kinds = [question.kind for question in made.questions(split)]
    assert set(kinds) <= {QuestionKind.ONE_HOP, QuestionKind.YES_UNKNOWN}
    assert 0 < len(kinds) <= len(rows)


@pytest.mark.parametrize("first", [0, 8])
def test_splits_that_share_a_time_are_refused(world: MakeWorld, first: int) -> None:
    dataset, every = world(0).dataset, world(0).dataset.facts()
    shared = dict(dataset.splits) | {Split.VALID: every.take(every.time >= first)}
    message = f"train up to 2030-01-09 and valid from 2030-01-0{first + 1}"
    with pytest.raises(GenerationError, match=message):
        question_graph(replace(dataset, splits=shared))


def test_a_graph_without_a_suitable_relation_is_refused(world: MakeWorld) -> None:
    dataset = world(0).dataset
    none = {split: facts.take(facts.relation == 4) for split, facts in dataset.splits.items()}
    with pytest.raises(GenerationError, match="no fact with a relation that suits a question"):
        question_graph(replace(dataset, splits=none))


def test_keys_that_do_not_fit_are_refused() -> None:
    dataset = graph_of([(0, 0, 1, 0), (2**40, 0, 1, 1)], 2**40 + 1, Split.TRAIN)
    words = replace(dataset.vocabulary, entities=3)
    graph = question_graph(replace(dataset, vocabulary=words))
    with pytest.raises(GenerationError, match="do not fit in 63 bits"):
        make(Plan(graph=graph, settings=Settings(kinds=(QuestionKind.YES_UNKNOWN,))))
