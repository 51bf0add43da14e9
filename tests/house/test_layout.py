"""Sizes, names and locations of modules."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("solver", "grammar", "generators", "benchmarks")
MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
VAGUE = {"utils", "util", "helpers", "helper", "common", "misc"}

MOST_LINES_OF_A_MODULE = 300
MOST_LINES_OF_A_FUNCTION = 40

every_module = pytest.mark.parametrize(
    "path", [*MODULES, *TESTS], ids=lambda path: path.relative_to(ROOT).as_posix()
)


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def test_the_packages_exist() -> None:
    assert MODULES
    assert {path.relative_to(ROOT).parts[0] for path in MODULES} == set(PACKAGES)


def test_encodings_contain_no_python() -> None:
    """A package of that name would shadow the standard library's ``encodings``."""
    assert not list((ROOT / "encodings").rglob("*.py*"))


@every_module
def test_modules_are_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES_OF_A_MODULE


@every_module
def test_functions_are_short(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    long = {
        function.name: lines
        for function in functions(tree)
        if (lines := (function.end_lineno or 0) - function.lineno + 1) > MOST_LINES_OF_A_FUNCTION
    }
    assert not long


@every_module
def test_modules_are_named_for_their_contents(path: Path) -> None:
    assert path.stem.strip("_") not in VAGUE
    assert path.parent.name not in VAGUE


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_shadow_no_standard_module(package: str) -> None:
    assert package not in sys.stdlib_module_names


def test_no_tests_are_packages() -> None:
    assert not list((ROOT / "tests").rglob("__init__.py"))
