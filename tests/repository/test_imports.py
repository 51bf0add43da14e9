"""Imports: one direction between packages, no circle, one module per solver."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import networkx as nx
import pytest

from solver import NAMESPACE
from solver.verification.kinds import KindDeclaration, built_in

ROOT = Path(__file__).resolve().parents[2]
LAYERS = ("grammar", "solver", "generators", "benchmarks", "hopcheck")
"""Lowest first: a package imports itself and those before it."""

SOLVERS = {"clingo": "solver.asp", "z3": "solver.smt"}
KINDS = (
    *("eventhop", "links", "patterns", "tkg", "rules", "facts", "texts", "questions", "calendar"),
    *("positions", "assignments", "family"),
)
SHARED = {
    "solver": ("io", "dataset", "verification", "report", "drawing", "graph", "probes", "cli"),
    "generators": (),
    "benchmarks": ("metrics",),
}
"""The folders of modules that kinds share; so are the modules directly in these packages."""
COMMAND_TABLES = ("solver.cli", "generators.cli", "benchmarks.cli")
"""They list all commands by name, those of the kinds among them, and import none."""

MODEL = "grammar.eventhop.model"

# Distributions whose name is not that of the module.
DISTRIBUTION = {
    "z3": "z3-solver",
    "sklearn": "scikit-learn",
    "threadpoolctl": "scikit-learn",
    "markupsafe": "jinja2",
    "zipfile_zstd": "zipfile-zstd",
}
TYPES_ONLY = {"_typeshed", "pandas"}


@dataclass(frozen=True, slots=True)
class Import:
    """One import of a module.

    Attributes:
        at_start: whether it runs when the importer is imported: not inside a function, not for
            types alone.
    """

    importer: str
    imported: str
    at_start: bool


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def sources() -> dict[str, ast.Module]:
    """The syntax tree of each module of the packages."""
    return {
        module_name(path): ast.parse(path.read_text(encoding="utf-8"))
        for package in LAYERS
        for path in sorted((ROOT / package).rglob("*.py"))
    }


def is_type_checking(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.If)
        and isinstance(node.test, ast.Name)
        and node.test.id == "TYPE_CHECKING"
    )


def imported_names(
    node: ast.AST, modules: Container[str], *, at_start: bool = True
) -> Iterator[tuple[str, bool]]:
    """Imported modules, wherever in the file; a name in a module counts as that module."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from ((alias.name, at_start) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            assert child.level == 0, "imports name their module in full"
            for alias in child.names:
                whole = f"{child.module}.{alias.name}"
                yield (whole if whole in modules else str(child.module)), at_start
        elif not isinstance(child, ast.expr):
            later = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
            start = at_start and not later and not is_type_checking(child)
            yield from imported_names(child, modules, at_start=start)


