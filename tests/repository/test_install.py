"""What ``make`` installs with: uv by the settings of pip, or pip."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / ".ci" / "install.py"
SETTINGS = """
:env:.default-timeout='180'
:env:.find-links='wheels'
global.cert='certificates.crt'
global.extra-index-url='file:///a/simple\\nfile:///b/simple'
global.find-links='elsewhere'
install.no-build-isolation='true'
"""


@pytest.fixture
def install() -> ModuleType:
    spec = importlib.util.spec_from_file_location("install", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_settings_of_pip_are_variables_of_uv(install: ModuleType) -> None:
    assert install.variables(SETTINGS) == {
        "UV_INDEX_STRATEGY": "unsafe-best-match",
        "UV_HTTP_TIMEOUT": "180",
        "UV_FIND_LINKS": "elsewhere",
        "SSL_CERT_FILE": "certificates.crt",
        "UV_INDEX": "file:///a/simple file:///b/simple",
    }


@pytest.mark.parametrize(
    ("failing", "status", "installers"),
    [
        ((), 0, ["pip uv", "uv"]),
        (("uv",), 0, ["pip uv", "uv", "pip"]),
        (("pip uv",), 0, ["pip uv", "pip"]),
        (("pip uv", "pip"), 1, ["pip uv", "pip"]),
    ],
)
def test_pip_installs_where_uv_does_not(
    install: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    failing: tuple[str, ...],
    status: int,
    installers: list[str],
) -> None:
    called: list[str] = []

    def run(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        if command[-1] == "list":
            return subprocess.CompletedProcess(command, 0, stdout="")
        called.append("pip uv" if command[-1] == "uv" else command[2])
        if called[-1] != "pip uv":
            assert command[-1] == "a-package"
        pinned = Path(command[command.index("--constraint") + 1]).read_text(encoding="utf-8")
        assert pinned == install.pins()
        return subprocess.CompletedProcess(command, int(called[-1] in failing))

    monkeypatch.setattr(install.subprocess, "run", run)
    assert install.main(["a-package"]) == status
    assert called == installers


@pytest.mark.parametrize("option", ["--require-hashes", "--resolution"])
def test_what_is_pinned_otherwise_has_no_constraints(
    install: ModuleType, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    commands: list[list[str]] = []

    def run(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        commands.append(command)
        return subprocess.CompletedProcess(command, 0, stdout="")

    monkeypatch.setattr(install.subprocess, "run", run)
    assert install.main([option, "file"]) == 0
    assert ["--constraint" in command for command in commands] == [True, False, False]


def test_pins_are_those_of_both_files_without_hashes(install: ModuleType) -> None:
    pins = install.pins().splitlines()
    assert [line for line in pins if "--hash" in line or line.endswith("\\")] == []
    assert any(line.startswith("numpy==") for line in pins)
    assert any(line.startswith("torch==") for line in pins)
    assert any(line.startswith("colorama==") and line.endswith("'win32'") for line in pins)


@pytest.mark.slow
def test_every_pinned_file_has_its_hash(tmp_path: Path) -> None:
    """As a user would: pip alone, in an empty environment."""
    python = tmp_path / "environment" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", str(python.parents[1])], check=True)
    pip = [str(python), "-m", "pip", "install", "--quiet", "--no-compile", "--require-hashes"]
    subprocess.run([*pip, "-r", str(SCRIPT.parents[1] / "constraints.txt")], check=True)
