"""Batches: every pair once, alike in length, and the same ones each time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from benchmarks.eventhop.encoder.data import epoch_batches

LENGTHS = st.lists(st.integers(1, 300), min_size=1, max_size=200)


@given(LENGTHS, st.integers(1, 20), st.integers(0, 3), st.integers(0, 3))
def test_an_epoch_has_each_pair_once(lengths: list[int], size: int, seed: int, epoch: int) -> None:
    batches = epoch_batches(lengths, size, seed=seed, epoch=epoch)
    assert sorted(place for batch in batches for place in batch) == list(range(len(lengths)))
    assert len(batches) == -(-len(lengths) // size)
    assert all(1 <= len(batch) <= size for batch in batches)
    assert batches == epoch_batches(lengths, size, seed=seed, epoch=epoch)


def test_little_is_filled_up_and_epochs_differ() -> None:
    lengths = [1 + (37 * place) % 211 for place in range(2_000)]
    first, second = (epoch_batches(lengths, 16, seed=0, epoch=epoch) for epoch in (0, 1))
    assert first != second
    filled = sum(max(lengths[place] for place in batch) * len(batch) for batch in first)
    assert filled < 1.05 * sum(lengths)
    # Long batches do not all come last.
    assert sum(lengths[batch[0]] for batch in first[:60]) > 3_000
