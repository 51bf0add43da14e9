"""The baseline gives correct labels, and the script prints its measurements."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.reproduction.speed import clock, plain
from benchmarks.reproduction.speed.__main__ import main
from benchmarks.reproduction.speed.clock import Part
from benchmarks.reproduction.speed.figures import (
    Figures,
    FileFigures,
    LongFigures,
    page,
    part_figures,
)
from benchmarks.reproduction.speed.parts import PLAIN, parts, size
from benchmarks.reproduction.speed.processes import write_repeated
from grammar.errors import HopcheckError
from grammar.eventhop.lexicon import detect
from grammar.eventhop.reader import reader
from solver.eventhop.crosscheck import engine
from solver.eventhop.engines import EngineName
from solver.eventhop.io import read_records
from solver.eventhop.records import Record

ROOT = Path(__file__).resolve().parents[3]
RIGHT = ROOT / "examples" / "right.tsv"
FLAWED = ROOT / "examples" / "flawed.tsv"


def decided(path: Path) -> list[str]:
    records = [record for record in read_records(path) if isinstance(record, Record)]
    items = [reader(detect(r.premise, r.claim)).read(r.id, r.premise, r.claim) for r in records]
    return [verdict.label.value for verdict in engine(EngineName.GRAPH).decide(items)]


@pytest.mark.parametrize("path", [RIGHT, FLAWED], ids=lambda path: path.name)
def test_the_plain_loop_is_right(path: Path) -> None:
    labels = list(plain.labels(path))
    assert labels == decided(path)
    assert len(set(labels)) == 3


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("temporal_test", marks=pytest.mark.slow),
        *("temporal_train", "spatial_test", "logical_test"),
    ],
)
def test_the_plain_loop_is_right_on_the_real_files(shared: Path, name: str) -> None:
    path = shared / "data" / "eventhop" / f"{name}.tsv.gz"
    assert list(plain.labels(path)) == decided(path)


def test_every_part_can_be_done() -> None:
    made = parts(RIGHT)
    names = [part.name for part in made]
    assert names[0] == PLAIN
    assert {"read", "parse", "asp", "graph", "smt", "certify", "replay"} < set(names)
    assert [part.name for part in made if part.whole][1:] == [
        "verify, asp = graph",
        "verify, asp = graph = smt",
    ]
    for part in made:
        part.run()


def test_a_file_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "broken.tsv"
    path.write_text("1\tpossible\n", encoding="utf-8")
    with pytest.raises(HopcheckError, match=r"broken\.tsv:1"):
        parts(path)


@pytest.fixture
def no_collection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here it would visit what all other tests have loaded."""
    monkeypatch.setattr(clock.gc, "collect", lambda: 0)


@pytest.mark.usefixtures("no_collection")
def test_parts_are_timed_in_turns() -> None:
    done: list[str] = []
    doing = [Part(name=name, run=lambda name=name: done.append(name)) for name in "ab"]
    seen: list[str] = []
    taken = clock.milliseconds(doing, rounds=2, each=lambda part: seen.append(part.name))
    assert done == seen == ["a", "b"] * 3
    assert set(taken) == {"a", "b"}
    assert all(time >= 0 for time in taken.values())


@pytest.mark.usefixtures("no_collection")
def test_work_takes_time() -> None:
    busy = Part(name="busy", run=lambda: sum(range(200_000)))
    idle = Part(name="idle", run=lambda: None)
    taken = clock.milliseconds([busy, idle], rounds=1)
    assert taken["busy"] > taken["idle"]


def test_figures_are_per_item_and_per_plain_loop() -> None:
    doing = [Part(name=PLAIN, run=int, whole=True), Part(name="read", run=int)]
    figure, other = part_figures(doing, {PLAIN: 8.0, "read": 2.0}, items=4)
    assert (figure.milliseconds, figure.ratio, figure.whole) == (2.0, 1.0, True)
    assert (other.milliseconds, other.ratio, other.whole) == (0.5, 0.25, False)


def test_the_page_tells_the_figures() -> None:
    doing = [Part(name=PLAIN, run=int, whole=True), Part(name="read", run=int)]
    figures = part_figures(doing, {PLAIN: 8.0, "read": 2.0}, items=4)
    figures = Figures(
        files=(FileFigures(file="x.tsv", items=4, rounds=3, parts=figures, mebibytes=35.4),),
        long=LongFigures(
            file="x.tsv", items=50_000, seconds=40.0, seconds_on_two=20.0, mebibytes=60.0
        ),
        help_milliseconds=81.6,
        machine={"python": "3.11.7"},
    )
    shown = page(figures)
    for line in (
        "Measured with python 3.11.7.",
        "## x.tsv, 4 items (medians of 3 rounds)",
        "| **plain loop** | 2.000 | 1.00 |",
        "| read | 0.500 | 0.25 |",
        "Peak memory of `verify`: 35 MiB.",
        "## 50,000 items (those of x.tsv, repeated)",
        "| speed-up | 2.00 |",
        "`python -m solver --help` starts in 82 ms (median).",
    ):
        assert line in shown.splitlines()
    values = json.loads(json.dumps(figures.as_json()))
    assert values["long"]["speed_up"] == 2.0
    assert values["files"][0]["parts"][1] == {
        "name": "read",
        "milliseconds": 0.5,
        "ratio": 0.25,
        "whole": False,
    }


def test_a_long_file_is_the_short_one_again_and_again(tmp_path: Path) -> None:
    target = tmp_path / "long.tsv"
    write_repeated(RIGHT, target, 40)
    records = [record for record in read_records(target) if isinstance(record, Record)]
    assert [record.id for record in records] == [str(n) for n in range(40)]
    assert records[0].premise == records[size(RIGHT)].premise
    assert decided(target)[:16] == decided(RIGHT)


def test_the_script() -> None:
    command = [sys.executable, "-m", "benchmarks.reproduction.speed", str(RIGHT), "--json"]
    done = subprocess.run(
        [*command, "--rounds", "1", "--items", "20"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    figures = json.loads(done.stdout)
    assert figures["files"][0]["file"] == "right.tsv"
    assert figures["files"][0]["items"] == 16
    assert figures["long"]["items"] == 20
    assert figures["help_milliseconds"] > 0
    assert 10 < figures["files"][0]["mebibytes"] < 500


def test_a_file_without_items_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "empty.tsv").touch()
    broken = CliRunner().invoke(main, [str(tmp_path / "empty.tsv")])
    assert broken.exit_code == 2
    assert broken.stderr.startswith("error: ")
    assert broken.stderr.count("\n") == 1
