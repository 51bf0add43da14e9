"""Output that cannot be printed: files are complete, and the exit status is right."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TextIO

import pytest

from solver.cli import run

COMMANDS = (
    "--help",
    "verify right.tsv --report report",
    "verify flawed.tsv --json",
    "verify --kind facts facts/right.tsv --report report",
    "verify texts/flawed.txt --kind texts --facts texts/references.txt",
    "verify questions/flawed.jsonl --data questions/graph --rules rules.jsonl",
    "verify patterns.jsonl --report report",
    "explain flawed.tsv --id 3",
    "explain flawed.tsv --id 3 --json",
    "parse right.tsv",
    "realise graphs.jsonl",
    "ablate right.tsv",
    "diagnose answers.jsonl --data right.tsv",
    "prompts right.tsv",
    "baseline majority --data right.tsv",
    "score nli answers.jsonl --data right.tsv",
    "score ranks ranks/strict.ranks.txt --data ranks/graph",
    "score quadruples quadruples/careful.predictions.txt "
    "--references quadruples/club.references.txt --report report",
    "generate patterns --hops 1",
    "mine tkg --lengths 1",
    "apply rules.jsonl --data tkg",
    "strikingness tkg --rules rules.jsonl",
    "examples copy",
    "explain --rule 0 --rules rules.jsonl --data tkg",
    "doctor",
)


@pytest.fixture
def folder(examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with the examples."""
    shutil.copytree(examples, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def made(examples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Further inputs, made by the commands themselves."""
    made = tmp_path_factory.mktemp("made")
    for name, command in (
        ("answers.jsonl", ["baseline", "majority", "--data", f"{examples}/right.tsv"]),
        ("rules.jsonl", ["mine", f"{examples}/tkg", "--lengths", "1"]),
        ("patterns.jsonl", ["generate", "patterns", "--hops", "1"]),
    ):
        assert run([*command, "--out", f"{made}/{name}"]) == 0, command
    with (made / "graphs.jsonl").open("w") as graphs, redirect_stdout(graphs):
        run(["parse", f"{examples}/right.tsv"])
    return made


def run_into(stream: TextIO, command: str, monkeypatch: pytest.MonkeyPatch) -> int:
    shutil.rmtree("report", ignore_errors=True)
    shutil.rmtree("copy", ignore_errors=True)
    with monkeypatch.context() as patch, stream:
        patch.setattr(sys, "stdout", stream)
        return run(command.split())


def written() -> list[str]:
    return sorted(str(path) for path in Path().glob("report/*"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize("command", COMMANDS)
def test_the_verdict_and_the_files_do_not_depend_on_the_output(
    command: str,
    folder: Path,
    made: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shutil.copytree(made, folder, dirs_exist_ok=True)
    with (folder / "out").open("w+b") as file:
        stream = open(os.dup(file.fileno()), "w")  # noqa: PTH123, SIM115 - closed by the run
        status = run_into(stream, command, monkeypatch)
        file.seek(0)
        assert file.read()
    files, errors = written(), capsys.readouterr().err
    assert bool(files) == ("report" in command)

    reader, writer = os.pipe()
    os.close(reader)
    assert run_into(open(writer, "w"), command, monkeypatch) == status  # noqa: PTH123, SIM115
    assert (written(), capsys.readouterr().err) == (files, errors)

    full = Path("/dev/full").open("w")  # noqa: SIM115 - closed by the run
    assert run_into(full, command, monkeypatch) == 2
    assert written() == files
    last = "error: standard output: no space left on device\n"
    assert capsys.readouterr().err == errors + last
