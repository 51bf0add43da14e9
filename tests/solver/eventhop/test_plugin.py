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
    # No bytecode, as below.
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-compile", *options, str(source)],
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
    # No file of bytecode: a source that is changed twice in a second would be taken for it.
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join((str(folder), str(HOME))),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
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


LOGS = (
    ("Gull: 3 May to 9 May; Tern: 9 May to 12 May", "Gull happens before Tern", "true"),
    ("Gull: 3 May to 9 May; Tern: 8 May to 12 May.", "Gull happens before Tern", "true"),
    ("Gull: 3 May to 9 Mai; Tern: 8 May to 12 May.", "Gull happens before Tern", "true"),
    ("Gull: 3 May to 9 May", "Gull hapens before Tern", "true"),
)


@pytest.fixture(scope="module")
def logs(folder: Path) -> str:
    rows = (dict(zip(("premise", "claim", "label"), row, strict=True)) for row in LOGS)
    (folder / "logs.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return "logs.jsonl"


def test_a_grammar_of_a_package(folder: Path, logs: str) -> None:
    """Two readers: no note; what is not of the wording is unread, at its place in the file."""
    words = ("--grammar", "harbour-log", "--report", "read", "--json")
    ran = command(folder, "verify", logs, *words)
    assert ran.returncode == 2, ran.stderr
    found = json.loads(ran.stdout)
    assert (found["findings"], found["notes"]) == ({"unparsed": 2, "wrong-label": 1}, {})
    rows = [json.loads(line) for line in (folder / "read" / "items.jsonl").read_text().splitlines()]
    assert rows[0]["premise"] == (
        "the start of Gull happened before the end of Gull. "
        "the end of Gull happened at the same time as the start of Tern. "
        "the start of Tern happened before the end of Tern"
    )
    source = {"name": "harbour-log", "premise": LOGS[0][0], "claim": LOGS[0][1]}
    assert rows[0]["grammar"] == source
    assert [row["verdict"] and row["verdict"]["label"] for row in rows[:3]] == [
        *("true", "false", None),
    ]
    assert 'column 18: found "Mai; Tern' in rows[2]["error"]
    assert 'claim of item 4, line 1, column 6: found "hapens' in rows[3]["error"]
    checked = command(folder, "check", "read/items.jsonl")
    assert "4 items: 2 proved, 0 rejected, 2 not proved" in checked.stdout
    parsed = command(folder, "parse", logs, "--grammar", "harbour-log").stdout.splitlines()
    assert [len(json.loads(line)["premise"]) for line in parsed] == [3, 3]


def test_a_grammar_in_the_api(folder: Path, logs: str) -> None:
    premise, claim, _ = LOGS[0]
    program = f"""
import hopcheck as hc
texts = dict(premise={premise!r}, claim={claim!r}, grammar="harbour-log")
assert hc.verify({logs!r}, grammar="harbour-log").findings.counts()["wrong-label"] == 1
assert [str(row) for row in hc.parse(**texts).premise][1].startswith("end of Gull simultaneous")
verdict = hc.explain(**texts)
assert verdict.label == "true"
hc.check(verdict)
"""
    ran = python(folder, "-c", program)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize(
    ("old", "new", "status", "message"),
    [
        ("    second = _Second()\n", "", 0, "2 one-reader: the texts are of a grammar"),
        ("(100 * MONTHS", "(-100 * MONTHS", 4, "read item 1 differently"),
        ("if at < then else", "if at <= then else", 4, "read item 2 differently"),
        ('f"the {first} happened', 'f"the {first} hapened', 2, "wrote a text that is not read"),
        ("return sentences(_Stays()", "return 1, (_Stays()", 2, "returns a tuple"),
        ("return text\n\n\nclass Log", "return text[99]\n\n\nclass Log", 2, "fails: IndexError"),
        ("def premise(self, text: str)", "def premises(self, text: str)", 2, "no functions"),
        ("import re\n", "import rex\n", 2, "cannot be loaded: ModuleNotFoundError"),
    ],
)  # fmt: skip
def test_a_grammar_that_errs(folder: Path, old: str, new: str, status: int, message: str) -> None:
    """One reader is marked; two that differ stop the run."""
    rows = [
        {"premise": "Gull: 3 Mar to 9 Apr; Tern: 9 May to 12 Jun", "claim": LOGS[0][1]},
        {"premise": "Gull: 3 Mar to 9 Apr; Tern: 9 Apr to 12 Jun", "claim": LOGS[0][1]},
    ]
    (folder / "two.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    file = folder / "hopcheck_harbour" / "log.py"
    text = file.read_text()
    file.write_text(text.replace(old, new))
    try:
        ran = command(folder, "verify", "two.jsonl", "--grammar", "harbour-log")
    finally:
        file.write_text(text)
    assert ran.returncode == status, (ran.stdout, ran.stderr)
    assert message in ran.stdout + ran.stderr
    assert "Traceback" not in ran.stderr


def test_an_unknown_grammar(folder: Path) -> None:
    ran = command(folder, "parse", "items.jsonl", "--grammar", "harbour")
    assert (ran.returncode, "installed grammars: harbour-log" in ran.stderr) == (2, True)


def test_a_wrong_engine_stops_the_run(folder: Path) -> None:
    """The engine of another package that errs is a disagreement like any other."""
    engine = folder / "hopcheck_harbour" / "engine.py"
    text = engine.read_text()
    wrong = text.replace("status = Status.REFUTED", "status = Status.UNKNOWN")
    assert wrong != text
    (folder / "refuted.jsonl").write_text(
        json.dumps({"id": "1", "premise": ROWS[2][0], "claim": "B happens before A"}) + "\n"
    )
    words = ("--crosscheck", "asp,transitive", "--report", "stopped")
    engine.write_text(wrong)
    try:
        ran = command(folder, "verify", "refuted.jsonl", *words)
        assert (ran.returncode, "engines disagree on item 1" in ran.stderr) == (4, True)
        again = python(next((folder / "stopped").rglob("disagreement-1")), "ask_again.py")
    finally:
        engine.write_text(text)
    assert again.returncode == 0 or "transitive" in again.stderr
