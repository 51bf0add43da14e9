"""The command and its folder: files that others read, the same bytes, clear refusals."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from generators.tkg.config import Config, read_config
from generators.tkg.run import generate
from grammar.errors import ExitStatus
from solver import cli
from solver.graph.io import read_dataset
from solver.graph.model import Split
from solver.io.sources import sha256
from solver.tkg.io import read_labels
from solver.tkg.planted import read_planted

SMALL = ("--entities", "40", "--relations", "8", "--steps", "40", "--patterns", "4,4,0")


@dataclass(frozen=True)
class Ran:
    """What the command printed, and its exit status."""

    status: int
    out: str
    err: str


def run(*arguments: str | Path) -> Ran:
    out, err = io.BytesIO(), io.BytesIO()
    with (
        redirect_stdout(io.TextIOWrapper(out, write_through=True)) as _out,
        redirect_stderr(io.TextIOWrapper(err, write_through=True)) as _err,
    ):
        status = cli.run(["generate", "tkg", *map(str, arguments)])
        return Ran(status, out.getvalue().decode(), err.getvalue().decode())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("made") / "graph"
    result = run(*SMALL, "--seed", "3", "--out", path)
    assert result.status == 0, result.err
    return path


LOAD = """
import json, sys
from datasets import load_dataset
[(split, rows)] = load_dataset(sys.argv[1]).items()
kinds = {name: one.dtype for name, one in rows.features.items()}
print(json.dumps([split, list(map(list, map(dict.values, rows))), kinds]))
"""


def test_the_card_makes_the_folder_load(
    folder: Path, tmp_path: Path, python: Callable[..., Any]
) -> None:
    if find_spec("datasets") is None:
        pytest.skip("datasets is not installed (make models)")
    offline = {"HF_DATASETS_OFFLINE": "1", "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path)}
    done = python("-c", LOAD, folder, env=os.environ | offline)
    assert done.returncode == 0, done.stderr[-2000:]
    split, rows, kinds = json.loads(done.stdout)
    assert split == "facts"
    assert kinds == dict.fromkeys(("head", "relation", "tail", "time"), "int64") | {
        "split": "string"
    }
    data = read_dataset(folder)
    expected = [
        [*row, str(other_split)]
        for other_split in Split
        for row in data.splits[other_split].rows().tolist()
    ]
    assert rows == expected


def test_the_card_states_figures_and_commands(folder: Path) -> None:
    page = (folder / "README.md").read_text()
    facts = len(read_dataset(folder).facts())
    assert f"\n| |G| | {facts:,} |\n" in page
    assert "  - config_name: default\n    data_files:\n      - split: facts\n" in page
    assert "hopcheck generate tkg --config config.json --seed 3 --out DIR\n" in page


def test_the_folder_reads_as_what_was_generated(folder: Path) -> None:
    config = read_config(folder / "config.json")
    graph = generate(config, 3)
    data = read_dataset(folder)
    assert (data.facts().rows() == graph.facts.rows()).all()
    assert (data.vocabulary.entities, data.vocabulary.relations) == (40, 8)
    ends = [(facts.time.min(), facts.time.max()) for facts in map(data.splits.__getitem__, Split)]
    assert ends[0][1] < 32 <= ends[1][0] <= ends[1][1] < 36 <= ends[2][0]
    labels = read_labels(folder / "labels.tsv")
    for name in ("fact", "pattern", "instance", "consequence", "position"):
        assert np.array_equal(getattr(labels, name), getattr(graph.labels, name))
    assert read_planted(folder / "patterns.jsonl") == graph.plan.patterns
    assert read_dataset(folder / "facts.parquet").facts().rows().tolist() == (
        data.facts().rows().tolist()
    )


def test_the_manifest_knows_the_files(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["mode"] == "forward"
    assert manifest["seed"] == 3
    assert manifest["forced_instances"] > 0
    for name, digest in manifest["outputs"].items():
        assert sha256(folder / name) == digest
    written = {path.name for path in folder.iterdir()}
    assert set(manifest["outputs"]) == written - {"manifest.json"}


def test_the_same_seed_gives_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    result = run("--config", folder / "config.json", "--seed", "3", "--out", again)
    assert result.status == 0, result.err
    for path in folder.iterdir():
        assert path.read_bytes() == (again / path.name).read_bytes(), path.name


def test_options_come_on_top_of_a_config(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "deeper"
    options = ("--mode", "literal", "--depth", "none", "--lags", "2,4", "--injective")
    options += ("--entity-weights", "zipf:0.5", "--relation-weights", "gamma:2,1.5")
    result = run("--config", folder / "config.json", *options, "--out", out, "--json")
    assert result.status == 0, result.err
    output = json.loads(result.out)
    config = json.loads((out / "config.json").read_text())
    before = Config.of_json(json.loads((folder / "config.json").read_text()))
    assert config["mode"] == output["mode"] == "literal"
    assert config["closure"] == {"depth": None, "cycles": "leave-out"}
    assert config["lags"] == {"low": 2, "high": 4}
    assert config["injective"] is True
    assert config["entity_weights"]["distribution"] == "zipf"
    assert config["entity_weights"]["exponent"] == 0.5
    weights = config["relation_weights"]
    assert (weights["distribution"], weights["shape"], weights["scale"]) == ("gamma", 2, 1.5)
    assert config["patterns"] == list(before.patterns)
    assert output["facts"] == json.loads((out / "statistics.json").read_text())["facts"]


def test_the_page_shows_the_figures_and_four_plots(folder: Path) -> None:
    page = (folder / "report.html").read_text()
    assert page.count("<svg") == 3
    for title in ("Degree", "Events per step", "Frequency of entities", "Frequency of relations"):
        assert title in page
    assert "Gini(E)" in page
    assert "<script" not in page


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--lags", "3,1"), "found lag [3, 1], expected 0 <= low <= high"),
        (("--lags", "soon"), "expected a window such as 1,3"),
        (("--preset", "ent"), "'ent' is not one of"),
        (("--patterns", "1,2"), "expected three counts such as 35,78,39"),
        (("--probability", "2"), "found probability 2.0, expected 0 to 1"),
        (("--entity-weights", "gamma:1,0"), "the weights of entities sum to 0"),
        (("--entity-weights", "normal"), "expected weights such as uniform, gamma:1,2"),
        (("--relation-weights", "zipf:-1"), "found 'zipf:-1', expected weights such as"),
        (("--depth", "deep"), "expected a whole number or none"),
        (("--config", "missing.json"), "missing.json: no such file"),
        (("--config", "x", "--preset", "lag-1-3"), "Pass --preset or --config, not both."),
        (("--probability", "0"), "no facts"),
    ],
)
def test_refusals_are_one_line(arguments: Sequence[str], message: str, tmp_path: Path) -> None:
    result = run(*SMALL, *arguments, "--out", tmp_path / "none")
    assert result.status == ExitStatus.UNREADABLE
    assert message in result.err
    assert "Traceback" not in result.err
    assert not result.out
    assert not (tmp_path / "none").exists()


def test_presets_are_listed() -> None:
    output = json.loads(run("--presets", "--json").out)
    assert len(output) == 11
    assert output["ent-u-rel-u"]["published"]["facts"] == 21_396
    table = run("--presets").out
    assert all(name in table for name in output)
