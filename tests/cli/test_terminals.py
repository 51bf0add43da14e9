"""Output to any kind of terminal or pipe."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("command", [["verify"], ["explain", "--id", "0"]])
def test_a_terminal_without_unicode(command: list[str]) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "solver", command[0], "examples/flawed.tsv", *command[1:]],
        cwd=ROOT,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )
    assert ran.returncode in (0, 1)
    assert b"Traceback" not in ran.stderr
    assert b"Lantern Parade" in ran.stdout


def test_a_reader_that_leaves_early() -> None:
    ran = subprocess.run(
        f"{shlex.quote(sys.executable)} -m solver verify examples/right.tsv | head -1",
        shell=True,
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    assert ran.stderr == b""
