"""The permutation test compared with scipy's, and with full enumeration for few items."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from scipy import stats

from benchmarks.metrics.ranking import Numbers
from benchmarks.metrics.significance import permutation_test
from benchmarks.texts.elements import Mode, Profile
from benchmarks.texts.extraction import Extraction, Item, extract
from benchmarks.texts.scores import compare
from solver.seeding import seed_of

RIGHT = ["Ann Lake", "startMemberOf", "Choir", "2031-01-01"]
LATE = ["Ann Lake", "startMemberOf", "Choir", "2031-01-02"]


def samples(size: int, seed: int) -> tuple[Numbers, Numbers]:
    source = np.random.default_rng(seed)
    array = source.choice([0.25, 0.5, 0.75, 1.0], size=size)
    return array, np.clip(
        array + source.choice([-0.25, 0.0, 0.25], size=size, p=[0.5, 0.3, 0.2]), 0, 1
    )


@pytest.mark.parametrize("paired", [True, False])
def test_p_is_scipys_on_the_same_resamples(paired: bool) -> None:
    array, other = samples(60, 1)
    found = permutation_test(array, other, paired=paired, seed=5, resamples=999)
    own_result = stats.permutation_test(
        (array, other),
        lambda x, y: np.mean(x) - np.mean(y),
        permutation_type="samples" if paired else "independent",
        n_resamples=999,
        rng=np.random.Generator(np.random.PCG64(seed_of(5, "quadruples", "permutation"))),
    )
    assert found.p == own_result.pvalue
    assert found.difference == pytest.approx(own_result.statistic)
    assert 0 < found.p < 1
    assert found == permutation_test(array, other, paired=paired, seed=5, resamples=999)


def test_few_paired_items_are_permuted_in_all_ways() -> None:
    array, other = samples(8, 3)
    gaps = array - other
    drawn = [float(np.mean(gaps * signs)) for signs in product((1, -1), repeat=8)]
    value = abs(float(gaps.mean()))
    wanted = np.mean([abs(mean) >= value - 1e-9 for mean in drawn])
    assert permutation_test(array, other, paired=True).p == pytest.approx(wanted)


def test_few_items_of_other_texts_are_permuted_in_all_ways() -> None:
    array, other = samples(5, 4)
    pooled = np.concatenate([array, other])
    drawn = []
    for chosen in combinations(range(10), 5):
        mask = np.isin(np.arange(10), chosen)
        drawn.append(pooled[mask].mean() - pooled[~mask].mean())
    value = array.mean() - other.mean()
    sides = [np.mean(np.array(drawn) * sign >= sign * value - 1e-9) for sign in (1, -1)]
    assert permutation_test(array, other, paired=False).p == pytest.approx(min(1, 2 * min(sides)))


def run(*facts: list[str]) -> Extraction:
    return extract(
        [Item(references=[RIGHT], candidates=[fact] if fact else []) for fact in facts],
        Profile.RELEASED,
    )


def test_runs_are_compared_by_item() -> None:
    extraction, other = run(*[RIGHT] * 6), run(*[LATE] * 6)
    result = compare(extraction, other, paired=True)
    assert result is not None
    assert result.items == (6, 6)
    strict = result.modes[Mode.STRICT]
    assert strict.difference == pytest.approx(1 / 4)
    assert strict.p == pytest.approx(2 / 2**6)
    back = compare(other, extraction, paired=True)
    assert back is not None
    assert back.modes[Mode.STRICT].difference == pytest.approx(-1 / 4)
    assert back.modes[Mode.STRICT].p == strict.p


def test_items_that_one_run_lacks_are_left_out_of_a_paired_test() -> None:
    items = [Item(references=[RIGHT], candidates=[RIGHT])] * 4
    extraction = extract(items, Profile.RELEASED, unread=[1])
    result = compare(extraction, extract(items, Profile.RELEASED), paired=True)
    assert result is not None
    assert result.items == (3, 3)
    assert result.modes[Mode.STRICT].p == 1
    empty = extract([], Profile.RELEASED)
    assert compare(extraction, empty, paired=False) is None
    single = extract(items[:1], Profile.RELEASED)
    alone = compare(single, single, paired=True)
    assert alone is not None
    assert alone.modes[Mode.STRICT].p == 1
