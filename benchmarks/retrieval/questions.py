"""Selects the queried facts of a split."""

from __future__ import annotations

import numpy as np

from benchmarks.retrieval.instances import Instances
from solver.reading.failures import InputError
from solver.seeding import seed_of
from solver.tkg.dataset import Dataset, Split
from solver.tkg.quadruples import Ids


def rows_of(
    dataset: Dataset, split: Split, instances: Instances | None, *, sample: int = 0, seed: int = 0
) -> Ids:
    """Rows of a split's consequences, or of all its facts without instances.

    Args:
        dataset: data set; rows are counted over all its splits.
        split: queried split.
        instances: instances of the planted patterns, if known.
        sample: maximum number of sampled rows; 0 for all.
        seed: random seed of the sample.

    Raises:
        InputError: there are no such facts.
    """
    before = 0
    for one in Split:
        if one is split:
            break
        before += len(dataset.splits.get(one, ()))
    rows = np.arange(before, before + len(dataset.splits.get(split, ())), dtype=np.int64)
    if instances is not None:
        rows = rows[np.isin(rows, instances.consequence)]
    if not len(rows):
        what = "facts" if instances is None else "consequences"
        message = f"found no {what} in the split {split}, expected at least one"
        raise InputError(message, where=dataset.name)
    if 0 < sample < len(rows):
        random = np.random.Generator(np.random.PCG64(seed_of(seed, "prompts", split)))
        rows = np.sort(random.choice(rows, sample, replace=False))
    return rows
