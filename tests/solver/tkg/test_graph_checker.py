"""The checker of generated graphs: the file alone, and what it says about damaged folders."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from solver.cli import run
from solver.tkg import check


def test_the_file_runs_alone(generated: Path, alone: Callable[..., tuple[int, str, str]]) -> None:
    assert alone(check, generated) == (0, "932 items, 0 rejected\n", "")


@pytest.mark.parametrize(
    ("name", "change", "reason"),
    [
        ("test.txt", lambda lines: lines.append("3\t2\t8\t59"), "no label supports the fact"),
        ("valid.txt", lambda lines: lines.append(lines[-1]), "instance"),
        ("labels.tsv", lambda lines: lines.pop(), "no label supports the fact"),
        ("patterns.jsonl", lambda lines: lines.pop(), "there is no pattern"),
    ],
)
def test_a_damaged_folder_is_rejected(
    damaged: Callable[[str, Callable[[list[str]], None]], Path],
    name: str,
    change: Callable[[list[str]], None],
    reason: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["check", str(damaged(name, change))]) == 1
    assert reason in capsys.readouterr().out


def test_another_checksum_is_rejected(
    damaged: Callable[[str, Callable[[list[str]], None]], Path],
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = damaged("train.txt", lambda _: None)
    lines = (folder / "train.txt").read_text().splitlines(keepends=True)
    (folder / "train.txt").write_text("".join(reversed(lines)))
    assert run(["check", str(folder)]) == 2
    assert "train.txt: found sha256" in capsys.readouterr().err
    assert run(["check", "--unsealed", str(folder)]) == 1
    assert "the checksum is not the manifest's" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["labels.tsv", "patterns.jsonl", "manifest.json"])
def test_an_unreadable_folder_is_reported(
    damaged: Callable[[str, Callable[[list[str]], None]], Path],
    name: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def spoil(lines: list[str]) -> None:
        lines[:] = ["nothing of this kind"]

    assert run(["check", "--kind", "tkg", str(damaged(name, spoil))]) == 2
    assert re.search("cannot be checked|expected one manifest", capsys.readouterr().err)
