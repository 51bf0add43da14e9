"""Every finding code that a checker, an engine, a verifier or an encoding can give is declared."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import solver
from solver.encodings import ENCODINGS
from solver.verification.kinds import built_in

FOLDER = Path(solver.__file__).parent
KINDS = [name for name, kind in built_in().items() if kind.codes is not None]
PLACES = {"require": 2, "RejectedError": 1, "_finding": 2}
"""Position of the code among the arguments of a function."""
KEYWORDS = ("ViolationAtom", "Finding")
SOLVED = {
    "puzzle.lp": {"broken"},
    "repair.lp": {"kept"},
    "witness.lp": {"broken", "loose", "missing", "reversed", "unplaced"},
}
"""Violations of what is made here: a repair, a certificate, a puzzle, which is then refused."""
PLANTED = """
def faults(row):
    require(row, "wrong", "planted-one")
    raise RejectedError("wrong", "planted-two")
    yield "planted-three", f"wrong {row}"
    yield ViolationAtom(code="planted_four" if row else "planted_five", numbers=())
    CODES["planted_six"].finding(row)
"""


def texts(node: ast.AST) -> Iterator[str]:
    """The constants that an expression can have."""
    if isinstance(node, ast.Constant) and re.fullmatch("[a-z][a-z_-]+", str(node.value)):
        yield str(node.value)
    elif isinstance(node, ast.IfExp):
        yield from texts(node.body)
        yield from texts(node.orelse)


def codes_of(source: str) -> Iterator[str]:
    """The codes that a module states."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                place = PLACES.get(name)
                if place is not None and len(node.args) > place:
                    yield from texts(node.args[place])
                for keyword in node.keywords if name in KEYWORDS else ():
                    if keyword.arg == "code":
                        yield from texts(keyword.value)
            case ast.Subscript(value=ast.Name(id="CODES"), slice=ast.Constant() as chosen):
                yield from texts(chosen)
            case ast.Yield(value=ast.Tuple(elts=[code, ast.JoinedStr()])):
                yield from texts(code)


def test_each_form_of_a_code_is_found() -> None:
    numbers = ("-one", "-two", "-three", "_four", "_five", "_six")
    assert set(codes_of(PLANTED)) == {f"planted{number}" for number in numbers}


@pytest.mark.parametrize("kind", KINDS)
def test_the_codes_of_the_modules_are_declared(kind: str) -> None:
    declared = built_in()[kind].codes
    assert declared is not None
    known = {name.replace("_", "-") for name in declared()}
    stated = {
        code.replace("_", "-"): path.name
        for path in (FOLDER / kind).rglob("*.py")
        for code in codes_of(path.read_text(encoding="utf-8"))
    }
    assert {code: file for code, file in stated.items() if code not in known} == {}
    shared = ("calendar", "positions", "assignments")
    assert stated or kind in ("eventhop", "links", *shared)


def test_the_codes_of_the_checker_of_facts_are_found() -> None:
    source = (FOLDER / "facts/check.py").read_text(encoding="utf-8")
    assert {"occupied", "repeated-fact", "unknown-rule", "unsupported"} <= set(codes_of(source))


@pytest.mark.parametrize("kind", KINDS)
def test_the_codes_of_the_encodings_are_declared(kind: str) -> None:
    declared = built_in()[kind].codes
    assert declared is not None
    known = {name.replace("-", "_") for name in declared()}
    for path in sorted((ENCODINGS / kind).rglob("*.lp")):
        text = re.sub("%.*", "", path.read_text(encoding="utf-8"))
        found = set(re.findall(r"violation\((\w+)\(", text))
        assert found <= known | {"_"} | SOLVED.get(path.name, set()), path.name
