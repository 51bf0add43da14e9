"""Ctrl-C keeps what was written."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import clingo
import pytest

from generators.dataset import DatasetFolder
from grammar.errors import ExitStatus
from solver import cli

ROW = (
    "{n}\tpossible\tfalse\tbefore\t2\t1\t1\tThe end of Race {n} happened before the start of "
    "Tea {n}\tRace {n} happens before Tea {n}\tTrue\n"
)


ENOUGH = 500_000
"""Bytes to wait for, of some 30 million."""


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupted_run_keeps_whole_lines(
    tmp_path: Path,
    jobs: str,
    start: Callable[..., subprocess.Popen[str]],
    until: Callable[[Callable[[], object]], None],
) -> None:
    items = tmp_path / "items.tsv"
    items.write_text("".join(ROW.format(n=n) for n in range(60_000)))
    partial = tmp_path / "report" / "items.jsonl.partial"
    words = ("-m", "solver", "verify", items, "--report", partial.parent, "--jobs", jobs)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    run = start(*words, **pipes, cwd=Path(__file__).resolve().parents[2])
    # More than one shard: an interrupt during the first write leaves no whole line.
    until(lambda: _size(partial) >= ENOUGH or run.poll() is not None)
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=600)
    assert run.returncode == 130
    assert "Traceback" not in err
    assert "items.jsonl.partial" in err
    lines = partial.read_text().splitlines()
    assert lines
    assert all(json.loads(line)["verdict"]["status"] == "entailed" for line in lines)
    assert not (partial.parent / "items.jsonl").exists()


ENDLESS = 12_000


class Interrupted:
    """Its finalizer drops an interrupt, as one that arrives while a solver is freed."""

    def __del__(self) -> None:
        raise KeyboardInterrupt


def test_an_interrupt_during_a_finalizer_ends_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = []

    def command(*_: object, **__: object) -> None:
        Interrupted()
        for step in range(ENDLESS):
            steps.append(step)
            time.sleep(0.05)

    monkeypatch.setattr(cli.cli, "main", command)
    before = sys.unraisablehook
    assert cli.run([]) == ExitStatus.INTERRUPTED
    assert 0 < len(steps) < ENDLESS
    assert sys.unraisablehook is before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_data_set_is_the_earlier_one(
    number: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["generate", "traces", "--test", "3", "--probes", "none", "--out", str(tmp_path)]
    assert cli.run([*words, "--seed", "1"]) == ExitStatus.OK
    earlier = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert "manifest.json" in earlier

    def finish(folder: DatasetFolder, **_: object) -> None:
        assert (folder.path / "test.jsonl").read_bytes() != earlier["test.jsonl"]
        os.kill(os.getpid(), number)

    monkeypatch.setattr(DatasetFolder, "finish", finish)
    handler = signal.getsignal(signal.SIGTERM)
    assert cli.run([*words, "--seed", "2"]) == ExitStatus.INTERRUPTED
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == earlier
    assert signal.getsignal(signal.SIGTERM) == handler


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_waits_for_the_end_of_a_callback(
    number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Clingo ends the process if an exception is raised where it has called Python."""
    control, finished, steps = clingo.Control(["--stats"]), [], []
    control.add("base", [], "a.")
    control.ground([("base", [])])

    def interrupted(*_: object) -> None:
        os.kill(os.getpid(), number)
        finished.append(sum(range(1_000)))

    def command(*_: object, **__: object) -> None:
        control.solve(on_statistics=interrupted)
        for step in range(ENDLESS):
            steps.append(step)
            time.sleep(0.05)

    monkeypatch.setattr(cli.cli, "main", command)
    assert cli.run([]) == ExitStatus.INTERRUPTED
    assert finished
    assert len(steps) < ENDLESS
