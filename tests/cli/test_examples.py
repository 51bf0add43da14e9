"""``examples`` copies the example files and overwrites none without ``--force``."""

from __future__ import annotations

from pathlib import Path

import pytest

from solver.cli import run

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_every_file_is_copied(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "new" / "examples"
    assert run(["examples", str(folder)]) == 0
    assert contents(folder) == contents(EXAMPLES) != {}
    assert f"python -m solver verify {folder}/right.tsv\n" in capsys.readouterr().out


def test_files_are_overwritten_only_with_force(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "right.tsv"
    mine.write_text("mine")
    assert run(["examples", str(tmp_path)]) == 2
    assert f"{mine}: 1 of " in capsys.readouterr().err
    assert contents(tmp_path) == {"right.tsv": b"mine"}
    assert run(["examples", str(tmp_path), "--force"]) == 0
    assert contents(tmp_path) == contents(EXAMPLES)
