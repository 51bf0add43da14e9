"""What was learned from facts of the evaluated times is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from solver.graph.io import read_dataset
from solver.graph.model import Dataset, Split
from solver.rules.provenance import LeakError, Seen, refuse_leak

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "tkg"


@pytest.fixture(scope="module")
def dataset() -> Dataset:
    return read_dataset(EXAMPLE)


def test_earlier_facts_are_no_leak(dataset: Dataset) -> None:
    times, seen = dataset.facts(Split.TEST).time, Seen.of(dataset, [Split.TRAIN])
    assert refuse_leak(seen, dataset, times, "rules") == ()
    assert refuse_leak(None, dataset, times, "rules") == ()
    whole = Seen.of(dataset, [*Split])
    assert refuse_leak(whole, dataset, times[:0], "rules") == ()


@pytest.mark.parametrize("after", [0, 1])
def test_facts_of_the_first_evaluated_time_are_a_leak(dataset: Dataset, after: int) -> None:
    seen = Seen.of(dataset, [Split.TRAIN])
    times = np.array([seen.last + 5, seen.last + after])
    if after:
        assert refuse_leak(seen, dataset, times, "rules") == ()
        return
    with pytest.raises(LeakError, match=f"expected facts before time {seen.last_name}, the first"):
        refuse_leak(seen, dataset, times, "rules")
    (note,) = refuse_leak(seen, dataset, times, "rules", allow=True)
    assert note == (
        f"rules was learned from train of {dataset.name}, up to time {seen.last_name}, and is "
        f"evaluated from time {seen.last_name} on"
    )
