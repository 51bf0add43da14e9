"""Builds the proofs, where Coq and OCaml are installed."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from solver.eventhop.certificates.proved import Compiled, compiled, in_node

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def built() -> Path:
    """The folder that ``make proofs`` fills; the test is skipped where Coq or OCaml is missing.

    With ``HOPCHECK_REQUIRE_PROOFS=1`` their absence is a failure.
    """
    missing = [name for name in ("coqc", "ocamlopt", "make") if shutil.which(name) is None]
    if missing:
        reason = f"{', '.join(missing)} not installed (Debian packages coq, ocaml-nox, make)"
        if os.environ.get("HOPCHECK_REQUIRE_PROOFS") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    folder = ROOT / "build" / "proofs"
    folder.parent.mkdir(exist_ok=True)
    # One of several test processes builds, the others wait.
    with (folder.parent / "proofs.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = subprocess.run(
            ["make", "proofs"], cwd=ROOT, capture_output=True, text=True, check=False
        )
    assert made.returncode == 0, made.stderr
    return folder


@pytest.fixture(scope="session", params=["native", "JavaScript"])
def checker(request: pytest.FixtureRequest) -> Compiled:
    """The compiled checker, as a program and as a script."""
    if request.param == "native":
        request.getfixturevalue("built")
        return compiled()
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    return in_node()
