"""Probes on data with known label leakage."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from grammar.eventhop.model import Item, Label
from solver.probes.balance import deduplicate
from solver.probes.findings import Artefacts, measure
from solver.probes.guess import MARGIN, probe
from solver.probes.sample import LIMIT, FeatureSet, Sample

ItemMaker = Callable[[str, str], Item]

LABELS = tuple(Label)
RELATIONS = ("before", "after", "overlaps")
NAMES = ("fair", "race", "parade", "regatta", "market", "concert", "vigil", "picnic")


def test_a_label_determined_by_the_claim_is_predicted(studio: Any) -> None:
    found = measure(studio.drawn_samples(600, studio.by_claim))
    for seen in (FeatureSet.CLAIM_RELATION, FeatureSet.CLAIM_WORDS, FeatureSet.WORDS):
        result = studio.result(found, seen)
        assert result.macro_f1 == pytest.approx(1.0, abs=0.002)
        assert result.leaks_label
    assert not studio.result(found, FeatureSet.COUNTS).leaks_label
    assert found.by_claim.association == pytest.approx(1.0, abs=0.01)
    assert any(
        "claim's relation predicts the label" in s for s in studio.sentences(found, warning=True)
    )


def test_a_label_determined_by_the_counts_is_predicted_from_them_only(studio: Any) -> None:
    found = measure(studio.drawn_samples(1200, studio.by_kinds))
    result = studio.result(found, FeatureSet.COUNTS)
    assert result.macro_f1 is not None
    assert result.macro_f1 > 0.75
    assert not any(
        studio.result(found, seen).leaks_label
        for seen in FeatureSet
        if seen is not FeatureSet.COUNTS
    )


def test_a_word_that_determines_the_label_is_detected(studio: Any) -> None:
    word = {Label.TRUE: "calmly", Label.FALSE: "loudly", Label.UNDEFINED: "oddly"}
    samples = [
        replace(one, premise=f"{one.premise} {word[one.gold]}")
        for one in studio.drawn_samples(600, studio.at_random)
    ]
    found = measure(samples)
    assert studio.result(found, FeatureSet.WORDS).macro_f1 == pytest.approx(1.0, abs=0.01)
    assert not studio.result(found, FeatureSet.CLAIM_WORDS).leaks_label


@pytest.mark.parametrize("seed", range(3))
def test_random_labels_stay_at_chance(studio: Any, seed: int) -> None:
    found = measure(studio.drawn_samples(900, studio.at_random, seed))
    for result in found.guesses:
        assert result.chance == pytest.approx(1 / 3, abs=0.01)
        assert result.macro_f1 == pytest.approx(1 / 3, abs=0.05)
        assert not result.leaks_label
    assert studio.sentences(found, warning=True) == []


@pytest.mark.parametrize("weights", [(1, 1, 1), (8, 1, 1), (30, 1, 4), (1, 20, 20)])
def test_chance_is_one_in_k_for_any_balance_of_labels(
    studio: Any, weights: tuple[int, ...]
) -> None:
    def unevenly(source: random.Random, *_: object) -> Label:
        return source.choices(LABELS, weights)[0]

    result = probe(deduplicate(studio.drawn_samples(1500, unevenly)), FeatureSet.CLAIM_RELATION)
    assert result.chance == pytest.approx(1 / 3, abs=0.01)
    assert not result.leaks_label


def test_weak_leakage_is_detected(studio: Any) -> None:
    found = measure(studio.drawn_samples(2400, studio.by_claim_a_little))
    result = studio.result(found, FeatureSet.CLAIM_RELATION)
    assert result.macro_f1 is not None
    assert result.chance is not None
    assert MARGIN < result.macro_f1 - result.chance < 0.1
    assert result.leaks_label
    (sentence,) = [
        s for s in studio.sentences(found, warning=True) if "depends on the claim relation" in s
    ]
    assert "items are undefined for `overlaps` in " in sentence


def test_scores_are_ordered(studio: Any) -> None:
    for label in (studio.at_random, studio.by_claim, studio.by_kinds, studio.by_claim_a_little):
        for result in measure(studio.drawn_samples(300, label)).guesses:
            assert result.macro_f1 is not None
            assert result.low is not None
            assert result.high is not None
            assert result.chance is not None
            assert result.chance_high is not None
            assert 0 <= result.low <= result.macro_f1 <= result.high <= 1
            assert 0 < result.chance < result.chance_high < 1


def test_the_order_of_the_items_does_not_matter(studio: Any) -> None:
    samples = studio.drawn_samples(400, studio.by_claim_a_little)
    shuffled = samples[:]
    random.Random(5).shuffle(shuffled)
    assert measure(samples) == measure(shuffled)


@pytest.mark.parametrize(
    ("count", "note"), [(0, "no items"), (3, "too few"), (50, "50 true")], ids=str
)
def test_degenerate_samples_have_a_note(studio: Any, count: int, note: str) -> None:
    found = measure(studio.drawn_samples(count, lambda *_: Label.TRUE))
    assert_unmeasured(found, note)


def test_one_repeated_text_is_too_few() -> None:
    assert_unmeasured(measure([Sample(premise="", claim="", gold=Label.TRUE)] * 40), "1 true")


def assert_unmeasured(found: Artefacts, note: str) -> None:
    for result in found.guesses:
        assert result.macro_f1 is None
        assert note in result.note
        assert not result.leaks_label
    assert any("was not run: too few" in finding.sentence for finding in found.findings)
    assert not any("exceeds chance" in finding.sentence for finding in found.findings)


def test_a_rare_label_is_left_out_with_a_note(studio: Any) -> None:
    samples = [
        replace(one, gold=Label.UNDEFINED if number < 4 else LABELS[number % 2])
        for number, one in enumerate(studio.drawn_samples(300, studio.at_random))
    ]
    result = studio.result(measure(samples), FeatureSet.CLAIM_RELATION)
    assert result.items == 296
    assert result.note == "left out, too few: 4 undefined"
    assert result.chance == pytest.approx(1 / 2, abs=0.02)


def test_texts_without_words_have_a_note(studio: Any) -> None:
    samples = [
        Sample(premise="." * number, claim="", gold=LABELS[number % 2]) for number in range(40)
    ]
    found = measure(samples)
    assert studio.result(found, FeatureSet.CLAIM_WORDS).macro_f1 is None
    assert found.by_claim.rows == ()


def test_every_figure_is_finite_and_json(studio: Any) -> None:
    for samples in (
        [],
        studio.drawn_samples(2, studio.at_random),
        studio.drawn_samples(40, studio.by_claim),
        studio.drawn_samples(300, studio.at_random),
    ):
        plain = measure(samples).to_json()
        written = json.dumps(plain, allow_nan=False)
        assert all(math.isfinite(figure) for figure in studio.figures(json.loads(written)))


def test_more_than_the_limit_is_rejected() -> None:
    with pytest.raises(ValueError, match="at most"):
        measure([Sample(premise="", claim="", gold=Label.TRUE)] * (LIMIT + 1))
