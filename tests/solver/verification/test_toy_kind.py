"""A kind in another distribution gets every command, without a change to this project."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import solver

TOY = Path(__file__).with_name("toy")
HOME = Path(solver.__file__).parents[1 + solver.__name__.count(".")]
ROWS = '{"rising": [1, 2, 4]}\n{"rising": [3, -4]}\n'


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder like one of installed packages, with the toy."""
    folder = tmp_path_factory.mktemp("packages")
    metadata = folder / "rising_kind-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: rising-kind\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[hopcheck.kinds]\nrising = rising:KIND\n")
    for path in TOY.glob("rising.*"):
        shutil.copy(path, folder)
    (folder / "rows.jsonl").write_text(ROWS)
    return folder


def python(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join((str(folder), str(HOME)))}
    return subprocess.run(
        [sys.executable, *words], cwd=folder, env=environment, capture_output=True, text=True
    )


def solver(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return python(folder, "-m", "solver", *words)


def test_the_kind_is_small() -> None:
    assert sum(len(path.read_text().splitlines()) for path in TOY.glob("rising.*")) <= 250


def test_verify_and_check(installed: Path) -> None:
    ran = solver(installed, "verify", "rows.jsonl", "--report", "out", "--json")
    report = json.loads(ran.stdout)
    assert (ran.returncode, report["kind"], report["violations"]) == (1, "rising", {"falls": 1})
    assert "3 at 0 is followed by -4" in (installed / "out" / "report.html").read_text()
    checked = solver(installed, "check", "--kind", "rising", "out", "--data", "rows.jsonl")
    assert (checked.returncode, checked.stdout) == (0, "1 items, 0 rejected\n")


@pytest.mark.parametrize(
    "words",
    [
        ["--kind", "rising", "--absolute", "rows.jsonl"],
        ["rows.jsonl", "--absolute"],
        ["--absolute", "--most", "7", "rows.jsonl"],
    ],
)
def test_options(installed: Path, words: list[str]) -> None:
    ran = solver(installed, "verify", *words)
    assert (ran.returncode, "every list rises" in ran.stdout) == (0, True)


def test_help_and_explain(installed: Path) -> None:
    shown = solver(installed, "verify", "--kind", "rising", "--help").stdout
    assert "--most INTEGER RANGE" in shown
    assert "Compare without signs." in shown
    assert solver(installed, "explain", "--rising", "1,3,2").stdout == "falls at: 1\n"


def test_the_library_and_the_tables_of_the_documentation(installed: Path) -> None:
    program = """
import hopcheck as hc
from solver.verification.kinds import fields_of_files, kind_named, table_of_codes
print(hc.verify("rows.jsonl", kind="rising").findings.counts())
print(hc.verify([{"rising": [2, 1]}], kind="rising").findings.counts())
kind = kind_named("rising")
print(table_of_codes(kind), fields_of_files(kind))
"""
    lines = python(installed, "-c", program).stdout.splitlines()
    assert lines[:2] == ["{'falls': 1}"] * 2
    assert "| `falls` | `<value> at <position> is followed by <next>` |" in lines
    assert "| `rising` | numbers that must rise; required | `[1,2,4]` |" in lines


def test_a_faulty_kind_is_reported_in_one_line(installed: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(installed, tmp_path / "packages"))
    (folder / "rising.py").write_text("raise RuntimeError('broken')\n")
    ran = solver(folder, "verify", "rows.jsonl")
    expected = "error: kind rising of rising-kind: cannot be loaded: RuntimeError: broken\n"
    assert (ran.returncode, ran.stderr) == (2, expected)
