"""Diagnosis of answers in the words of a label scheme."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from benchmarks.eventhop.ablations.reasoners import CLAIM_ONLY, FULL, PUBLISHED
from benchmarks.eventhop.diagnosis.likelihood import Observations, noisy, observations
from benchmarks.eventhop.diagnosis.ranking import rank
from grammar.eventhop.model import Policy, Status
from solver.eventhop.labels import SCHEMES, LabelScheme, SchemeError

World = Any
"""Of `conftest.py`."""

FOUR = LabelScheme.parse("entailed=A,refuted=B,unknown=C,contradictory=D")
SCHEME = [*SCHEMES.values(), FOUR]


def observed(world: World, scheme: LabelScheme, name: str, rate: float) -> Observations:
    """Answers of a reasoner, and another word with some probability."""
    draw = random.Random(f"{scheme.name} {name}")
    predicted = world.answers.words(name, scheme)
    given = [
        draw.choice([other for other in scheme.order if other != word])
        if draw.random() < rate
        else word
        for word in predicted
    ]
    return observations(world.cases, world.answers, given, seed=0, scheme=scheme)


@pytest.mark.parametrize("scheme", SCHEME, ids=lambda scheme: scheme.name)
@pytest.mark.parametrize("name", [FULL, "no-duration", "hops-1", "ends-confused"])
def test_a_reasoner_is_found_by_its_words(world: World, scheme: LabelScheme, name: str) -> None:
    found = observed(world, scheme, name, 0.1)
    best = rank(found, []).explanations[0]
    assert name in best.names
    assert best.noise == pytest.approx(0.1, abs=0.04)
    row = found.names.index(name)
    hits = found.predicted[row] == found.answers
    for place in range(5):
        outside = found.folds != found.folds[place]
        rate = ((~hits)[outside].sum() + 0.5) / (outside.sum() + 1)
        slip = rate / (len(scheme.order) - 1)
        expected = np.log(1 - rate) if hits[place] else np.log(slip)
        assert noisy(found)[row][place] == pytest.approx(expected)


@pytest.mark.parametrize("scheme", SCHEME, ids=lambda scheme: scheme.name)
def test_the_full_reasoner_says_what_is_decided(world: World, scheme: LabelScheme) -> None:
    verdicts = [case.verdict for case in world.cases]
    assert {verdict.status for verdict in verdicts} == set(Status)
    expected = tuple(scheme.label(verdict, Policy.LOCAL) for verdict in verdicts)
    assert world.answers.words(FULL, scheme) == expected
    gold = observed(world, scheme, FULL, 0.0).gold
    assert [scheme.order[number] for number in gold] == list(expected)


def test_words_follow_the_labels_of_each_reasoner(world: World) -> None:
    """True is entailed, undefined contradictory; false is unknown only where the status is."""
    words = {"true": "A", "undefined": "D"}
    for name, labels in world.answers.labels.items():
        predicted = world.answers.words(name, FOUR)
        if predicted is None:
            assert name == PUBLISHED
            continue
        for word, label in zip(predicted, labels, strict=True):
            assert word == words.get(label, word)
            assert (word in "BC") == (label == "false")
    never = world.answers.words("never-undefined", FOUR)
    contradictory = [case.verdict.status is Status.CONTRADICTORY for case in world.cases]
    assert {word for word, torn in zip(never, contradictory, strict=True) if torn} == {"B"}


@pytest.mark.parametrize(("name", "there"), [("nli3", False), ("nli2", True), ("yes-no", True)])
def test_labels_alone_do_where_false_is_one_word(world: World, name: str, there: bool) -> None:
    found = observed(world, SCHEMES[name], FULL, 0.0)
    assert (PUBLISHED in found.names) is there
    assert CLAIM_ONLY in found.names


def test_one_word_is_no_scheme_to_diagnose(world: World) -> None:
    scheme = LabelScheme.parse("entailed=x,refuted=x,unknown=x,contradictory=x")
    with pytest.raises(SchemeError, match="one word for all statuses"):
        observations(world.cases, world.answers, ["x"] * len(world.cases), seed=0, scheme=scheme)
