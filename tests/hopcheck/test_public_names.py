"""The public names of the Python API."""

from __future__ import annotations

import doctest
import importlib
import inspect
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hopcheck as hc

ROOT = Path(__file__).resolve().parents[2]
MODULES = ("", ".explanations", ".generation", ".graphs", ".scoring", ".verification")
FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


FUNCTIONS = [name for name in hc.__all__ if inspect.isfunction(getattr(hc, name))]


@pytest.mark.parametrize("name", hc.__all__)
def test_every_name_resolves_and_is_documented(name: str) -> None:
    value = getattr(hc, name)
    assert name in dir(hc)
    if name != "__version__":
        assert inspect.getdoc(value)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'verfy'"):
        hc.verfy  # noqa: B018


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_has_an_example(name: str) -> None:
    assert ">>> " in (inspect.getdoc(getattr(hc, name)) or "")


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_run(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    found = doctest.testmod(importlib.import_module(f"hopcheck{module}"), optionflags=FLAGS)
    assert found.attempted
    assert not found.failed


def test_importing_the_package_imports_no_engine(
    tmp_path: Path, python: Callable[..., Any]
) -> None:
    heavy = ("clingo", "z3", "numpy", "matplotlib", "lark", "pandas")
    program = f"import sys, hopcheck; print([one for one in {heavy} if one in sys.modules])"
    path = os.environ | {"PYTHONPATH": str(Path(hc.__file__).parents[1])}
    found = python("-c", program, cwd=tmp_path, env=path)
    assert found.stdout.strip() == "[]", found.stderr
