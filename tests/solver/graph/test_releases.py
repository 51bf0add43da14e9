"""Graphs in the forms in which they are released, with what is peculiar to each; all synthetic."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from solver.cli import run
from solver.graph.io import read_dataset
from solver.graph.model import REPEATED, Dataset, Split
from solver.io.sources import InputError

ENTITIES, RELATIONS = 30, 5
SPANS = {Split.TRAIN: range(20), Split.VALID: range(20, 24), Split.TEST: range(24, 30)}


def facts(seed: int) -> dict[Split, list[tuple[int, int, int, int]]]:
    """Distinct facts of each split in the order of their times, some at each time."""
    draw = random.Random(seed)
    made = {}
    for split, times in SPANS.items():
        chosen = {
            (draw.randrange(ENTITIES), draw.randrange(RELATIONS), draw.randrange(ENTITIES), time)
            for time in times
            for _ in range(4)
        }
        made[split] = sorted(chosen, key=lambda fact: (fact[3], draw.random()))
    return made


def lines(rows: list[tuple[object, ...]], separator: str = "\t", end: str = "\n") -> bytes:
    return "".join(separator.join(map(str, row)) + end for row in rows).encode()


@pytest.mark.parametrize(
    ("name", "step", "extra", "stat", "end", "maps", "repeats"),
    [
        ("ICEWS14", 24, (0,), "30\t5\n", "\n", True, 0),
        ("ICEWS18", 24, (0,), "30\t5", "\n", True, 0),
        ("ICEWS05-15", 24, (), "30\t5\t0\n", "\r\n", True, 0),
        ("GDELT", 15, (0,), "30 5", "\n", False, 0),
        ("WIKI", 1, (-1,), "30\t5\t0\n", "\n", True, 7),
        ("YAGO", 1, (-1,), "30\t5\n", "\n", True, 3),
    ],
)
def test_folders_of_ids(
    tmp_path: Path,
    name: str,
    step: int,
    extra: tuple[int, ...],
    stat: str,
    end: str,
    maps: bool,
    repeats: int,
) -> None:
    """As RE-Net and RE-GCN have them: hours, quarters or years; a fifth column; rows twice."""
    wanted = {
        split: [(s, r, o, t * step) for s, r, o, t in rows] for split, rows in facts(1).items()
    }
    for split, rows in wanted.items():
        written = [(*row, *extra) for row in rows]
        if split is Split.TRAIN:
            written = sorted(written + written[:repeats], key=lambda row: row[3])
        (tmp_path / f"{split}.txt").write_bytes(lines(written, end=end))
    (tmp_path / "stat.txt").write_text(stat)
    if maps:
        for column, count in (("entity", ENTITIES), ("relation", RELATIONS)):
            named = [(f"{column} {n} (of the {name})", n) for n in range(count)]
            (tmp_path / f"{column}2id.txt").write_bytes(lines(named, end=end))
    read = read_dataset(tmp_path)
    assert {
        split: list(map(tuple, rows.rows().tolist())) for split, rows in read.splits.items()
    } == wanted
    assert read.left_out == ({REPEATED: repeats} if repeats else {})
    assert (read.vocabulary.entities, read.vocabulary.relations) == (ENTITIES, RELATIONS)
    assert bool(read.vocabulary.entity_names) is maps


@pytest.mark.parametrize("header", [(), (("head", "relation", "tail", "date"),)])
def test_names_and_dates(tmp_path: Path, header: tuple[tuple[str, ...], ...]) -> None:
    """As TLogic has ICEWS14, ICEWS18 and ICEWS05-15: names and days, in files of three splits."""
    days = np.datetime64("2014-12-20") + np.arange(30)
    made = facts(2)
    for split, rows in made.items():
        named = [
            (f"Citizen_({s})", f"Make a visit {r}", f"Ünit {o}", days[t]) for s, r, o, t in rows
        ]
        (tmp_path / f"{split}.txt").write_bytes(lines([*header, *named]))
    read = read_dataset(tmp_path)
    words = read.vocabulary
    found = {
        split: [
            (
                words.entity(s),
                words.relation(r),
                words.entity(o),
                str(np.datetime64(words.time_names[t])),
            )
            for s, r, o, t in rows.rows().tolist()
        ]
        for split, rows in read.splits.items()
    }
    assert found == {
        split: [
            (f"Citizen_({s})", f"Make a visit {r}", f"Ünit {o}", str(days[t]))
            for s, r, o, t in rows
        ]
        for split, rows in made.items()
    }


@pytest.mark.parametrize("named", [True, False])
def test_an_export_for_the_hub(tmp_path: Path, named: bool) -> None:
    """The same facts by their names, in the same splits; a fault has its file and row."""
    parquet = pytest.importorskip("pyarrow.parquet")
    graph = tmp_path / "graph"
    graph.mkdir()
    for split, rows in facts(3).items():
        (graph / f"{split}.txt").write_bytes(lines(list(rows)))
    if named:
        for column, count in (("entity", ENTITIES), ("relation", RELATIONS)):
            written = [(f"{column} {chr(97 + n % 7)}{n}", n) for n in range(count)]
            (graph / f"{column}2id.txt").write_bytes(lines(list(written)))
    hub = tmp_path / "hub"
    assert run(["export", "hf", str(graph), "--out", str(hub)]) == 0

    def by_name(dataset: Dataset) -> dict[Split, list[tuple[str, str, str, int]]]:
        words = dataset.vocabulary
        return {
            split: [
                (words.entity(s), words.relation(r), words.entity(o), t)
                for s, r, o, t in rows.rows().tolist()
            ]
            for split, rows in dataset.splits.items()
        }

    original, back = read_dataset(graph), read_dataset(hub)
    if named:
        assert by_name(back) == by_name(original)
    assert {split: len(rows) for split, rows in back.splits.items()} == {
        split: len(rows) for split, rows in original.splits.items()
    }
    path = hub / "facts-valid.parquet"
    table = parquet.read_table(path)
    parquet.write_table(table.take(list(range(len(table)))[::-1]), path)
    (hub / "manifest.json").unlink()
    with pytest.raises(InputError, match=r"facts-valid\.parquet:\d+:4: found time"):
        read_dataset(hub)
