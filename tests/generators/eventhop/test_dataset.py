"""A data set in its folder: right, counted, the same bytes however it was made."""

from __future__ import annotations

import hashlib
import json
import signal
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generators.eventhop import run as running
from generators.eventhop import shards
from generators.eventhop.config import Config, Shape, Split
from generators.eventhop.layout import layout
from generators.eventhop.run import generate
from generators.eventhop.shards import Shard
from grammar.eventhop.model import Domain
from solver.cli import run
from solver.eventhop.io import read_records
from solver.eventhop.records import Record

FILES = {
    "README.md",
    "manifest.json",
    *(f"{split}.{kind}" for split in Split for kind in ("jsonl", "parquet", "tsv")),
}
MakeData = Callable[..., Any]


def digests(folder: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.iterdir())
    }


@pytest.mark.parametrize(
    ("domain", "kind"),
    [
        # Each domain, and each kind of file.
        pytest.param(
            domain,
            kind,
            marks=[pytest.mark.slow] * (kind != "jsonl" and domain is not Domain.TEMPORAL),
        )
        for domain in Domain
        for kind in ("jsonl", "parquet", "tsv")
    ],
)
def test_every_item_is_right(
    make_data: MakeData, domain: Domain, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_data(domain=domain).folder
    assert run(["verify", *(str(folder / f"{split}.{kind}") for split in Split)]) == 0
    assert "230" in capsys.readouterr().out


def test_the_files_are_there_and_nothing_else(make_data: MakeData) -> None:
    assert {path.name for path in make_data().folder.iterdir()} == FILES


@pytest.mark.parametrize("domain", Domain)
def test_every_item_has_a_certificate(
    domain: Domain, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sizes = {Split.TRAIN: 72, Split.TEST: 72}
    config = Config(sizes=sizes, domain=domain, shapes=(Shape(events=8, relations=8),))
    generate(config, tmp_path, certificates=True)
    assert {path.name for path in tmp_path.iterdir()} == FILES | {"items.jsonl"}
    assert run(["check", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "144 items: 144 proved, 0 rejected, 0 not proved\n"
    run(["verify", str(tmp_path), "--json"])
    assert json.loads(capsys.readouterr().out)["findings"].get("duplicate", 0) == 0
    generate(config, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == FILES


@pytest.mark.parametrize("split", Split)
def test_cells_hold_what_was_planned(make_data: MakeData, split: Split) -> None:
    made = make_data()
    counts = Counter(made.manifest["splits"][split]["cells"])
    planned = layout(made.config).counts(made.config.sizes[split])
    assert counts.total() == made.config.sizes[split]
    assert (counts - planned).total() == made.config.sizes[split] % 3
    assert not planned - counts


@pytest.mark.parametrize("split", Split)
def test_labels_are_in_equal_parts(make_data: MakeData, split: Split) -> None:
    labels = Counter(row["label"] for row in make_data().rows(split))
    assert set(labels) == {"true", "false", "undefined"}
    assert max(labels.values()) - min(labels.values()) <= 1


def test_shapes_and_claims_leak_no_label(make_data: MakeData) -> None:
    rows = [row for split in Split for row in make_data().rows(split)]
    cells = Counter((r["events"], r["relations"], r["relation"], r["label"]) for r in rows)
    for events, relations, claim, _ in list(cells):
        labels = [
            cells[events, relations, claim, label] for label in ("true", "false", "undefined")
        ]
        assert max(labels) - min(labels) <= 2


def test_the_manifest_states_what_cannot_exist_and_what_is_excluded(make_data: MakeData) -> None:
    manifest = make_data().manifest
    assert all(record["reason"] for record in manifest["impossible"])
    assert {record["cell"].split()[0] for record in manifest["impossible"]} >= {
        "8x4",
        "16x8",
        "32x16",
    }
    assert all(record["reason"] for record in manifest["withheld"])
    absent = {record["cell"].split()[0] for record in manifest["withheld"]}
    assert absent >= {"8x4", "16x8", "32x16", "4x3", "4x4", "4x8"}
    assert manifest["data"] == ["test.jsonl", "train.jsonl"]
    assert manifest["outputs"] == {
        name: digest
        for name, digest in digests(make_data().folder).items()
        if name != "manifest.json"
    }


def test_the_tsv_holds_the_published_columns(make_data: MakeData) -> None:
    made = make_data()
    lines = (made.folder / "test.tsv").read_bytes().decode().split("\r\n")
    (row, *_) = made.rows(Split.TEST)
    columns = lines[0].split("\t")
    published = {"true": "True", "false": "False", "undefined": "Impossible"}
    assert columns[0] == row["id"] == "0"
    assert columns[1] == row["declared"]
    assert columns[2] == "false"
    assert columns[3] in {"before", "after", "overlap"}
    assert columns[4:6] == [str(row["events"]), str(row["relations"])]
    assert columns[7:] == [row["premise"], row["claim"], published[row["label"]]]
    assert len(lines) == 80 + 1


def test_the_three_formats_hold_the_same_items(make_data: MakeData) -> None:
    folder = make_data().folder

    def read(kind: str) -> list[tuple[object, ...]]:
        records = [r for r in read_records(folder / f"train.{kind}") if isinstance(r, Record)]
        return [(r.id, r.premise, r.claim, r.label, r.declared, r.events) for r in records]

    assert read("jsonl") == read("parquet") == read("tsv") != []


def test_the_card_has_a_head_that_names_the_files(make_data: MakeData) -> None:
    """As the ``datasets`` library reads it: a default config with a file for each split."""
    made = make_data()
    _, head, page = (made.folder / "README.md").read_text().split("---\n", 2)
    for split in Split:
        assert f"      - split: {split}\n        path: {split}.parquet\n" in head
        assert (made.folder / f"{split}.parquet").exists()
    assert "configs:\n  - config_name: default\n    data_files:\n" in head
    assert page.startswith("# EventHop, strict, temporal")


def small() -> Config:
    return Config(seed=3, sizes={Split.TEST: 160})


def reduce_shards(patch: pytest.MonkeyPatch) -> None:
    """Make shards so small that there are three of them."""
    patch.setattr(shards, "GROUPS", 24)
    patch.setattr(shards, "ITEMS", 72)


@pytest.fixture
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    reduce_shards(monkeypatch)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("whole")
    with pytest.MonkeyPatch.context() as patch:
        reduce_shards(patch)
        generate(small(), folder)
    return digests(folder)


@pytest.mark.parametrize("size", [72, pytest.param(1_600, marks=pytest.mark.slow)])
def test_any_number_of_processes_makes_the_same_bytes(size: int, tmp_path: Path) -> None:
    """Each split is at least one shard, of which each process makes some."""
    for jobs in (1, 2):
        config = Config(seed=3, sizes=dict.fromkeys(Split, size))
        generate(config, tmp_path / str(jobs), jobs=jobs)
    assert digests(tmp_path / "1") == digests(tmp_path / "2")


@pytest.mark.usefixtures("small_shards")
def test_an_interrupted_run_goes_on_where_it_stopped(
    whole: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    of_killed_process: Callable[[str], str],
) -> None:
    made: list[Shard] = []
    make = running.make

    def failing(config: Config, shard: Shard) -> bytes:
        if shard.number == 1 and len(made) == 1:
            raise KeyboardInterrupt
        made.append(shard)
        return make(config, shard)

    monkeypatch.setattr(running, "make", failing)
    with pytest.raises(KeyboardInterrupt):
        generate(small(), tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {running.KEPT}
    made.append(made[0])
    # What a run killed while it joined its shards leaves behind.
    (tmp_path / of_killed_process("test.jsonl")).write_text("half a li")
    generate(small(), tmp_path)
    # The first shard was kept, the others are made once.
    assert [shard.number for shard in made[2:]] == [1, 2]
    assert digests(tmp_path) == whole


KILLED = """
import os, signal, sys
from pathlib import Path
from generators.eventhop import run as running
from generators.eventhop import shards
from solver.cli import run
shards.GROUPS, shards.ITEMS = 24, 72
make = running.make
def kill(config, shard):
    if shard.number:
        assert (Path(sys.argv[-1]) / running.KEPT / "test-000000.jsonl").exists()
        os.kill(os.getpid(), signal.SIGKILL)
    return make(config, shard)
running.make = kill
run(["generate", "eventhop", *sys.argv[1:]])
"""


@pytest.mark.usefixtures("small_shards")
def test_a_killed_run_goes_on_to_the_same_bytes(
    whole: dict[str, str], tmp_path: Path, python: Callable[..., Any]
) -> None:
    sizes = ["--split", "test", "--test-size", "160", "--seed", "3", "--out", str(tmp_path)]
    killed = python("-c", KILLED, *sizes, cwd=Path(running.__file__).parents[3])
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    kept = (tmp_path / running.KEPT / "test-000000.jsonl").read_bytes()
    generate(small(), tmp_path)
    assert digests(tmp_path) == whole
    assert (tmp_path / "test.jsonl").read_bytes().startswith(kept)


@pytest.mark.usefixtures("small_shards")
def test_shards_of_another_run_are_not_taken(whole: dict[str, str], tmp_path: Path) -> None:
    kept = tmp_path / running.KEPT
    kept.mkdir()
    (kept / "run.json").write_text('{"seed":4}')
    (kept / "test-000000.jsonl").write_text('{"id":"0"}\n')
    generate(small(), tmp_path)
    assert digests(tmp_path) == whole


@pytest.mark.usefixtures("small_shards")
def test_another_seed_makes_other_items(whole: dict[str, str], tmp_path: Path) -> None:
    generate(Config(seed=4, sizes={Split.TEST: 160}), tmp_path)
    assert digests(tmp_path)["test.jsonl"] != whole["test.jsonl"]
