"""Takes one condition after another out of the checkers: ``python -m tests.campaigns.weakened``.

A weakened checker is one whose ``require`` at one place holds whatever it is given, or one part of
it that others are joined with; or that does not reject what it rejects after an ``if``, or one of
several things. The tests of its kind have to notice it, those that ``make test`` runs. ``--write``
writes the counts to ``benchmarks/results``.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.reproduction import RESULTS
from solver.io.writing import write_json
from tests.campaigns.journal import campaign

ROOT = Path(__file__).resolve().parents[2]
TARGET = RESULTS / "weakened.json"
SHARD = 10
SECONDS = 600
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "build", "__pycache__", "*_cache")
SCOPES = {
    "eventhop": ("tests/cli/test_check.py", "tests/solver/eventhop", "tests/grammar/eventhop")
}
"""The tests of a kind, if they are not those of its folder alone."""
CONDITIONS = "tests/solver/{kind}/test_conditions.py"
"""Tests that ask for each condition, where a kind has them; they run first."""


class Condition(NamedTuple):
    """A condition of a checker, or a part of it: its place, and what holds whatever is given."""

    kind: str
    line: int
    start: int
    end: int
    weaker: bytes

    @property
    def file(self) -> str:
        """The checker, from the root."""
        return f"solver/{self.kind}/check.py"


def conditions() -> list[Condition]:
    """All conditions, by kind and place."""
    return sorted(
        condition
        for path in ROOT.glob("solver/*/check.py")
        for condition in conditions_of(path.parent.name, path.read_bytes())
    )


def conditions_of(kind: str, data: bytes) -> set[Condition]:
    """What a checker requires, what it rejects, and the parts of both."""
    lines = [0]
    for row in data.splitlines(keepends=True):
        lines.append(lines[-1] + len(row))

    def place(test: ast.expr, weaker: bytes) -> Condition:
        begin = lines[test.lineno - 1] + test.col_offset
        end = lines[(test.end_lineno or 0) - 1] + (test.end_col_offset or 0)
        return Condition(kind, test.lineno, begin, end, weaker)

    return {
        place(part, weaker)
        for function in ast.walk(ast.parse(data))
        if isinstance(function, ast.FunctionDef)
        for test, operator, weaker in tests_of(function)
        for part in parts(test, operator)
    }


def tests_of(function: ast.FunctionDef) -> Iterator[tuple[ast.expr, type[ast.boolop], bytes]]:
    """What a function requires or rejects, and how that is weakened."""
    nodes = list(ast.walk(function))
    assigned = [node for node in nodes if isinstance(node, ast.Assign)]
    for node in nodes:
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "require":
            test, name = node.args[0], ast.unparse(node.args[0])
            named = [each for each in assigned if ast.unparse(each.targets[0]) == name]
            before = [each.value for each in named if each.lineno < test.lineno]
            yield before[-1] if before else test, ast.And, b"True"
        elif isinstance(node, ast.If) and any(map(rejects, node.body)):
            yield node.test, ast.Or, b"False"


def rejects(statement: ast.stmt) -> bool:
    """Whether a statement rejects what is checked."""
    return isinstance(statement, ast.Raise) and "RejectedError" in ast.unparse(statement)


def parts(test: ast.expr, operator: type[ast.boolop]) -> list[ast.expr]:
    """A condition, and the parts that are joined in it."""
    joined = isinstance(test, ast.BoolOp) and isinstance(test.op, operator)
    return [test, *(test.values if joined else [])]  # type: ignore[attr-defined]


def weakened(data: bytes, condition: Condition) -> bytes:
    """A checker without a condition."""
    return data[: condition.start] + condition.weaker + data[condition.end :]


def noticed(copy: Path, condition: Condition) -> bool:
    """Whether the tests fail in a copy of the project with a weakened checker."""
    path = copy / condition.file
    sound = path.read_bytes()
    path.write_bytes(weakened(sound, condition))
    try:
        return tests_fail(copy, condition.kind)
    finally:
        path.write_bytes(sound)


def tests_fail(copy: Path, kind: str) -> bool:
    """Whether a test of a kind fails in a copy of the project, or they do not end."""
    scope = SCOPES.get(kind, (f"tests/solver/{kind}",))
    first = CONDITIONS.format(kind=kind)
    return ((copy / first).exists() and fail(copy, first)) or fail(copy, *scope)


def fail(copy: Path, *scope: str) -> bool:
    """Whether a test of some files or folders fails, or they do not end."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    try:
        ran = subprocess.run(
            [*command, "-m", "not slow", *scope],
            cwd=copy, env=environment, capture_output=True, timeout=SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return True
    return ran.returncode != 0


@contextmanager
def copied() -> Iterator[Path]:
    """A copy of the project beside the shared data, for as long as it is used."""
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / "project"
        shutil.copytree(ROOT, copy, ignore=LEFT_OUT)
        if (ROOT.parent / "shared").exists():
            (copy.parent / "shared").symlink_to((ROOT.parent / "shared").resolve())
        yield copy


def require_sound(kinds: Iterable[str]) -> None:
    """Run the tests of kinds with their sound checkers.

    Raises:
        SystemExit: some fail, and so would notice nothing.
    """
    with copied() as copy:
        for kind in sorted(set(kinds)):
            if tests_fail(copy, kind):
                sys.exit(f"the tests of {kind} fail with the sound checker")


def shard(first: int, count: int) -> Iterator[tuple[Condition, bool]]:
    """Some conditions, and whether it is noticed that they are gone."""
    with copied() as copy:
        for condition in conditions()[first : first + count]:
            yield condition, noticed(copy, condition)


def main() -> None:
    """Run the campaign; it stops and resumes at any time."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--first", type=int, default=0, help="number of the first condition")
    parser.add_argument("--items", type=int, default=len(conditions()), help="end of the numbers")
    parser.add_argument("--out", type=Path, default=Path("campaigns/weakened"))
    parser.add_argument("--write", action="store_true", help=f"write {TARGET.name}")
    parser.add_argument("--shard", type=int, nargs=2, metavar=("FIRST", "COUNT"))
    chosen = parser.parse_args()
    if chosen.shard:
        rows = [[*condition[:2], found] for condition, found in shard(*chosen.shard)]
        first, count = chosen.shard
        sys.stdout.write(json.dumps({"first": first, "count": count, "rows": rows}) + "\n")
        return
    require_sound(condition.kind for condition in conditions()[chosen.first : chosen.items])
    counts: dict[str, Counter[str]] = {}
    missed: list[str] = []
    key: dict[str, Any] = {"campaign": "weakened"}
    module = "tests.campaigns.weakened"
    for row in campaign(module, chosen.out, key, SHARD, chosen.items, start=chosen.first):
        for kind, line, found in row["rows"]:
            counts.setdefault(kind, Counter())["noticed" if found else "unnoticed"] += 1
            missed += [] if found else [f"solver/{kind}/check.py:{line}"]
    found = {"conditions": {kind: dict(each) for kind, each in sorted(counts.items())}}
    sys.stdout.write(json.dumps({**found, "unnoticed": missed}, indent=1) + "\n")
    if chosen.write:
        write_json(TARGET, {**found, "unnoticed": missed})
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
