"""A slice of the campaign that answers generated problems by brute force."""

from __future__ import annotations

import pytest

from generators.problems.run import KINDS
from tests.campaigns import problems


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("items", [160, pytest.param(10_000, marks=pytest.mark.slow)])
def test_labels_are_those_of_a_brute_force(kind: str, items: int) -> None:
    assert list(problems.differences(kind, items, 5, decided=items < 1_000)) == []
