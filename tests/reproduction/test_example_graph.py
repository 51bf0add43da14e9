from __future__ import annotations

from pathlib import Path

from benchmarks.reproduction.example_graph import dataset
from solver.graph.io import read_dataset
from solver.graph.model import Split

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "tkg"


def test_the_example_is_what_its_script_makes(tmp_path: Path) -> None:
    dataset().write(tmp_path)
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert made == {path.name: path.read_bytes() for path in EXAMPLE.iterdir()}


def test_splits_follow_each_other_in_time() -> None:
    read = read_dataset(EXAMPLE)
    times = [set(read.splits[split].time.tolist()) for split in Split]
    assert max(times[0]) < min(times[1]) <= max(times[1]) < min(times[2])
    facts = read.facts()
    assert len(facts.distinct()) == len(facts)
    assert read.vocabulary.entity(0) == "Arvenia"
