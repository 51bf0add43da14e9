"""The command line starts at once: ``--help`` imports no library that only some commands need."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEAVY = {
    *("clingo", "z3", "lark", "numpy", "scipy", "sklearn", "matplotlib", "rich", "pyarrow"),
    *("networkx", "jinja2", "hypothesis", "multiprocessing", "concurrent.futures"),
}
LIMIT_MS = 150
HELP = ("-m", "solver", "--help")

PROBE = """
import runpy, sys
sys.argv = ["solver", "--help"]
try:
    runpy.run_module("solver", run_name="__main__")
except SystemExit as end:
    assert not end.code, end.code
print("imported", *sys.modules, file=sys.stderr)
"""


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    )


def test_help_imports_nothing_heavy() -> None:
    done = python("-c", PROBE)
    assert "verify" in done.stdout
    imported = set(done.stderr.split("imported ", 1)[1].split())
    assert "solver.cli" in imported
    assert imported.isdisjoint(HEAVY)


def test_help_starts_at_once() -> None:
    """The best of several runs, since other tests run beside this one."""
    best = min(_milliseconds() for _ in range(5))
    for _ in range(40):
        if best < LIMIT_MS:
            break
        time.sleep(0.1)
        best = min(best, _milliseconds())
    assert best < LIMIT_MS


def _milliseconds() -> float:
    began = time.perf_counter()
    python(*HELP)
    return 1000 * (time.perf_counter() - began)
