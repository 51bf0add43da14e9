"""A slice of the campaign that kills commands."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from solver.cli.options import NewFile, NewFolder
from tests.campaigns import kills
from tests.solver.dataset.test_seal import commands


@pytest.mark.parametrize(
    ("first", "number"),
    [
        *((0, 4), (4, 3), (7, 3), (10, 3)),
        pytest.param(0, 10 * len(kills.SUBJECTS), marks=pytest.mark.slow),
    ],
)
def test_a_killed_command_leaves_the_earlier_or_the_finished_output(
    first: int, number: int, tmp_path: Path
) -> None:
    found = kills.tally(3, first, number, tmp_path)
    assert found.faults == []
    assert found.states.total() == number


EXCEPTIONS = {
    "explain --": "writes one picture, as explain --svg does",
    "train ": "needs torch; finished checkpoints stay, which its own tests kill",
    "baseline encoder": "needs torch and a trained model",
    "baseline forecaster": "needs torch and a trained model",
    "calibrate ": "a journal of trials stays, from which the next run goes on; its tests kill it",
    "import ": "the writer of folders of graphs, which generate tkg and export graph use",
    "export yago ": "the writer of folders of facts needs data of YAGO",
    "generate moved-texts": "the writer of generate texts",
}
"""Commands that write and are not killed, by the beginning of their names, and why."""


def test_each_command_that_writes_is_killed_or_an_exception() -> None:
    """A new command that writes has to be added to the subjects."""
    writing = {
        f"{name} {param.opts[0] if isinstance(param, click.Option) else param.name}"
        for name, command in commands()
        for param in command.params
        if isinstance(param.type, NewFile | NewFolder)
    }
    excepted = {name for name in writing if name.startswith(tuple(EXCEPTIONS))} - {*kills.SUBJECTS}
    assert writing - excepted == {*kills.SUBJECTS} - VARIANTS
    for beginning in EXCEPTIONS:
        assert any(name.startswith(beginning) for name in excepted), beginning


VARIANTS = {"generate eventhop --shard-size"}
"""Subjects beyond one for each option that names an output."""


def test_torn_files_and_wrong_manifests_are_faults(tmp_path: Path) -> None:
    earlier, later = {"a": b"old", "b": b"old"}, {"a": b"new", "b": b"new", "c": b"new"}
    assert list(kills.torn({"a": b"old", "c": b"new"}, earlier, later)) == []
    assert len(list(kills.torn({"a": b"ol", "c": b"", "d": b"new"}, earlier, later))) == 3
    kills.ended(["generate", "traces", "--test", "3", "--probes", "none", "--out", f"{tmp_path}/t"])
    assert list(kills.misdescribed(tmp_path)) == []
    (tmp_path / "t" / "test.jsonl").write_bytes(b"{}\n")
    assert list(kills.misdescribed(tmp_path))
