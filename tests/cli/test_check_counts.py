"""``check`` counts proved, rejected and not proved apart, and rows against what a folder states."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generators.tkg.config import Config
from generators.tkg.files import write_graph
from generators.tkg.run import generate
from solver.cli import run

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """The report of right items."""
    folder = tmp_path / "report"
    assert run(["verify", str(ROOT / "examples" / "right.tsv"), "--report", str(folder)]) == 0
    capsys.readouterr()
    return folder


Change = Callable[[Path, str, Callable[[list[Any]], object]], None]


@pytest.fixture
def change(renew: Callable[[Path], None]) -> Change:
    """Edits the lines of a file, and renews its checksum."""

    def call(folder: Path, name: str, edit: Callable[[list[Any]], object]) -> None:
        rows = [json.loads(line) for line in (folder / name).read_text().splitlines()]
        edit(rows)
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
        renew(folder)

    return call


def checked(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, dict[str, Any]]:
    status = run(["check", *map(str, arguments), "--json"])
    return status, json.loads(capsys.readouterr().out)


def test_null_verdicts_are_not_proved(
    report: Path, change: Change, capsys: pytest.CaptureFixture[str]
) -> None:
    def empty(rows: list[Any]) -> None:
        for row in rows:
            row |= {"verdict": None, "certificate": None}

    change(report, "items.jsonl", empty)
    status, counts = checked(capsys, report)
    assert status == 3
    assert (counts["proved"], counts["rejected"]) == (0, 0)
    assert counts["not_proved"] == counts["items"] > 0


def test_labels_of_the_published_procedure(
    tmp_path: Path, change: Change, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "published"
    items = str(ROOT / "examples" / "right.tsv")
    run(["verify", items, "--policy", "published", "--report", str(folder)])
    capsys.readouterr()
    status, counts = checked(capsys, folder)
    assert (status, counts["proved"]) == (0, counts["items"])
    change(folder, "items.jsonl", lambda rows: rows[0]["verdict"].update(label={"any": "true"}))
    status, counts = checked(capsys, folder)
    assert (status, counts["rejected"]) == (1, 1)


def test_rows_are_counted(report: Path, change: Change, capsys: pytest.CaptureFixture[str]) -> None:
    change(report, "items.jsonl", lambda rows: rows.pop())
    status, counts = checked(capsys, report)
    assert status == 1
    assert "items, expected" in counts["reasons"]["rows"][0]
    change(report, "items.jsonl", lambda rows: rows.clear())
    assert run(["check", str(report)]) == 2
    assert "found no verdicts" in capsys.readouterr().err


def test_shards_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "report"
    items = str(ROOT / "examples" / "right.tsv")
    run(["verify", items, "--report", str(folder), "--shard-size", "2"])
    capsys.readouterr()
    assert checked(capsys, folder)[0] == 0
    shard = min(folder.glob("items-*.jsonl"))
    shard.unlink()
    assert run(["check", str(folder)]) == 2
    assert f"{shard}: found no such file" in capsys.readouterr().err
    described = json.loads((folder / "manifest.json").read_text())
    del described["outputs"][shard.name]
    (folder / "manifest.json").write_text(json.dumps(described))
    status, counts = checked(capsys, folder)
    assert (status, counts["rejected"]) == (1, 1)


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    folder = tmp_path / "graph"
    config = Config(patterns=(2, 2, 1), steps=20)
    write_graph(folder, generate(config, 1), config, 1)
    return folder


def test_instances_are_numbered_from_0(
    graph: Path, renew: Callable[[Path], None], capsys: pytest.CaptureFixture[str]
) -> None:
    assert checked(capsys, graph)[0] == 0
    lines = (graph / "labels.tsv").read_text().splitlines(keepends=True)
    cells = [line.split("\t") for line in lines]
    last = max(int(row[2]) for row in cells[1:])
    for row in cells[1:]:
        # Such an instance would count as planted.
        row[2] = "-1" if int(row[2]) == last else row[2]
    (graph / "labels.tsv").write_text("".join("\t".join(row) for row in cells))
    renew(graph)
    status, counts = checked(capsys, graph)
    assert status == 1
    assert "not numbered from 0" in counts["reasons"]["instances"][0]
    assert counts["not_proved"] == 1


@pytest.mark.parametrize("mode", ["Forward", "any", None, ["forward"]])
def test_a_mode_is_one_of_a_list(
    mode: object, graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    described = json.loads((graph / "manifest.json").read_text())
    (graph / "manifest.json").write_text(json.dumps({**described, "mode": mode}))
    assert run(["check", str(graph)]) == 2
    assert "no mode, expected one of forced, forward, literal" in capsys.readouterr().err
