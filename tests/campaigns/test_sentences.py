"""A slice of the campaign of random sentences; its results file continues where it ended."""

from __future__ import annotations

from pathlib import Path

import msgspec

from tests.campaigns import sentences


def test_a_slice_is_read_alike() -> None:
    counts = sentences.run(0, 150)
    assert counts["sentences"] == counts["texts"] == 150
    assert counts["sentences read"] > 20
    assert not [name for name in counts if name.endswith("two readings")]


def test_two_shards_differ_and_one_is_always_the_same() -> None:
    first, again, second = (list(sentences.texts_of(shard, 20)) for shard in (0, 0, 1))
    assert first == again != second


def test_the_recorded_figures_are_of_whole_shards() -> None:
    counts = msgspec.json.decode(sentences.TARGET.read_bytes())["counts"]
    assert counts["sentences"] == counts["texts"]
    assert counts["sentences"] % sentences.SHARD == 0
    assert not [name for name in counts if name.endswith("two readings")]


def test_the_documentation_has_the_recorded_figures() -> None:
    counts = msgspec.json.decode(sentences.TARGET.read_bytes())["counts"]
    page = (Path(__file__).parents[2] / "docs" / "eventhop-texts.md").read_text(encoding="utf-8")
    for name in ("sentences", "sentences read", "texts read"):
        assert f"{counts[name]:,}" in page
