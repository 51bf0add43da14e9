"""The reasoner behind the answers is found; indistinguishable ones are reported."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
import pytest

from benchmarks.eventhop.ablations.reasoners import DIAGNOSED, FULL, Answers, answer
from benchmarks.eventhop.cases import Case, Dimension, Group, groups
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
from benchmarks.eventhop.diagnosis.ranking import Ranking, rank
from benchmarks.eventhop.diagnosis.report import sentences
from grammar.eventhop.model import Item, Label

ItemMaker = Callable[[str, str], Item]
CaseMaker = Callable[[list[Item]], list[Case]]
SEEDS = range(10)


class World(Protocol):
    cases: list[Case]
    answers: Answers
    labels: dict[str, tuple[Label, ...]]

    def noisy(self, name: str, *, seed: int, rate: float = 0.1) -> list[Label]: ...

    def answered(self, labels: list[Label], *, seed: int = 0) -> Observations: ...


@pytest.mark.parametrize("name", [reasoner.name for reasoner in DIAGNOSED])
def test_each_reasoner_is_recognised_through_noise(world: World, name: str) -> None:
    named = 0
    for seed in SEEDS:
        observed = world.answered(world.noisy(name, seed=seed), seed=seed)
        best = int(noisy(observed).sum(axis=1).argmax())
        named += observed.names[best] == name
    assert named >= 9


@pytest.mark.parametrize("name", ["no-simultaneity", "hops-3", "full"])
def test_one_reasoner_needs_no_mixture(world: World, name: str) -> None:
    ranking = rank(world.answered(world.noisy(name, seed=1)), [])
    assert ranking.explanations[0].reasoner == name
    assert ranking.explanations[0].noise == pytest.approx(0.1, abs=0.04)
    assert ranking.pair is None
    assert not ranking.fit.rejected
    assert ranking.beats_guessing


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
    assert not ranking.beats_guessing
    (found,) = sentences(ranking)
    assert found.startswith("No reasoner explains the answers better")


def test_another_reasoner_in_a_group_is_found(world: World) -> None:
    half = len(world.cases) // 2
    labels = [*world.noisy("ends-confused", seed=4)[:half], *world.noisy("hops-1", seed=4)[half:]]
    grouped = [
        Group(dimension=Dimension.HOPS, name="few", members=tuple(range(half))),
        Group(dimension=Dimension.HOPS, name="many", members=tuple(range(half, len(labels)))),
        Group(dimension=Dimension.HOPS, name="tiny", members=(0, 1, 2)),
    ]
    found = rank(world.answered(labels), grouped).groups
    assert [(finding.name, finding.reasoner, finding.sure) for finding in found] == [
        ("few", "ends-confused", True),
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
    names = [
        name
        for explanation in ranking.explanations
        for name in (explanation.reasoner, *explanation.same)
    ]
    assert len(names) == len(set(names)) == len(DIAGNOSED)


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
        reasoners=[
            reasoner for reasoner in DIAGNOSED if reasoner.name in ("full", "hops-4", "hops-1")
        ],
    )
    ranking = rank(observations(cases, answers, [full[p] for p in places], seed=0), [])
    rival = next(
        explanation for explanation in ranking.explanations if explanation.reasoner == "hops-4"
    )
    assert (rival.differs, rival.decisive.excludes) == (2, False)
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
    full = next(
        explanation for explanation in ranking.explanations if explanation.reasoner == "full"
    )
    assert (full.explained, full.own_errors, full.by_chance) == (0, 0, 0.0)


def test_a_wrong_answer_to_an_item_of_another_fold_costs_likelihood(world: World) -> None:
    """Held out: an item's own answer does not raise its own likelihood."""
    labels = list(world.labels["full"])
    observed = world.answered(labels)
    row = observed.names.index("full")
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
    row = observed.names.index("hops-2")
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