def named_modules(tree: ast.Module, modules: Container[str]) -> Iterator[str]:
    """Modules that strings name, alone or with a name in them: what ``import_module`` is given.

    In ``f"{NAMESPACE}solver.forking"`` the string is the part behind the braces.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            module, _, name = node.value.partition(":")
            if "." in module and module in modules and (not name or name.isidentifier()):
                yield module


def edges(trees: Mapping[str, ast.Module]) -> set[tuple[str, str]]:
    """Pairs of an importer and a module that it imports, at start, later, for types or by name.

    A script may name itself, for the line that runs it.
    """
    pairs = set()
    for importer, tree in trees.items():
        imported = {name for name, _ in imported_names(tree, trees)}
        named = set(named_modules(tree, trees)) - {importer}
        pairs |= {(importer, name) for name in (imported | named) & trees.keys()}
    return pairs


def circles(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """A shortest circle of each set of modules that import one another: ``a -> b -> a``."""
    graph = nx.DiGraph(sorted(pairs))
    shortest = []
    for part in nx.strongly_connected_components(graph):
        inside = graph.subgraph(part)
        ways = [[start, *nx.shortest_path(inside, end, start)] for start, end in inside.edges]
        if ways:
            shortest.append(" -> ".join(min(ways, key=lambda way: (len(way), way))))
    return sorted(shortest)


@cache
def every() -> tuple[Import, ...]:
    trees = sources()
    return tuple(
        Import(importer, name, at_start)
        for importer, tree in trees.items()
        for name, at_start in imported_names(tree, trees)
    )


def ours() -> list[Import]:
    return [import_ for import_ in every() if package_of(import_.imported) in (*LAYERS, "tests")]


def package_of(module: str) -> str:
    return module.split(".")[0]


def is_of_a_kind(module: str) -> bool:
    return module.split(".")[1:2] in [[kind] for kind in KINDS]


def is_shared(module: str) -> bool:
    """Whether a module of the packages is of no kind; the public API serves all of them."""
    package, *path = module.split(".")
    if package not in SHARED or is_of_a_kind(module):
        return False
    return len(path) <= 1 or path[0] in SHARED[package]


def is_command_line(module: str) -> bool:
    """Whether a module is part of the command line: ``cli`` is a part of its name."""
    return "cli" in module.split(".") or module.endswith("__main__")


def is_script(module: str) -> bool:
    """Whether a module is a script that measures the project, which may run commands."""
    path = ROOT.joinpath(*module.split(".")).with_suffix(".py")
    return path.is_file() and '__name__ == "__main__"' in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("layer", LAYERS)
def test_no_package_imports_a_higher_one(layer: str) -> None:
    below = LAYERS[: LAYERS.index(layer) + 1]
    inside = [import_ for import_ in ours() if package_of(import_.importer) == layer]
    assert inside
    assert [import_ for import_ in inside if package_of(import_.imported) not in below] == []


def test_the_product_imports_nothing_that_measures_the_project() -> None:
    """The wheel leaves ``benchmarks/reproduction`` out."""
    importers = {
        each.importer for each in ours() if each.imported.startswith("benchmarks.reproduction")
    }
    assert importers
    assert {name for name in importers if not name.startswith("benchmarks.reproduction")} == set()


def test_no_circle() -> None:
    """Neither at start nor in functions, for type checkers or by the name of a module."""
    pairs = edges(sources())
    assert len(pairs) > 1000
    assert circles(pairs) == []


PLANTED = {
    "at start": "import solver.b",
    "a name": "from solver.b import f",
    "the module of a package": "from solver import b",
    "in a function": "def f():\n    from solver.b import f",
    "in a method": "class A:\n    async def f(self):\n        import solver.b",
    "for types": "if TYPE_CHECKING:\n    from solver.b import f",
    "where it may be missing": "try:\n    import solver.b\nexcept ImportError:\n    pass",
    "by name": 'import_module(NAMESPACE + "solver.b")',
    "by name, joined": 'import_module(f"{NAMESPACE}solver.b")',
    "in a table": 'TABLE = {"b": Entry("solver.b:f", "help")}',
}


@pytest.mark.parametrize("planted", PLANTED.values(), ids=PLANTED)
def test_a_planted_circle_is_found(planted: str) -> None:
    texts = {
        "solver": "",
        "solver.a": planted,
        "solver.b": "from solver import c",
        "solver.c": "import solver",
    }
    trees = {name: ast.parse(text) for name, text in texts.items()}
    assert ("solver.a", "solver.b") in edges(trees)
    assert circles(edges(trees)) == []
    trees["solver.c"] = ast.parse("from solver.a import f")
    assert circles(edges(trees)) == ["solver.a -> solver.b -> solver.c -> solver.a"]
    trees["solver.c"] = ast.parse("from solver.c import f")
    assert circles(edges(trees)) == ["solver.c -> solver.c"]


def test_each_set_of_modules_with_circles_is_reported() -> None:
    pairs = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "b"), ("c", "d"), ("e", "d"), ("d", "e")]
    assert circles(pairs) == ["b -> c -> b", "d -> e -> d"]
    assert circles(pairs[:2]) == []


def test_what_kinds_share_imports_no_kind() -> None:
    pairs = {pair for pair in edges(sources()) if is_shared(pair[0]) and is_of_a_kind(pair[1])}
    tables = {pair for pair in pairs if pair[0] in COMMAND_TABLES}
    assert tables.isdisjoint((import_.importer, import_.imported) for import_ in every())
    assert sorted(pairs - tables) == []


def test_no_library_module_imports_the_command_line() -> None:
    upward = [
        import_
        for import_ in ours()
        if is_command_line(import_.imported)
        and not (is_command_line(import_.importer) or is_script(import_.importer))
        # A declaration names the commands of its kind.
        and import_.importer != f"{import_.imported.partition('.cli')[0]}.kind"
    ]
    assert upward == []


@pytest.mark.parametrize("library", SOLVERS)
def test_one_module_imports_a_solver(library: str) -> None:
    importers = {import_.importer for import_ in every() if package_of(import_.imported) == library}
    assert importers == {SOLVERS[library]}


@pytest.mark.parametrize("kind", [kind for kind in built_in().values() if kind.checker])
def test_a_checker_of_certificates_imports_the_standard_library_alone(
    kind: KindDeclaration,
) -> None:
    assert kind.checker is not None
    checker = getattr(kind.checker(), "__name__", "").removeprefix(NAMESPACE)
    imported = {package_of(import_.imported) for import_ in every() if import_.importer == checker}
    assert imported <= sys.stdlib_module_names
    assert "json" in imported


@pytest.mark.parametrize("module", [MODEL, "grammar.errors"])
def test_the_lowest_modules_import_the_standard_library_alone(module: str) -> None:
    imported = {import_.imported for import_ in every() if import_.importer == module}
    assert {package_of(name) for name in imported} <= sys.stdlib_module_names


def test_grammar_needs_no_library_but_lark() -> None:
    """The JSON form of graphs also needs msgspec, which validates what it reads."""
    more = {"grammar.eventhop.graph_json": {"msgspec"}}
    for import_ in every():
        if package_of(import_.importer) == "grammar":
            allowed = {"grammar", "lark"} | more.get(import_.importer, set())
            assert package_of(import_.imported) in allowed | sys.stdlib_module_names, import_


def test_libraries_that_are_imported_are_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    optional = project["optional-dependencies"]
    groups = (group for name, group in optional.items() if name != "dev")
    needed = [*project["dependencies"], *(value for group in groups for value in group)]
    declared = {re.split(r"[<>=\[]", need)[0].lower() for need in needed}
    tops = {package_of(import_.imported) for import_ in every()}
    libraries = tops - sys.stdlib_module_names - set(LAYERS) - TYPES_ONLY
    assert {"clingo", "z3", "click"} <= libraries
    assert {DISTRIBUTION.get(library, library) for library in libraries} <= declared


def test_imports_inside_functions_and_for_types_are_found() -> None:
    text = """
from grammar import errors
if TYPE_CHECKING:
    from solver import asp
def f():
    import clingo.ast
"""
    assert list(imported_names(ast.parse(text), {"grammar.errors", "solver.asp"})) == [
        ("grammar.errors", True),
        ("solver.asp", False),
        ("clingo.ast", False),
    ]


@pytest.mark.parametrize(
    "folder", ["cli", "verification", "io", "report", "drawing", "graph", "probes"]
)
def test_what_all_kinds_share_names_no_kind(folder: str) -> None:
    """Neither in an import nor in the name of a module to import."""
    named = re.compile(rf"\b(?:solver|grammar)\.(?:{'|'.join(built_in())})\b")
    found = [
        (path.name, text)
        for path in sorted((ROOT / "solver" / folder).rglob("*.py"))
        for text in named.findall(path.read_text(encoding="utf-8"))
    ]
    assert found == []
