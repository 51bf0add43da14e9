"""The script that measures mining reports what was mined."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from benchmarks.reproduction.speed.mining import main

ROOT = Path(__file__).resolve().parents[3]


def test_the_example_is_measured() -> None:
    ran = CliRunner().invoke(main, [str(ROOT / "examples" / "tkg"), "--rounds", "1"])
    assert ran.exit_code == 0, ran.output
    output = json.loads(ran.output)
    assert [record["rules"] for record in output["exact"]] == [150, 2_663]
    assert output["facts"] == 378
    assert output["sampled"]["same_on_two"]
    assert output["sampled"]["near_exact"] > 0.95
    assert min(record["seconds"] for record in output["exact"]) > 0
    assert min(record["mebibytes"] for record in output["exact"]) > 10
