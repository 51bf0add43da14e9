"""The reasoner behind the answers is found; indistinguishable ones are reported."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Protocol

import numpy as np
import pytest

from benchmarks.eventhop.ablations.reasoners import FULL, REASONERS, answer
from benchmarks.eventhop.cases import Case, Dimension, Group
from benchmarks.eventhop.diagnosis.likelihood import (
    FOLDS,
    Observations,
    TooFewAnswersError,
    folds,
    guessed,
    noise_rates,
    noisy,
    observations,
    reasoner_answers,
)
from benchmarks.eventhop.diagnosis.ranking import rank
from benchmarks.eventhop.diagnosis.report import sentences
from grammar.eventhop.model import Item, Label

ItemMaker = Callable[[str, str], Item]
CaseMaker = Callable[[list[Item]], list[Case]]
SEEDS = range(10)


class World(Protocol):
    cases: list[Case]
    labels: dict[str, tuple[Label, ...]]

    def noisy(self, name: str, *, seed: int, rate: float = 0.1) -> list[Label]: ...

    def answered(self, labels: list[Label], *, seed: int = 0) -> Observations: ...


@pytest.mark.parametrize("name", [one.name for one in REASONERS])
def test_each_reasoner_is_recognised_through_noise(world: World, name: str) -> None:
    named = 0
    for seed in SEEDS:
        observed = world.answered(world.noisy(name, seed=seed), seed=seed)
        best = int(noisy(observed).sum(axis=1).argmax())
        named += observed.reasoners[best] == name
    assert named >= 9


@pytest.mark.parametrize("name", ["no-simultaneity", "hops-3", "full"])
def test_one_reasoner_needs_no_mixture(world: World, name: str) -> None:
    ranking = rank(world.answered(world.noisy(name, seed=1)), [])
    assert ranking.explanations[0].reasoner == name
    assert ranking.explanations[0].noise == pytest.approx(0.1, abs=0.04)
    assert ranking.pair is not None
    assert not ranking.pair.needed
    assert ranking.guessing_behind.sure


def test_two_reasoners_are_recognised_with_their_shares(world: World) -> None:
    source = random.Random(5)
    first, second = (world.noisy(name, seed=2, rate=0.05) for name in ("hops-2", "ends-confused"))
    mixed = [a if source.random() < 0.7 else b for a, b in zip(first, second, strict=True)]
    ranking = rank(world.answered(mixed), [])
    pair = ranking.pair
    assert pair is not None
    assert pair.needed
    assert (pair.first, pair.second) == ("hops-2", "ends-confused")
    assert pair.weight == pytest.approx(0.7, abs=0.08)
    assert pair.noise == pytest.approx(0.05, abs=0.03)
    assert any(sentence.startswith("A mixture of two reasoners") for sentence in sentences(ranking))


def test_answers_drawn_at_random_are_no_reasoning(world: World) -> None:
    source = random.Random(3)
    drawn = [source.choice(list(Label)) for _ in world.cases]
    ranking = rank(world.answered(drawn), [])
    assert not ranking.guessing_behind.sure
    (found,) = sentences(ranking)
    assert found.startswith("No reasoner explains the answers better")


def test_another_reasoner_in_a_group_is_found(world: World) -> None:
    half = len(world.cases) // 2
    labels = [*world.noisy("full", seed=4)[:half], *world.noisy("hops-1", seed=4)[half:]]
    grouped = [
        Group(dimension=Dimension.HOPS, name="few", members=tuple(range(half))),
        Group(dimension=Dimension.HOPS, name="many", members=tuple(range(half, len(labels)))),
        Group(dimension=Dimension.HOPS, name="tiny", members=(0, 1, 2)),
    ]
    found = rank(world.answered(labels), grouped).groups
    assert [(one.name, one.reasoner, one.sure) for one in found] == [
        ("few", "full", True),
        ("many", "hops-1", True),
    ]


def test_reasoners_that_agree_on_the_data_share_a_line(
    item_of: ItemMaker, cases_from: CaseMaker
) -> None:
    texts = ["A+ < B-", "A+ = B-", "A- < B-", "B+ < A-", "A+ < C-, C- < B-"]
    items = [item_of(text, "A before B") for text in texts * 8]
    cases = cases_from(items)
    answers = reasoner_answers(cases)
    right = [case.verdict.label for case in cases]
    ranking = rank(observations(cases, answers, right, seed=0), [])
    first = ranking.explanations[0]
    agreeing = {name for name, labels in answers.labels.items() if labels == answers.labels[FULL]}
    assert {first.reasoner, *first.same} == agreeing > {"full", "hops-2", "overlap-by-absence"}
    found = list(sentences(ranking))
    assert found[0] == "It makes no errors."
    assert "give the same answers to every one" in found[1]
    names = [name for one in ranking.explanations for name in (one.reasoner, *one.same)]
    assert len(names) == len(set(names)) == len(REASONERS)


def test_close_rivals_are_reported(world: World) -> None:
    """Answers of the full reasoner to items that hardly ask for long chains."""
    full, bounded = world.labels["full"], world.labels["hops-4"]
    same = [place for place in range(len(full)) if full[place] is bounded[place]][:200]
    other = [place for place in range(len(full)) if full[place] is not bounded[place]][:2]
    places = same + other
    cases = [world.cases[place] for place in places]
    answers = answer(
        [case.item for case in cases],
        [case.verdict.label for case in cases],
        reasoners=[one for one in REASONERS if one.name in ("full", "hops-4", "hops-1")],
    )
    ranking = rank(observations(cases, answers, [full[p] for p in places], seed=0), [])
    rival = next(one for one in ranking.explanations if one.reasoner == "hops-4")
    assert (rival.differs, rival.behind.sure) == (2, False)
    assert any(
        "hops-4 explains the answers nearly as well: it differs from full on 2 items" in sentence
        for sentence in sentences(ranking)
    )


def test_the_errors_that_a_reasoner_explains_are_counted(world: World) -> None:
    ranking = rank(world.answered(list(world.labels["no-simultaneity"])), [])
    first = ranking.explanations[0]
    assert first.reasoner == "no-simultaneity"
    assert first.errors == first.explained == first.own_errors > 0
    assert next(sentences(ranking)).startswith(
        "It answers as if simultaneity did not exist: 100% of its errors"
    )
    full = next(one for one in ranking.explanations if one.reasoner == "full")
    assert (full.explained, full.own_errors, full.by_chance) == (0, 0, 0.0)


def test_a_wrong_answer_to_an_item_of_another_fold_costs_likelihood(world: World) -> None:
    """Held out: an item's own answer does not raise its own likelihood."""
    labels = list(world.labels["full"])
    observed = world.answered(labels)
    row = observed.reasoners.index("full")
    before = noisy(observed)[row]
    labels[0] = Label.FALSE if labels[0] is not Label.FALSE else Label.TRUE
    changed = world.answered(labels)
    after = noisy(changed)[row]
    fold = observed.folds[0]
    same_fold = (observed.folds == fold) & (np.arange(len(labels)) != 0)
    assert (after[same_fold] == before[same_fold]).all()
    assert (after[observed.folds != fold] < before[observed.folds != fold]).all()
    assert after[0] < before[0]


