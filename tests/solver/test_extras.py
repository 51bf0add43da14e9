"""A library that is not installed is reported in one line, with the extra that installs it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from solver import extras
from solver.cli import run
from solver.extras import EXTRAS, MissingLibraryError, of_failed_import, require

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda _name: None)


def test_extras_are_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = project["optional-dependencies"]
    assert set(EXTRAS.values()) < set(declared)
    every = declared["all"][0].removeprefix("hopcheck[").removesuffix("]").split(",")
    assert set(every) == set(EXTRAS.values())


def test_what_is_installed_is_not_reported() -> None:
    require("this test", "pyarrow", "sklearn")


@pytest.mark.usefixtures("bare")
def test_the_extra_is_named() -> None:
    with pytest.raises(MissingLibraryError) as raised:
        require("Parquet", "pyarrow")
    expected = "Parquet needs pyarrow, which is not installed (pip install 'hopcheck[parquet]')"
    assert str(raised.value) == expected


@pytest.mark.usefixtures("bare")
def test_a_command_stops_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    graph = str(ROOT / "examples" / "tkg")
    assert run(["mine", graph, "--out", str(tmp_path / "rules.parquet")]) == 2
    stderr = capsys.readouterr().err
    assert stderr.count("\n") == 1
    assert "pip install 'hopcheck[parquet]'" in stderr


def test_failed_imports() -> None:
    found = of_failed_import(ModuleNotFoundError(name="pyarrow.parquet"))
    assert found is not None
    assert "hopcheck[parquet]" in str(found)
    assert of_failed_import(ModuleNotFoundError(name="clingo")) is None
