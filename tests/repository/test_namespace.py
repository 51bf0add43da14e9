"""The same modules as ``solver`` in a checkout and as ``hopcheck.solver`` in a wheel."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

import hopcheck

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("solver", "grammar", "generators", "benchmarks")
# A call that imports by name, or looks up a package by name.
DYNAMIC = re.compile(
    r"import_module\((?!NAMESPACE \+ )|PackageLoader\((?!__package__|_SHARED)|__import__\("
)


@pytest.fixture(scope="module")
def hook() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("from solver.asp import ask", "from hopcheck.solver.asp import ask"),
        ("from solver import asp, smt", "from hopcheck.solver import asp, smt"),
        ("from  grammar.eventhop.reader import (\n    Reader,\n)", None),
        ("import solver.asp as m", "import hopcheck.solver.asp as m"),
        ("import solver", "import hopcheck.solver as solver"),
        ("import sys, solver", "import sys, hopcheck.solver as solver"),
        ("é = 1; from solver import asp", "é = 1; from hopcheck.solver import asp"),
        ("import solvers\nfrom solver_x import y", "import solvers\nfrom solver_x import y"),
        ("'''\nfrom solver import asp\n'''", "'''\nfrom solver import asp\n'''"),
        ("from . import solver", "from . import solver"),
    ],
)
def test_imports_are_rewritten(hook: ModuleType, source: str, expected: str | None) -> None:
    expected = source.replace("grammar", "hopcheck.grammar") if expected is None else expected
    assert hook.rewritten(source.encode(), PACKAGES).decode() == expected


@pytest.mark.parametrize("source", ["import solver.asp", "from \\\n  solver import asp"])
def test_other_imports_are_refused(hook: ModuleType, source: str) -> None:
    with pytest.raises(ValueError, match="<source>:1"):
        hook.rewritten(source.encode(), PACKAGES)


def test_patterns_without_a_file_are_refused(hook: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "solver").mkdir()
    (tmp_path / "solver" / "asp.py").touch()
    assert [*map(str, hook.files(tmp_path, ["solver"], []))] == ["solver/asp.py"]
    assert [*hook.files(tmp_path, ["solver"], ["solver/*"])] == []
    with pytest.raises(ValueError, match=r"solver/old\.py"):
        list(hook.files(tmp_path, ["solver"], ["solver/old.py"]))


def test_modules_are_named_relative_to_the_namespace() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for package in (*PACKAGES, "hopcheck")
        for path in sorted((ROOT / package).rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if DYNAMIC.search(line)
    ]
    assert found == []


def test_public_names_are_resolved() -> None:
    assert hopcheck.__all__ == sorted(hopcheck.__all__)
    assert [name for name in hopcheck.__all__ if not hasattr(hopcheck, name)] == []
    assert dir(hopcheck) == hopcheck.__all__
    with pytest.raises(AttributeError, match="no_such_name"):
        hopcheck.no_such_name  # noqa: B018
    assert hopcheck.HopcheckError is sys.modules["grammar.errors"].HopcheckError
