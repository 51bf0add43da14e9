"""Batches of pairs of similar length, which need little padding."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from solver.seeding import seed_of

POOL = 50
"""Number of batches whose pairs are sorted by length together."""


def epoch_batches(
    lengths: Sequence[int], size: int, *, seed: int, epoch: int
) -> list[tuple[int, ...]]:
    """The batches of an epoch in order; each pair is in one of them.

    They depend only on the arguments, so that training can resume within an epoch.
    """
    random = Random(seed_of(seed, "encoder", "epoch", epoch))
    order = list(range(len(lengths)))
    random.shuffle(order)
    batches: list[tuple[int, ...]] = []
    for start in range(0, len(order), POOL * size):
        batches += by_length(lengths, order[start : start + POOL * size], size)
    random.shuffle(batches)
    return batches


def by_length(lengths: Sequence[int], places: Sequence[int], size: int) -> list[tuple[int, ...]]:
    """Batches of the given positions, from short to long."""
    ordered = sorted(places, key=lengths.__getitem__)
    return [tuple(ordered[at : at + size]) for at in range(0, len(ordered), size)]
