"""A slice of the campaign that kills commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaigns import kills


@pytest.mark.parametrize(
    "number", [len(kills.SUBJECTS), pytest.param(10 * len(kills.SUBJECTS), marks=pytest.mark.slow)]
)
def test_a_killed_command_leaves_the_earlier_or_the_finished_output(
    number: int, tmp_path: Path
) -> None:
    found = kills.tally(3, 0, number, tmp_path)
    assert found.faults == []
    assert found.states.total() == number


def test_torn_files_and_wrong_manifests_are_faults(tmp_path: Path) -> None:
    earlier, later = {"a": b"old", "b": b"old"}, {"a": b"new", "b": b"new", "c": b"new"}
    assert list(kills.torn({"a": b"old", "c": b"new"}, earlier, later)) == []
    assert len(list(kills.torn({"a": b"ol", "c": b"", "d": b"new"}, earlier, later))) == 3
    kills.ended(["generate", "traces", "--test", "3", "--probes", "none", "--out", f"{tmp_path}/t"])
    assert list(kills.misdescribed(tmp_path)) == []
    (tmp_path / "t" / "test.jsonl").write_bytes(b"{}\n")
    assert list(kills.misdescribed(tmp_path))
