"""Single items: the bytes of the files, whatever the size of the split, at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from generators.eventhop.config import Config, Preset, Shape, Split
from generators.eventhop.shards import make_item
from grammar.eventhop.model import ClaimRelation, Domain

MakeData = Callable[..., Any]
SHAPES = ((8, 8), (8, 16), (16, 32), (32, 32))


def agree(made: Any) -> None:
    other = replace(made.config, sizes=dict.fromkeys(Split, 10**7))
    for split in Split:
        lines = (made.folder / f"{split}.jsonl").read_bytes().splitlines(keepends=True)
        for index in (*range(7), len(lines) // 2, len(lines) - 1):
            assert make_item(other, split, index) == lines[index]


@pytest.mark.parametrize(
    "preset",
    [
        # They differ from others by the names of their relations.
        pytest.param(
            preset,
            marks=[pytest.mark.slow] * ("simultaneous" in preset or preset is Preset.ONLY_BEFORE),
        )
        for preset in Preset
    ],
)
def test_of_every_preset(make_data: MakeData, preset: Preset) -> None:
    agree(make_data(preset))


@pytest.mark.parametrize("domain", [Domain.SPATIAL, Domain.LOGICAL])
def test_of_every_domain(make_data: MakeData, domain: Domain) -> None:
    agree(make_data(domain=domain))


@pytest.mark.parametrize("size", SHAPES, ids=str)
def test_an_item_takes_milliseconds(size: tuple[int, int], within: Callable[..., Any]) -> None:
    shape = Shape(events=size[0], relations=size[1])
    for claim in ClaimRelation:
        config = Config(shapes=(shape,), claims=(claim,))
        make_item(config, Split.TRAIN, 0)
        indices = range(3_000_000, 3_000_024, 3)
        within(0.05 * len(indices), lambda: [make_item(config, Split.TRAIN, n) for n in indices])  # noqa: B023 - called at once


def test_unmatched_items_too() -> None:
    shape = Shape(events=4, relations=3)
    small, large = (
        Config(shapes=(shape,), keep_unbalanced=True, sizes={Split.TEST: size})
        for size in (9, 90_000)
    )
    for index in (0, 8, 40):
        assert make_item(small, Split.TEST, index) == make_item(large, Split.TEST, index)
