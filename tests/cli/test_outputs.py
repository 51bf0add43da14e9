"""Output paths are checked before a command starts, and no stray files are written."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Solver = Callable[..., Any]

FOLDERS = (
    "verify right.tsv --report",
    "verify --kind facts facts/right.tsv --report",
    "ablate right.tsv --report",
    "score quadruples quadruples/careful.predictions.txt "
    "--references quadruples/club.references.txt --report",
    "score ranks ranks/strict.ranks.txt --data ranks/graph --report",
    "forecast tkg --from 2032-03-02 --to 2032-03-02 --out",
    "generate eventhop --out",
    "generate tkg --out",
    "generate texts --facts texts/references.txt --out",
    "calibrate tkg --out",
    "train --data right.tsv --tiny bert --out",
)
FILES = (
    "mine tkg --out",
    "baseline majority --data right.tsv --out",
    "baseline recurrency --data ranks/graph --out",
    "prompts right.tsv --out",
    "generate patterns --out",
    "explain right.tsv --id 3 --svg",
)


@pytest.fixture
def folder(examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a copy of the examples."""
    shutil.copytree(examples, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("command", [*FOLDERS, *FILES])
@pytest.mark.parametrize("where", ["right.tsv/below.json", ""], ids=["below a file", "nowhere"])
def test_invalid_outputs_are_rejected_before_the_command_starts(
    solver: Solver, folder: Path, command: str, where: str
) -> None:
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    ran = solver(*command.split(), where)
    assert (ran.status, ran.out) == (2, "")
    message = ran.err.splitlines()[-1]
    assert "ot a directory" in message if where else "the path is empty" in message
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


@pytest.mark.parametrize("command", FILES)
def test_a_file_in_a_folder_that_is_not_there_is_refused(
    solver: Solver, folder: Path, command: str
) -> None:
    ran = solver(*command.split(), "none/file.json")
    assert (ran.status, ran.out) == (2, "")
    assert "none/file.json: cannot be written: no such file or directory" in ran.err
    assert not (folder / "none").exists()


FAILING = (
    ("close broken.tml --out", b"<TimeML><TEXT>no end"),
    ("reduce broken.tml --out", b"<TimeML><TEXT>no end"),
    ("prompts broken.jsonl --out", b'{"premise": "The end of X'),
    ("verify broken.jsonl --fixed", b'{"premise": "X?", "claim": "Y?", "label": "True"}'),
    ("baseline majority --data broken.jsonl --out", b'{"premise": 3}'),
    ("mine broken --out", b""),
    ("apply broken.jsonl --data tkg --out", b"{"),
    ("answer broken.jsonl --observe past --rules broken.jsonl --data questions/graph --out", b"{"),
    ("generate texts --facts broken.txt --out", b"no fact"),
    ("forecast tkg --rules broken.jsonl --from 2032-03-02 --to 2032-03-03 --out", b""),
)


@pytest.mark.parametrize(("command", "content"), FAILING, ids=[words for words, _ in FAILING])
def test_a_failing_command_leaves_its_earlier_output(
    solver: Solver, folder: Path, command: str, content: bytes
) -> None:
    broken = next(word for word in command.split() if word.startswith("broken"))
    (folder / broken).write_bytes(content)
    earlier = folder / "earlier"
    if command.split()[0] in ("generate", "forecast"):
        earlier.mkdir()
        (earlier / "texts.jsonl").write_bytes(b"earlier")
    else:
        earlier.write_bytes(b"earlier")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    ran = solver(*command.split(), earlier)
    assert ran.status == 2
    assert "Usage" not in ran.err
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_a_list_of_patterns_goes_through_a_pipe(solver: Solver, tmp_path: Path) -> None:
    pipe = tmp_path / "list.jsonl"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    reader.start()
    ran = solver("generate", "patterns", "--hops", 1, "--out", pipe)
    reader.join()
    assert ran.status == 0
    assert pipe.is_fifo()
    assert read[0].count("\n") == 10


@pytest.mark.parametrize(
    "command",
    [
        "verify right.tsv --jobs 9999999999",
        "mine tkg --jobs 9999999999",
        "baseline frequency --data ranks/graph --most 99999999999999999999",
        "prompts tkg ranks/graph --most 99999999999999999999",
        "train --data right.tsv --tiny bert --out run --vocabulary 99999999999999999999",
        "generate texts --facts texts/references.txt --out out --headlines nan",
        "generate texts --facts texts/references.txt --out out --timeout inf",
        "generate texts --facts texts/references.txt --out out --model llama",
        "generate moved-texts texts/right.txt --facts texts/references.txt --out out --years 10000",
        "verify --kind facts facts/right.tsv --types facts/schema/types.tsv",
        "verify --kind facts facts/right.tsv --require-types",
        "verify --kind facts facts/right.tsv --exclusive-column exclusive",
        "forecast tkg --from 2032-03-02 --to 2032-03-02 --out out --require-types",
        "score ranks ranks/strict.ranks.txt --data ranks/graph --eta 0.5",
    ],
)
def test_options_out_of_range_or_without_what_they_need_are_refused(
    solver: Solver, folder: Path, command: str
) -> None:
    ran = solver(*command.split())
    assert (ran.status, ran.out) == (2, "")
    assert f"--{command.rpartition(' --')[2].split()[0]}" in ran.err.splitlines()[-1]
    assert not (folder / "out").exists()
    assert not (folder / "run").exists()
