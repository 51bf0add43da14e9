"""Parts of a folder that contradict each other are found, though all checksums were redone."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generators.tkg.config import Config
from generators.tkg.files import write_graph
from generators.tkg.run import generate
from solver.dataset.seal import SealError, opening
from solver.tkg.settings import GraphSettings
from solver.verification.report import Kind
from solver.verification.run import verify

Change = Callable[[Path], None]


def edit(path: Path, change: Callable[[Any], None]) -> None:
    """Change a JSON document."""
    value = json.loads(path.read_bytes())
    change(value)
    path.write_text(json.dumps(value, sort_keys=True))


def each_pattern(change: Callable[[dict[str, Any]], None]) -> Change:
    """Change every line of the patterns."""

    def changed(folder: Path) -> None:
        path = folder / "patterns.jsonl"
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        for row in rows:
            change(row)
        path.write_text("".join(json.dumps(row, sort_keys=True) + "\n" for row in rows))

    return changed


def document(name: str, change: Callable[[Any], None]) -> Change:
    return lambda folder: edit(folder / name, change)


def other_parquet(folder: Path) -> None:
    """The Parquet file of another graph with the same vocabulary."""
    config = Config()
    write_graph(folder / "other", generate(config, 4), config, 4)
    shutil.copy(folder / "other" / "facts.parquet", folder / "facts.parquet")
    shutil.rmtree(folder / "other")


def other_names(folder: Path) -> None:
    path = folder / "entity2id.txt"
    lines = path.read_text().splitlines()
    path.write_text("\n".join(["renamed\t0", *lines[1:]]) + "\n")


def unplanted(folder: Path) -> None:
    """One more pattern, without an instance."""
    with (folder / "patterns.jsonl").open("a") as file:
        row = {"id": 15, "pattern": "1 -0-> 2 => 2 -0-> 1", "lags": [[1, 3]], "closed": False}
        file.write(json.dumps(row) + "\n")


RESEALED: dict[str, tuple[Change, str]] = {
    "other parquet": (other_parquet, "parquet-differs"),
    "other names": (other_names, "parquet-differs"),
    "statistics": (
        document("statistics.json", lambda content: content.update(facts=content["facts"] + 1)),
        "statistics-differs",
    ),
    "no statistics": (
        document("statistics.json", lambda content: content.clear()),
        "statistics-differs",
    ),
    "planted": (
        document("statistics.json", lambda content: content.update(forced_instances=0)),
        "statistics-differs",
    ),
    "none closed": (each_pattern(lambda row: row.update(closed=False)), "closed-differs"),
    "all closed": (each_pattern(lambda row: row.update(closed=True)), "closed-differs"),
    "never planted": (unplanted, "pattern-count"),
    "wider lags": (
        each_pattern(lambda row: row.update(lags=[[low, high + 30] for low, high in row["lags"]])),
        "lag-differs",
    ),
    "config": (
        document("config.json", lambda content: content.update(probability=0.5)),
        "config-differs",
    ),
    "sizes": (
        document("manifest.json", lambda content: content["config"].update(entities=201)),
        "vocabulary-differs",
    ),
    "mode": (
        document("manifest.json", lambda content: content.update(mode="forced")),
        "mode-differs",
    ),
}


NOT_GENERATED = ("none closed", "all closed", "never planted", "wider lags")
"""Faults that are found before anything else: config and seed give other patterns."""


@pytest.mark.parametrize("fault", RESEALED)
def test_what_was_changed_and_resealed_is_found(
    parquet: None,  # noqa: ARG001
    generated: Path,
    tmp_path: Path,
    fault: str,
    renew: Callable[[Path], None],
) -> None:
    change, code = RESEALED[fault]
    folder = tmp_path / "changed"
    shutil.copytree(generated, folder)
    change(folder)
    renew(folder)
    if fault in NOT_GENERATED:
        with pytest.raises(SealError, match="that config and seed of the manifest give"):
            verify(folder, Kind.TKG)
    with opening(unsealed=fault in NOT_GENERATED):
        counts = verify(folder, Kind.TKG).findings.counts()
    assert code in counts
    assert "digest" not in counts


def test_the_mode_of_the_config_counts_without_resealing(generated: Path, tmp_path: Path) -> None:
    folder = tmp_path / "changed"
    shutil.copytree(generated, folder)
    edit(folder / "manifest.json", lambda content: content.update(mode="forced"))
    (found,) = (
        finding for finding in verify(folder, Kind.TKG).findings if finding.code == "mode-differs"
    )
    assert found.where == f"{folder}/manifest.json"
    assert found.message == "mode is forced, but that of the config is forward"


@pytest.mark.parametrize(
    "options",
    [
        {"lags": "loose", "steps": 80},
        {"lags": "long_range", "mode": "literal"},
        {"lags": "front_loaded", "closure": {"cycles": "follow", "depth": 1}},
        {"mode": "forced", "relations": 4, "patterns": [2, 0, 1]},
    ],
    ids=str,
)
def test_what_is_generated_agrees(tmp_path: Path, options: dict[str, object]) -> None:
    for seed in range(4):
        folder = tmp_path / str(seed)
        config = Config.of_json({"entities": 60, "probability": 0.1, **options})
        write_graph(folder, generate(config, seed), config, seed)
        assert verify(folder, Kind.TKG).findings.counts() == {}


def test_a_rebuilt_folder_has_the_same_bytes(generated: Path) -> None:
    checked = verify(generated, Kind.TKG, config=GraphSettings(regenerate=True))
    assert checked.findings.counts() == {}


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("stat.txt", lambda text: text.rstrip("\n")),
        ("labels.tsv", lambda text: text + "\n"),
        ("patterns.jsonl", lambda text: text.replace('"closed":true', '"closed": true')),
        ("test.txt", lambda text: text + "\n"),
    ],
)
def test_other_bytes_are_found_by_regeneration_alone(
    generated: Path,
    tmp_path: Path,
    name: str,
    change: Callable[[str], str],
    renew: Callable[[Path], None],
) -> None:
    folder = tmp_path / generated.name
    shutil.copytree(generated, folder)
    (folder / name).write_text(change((folder / name).read_text()))
    renew(folder)
    assert verify(folder, Kind.TKG).findings.counts() == {}
    found = verify(folder, Kind.TKG, config=GraphSettings(regenerate=True)).findings
    assert [(finding.code, finding.where) for finding in found] == [
        ("not-reproduced", str(folder / name))
    ]


def test_another_seed_is_found_by_regeneration(generated: Path, tmp_path: Path) -> None:
    folder = tmp_path / generated.name
    shutil.copytree(generated, folder)
    edit(folder / "manifest.json", lambda content: content.update(seed=4))
    with pytest.raises(SealError, match="not the pattern that config and seed"):
        verify(folder, Kind.TKG)
    with opening(unsealed=True):
        assert verify(folder, Kind.TKG).findings.counts() == {}
        checked = verify(folder, Kind.TKG, config=GraphSettings(regenerate=True))
    assert checked.findings.counts()["not-reproduced"] >= 5
    edit(folder / "manifest.json", lambda content: content.update(seed=3, forced_instances=1))
    found = verify(folder, Kind.TKG, config=GraphSettings(regenerate=True)).findings
    assert "forced_instances differ from the rebuilt manifest" in [
        finding.message for finding in found
    ]
