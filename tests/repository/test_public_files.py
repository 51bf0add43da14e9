"""Files that others look for: how to cite, how to report, what runs for each change."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import solver

ROOT = Path(__file__).resolve().parents[2]


def test_the_citation_has_the_version_and_the_licence() -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert re.search(r"(?m)^version: (.+)$", text)[1] == solver.__version__  # type: ignore[index]
    assert re.search(r"(?m)^license: (.+)$", text)[1] == project["license"]  # type: ignore[index]


def test_each_supported_version_is_tested() -> None:
    text = (ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = "Programming Language :: Python :: "
    stated = [row.removeprefix(named) for row in project["classifiers"] if row.startswith(named)]
    versions = [version for version in stated if re.fullmatch(r"3\.\d+", version)]
    shown = ", ".join(f'"{version}"' for version in versions)
    assert f"python: [{shown}]" in text


def test_workflows_run_targets_that_exist() -> None:
    targets = set(re.findall(r"(?m)^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8")))
    files = [ROOT / ".pre-commit-config.yaml", *(ROOT / ".github" / "workflows").glob("*.yml")]
    used = {
        target
        for path in files
        for target in re.findall(r"make ([a-z-]+)", path.read_text(encoding="utf-8"))
    }
    assert used
    assert used <= targets
