"""Guesses of labels on data whose answer is known."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from solver.artefacts import LIMIT, Artefacts, Sample, measure
from solver.artefacts.duplicates import once
from solver.artefacts.features import Seen
from solver.artefacts.guess import MARGIN, guess
from solver.model import Item, Label

ItemMaker = Callable[[str, str], Item]

LABELS = tuple(Label)
RELATIONS = ("before", "after", "overlaps")
NAMES = ("fair", "race", "parade", "regatta", "market", "concert", "vigil", "picnic")


def test_a_label_that_the_claim_determines_is_guessed(studio: Any) -> None:
    found = measure(studio.drawn_samples(600, studio.by_claim))
    for seen in (Seen.CLAIM_RELATION, Seen.CLAIM_WORDS, Seen.WORDS):
        tried = studio.guessed(found, seen)
        assert tried.macro_f1 == pytest.approx(1.0, abs=0.002)
        assert tried.gives_away
    assert not studio.guessed(found, Seen.COUNTS).gives_away
    assert found.by_claim.association == pytest.approx(1.0, abs=0.01)
    assert any(
        "claim's relation gives the label away" in s for s in studio.sentences(found, warning=True)
    )


def test_a_label_that_the_counts_determine_is_guessed_from_them_only(studio: Any) -> None:
    found = measure(studio.drawn_samples(1200, studio.by_kinds))
    tried = studio.guessed(found, Seen.COUNTS)
    assert tried.macro_f1 is not None
    assert tried.macro_f1 > 0.75
    assert not any(
        studio.guessed(found, seen).gives_away for seen in Seen if seen is not Seen.COUNTS
    )


def test_a_word_of_the_premise_that_tells_the_label_is_noticed(studio: Any) -> None:
    told = {Label.TRUE: "calmly", Label.FALSE: "loudly", Label.UNDEFINED: "oddly"}
    samples = [
        replace(one, premise=f"{one.premise} {told[one.gold]}")
        for one in studio.drawn_samples(600, studio.at_random)
    ]
    found = measure(samples)
    assert studio.guessed(found, Seen.WORDS).macro_f1 == pytest.approx(1.0, abs=0.01)
    assert not studio.guessed(found, Seen.CLAIM_WORDS).gives_away


@pytest.mark.parametrize("seed", range(3))
def test_random_labels_stay_at_chance(studio: Any, seed: int) -> None:
    found = measure(studio.drawn_samples(900, studio.at_random, seed))
    for tried in found.guesses:
        assert tried.chance == pytest.approx(1 / 3, abs=0.01)
        assert tried.macro_f1 == pytest.approx(1 / 3, abs=0.05)
        assert not tried.gives_away
    assert studio.sentences(found, warning=True) == []


@pytest.mark.parametrize("weights", [(1, 1, 1), (8, 1, 1), (30, 1, 4), (1, 20, 20)])
def test_chance_is_one_in_k_however_the_labels_are_balanced(
    studio: Any, weights: tuple[int, ...]
) -> None:
    def unevenly(source: random.Random, *_: object) -> Label:
        return source.choices(LABELS, weights)[0]

    tried = guess(once(studio.drawn_samples(1500, unevenly)), Seen.CLAIM_RELATION)
    assert tried.chance == pytest.approx(1 / 3, abs=0.01)
    assert not tried.gives_away


def test_a_little_is_noticed_too(studio: Any) -> None:
    found = measure(studio.drawn_samples(2400, studio.by_claim_a_little))
    tried = studio.guessed(found, Seen.CLAIM_RELATION)
    assert tried.macro_f1 is not None
    assert tried.chance is not None
    assert MARGIN < tried.macro_f1 - tried.chance < 0.1
    assert tried.gives_away
    (told,) = [
        s for s in studio.sentences(found, warning=True) if "depends on what is claimed" in s
    ]
    assert "items are undefined for `overlaps` in " in told


def test_figures_stand_in_order(studio: Any) -> None:
    for label in (studio.at_random, studio.by_claim, studio.by_kinds, studio.by_claim_a_little):
        for tried in measure(studio.drawn_samples(300, label)).guesses:
            assert tried.macro_f1 is not None
            assert tried.low is not None
            assert tried.high is not None
            assert tried.chance is not None
            assert tried.chance_high is not None
            assert 0 <= tried.low <= tried.macro_f1 <= tried.high <= 1
            assert 0 < tried.chance < tried.chance_high < 1


def test_the_order_of_the_items_does_not_matter(studio: Any) -> None:
    samples = studio.drawn_samples(400, studio.by_claim_a_little)
    shuffled = samples[:]
    random.Random(5).shuffle(shuffled)
    assert measure(samples) == measure(shuffled)


@pytest.mark.parametrize(
    ("count", "note"), [(0, "no items"), (3, "too few"), (50, "50 true")], ids=str
)
def test_degenerate_sets_are_told(studio: Any, count: int, note: str) -> None:
    found = measure(studio.drawn_samples(count, lambda *_: Label.TRUE))
    assert_unmeasured(found, note)


def test_one_text_many_times_is_no_sample() -> None:
    assert_unmeasured(measure([Sample(premise="", claim="", gold=Label.TRUE)] * 40), "1 true")


def assert_unmeasured(found: Artefacts, note: str) -> None:
    for tried in found.guesses:
        assert tried.macro_f1 is None
        assert note in tried.note
        assert not tried.gives_away
    assert any("was not measured: too few" in finding.sentence for finding in found.findings)
    assert not any("may give" in finding.sentence for finding in found.findings)


def test_a_rare_label_is_left_out_and_told(studio: Any) -> None:
    samples = [
        replace(one, gold=Label.UNDEFINED if number < 4 else LABELS[number % 2])
        for number, one in enumerate(studio.drawn_samples(300, studio.at_random))
    ]
    tried = studio.guessed(measure(samples), Seen.CLAIM_RELATION)
    assert tried.items == 296
    assert tried.note == "left out, too few: 4 undefined"
    assert tried.chance == pytest.approx(1 / 2, abs=0.02)


def test_texts_without_words_are_told(studio: Any) -> None:
    samples = [
        Sample(premise="." * number, claim="", gold=LABELS[number % 2]) for number in range(40)
    ]
    found = measure(samples)
    assert studio.guessed(found, Seen.CLAIM_WORDS).macro_f1 is None
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


def test_more_than_the_limit_is_refused() -> None:
    with pytest.raises(ValueError, match="at most"):
        measure([Sample(premise="", claim="", gold=Label.TRUE)] * (LIMIT + 1))