def test_likelihoods_are_those_of_the_formula(world: World) -> None:
    observed = world.answered(world.noisy("hops-2", seed=6))
    row = observed.reasoners.index("hops-2")
    likelihood = noisy(observed)[row]
    hits = observed.predicted[row] == observed.answers
    for place in (0, 1, 2, 3):
        outside = observed.folds != observed.folds[place]
        rate = ((~hits)[outside].sum() + 0.5) / (outside.sum() + 1)
        expected = np.log(1 - rate) if hits[place] else np.log(rate / 2)
        assert likelihood[place] == pytest.approx(expected)
    assert noise_rates(observed)[row] == pytest.approx((~hits).mean())
    shares = np.bincount(observed.answers) / len(observed.answers)
    entropy = -(shares * np.log(shares)).sum()
    assert guessed(observed).mean() == pytest.approx(-entropy, abs=0.01)


def test_folds_are_even_and_seeded() -> None:
    dealt = folds(105, 1)
    assert set(np.bincount(dealt, minlength=FOLDS)) == {10, 11}
    assert (dealt == folds(105, 1)).all()
    assert (dealt != folds(105, 2)).any()


def test_too_few_answers_are_refused(item_of: ItemMaker, cases_from: CaseMaker) -> None:
    cases = cases_from([item_of("A+ < B-", "A before B")] * 9)
    with pytest.raises(TooFewAnswersError, match="9 answers with a label, expected at least 10"):
        observations(cases, reasoner_answers(cases), [Label.TRUE] * 9, seed=0)
