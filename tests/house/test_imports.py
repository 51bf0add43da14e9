"""Imports between packages are layered, and one module uses each solver."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MAY_IMPORT = {
    "grammar": {"grammar", "solver.model", "solver.errors"},
    "solver": {"solver", "grammar"},
    "generators": {"generators", "solver", "grammar"},
    "benchmarks": {"benchmarks", "generators", "solver", "grammar"},
    "hopcheck": {"hopcheck", "benchmarks", "generators", "solver", "grammar"},
}
SPOKEN_TO_BY = {"clingo": {"solver.asp"}, "z3": {"solver.smt"}}
# A checker that borrowed from what it checks would check nothing.
CHECKER = {
    "solver.certificates.replay": {
        "solver.certificates.derivation",
        "solver.certificates.meaning",
        "solver.model",
    },
    "solver.certificates.derivation": {"solver.certificates.meaning", "solver.model"},
    "solver.certificates.meaning": {"solver.model"},
}

# Distributions of modules with another name: some libraries bring others.
DISTRIBUTION = {
    "z3": "z3-solver",
    "sklearn": "scikit-learn",
    "threadpoolctl": "scikit-learn",
    "markupsafe": "jinja2",
}
TYPES_ONLY = {"_typeshed"}


@dataclass(frozen=True, slots=True)
class Import:
    importer: str
    imported: str


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def is_module(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


def imported_names(tree: ast.AST) -> Iterator[str]:
    """Modules, wherever in the file they are imported; names in them count to their module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports name their module in full"
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if is_module(whole) else str(node.module)


def imports(package: str) -> list[Import]:
    return [
        Import(module_name(path), name)
        for path in sorted((ROOT / package).rglob("*.py"))
        for name in imported_names(ast.parse(path.read_text(encoding="utf-8")))
    ]


EVERY = {package: imports(package) for package in MAY_IMPORT}


def within(name: str, allowed: set[str]) -> bool:
    return any(name == one or name.startswith(f"{one}.") for one in allowed)


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_imports_go_one_way(package: str) -> None:
    ours = [one for one in EVERY[package] if one.imported.split(".")[0] in (*MAY_IMPORT, "tests")]
    assert [one for one in ours if not within(one.imported, MAY_IMPORT[package])] == []


@pytest.mark.parametrize("library", SPOKEN_TO_BY)
def test_one_module_uses_a_solver(library: str) -> None:
    every = [one for package in EVERY.values() for one in package]
    speakers = {one.importer for one in every if within(one.imported, {library})}
    assert speakers == SPOKEN_TO_BY[library]


@pytest.mark.parametrize("module", CHECKER)
def test_the_checker_of_certificates_imports_no_engine(module: str) -> None:
    imported = {
        one.imported
        for one in EVERY["solver"]
        if one.importer == module and one.imported.split(".")[0] not in sys.stdlib_module_names
    }
    assert imported
    assert imported <= CHECKER[module]


@pytest.mark.parametrize("module", ["solver.model", "solver.errors"])
def test_what_all_packages_import_imports_nothing(module: str) -> None:
    """So that a grammar's import of the model brings nothing else of the solver with it."""
    imported = {one.imported for one in EVERY["solver"] if one.importer == module}
    assert {name.split(".")[0] for name in imported} <= sys.stdlib_module_names


def test_grammar_needs_no_library_but_lark() -> None:
    """Only the JSON of graphs asks for one more, which validates what it reads."""
    more = {"grammar.graph_json": {"msgspec"}}
    for one in EVERY["grammar"]:
        allowed = {"grammar", "solver", "lark"} | more.get(one.importer, set())
        assert one.imported.split(".")[0] in allowed | sys.stdlib_module_names, one


def test_libraries_that_are_imported_are_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {re.split(r"[<>=\[]", one)[0].lower() for one in project["dependencies"]}
    optional = project["optional-dependencies"]
    declared |= {one.lower() for name, group in optional.items() if name != "dev" for one in group}
    tops = {one.imported.split(".")[0] for package in EVERY.values() for one in package}
    libraries = tops - sys.stdlib_module_names - set(MAY_IMPORT) - TYPES_ONLY
    assert {"clingo", "z3", "click"} <= libraries
    assert {DISTRIBUTION.get(one, one) for one in libraries} <= declared


def test_the_walk_finds_imports_inside_functions() -> None:
    tree = ast.parse("def f():\n    import clingo.ast\n    from solver import asp, model\n")
    assert list(imported_names(tree)) == ["clingo.ast", "solver.asp", "solver.model"]
