"""A package of its own adds phrases and an engine: they are used everywhere."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import solver
from solver.eventhop import check

HOME = Path(solver.__file__).parents[1 + solver.__name__.count(".")]
PLUGIN = Path(__file__).parents[3] / "examples" / "plugin"
ROWS = (
    ("The Gull set sail right after the Tern had docked. The Crow filled the gap between the Gull "
     "and the Wren", "Tern happens before Crow", "true"),
    ("A ended before B began. No crane was free for C until B had left",
     "C set sail right after A had docked", "true"),
    ("The end of A happened before the start of B", "A happens before B", "true"),
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the installed package, and with items."""
    folder = tmp_path_factory.mktemp("packages")
    source = folder / "source"
    shutil.copytree(PLUGIN, source)
    options = ("--no-build-isolation", "--no-deps", "--no-index", "--target", str(folder))
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", *options, str(source)],
        check=True,
        env=os.environ | {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_CONFIG_FILE": os.devnull},
    )
    fields = ("premise", "claim", "label")
    rows = (
        json.dumps({"id": str(number), **dict(zip(fields, row, strict=True))})
        for number, row in enumerate(ROWS)
    )
    (folder / "items.jsonl").write_text("".join(f"{row}\n" for row in rows))
    return folder


def python(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join((str(folder), str(HOME)))}
    return subprocess.run(
        [sys.executable, *words], cwd=folder, env=environment, capture_output=True, text=True
    )


def command(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return python(folder, "-m", "solver", *words)


def test_the_phrase_file_is_small() -> None:
    file = PLUGIN / "hopcheck_harbour" / "phrases.toml"
    assert len(file.read_text().splitlines()) <= 20


def test_verify_and_check(folder: Path) -> None:
    """By the name of the installed file; the copied-out checker needs nothing else."""
    words = ("--phrases", "harbour", "--probes", "none", "--report", "out", "--json")
    engines = ("--crosscheck", "asp,graph,transitive")
    ran = command(folder, "verify", "items.jsonl", *words, *engines)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["engines"] == ["asp", "graph", "transitive"]
    rows = [json.loads(line) for line in (folder / "out" / "items.jsonl").read_text().splitlines()]
    assert [len(row.get("phrases", ())) for row in rows] == [1, 1, 0]
    alone = folder / "alone"
    alone.mkdir()
    shutil.copy(check.__file__, alone / "check.py")
    shutil.copy(folder / "out" / "items.jsonl", alone)
    checked = subprocess.run(
        [sys.executable, "-I", "check.py", "items.jsonl"], cwd=alone, capture_output=True, text=True
    )
    assert (checked.returncode, checked.stdout) == (
        0,
        "3 items: 3 proved, 0 rejected, 0 not proved\n",
    )
    installed = folder / "hopcheck_harbour" / "phrases.toml"
    assert command(folder, "check", "out", "--phrases", "harbour").returncode == 0
    other = folder / "other.toml"
    other.write_text(installed.read_text().replace("docked", "moored"))
    rejected = command(folder, "check", "out", "--phrases", str(other))
    assert (rejected.returncode, "another phrase file" in rejected.stdout) == (1, True)


def test_api(folder: Path) -> None:
    premise, claim, _ = ROWS[0]
    program = f"""
import hopcheck as hc
texts = dict(premise={premise!r}, claim={claim!r})
assert hc.verify("items.jsonl", phrases="harbour", probes="none").exit_status == 0
assert str(hc.parse(**texts, phrases=["harbour"]).premise[0]) == "start of Gull after end of Tern"
verdict = hc.explain(**texts, phrases="harbour", engines=["graph", "transitive"])
assert verdict.label == "true"
hc.check(verdict)
"""
    ran = python(folder, "-c", program)
    assert ran.returncode == 0, ran.stderr


def test_a_converse_error_is_refused(folder: Path) -> None:
    file = folder / "converse.toml"
    text = (folder / "hopcheck_harbour" / "phrases.toml").read_text()
    line = 'text  = "{A} set sail right after {B} had docked"'
    converse = line.replace("{A}", "{X}").replace("{B}", "{A}").replace("{X}", "{B}")
    means = 'means = ["start of A after end of B"]'
    file.write_text(f"{text}\n[[phrase]]\n{converse}\n{means}\n")
    ran = command(folder, "parse", "items.jsonl", "--phrases", str(file))
    assert ran.returncode == 2, ran.stdout
    assert ran.stderr.count("\n") == 1, ran.stderr
    assert 'converse.toml:5:1: phrase "{A} set sail right after {B} had docked"' in ran.stderr
    assert "has two meanings" in ran.stderr


def test_unknown_names(folder: Path) -> None:
    ran = command(folder, "verify", "items.jsonl", "--phrases", "harbor")
    assert (ran.returncode, "installed phrase files: harbour" in ran.stderr) == (2, True)
    ran = command(folder, "verify", "items.jsonl", "--crosscheck", "asp,transitiv")
    assert (ran.returncode, "timelines, transitive" in ran.stderr) == (2, True)


def test_a_wrong_engine_stops_the_run(folder: Path) -> None:
    """The engine of another package that errs is a disagreement like any other."""
    engine = folder / "hopcheck_harbour" / "engine.py"
    text = engine.read_text()
    wrong = text.replace("status = Status.REFUTED", "status = Status.UNKNOWN")
    assert wrong != text
    engine.write_text(wrong)
    (folder / "refuted.jsonl").write_text(
        json.dumps({"id": "1", "premise": ROWS[2][0], "claim": "B happens before A"}) + "\n"
    )
    words = ("--crosscheck", "asp,transitive", "--report", "stopped")
    ran = command(folder, "verify", "refuted.jsonl", *words)
    assert (ran.returncode, "engines disagree on item 1" in ran.stderr) == (4, True)
    reproducer = next(folder.rglob("disagreement-1"))
    again = python(reproducer, "ask_again.py")
    engine.write_text(text)
    assert again.returncode == 0 or "transitive" in again.stderr
