"""Output to any kind of terminal or pipe."""

from __future__ import annotations

import errno
import json
import os
import pty
import shlex
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
import pytest
from rich.text import Text

from solver.cli import run
from solver.cli.streams import guarded_output
from solver.io.terminal import SafeConsole

Solver = Callable[..., Any]

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def _checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths of commands are those of the examples."""
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("command", [["verify"], ["explain", "--id", "0"]])
def test_a_terminal_without_unicode(command: list[str], python: Callable[..., Any]) -> None:
    words = ("-m", "solver", command[0], "examples/flawed.tsv", *command[1:])
    ran = python(*words, env=os.environ | {"PYTHONIOENCODING": "ascii"}, text=False)
    assert ran.returncode in (0, 1)
    assert b"Traceback" not in ran.stderr
    assert b"Lantern Parade" in ran.stdout


def test_a_reader_that_leaves_early() -> None:
    ran = subprocess.run(
        f"{shlex.quote(sys.executable)} -m solver verify examples/right.tsv | head -1",
        shell=True,
        capture_output=True,
        check=False,
    )
    assert ran.stderr == b""


def test_a_bar_shows_the_total_and_the_time_left(
    start: Callable[..., subprocess.Popen[bytes]],
) -> None:
    near, far = pty.openpty()
    wide = os.environ | {"TERM": "xterm", "COLUMNS": "120"}
    streams = {"stdout": subprocess.DEVNULL, "stderr": far}
    ran = start("-m", "solver", "verify", "examples/right.tsv", env=wide, **streams)
    os.close(far)
    shown = b""
    # Reading fails as soon as the process has closed the other end.
    with suppress(OSError):
        while block := os.read(near, 10_000):
            shown += block
    os.close(near)
    assert ran.wait() == 0
    assert b" of about 16 items" in shown
    assert b"left:" in shown


@pytest.mark.parametrize("locale", [{"LC_ALL": "C", "PYTHONUTF8": "0"}])
def test_a_timeline_in_a_c_locale(locale: dict[str, str], python: Callable[..., Any]) -> None:
    words = ("-m", "solver", "explain", "examples/flawed.tsv", "--id", "3")
    ran = python(*words, env=os.environ | locale, text=False)
    shown = ran.stdout.decode("ascii")
    assert "   Lantern Parade  .:+]\n  Harbour Opening             [+:.\n" in shown
    assert "?" not in shown


FORGED = "right: all is well"
HOSTILE = f"a\n{FORGED}\x1b[2J\u202e\x9b"


def test_names_from_files_print_no_control_characters_and_no_lines(
    tmp_path: Path, solver: Solver
) -> None:
    row = {"id": HOSTILE, "premise": "The end of A preceded the start of B.", "claim": "A before B"}
    items = [row | {"label": "False"}, row | {"label": HOSTILE}, row | {"premise": HOSTILE}]
    (tmp_path / "items.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items))
    (tmp_path / "answers.jsonl").write_text(json.dumps({"id": HOSTILE, "answer": "True"}) + "\n")
    facts = [[HOSTILE, HOSTILE, "b", "2020-01-01"], ["a", "b"], HOSTILE]
    (tmp_path / "facts.txt").write_text(f"{facts}\n{[HOSTILE]}\n")
    (tmp_path / "graph").mkdir()
    for name in ("train", "valid", "test"):
        (tmp_path / "graph" / f"{name}.txt").write_text("0\t0\t1\t0\n0\t0\t1\t1\n")
    for kind, ids in {"entity": [HOSTILE, "b"], "relation": [HOSTILE]}.items():
        names = {name: number for number, name in enumerate(ids)}
        (tmp_path / "graph" / f"{kind}2id.json").write_text(json.dumps(names))
    shown = ""
    for command in (
        "verify {}/items.jsonl",
        "verify {}/items.jsonl --json",
        "explain {}/items.jsonl --id nothing",
        "parse {}/items.jsonl",
        "ablate {}/items.jsonl",
        "score nli {}/answers.jsonl --data examples/right.tsv",
        "verify --kind facts {}/facts.txt --schema examples/facts/schema",
        "mine {}/graph --lengths 1",
        "mine {}/graph --lengths 1 --json",
        "verify --kind tkg {}/graph",
    ):
        ran = solver(*(word.format(tmp_path) for word in command.split()))
        shown += ran.out + ran.err
        for line in (ran.out + ran.err).splitlines():
            assert not line.strip().startswith(FORGED), command
        assert set(ran.out + ran.err).isdisjoint("\x1b\x9b\u202e"), command
    assert r"\u001b[2J\u202e" in shown


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
def test_styles_reach_a_terminal_and_names_do_not_add_any(
    encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = pty.openpty()
    with monkeypatch.context() as patch, os.fdopen(theirs, "w", encoding=encoding) as terminal:
        patch.setattr(sys, "stdout", terminal)
        with guarded_output():
            SafeConsole().print(Text.assemble(("\x1b[41mname", "bold")))
            click.echo("\x1b[42mname")
    shown = ""
    while shown.count("\n") < 2:
        shown += os.read(ours, 1000).decode()
    os.close(ours)
    assert shown == "\x1b[1m\\u001b[41mname\x1b[0m\r\n\\u001b[42mname\r\n"


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (MemoryError(), "error: out of memory (split the input, or use fewer --jobs)\n"),
        (OSError(errno.EIO, "Input/output error", "a.tsv"), "error: a.tsv: input/output error\n"),
        (OSError(errno.ENOSPC, "No space left on device"), "error: no space left on device\n"),
    ],
)
def test_faults_of_the_system_are_one_line(
    fault: Exception, message: str, solver: Solver, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise fault

    monkeypatch.setattr("solver.verification.run.verify", fail)
    ran = solver("verify", "examples/right.tsv")
    assert (ran.status, ran.out, ran.err) == (2, "", message)


def test_closed_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    assert run(["verify", "examples/right.tsv"]) == 0
    assert run(["verify", "examples/none.tsv"]) == 2
