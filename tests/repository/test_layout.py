"""The names and the places of modules."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("grammar", "solver", "generators", "benchmarks", "hopcheck")
KINDS = (
    *("eventhop", "links", "patterns", "tkg", "rules", "facts", "texts", "questions", "calendar"),
    *("positions", "assignments", "family"),
)
MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
VAGUE = {"utils", "util", "helpers", "helper", "common", "misc"}


def test_every_package_has_modules() -> None:
    assert {path.relative_to(ROOT).parts[0] for path in MODULES} == set(PACKAGES)


def test_encodings_hold_no_python() -> None:
    """A package of that name would shadow Python's own ``encodings`` and stop it at its start."""
    assert not list((ROOT / "encodings").rglob("*.py*"))


def vague(paths: Sequence[Path]) -> list[Path]:
    return [path for path in paths if VAGUE & {path.stem.strip("_"), path.parent.name}]


def test_modules_are_named_for_what_they_contain() -> None:
    assert len(MODULES) > 300
    assert len(TESTS) > 300
    assert vague([*MODULES, *TESTS]) == []
    wrong = [ROOT / "solver" / name for name in ("_utils.py", "common/reader.py")]
    assert vague([*wrong, ROOT / "solver" / "asp.py"]) == wrong


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_has_one_name_in_every_package(kind: str) -> None:
    """Everything about a kind is found with ``ls -d */KIND docs/KIND*``."""
    assert (ROOT / "solver" / kind).is_dir()
    assert (ROOT / "tests" / "solver" / kind).is_dir()
    assert list((ROOT / "docs").glob(f"{kind}*.md"))
    elsewhere = [
        path
        for path in MODULES
        if path.stem.removesuffix("s").startswith(kind.removesuffix("s") + "_")
        and kind not in path.relative_to(ROOT).parts
    ]
    assert elsewhere == []


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_shadow_no_standard_module(package: str) -> None:
    assert package not in sys.stdlib_module_names


def test_no_tests_are_packages_but_the_campaigns() -> None:
    """They are run by ``python -m``, and import one another."""
    packages = {path.parent for path in (ROOT / "tests").rglob("__init__.py")}
    assert packages == {ROOT / "tests", ROOT / "tests" / "campaigns"}