def wrong_claims(world: World, ranking: Ranking, grouped: Sequence[Group], name: str) -> list[str]:
    """The claims of a diagnosis that are wrong if the model is this reasoner with uniform noise."""
    if not ranking.beats_guessing:
        return []
    own_explanation = next(
        explanation for explanation in ranking.explanations if name in explanation.names
    )
    wrong = ["excluded"] * own_explanation.decisive.excludes
    wrong += ["fit"] * ranking.fit.rejected
    wrong += ["mixture"] * (ranking.pair is not None and ranking.pair.needed)
    by_place = {(group.dimension, group.name): group.members for group in grouped}
    for group in ranking.groups:
        members = by_place[group.dimension, group.name]
        differs = any(
            world.labels[name][member] is not world.labels[group.reasoner][member]
            for member in members
        )
        wrong += [f"{group.name}: {group.reasoner}"] * (group.sure and differs)
    return wrong


@pytest.mark.parametrize("runs", [20, pytest.param(200, marks=pytest.mark.slow)])
def test_a_claim_is_wrong_in_one_of_twenty_runs_at_most(world: World, runs: int) -> None:
    grouped, source = groups(world.cases), random.Random(runs)
    names = sorted(world.labels)
    wrong = claimed = 0
    for run in range(runs):
        name, rate = names[run % len(names)], source.choice((0.02, 0.1, 0.25, 0.4))
        labels = world.noisy(name, seed=source.randrange(10**6), rate=rate)
        ranking = rank(world.answered(labels, seed=run), grouped)
        wrong += bool(wrong_claims(world, ranking, grouped, name))
        claimed += ranking.claimed
    assert wrong <= 0.05 * runs
    assert claimed >= 0.4 * runs


def test_nothing_is_claimed_of_labels_drawn_by_their_frequency(world: World) -> None:
    grouped, source = groups(world.cases), random.Random(4)
    claims = 0
    for _ in range(20):
        drawn = source.choices(list(Label), weights=(6, 3, 1), k=len(world.cases))
        claims += len(list(sentences(rank(world.answered(drawn), grouped)))) > 1
    assert claims <= 1


def without(world: World, name: str, labels: Sequence[Label]) -> Observations:
    """The observations if a reasoner were unknown."""
    kept = {text: found for text, found in world.answers.labels.items() if text != name}
    answers = replace(world.answers, labels=kept)
    return observations(world.cases, answers, labels, seed=0)


@pytest.mark.parametrize(("name", "rate"), [("global", 0.02), ("never-undefined", 0.1)])
def test_a_model_that_no_reasoner_explains(world: World, name: str, rate: float) -> None:
    labels, grouped = world.noisy(name, seed=3, rate=rate), groups(world.cases)
    known = rank(world.answered(labels), grouped)
    assert known.claimed
    assert known.explanations[0].reasoner == name
    unknown = rank(without(world, name, labels), grouped)
    assert not unknown.claimed
    assert unknown.pair is None or not unknown.pair.needed
    first = next(sentences(unknown))
    assert first.startswith("None of these reasoners explains the errors: they cluster where ")


def test_a_winner_by_chance_is_not_the_headline(world: World) -> None:
    """Too few items that distinguish: the best is ahead, and its rival is not excluded."""
    labels = world.noisy("hops-7", seed=8, rate=0.3)
    ranking = rank(world.answered(labels), [])
    second = ranking.explanations[1]
    assert 0 < second.behind.value < 2 * second.behind.error
    assert second.decisive.low <= 0.5
    assert not ranking.claimed
    assert next(sentences(ranking)).startswith("The answers do not decide between ")


def test_reasoners_alike_on_a_group_are_one_group(world: World) -> None:
    whole = list(range(len(world.cases)))
    bounded, blind = world.labels["hops-2"], world.labels["hops-1"]
    longer = [
        number for number in whole if world.labels["single-pass"][number] is not bounded[number]
    ]
    alike = [
        number for number in whole if blind[number] is bounded[number] and number not in longer
    ][:150]
    labels = list(world.noisy("no-duration", seed=2, rate=0.02))
    for number in alike:
        labels[number] = bounded[number]
    grouped = [Group(dimension=Dimension.CLAIM, name="here", members=tuple(alike))]
    ranking = rank(world.answered(labels), grouped)
    (group,) = ranking.groups
    assert {"hops-1", "hops-2", "single-pass"} <= set(group.names)
    for name in group.names:
        assert all(world.labels[name][number] is bounded[number] for number in alike)
    last = list(sentences(ranking))[-1]
    assert group.sure == ("alike here" in last)
    if group.sure:
        assert all(name in last for name in group.names)
