"""Scores of extractions: hand-computed figures, bounds and laws, intervals, strata."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.texts.elements import MODES, Mode, Profile
from benchmarks.texts.extraction import Extraction, Item, extract
from benchmarks.texts.scores import by_relation, by_style, score, style

ItemMaker = Callable[[random.Random, int], Item]

RIGHT = ["Ann Lake", "startMemberOf", "Choir", "2031-01-01"]
OTHER = ["Bea Moor", "endWorksFor", "Old Ferry", "2031-02-02"]
LATE = ["Ann Lake", "startMemberOf", "Choir", "2031-01-02"]

names = st.lists(st.sampled_from(["lake", "club", "of", "x.", "É"]), max_size=3).map(" ".join)
facts = st.lists(st.tuples(names, names, names, names).map(list), max_size=4)
apart = st.lists(
    st.lists(st.sampled_from("abcdefgh"), min_size=4, max_size=4), min_size=1, max_size=4
)


def both(profile: Profile, *items: Item) -> Extraction:
    return extract(items, profile)


@pytest.mark.parametrize("profile", Profile)
def test_figures_worked_by_hand(profile: Profile) -> None:
    # Three pairs: one right, one with a wrong date, one reference that was not found.
    found = both(
        profile,
        Item(references=[RIGHT], candidates=[RIGHT]),
        Item(references=[RIGHT, OTHER], candidates=[LATE]),
    )
    result = score(found, resamples=0)[Mode.STRICT]
    assert result.macro.precision.value == pytest.approx((1 + 3 / 4 + 0) / 3)
    assert result.macro.f1.value == pytest.approx((1 + 3 / 4 + 0) / 3)
    assert result.micro.precision.value == pytest.approx(7 / 8)
    assert result.micro.recall.value == pytest.approx(7 / 12)
    assert result.micro.f1.value == pytest.approx(2 * 7 / 20)
    assert found.candidate.tolist() == [0, 0, -1]
    assert found.reference.tolist() == [0, 0, 1]


def test_a_fact_that_cannot_be_read_counts_as_wrong() -> None:
    found = extract([Item(references=[RIGHT], candidates=[RIGHT, None])], Profile.EXACT)
    result = score(found, resamples=0)[Mode.STRICT]
    assert result.macro.f1.value == pytest.approx(1 / 2)
    assert result.micro.precision.value == pytest.approx(4 / 8)


@pytest.mark.parametrize("profile", Profile)
@given(references=facts, candidates=facts)
def test_bounds(profile: Profile, references: list[list[str]], candidates: list[list[str]]) -> None:
    found = extract([Item(references=references, candidates=candidates)], profile)
    figures = found.pairs.figures
    assert np.isfinite(figures).all()
    assert ((figures >= 0) & (figures <= 1)).all()
    assert len(found.item) == max(len(references), len(candidates))
    f1 = dict(zip(MODES, np.moveaxis(figures[..., 2], 1, 0), strict=True))
    slack = 1e-12
    assert (f1[Mode.EXACT] >= f1[Mode.STRICT] - slack).all()
    assert (f1[Mode.TYPE] >= f1[Mode.STRICT] - slack).all()
    assert (f1[Mode.PARTIAL] >= f1[Mode.EXACT] - slack).all()


@given(references=apart, candidates=apart)
def test_sides_change_places_where_names_are_equal_or_apart(
    references: list[list[str]], candidates: list[list[str]]
) -> None:
    extraction = extract([Item(references=references, candidates=candidates)], Profile.EXACT)
    other = extract([Item(references=candidates, candidates=references)], Profile.EXACT)
    total = extraction.pairs.figures[..., 2].mean(axis=1).sum()
    assert other.pairs.figures[..., 2].mean(axis=1).sum() == pytest.approx(total)
    if len(references) == len(candidates) == 1:
        assert other.pairs.figures[0, :, 0] == pytest.approx(extraction.pairs.figures[0, :, 1])


@given(references=facts, candidates=facts, seed=st.integers(0, 99))
def test_the_order_of_facts_changes_no_sum(
    references: list[list[str]], candidates: list[list[str]], seed: int
) -> None:
    shuffled = [references.copy(), candidates.copy()]
    for side in shuffled:
        random.Random(seed).shuffle(side)
    for profile in Profile:
        extraction = extract([Item(references=references, candidates=candidates)], profile)
        other = extract([Item(references=shuffled[0], candidates=shuffled[1])], profile)
        total = extraction.pairs.figures[..., 2].mean(axis=1).sum()
        assert other.pairs.figures[..., 2].mean(axis=1).sum() == pytest.approx(total)


@given(references=apart)
def test_a_copy_without_empty_names_scores_one(references: list[list[str]]) -> None:
    for profile in Profile:
        found = extract([Item(references=references, candidates=references[::-1])], profile)
        assert (found.pairs.figures == 1).all()


def test_items_are_scored_alike_alone_and_together(item_of: ItemMaker) -> None:
    source = random.Random(4)
    items = [item_of(source, 4) for _ in range(40)]
    for profile in Profile:
        together = extract(items, profile)
        alone = [extract([item], profile).pairs.figures for item in items]
        assert (together.pairs.figures == np.concatenate(alone)).all()
        numbers, f1 = together.item_f1()
        assert numbers.tolist() == list(range(40))
        for row, figures in zip(f1, alone, strict=True):
            assert row == pytest.approx(figures[..., 2].mean(axis=0))


def test_intervals_hold_the_value_and_are_those_of_a_loop(item_of: ItemMaker) -> None:
    source = random.Random(5)
    items = [item_of(source, 3) for _ in range(60)]
    found = extract(items, Profile.EXACT)
    result = score(found, seed=3, resamples=400)
    assert result == score(found, seed=3, resamples=400)
    assert result != score(found, seed=4, resamples=400)
    rows = [np.flatnonzero(found.item == n) for n in range(60)]
    drawn = []
    draws = random.Random(1)
    for _ in range(400):
        some = np.concatenate([rows[n] for n in draws.choices(range(60), k=60)])
        drawn.append(found.pairs.figures[some].mean(axis=0)[0, 2])
    f1 = result[Mode.STRICT].macro.f1
    assert f1.low is not None
    assert f1.high is not None
    assert f1.low < f1.value < f1.high
    assert [f1.low, f1.high] == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=0.02)


def test_groups_partition_the_pairs() -> None:
    items = [
        Item(references=[RIGHT], candidates=[RIGHT, OTHER]),
        Item(references=[OTHER], candidates=[LATE]),
        Item(references=[RIGHT], candidates=[None]),
    ]
    found = extract(items, Profile.EXACT)
    groups = by_relation(found)
    assert [(group.name, group.pairs) for group in groups] == [
        ("endWorksFor", 2),
        ("startMemberOf", 2),
    ]
    assert groups[1].scores[Mode.STRICT].macro.f1.value == pytest.approx(1 / 2)
    styles = by_style(found, ["a", "b", "a"])
    assert [(group.name, group.pairs) for group in styles] == [("a", 3), ("b", 1)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("On Thursday, January 1st, 2026, he left.", "Month D, YYYY, long weekday"),
        ("On Thu, Jan 1, 2026, he left.", "Month D, YYYY, short weekday"),
        ("He left on January 1 2026.", "Month D, YYYY, no weekday"),
        ("Thursday 2026-01-01: he left.", "ISO, long weekday"),
        ("Thurs., 2026-01-01: he left.", "ISO, short weekday"),
        ("He left on 2026-01-01.", "ISO, no weekday"),
        ("He left on the 1st of January 2026.", "D Month YYYY, no weekday"),
        ("May left Augusta in January 2026.", "no full date"),
    ],
)
def test_styles(text: str, wanted: str) -> None:
    assert style(text) == wanted
