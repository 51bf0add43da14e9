"""Work on a cluster of two nodes, of which one is killed, and the memory of processes."""

from __future__ import annotations

import json
from importlib.util import find_spec

import pytest
from click.testing import CliRunner

from benchmarks.speed.cluster import main


def measured(*arguments: str) -> dict[str, dict[str, dict[str, float]]]:
    done = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    found: dict[str, dict[str, dict[str, float]]] = json.loads(done.stdout)
    return found


def test_memory_is_that_of_every_process() -> None:
    run = measured("memory", "--items", "30")["runs"]["30"]
    assert 20 < run["mebibytes, main process"] <= run["mebibytes, any process"] < 500


@pytest.mark.slow
def test_a_killed_node_changes_no_byte() -> None:
    if find_spec("ray") is None:
        pytest.skip("ray is not installed (make ray)")
    found = measured("bytes", "--verified", "3000", "--generated", "600")
    assert found["verified"]["same"]
    assert found["generated"]["same"]
    assert found["verified"]["node killed"]
