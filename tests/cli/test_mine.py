"""``mine``: rules are mined, printed and written in each format."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from solver.rules.io import read_rules

Solver = Callable[..., Any]


def test_the_rules_of_the_example_are_found(solver: Solver, examples: Path) -> None:
    ran = solver("mine", examples / "tkg", "--json", "--show", 50, "--min-confidence", 0.5)
    assert ran.status == 0
    output = {record["rule"]: record for record in ran.json["best"]}
    hosted = output["hosts(A, B) <- visits(B, A)"]
    # Each visit but one on the last day is hosted a day later.
    assert hosted["rule_support"] == hosted["body_support"] - 1
    assert "sanctions(A, B) <- threatens(A, B)" in output
    assert "blames(A, B) <- sanctions(B, C), allies(C, A)" in output
    assert ran.json["method"] == "exact"
    assert [row["length"] for row in ran.json["lengths"]] == [1, 2]
    assert all(record["confidence"] >= 0.5 for record in ran.json["best"])


def test_the_screen_shows_counts_and_rules(solver: Solver, examples: Path) -> None:
    ran = solver("mine", examples / "tkg", "--show", 1)
    assert "378 facts" in ran.out
    assert "hosts(A, B) <- visits(B, A)" in ran.out
    assert "threatens" not in ran.out


@pytest.mark.parametrize("name", ["r.json", "r.jsonl", "r.parquet", "r.json.gz", "r.lp"])
def test_rules_are_written(solver: Solver, examples: Path, tmp_path: Path, name: str) -> None:
    ran = solver("mine", examples / "tkg", "--out", tmp_path / name, "--min-support", 30, "--json")
    assert ran.status == 0
    if name == "r.lp":
        assert len((tmp_path / name).read_text().splitlines()) == ran.json["rules"]
        return
    rules = read_rules(tmp_path / name, relations=8)
    assert len(rules) == ran.json["rules"] > 0
    assert rules.body_support.min() >= 30
    assert (rules.head == rules.sorted().head).all()


def test_processes_write_the_same_bytes(solver: Solver, examples: Path, tmp_path: Path) -> None:
    written = []
    for method in ("exact", "sample"):
        for jobs in (1, 2):
            out = tmp_path / f"{method}{jobs}.json"
            options = ("--lengths", "1,2", "--method", method, "--jobs", jobs, "--seed", 5)
            assert solver("mine", examples / "tkg", *options, "--out", out).status == 0
            written.append(out.read_bytes())
    assert written[0] == written[1]
    assert written[2] == written[3] != written[0]


def test_long_rules_are_sampled_and_seeds_matter(solver: Solver, examples: Path) -> None:
    first, again, other = (
        solver("mine", examples / "tkg", "--lengths", "3", "--seed", seed, "--json").json
        for seed in (1, 1, 2)
    )
    assert first["method"] == "sample"
    assert first == again
    assert first["best"] != other["best"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--lengths", "0"), "expected numbers from 1 to 6"),
        (("--lengths", "1,x"), "expected numbers from 1 to 6"),
        (("--out", "rules.txt"), "rules.txt: found the file extension '.txt', expected .json"),
        (("--out", "missing/rules.json"), "cannot be written"),
        (("--split", "trial"), "'trial' is not one of train, valid, test"),
    ],
)
def test_refusals(
    solver: Solver,
    examples: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: tuple[str, ...],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = solver("mine", examples / "tkg", *options)
    assert ran.status == 2
    assert message in ran.err
    assert not ran.out


def test_more_groundings_than_can_be_counted(solver: Solver, tmp_path: Path) -> None:
    facts = "".join(f"0\t{relation}\t1\t0\n" for relation in range(60))
    (tmp_path / "train.txt").write_text(facts)
    ran = solver("mine", tmp_path, "--method", "exact", "--lengths", 6)
    assert ran.status == 2
    # 120 facts both ways, and 60 to go on with from each.
    assert f"found {120 * 60**5:,} body groundings of length 6" in ran.err
    assert "use --method sample" in ran.err


def test_an_invalid_graph_is_reported_with_its_location(solver: Solver, tmp_path: Path) -> None:
    (tmp_path / "train.txt").write_text("0\t0\t1\t0\n0\tnan\t1\t1\n")
    ran = solver("mine", tmp_path)
    assert ran.status == 2
    assert "train.txt:2:3: " in ran.err


def test_splits_are_chosen(solver: Solver, examples: Path) -> None:
    counts = [
        solver("mine", examples / "tkg", "--split", split, "--json").json["facts"]
        for split in ("train", "test", "train,test", "all")
    ]
    assert counts[0] + counts[1] == counts[2] < counts[3]


def test_a_split_without_facts(solver: Solver, tmp_path: Path) -> None:
    (tmp_path / "train.txt").write_text("0\t0\t1\t0\n")
    ran = solver("mine", tmp_path, "--split", "valid,test")
    assert ran.status == 2
    assert "found no facts in valid, test" in ran.err
