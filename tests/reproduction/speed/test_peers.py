"""The comparison with programs of rules: parts of a graph, kept steps, equal candidates."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from benchmarks.reproduction import RESULTS
from benchmarks.reproduction.speed import peers
from solver.graph.io import read_dataset
from solver.graph.model import Split

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE, DOCS = ROOT / "examples" / "tkg", ROOT / "docs"
LEARN = """
import json, os, sys
name = sys.argv[2]
os.makedirs(f"../output/{name}", exist_ok=True)
rule = {"head_rel": 0, "body_rels": [0], "var_constraints": [], "conf": 0.5, "rule_supp": 1,
        "body_supp": 2}
json.dump({"0": [rule]}, open(f"../output/{name}/x_rules.json", "w"))
"""
APPLY = """
import json, sys
name = sys.argv[2]
rows = [line.split("\\t") for line in open(f"../data/{name}/test.txt")]
found = {n: {} for n in range(2 * len(rows))}
assert len(rows[0][0]) > 1, "names"
json.dump(found, open(f"../output/{name}/x_cands_r1.json", "w"))
"""


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    """The example, with vocabularies as the program reads them."""
    folder = tmp_path / "graph"
    folder.mkdir()
    for name in ("train.txt", "valid.txt", "test.txt", "stat.txt"):
        (folder / name).write_bytes((EXAMPLE / name).read_bytes())
    for kind in ("entity", "relation", "ts"):
        rows = (EXAMPLE / f"{kind}2id.txt").read_text(encoding="utf-8").splitlines()
        numbers = {text: int(number) for text, number in (row.split("\t") for row in rows)}
        if kind == "ts":
            numbers = {f"day {number}": number for number in numbers.values()}
        (folder / f"{kind}2id.json").write_text(json.dumps(numbers), encoding="utf-8")
    return folder


@pytest.mark.parametrize("share", ["1/8", "1/3", "1"])
def test_a_part_has_the_first_times_of_each_split(graph: Path, share: str) -> None:
    dataset = read_dataset(graph)
    above, _, below = share.partition("/")
    for split in Split:
        rows = [
            [int(value) for value in line.split()]
            for line in (graph / f"{split}.txt").read_text(encoding="utf-8").splitlines()
        ]
        times = range(min(row[3] for row in rows), max(row[3] for row in rows) + 1)
        most = -(-len(times) * int(above) // int(below or 1))
        kept = times[: min(most, peers.DAYS) if split is Split.TEST else most]
        assert peers.quadruples(dataset, split, share) == [row for row in rows if row[3] in kept]


def test_finished_steps_are_kept(graph: Path, tmp_path: Path) -> None:
    program, out = tmp_path / "program", tmp_path / "out"
    (program / "mycode").mkdir(parents=True)
    (program / "mycode" / "learn.py").write_text(LEARN, encoding="utf-8")
    (program / "mycode" / "apply.py").write_text(APPLY, encoding="utf-8")
    dataset = read_dataset(graph)
    found = peers.compared(program, graph, dataset, sys.executable, out, "1/2")
    assert found["rules"][0] == 1
    assert found["rules"][1] > 1
    assert min(found[step][who] for step in ("mine", "apply") for who in ("program", "own")) > 0
    assert (found["answered"], found["same_candidates"]) == (0, 0)
    (out / "program" / "mycode" / "learn.py").unlink()
    assert peers.compared(program, graph, dataset, sys.executable, out, "1/2") == found


def test_another_program_gets_its_words(graph: Path, tmp_path: Path) -> None:
    program = tmp_path / "program" / "mycode"
    program.mkdir(parents=True)
    for name, text, word in (("learn", LEARN, "-aw 0"), ("apply", APPLY, "-a 0.5")):
        asked = f'assert " ".join(sys.argv).endswith("{word}"), sys.argv\n'
        (program / f"{name}.py").write_text(text + asked, encoding="utf-8")
    given = (program.parent, graph, read_dataset(graph), sys.executable, tmp_path / "out", "1/2")
    found = peers.compared(*given, "tr-rules")
    assert found["learner"] == "tr-rules"
    assert min(found[step]["program"] for step in ("mine", "apply")) > 0
    assert "same_candidates" not in found


def test_candidates_are_compared_where_the_program_has_some() -> None:
    published = {(0, 0, 5): {1: 0.5, 2: 0.25}, (0, 1, 5): {3: 0.5}, (1, 0, 5): {}}
    ours = {(0, 0, 5): {1: 0.5, 2: 0.125}, (0, 1, 5): {4: 0.5}, (1, 0, 5): {7: 0.1}}
    assert peers.agreement(published, ours) == {
        "queries": 3, "answered": 2, "same_candidates": 0.5, "largest_difference": 0.12,
    }  # fmt: skip


def test_queries_are_forward_then_inverse(graph: Path) -> None:
    dataset = read_dataset(graph)
    rows, queries = peers.quadruples(dataset, Split.TEST, "1"), peers.asked(dataset, "1")
    size = dataset.vocabulary.relations
    assert queries[: len(rows)] == [(head, relation, at) for head, relation, _, at in rows]
    assert queries[len(rows) :] == [(tail, relation + size, at) for _, relation, tail, at in rows]


def test_the_page_shows_the_results() -> None:
    kept = json.loads((RESULTS / "peers.json").read_bytes())
    assert (RESULTS / "peers.md").read_text(encoding="utf-8") == peers.table(kept["parts"])
    page = (DOCS / "rules-mine.md").read_text(encoding="utf-8")
    assert peers.table(kept["parts"]).strip() in page
    same = [part for part in kept["parts"] if part["learner"] == "tlogic"]
    assert {part["same_candidates"] for part in same} == {1.0}
    whole = same[-1]
    figures = (
        f"`mine` is {whole['mine']['times']:.0f} times and `apply` {whole['apply']['times']:.0f}"
    )
    assert figures in (ROOT / "README.md").read_text(encoding="utf-8")
