"""The reader, the engine and the checker of the playground, in node, are compared with Python."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from itertools import islice
from pathlib import Path

import pytest

from solver.eventhop import check
from tests.campaigns.playground import (
    Comparison,
    Texts,
    generated,
    mutants,
    of_files,
    page,
)

FILES = ("temporal_test", "temporal_train", "spatial_test", "logical_test")
ITEM = Texts(
    "The end of fair happened before the start of race.",
    "fair happens before race",
    "geometric",
    "local",
)


@pytest.mark.parametrize("file", FILES)
def test_published_items(site: Path, shared: Path, file: str) -> None:
    """Every tenth; the campaign compares all."""
    items = list(of_files([str(shared / "data" / "eventhop" / f"{file}.tsv.gz")]))[::10]
    found = Comparison(site)
    rows = found.items(items)
    assert found.differences == []
    assert found.counts["verdicts"] == len(items) >= 72
    lines = [json.dumps(row) for row in rows]
    assert page("check", lines, site) == [{"reason": None, "read": True}] * len(items)


@pytest.mark.parametrize("seed", range(1, 5))
def test_generated_items_and_their_mutants(site: Path, seed: int) -> None:
    found = Comparison(site)
    rows = found.items(list(islice(generated(seed), 600)))
    found.mutants(islice(mutants(rows, random.Random(seed)), 2_500))
    assert found.differences == []
    assert found.counts["errors"] > 50
    for status in ("entailed", "refuted", "unknown", "contradictory"):
        assert found.counts[status] > 5
    assert 200 < found.counts["mutants accepted"] < 2_000


CHANGES = (
    ("0]", "0.0]"),
    ("0]", "0e0]"),
    ('"cycle": null', '"cycle": NaN'),
    ('"policy": "local"', '"policy": "global", "policy": "local"'),
    ('"hops": 1', '"hops": true'),
    ('"hops": 1', '"hops": 123456789012345678901234567890'),
    ('"start of race"', '"toString"'),
    ('"walks": [', '"__proto__": [], "walks": ['),
    ('"id": "given"', '"id": "given", "gold": 1.5'),
)


def test_lines_that_readers_of_json_may_take_for_others(site: Path, tmp_path: Path) -> None:
    (row,) = page("decide", [json.dumps(ITEM._asdict())], site)
    line = json.dumps(row)
    lines = [line, *(line.replace(right, wrong, 1) for right, wrong in CHANGES)]
    assert len(set(lines)) == 1 + len(CHANGES)
    path = tmp_path / "items.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    accepted = [reason is None for _, _, reason in check.check_file(str(path))]
    assert [record["reason"] is None for record in page("check", lines, site)] == accepted
    assert accepted == [True] + 8 * [False] + [True]


def planted(site: Path, folder: Path, right: str, wrong: str) -> Path:
    """A copy of what node runs, with a fault."""
    for name in ("tables.json", "clingo.wasm"):
        shutil.copyfile(site / name, folder / name)
    script = (site / "core.js").read_text(encoding="utf-8")
    assert script.count(right) == 1, right
    (folder / "core.js").write_text(script.replace(right, wrong), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('begin: "-"', 'begin: "+"'),
        ("ALIKE = 0.75", "ALIKE = 0.7"),
        ("this.#step(2 * event, 2 * event + 1, true, null)", "void 0"),
        ("after[point] ? at.length : 0", "0"),
        ("Number(consistent)", "1"),
        ('whole(entry[1], "a distance")', 'whole(entry[2], "a distance")'),
        ('found.startsWith("accepted")', "true"),
    ],
)
def test_a_planted_fault_is_noticed(site: Path, tmp_path: Path, right: str, wrong: str) -> None:
    """By the first 3,000 items at the latest; most of them have no phrase that a fault changes."""
    found, items = Comparison(planted(site, tmp_path, right, wrong)), generated(10)
    draw = random.Random(10)
    for _ in range(10):
        try:
            rows = found.items(list(islice(items, 300)))
            found.mutants(islice(mutants(rows, draw), 1_500))
        except subprocess.CalledProcessError:
            return
        if found.counts["differences"] > 0:
            return
    raise AssertionError
