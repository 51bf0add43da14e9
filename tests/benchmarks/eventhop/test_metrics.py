"""Metrics against closed forms and against scikit-learn."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.eventhop.cases import Dimension, Group
from benchmarks.eventhop.scores import NO_ANSWER, label_confusion, numbered, score
from benchmarks.metrics.classification import accuracy, label_scores, macro_f1
from grammar.eventhop.model import Label

T, F, U = Label
labelled = st.lists(st.tuples(st.sampled_from(Label), st.sampled_from([*Label, None])), min_size=1)


@given(labelled)
def test_as_scikit_learn_has_them(pairs: list[tuple[Label, Label | None]]) -> None:
    # It takes seconds to import.
    from sklearn.metrics import accuracy_score, f1_score, precision_recall_fscore_support

    gold, answers = zip(*pairs, strict=True)
    counts = label_confusion(numbered(gold), numbered(answers))
    right, given_ = numbered(gold), numbered(answers)
    present = sorted(set(right.tolist()))
    expected = f1_score(right, given_, labels=present, average="macro", zero_division=0)
    assert macro_f1(counts) == pytest.approx(expected)
    assert accuracy(counts) == pytest.approx(accuracy_score(right, given_))
    every = precision_recall_fscore_support(right, given_, labels=[0, 1, 2], zero_division=0)
    for place, label_score in enumerate(label_scores(counts, "TFU", "TFU-").values()):
        theirs = [column[place] for column in every]
        assert [
            label_score.precision,
            label_score.recall,
            label_score.f1,
            label_score.support,
        ] == pytest.approx(theirs)


@pytest.mark.parametrize(
    ("gold", "answers", "expected"),
    [
        ([T, F, U], [T, F, U], 1.0),
        ([T, F, U], [F, U, T], 0.0),
        ([T, F, U], [None, None, None], 0.0),
        # One label for all of a balanced set: F1 2·1/(1 + 3) once in three.
        ([T, F, U], [T, T, T], 1 / 6),
        # A group of one label: only that label counts.
        ([T, T], [T, F], 2 / 3),
    ],
)
def test_closed_forms(gold: list[Label], answers: list[Label | None], expected: float) -> None:
    assert macro_f1(label_confusion(numbered(gold), numbered(answers))) == pytest.approx(expected)


def drawn(count: int, right: float) -> tuple[list[Label], list[Label | None]]:
    source = random.Random(7)
    gold = [source.choice(list(Label)) for _ in range(count)]
    answers = [
        label if source.random() < right else source.choice([*Label, None]) for label in gold
    ]
    return gold, answers


def test_intervals_hold_the_figure_and_narrow_with_items() -> None:
    widths = []
    for count in (50, 5_000):
        gold, answers = drawn(count, 0.7)
        figure = score(gold, answers, []).overall.macro_f1
        assert figure.low < figure.value < figure.high
        widths.append(figure.high - figure.low)
    # Widths fall with the root of the number of items: here by ten.
    assert widths[0] / widths[1] == pytest.approx(10, rel=0.3)


def test_the_interval_of_accuracy_is_the_binomial_one() -> None:
    gold, answers = drawn(2_000, 0.7)
    figure = score(gold, answers, [], resamples=20_000).overall.accuracy
    spread = 1.96 * np.sqrt(figure.value * (1 - figure.value) / 2_000)
    assert figure.high - figure.value == pytest.approx(spread, rel=0.1)


def test_the_same_seed_gives_the_same_figures() -> None:
    gold, answers = drawn(200, 0.6)
    group = Group(dimension=Dimension.HOPS, name="1", members=tuple(range(0, 200, 2)))
    first = score(gold, answers, [group], seed=3)
    assert first == score(gold, answers, [group], seed=3)
    assert first.overall.macro_f1 != score(gold, answers, [group], seed=4).overall.macro_f1
    assert first.overall == score(gold, answers, [], seed=3).overall


def test_groups_and_confusion_add_up() -> None:
    gold, answers = drawn(300, 0.5)
    halves = [
        Group(dimension=Dimension.CLAIM, name=name, members=tuple(range(start, 300, 2)))
        for start, name in enumerate(("even", "odd"))
    ]
    scores = score(gold, answers, halves)
    by = scores.by_group[Dimension.CLAIM]
    assert sum(each_score.accuracy.value for each_score in by.values()) / 2 == pytest.approx(
        scores.overall.accuracy.value, abs=1e-4
    )
    assert sum(sum(row.values()) for row in scores.confusion.values()) == 300
    silent = sum(row[NO_ANSWER] for row in scores.confusion.values())
    assert silent == sum(answer is None for answer in answers) > 0
