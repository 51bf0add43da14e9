"""Sizes of the code, and the modules that commands import.

    python -m benchmarks.reproduction.structure

Without options it prints a table of commands and of packages; ``--long`` lists long modules and
functions, which ``make lint`` shows as warnings.
"""

from __future__ import annotations

import argparse
import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.reproduction import RESULTS, ROOT
from solver.io.writing import atomic, write_json

PACKAGES = ("grammar", "solver", "generators", "benchmarks", "hopcheck")
MODULE_LINES, FUNCTION_LINES = 500, 60
GRAPH = "examples/questions/graph"
COMMANDS = {
    "verify right.tsv": ("verify", "examples/right.tsv"),
    "generate questions": ("generate", "questions", GRAPH, "--out", "{out}/questions"),
    "verify --kind questions": (
        *("verify", "--kind", "questions", "{out}/questions"),
        *("--data", GRAPH),
    ),
    "verify --kind questions --probes none": (
        *("verify", "--kind", "questions", "{out}/questions"),
        *("--data", GRAPH, "--probes", "none"),
    ),
    "generate eventhop": (
        *("generate", "eventhop", "--out", "{out}/eventhop"),
        *("--split", "test", "--test-size", "72"),
    ),
}
"""Run in this order: what is generated is then verified."""

_PROBE = """
import contextlib, io, json, sys
from solver.cli import run
with contextlib.redirect_stdout(io.StringIO()):
    status = run(sys.argv[2:])
packages = sys.argv[1].split(",")
names = sorted(name for name in sys.modules if name.split(".")[0] in packages)
print(json.dumps([int(status), names]))
"""


def entered(arguments: tuple[str, ...]) -> tuple[int, list[str]]:
    """The exit status of a command, and the modules of ours that it imported."""
    done = subprocess.run(
        [sys.executable, "-c", _PROBE, ",".join(PACKAGES), *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    status, names = json.loads(done.stdout.splitlines()[-1])
    return status, names


def modules(package: str) -> list[Path]:
    """The modules of a package, sorted."""
    return sorted((ROOT / package).rglob("*.py"))


def lines(path: Path) -> int:
    """The number of lines of a file."""
    return len(path.read_text(encoding="utf-8").splitlines())


def long_ones() -> Iterator[str]:
    """A line for each module and each function that is longer than the limits."""
    for path in (path for package in PACKAGES for path in modules(package)):
        name = path.relative_to(ROOT)
        if lines(path) > MODULE_LINES:
            yield f"{name}: {lines(path)} lines, more than {MODULE_LINES}"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                size = (node.end_lineno or node.lineno) - node.lineno + 1
                if size > FUNCTION_LINES:
                    place = f"{name}:{node.lineno}"
                    yield f"{place}: {node.name} has {size} lines, more than {FUNCTION_LINES}"


def measure(folder: Path) -> dict[str, dict[str, dict[str, int]]]:
    """The figures: modules and lines by package, modules entered by command."""
    by_command = {}
    for name, arguments in COMMANDS.items():
        status, names = entered(tuple(word.format(out=folder) for word in arguments))
        by_command[name] = {"modules": len(names), "status": status}
    return {
        "packages": {
            package: {
                "modules": len(modules(package)),
                "lines": sum(map(lines, modules(package))),
            }
            for package in PACKAGES
        },
        "commands": by_command,
    }


def page(figures: dict[str, dict[str, dict[str, int]]]) -> str:
    """The figures as two Markdown tables."""
    packages = figures["packages"]
    rows = [
        f"| `{name}` | {package['modules']} | {package['lines']:,} |"
        for name, package in packages.items()
    ]
    total = [sum(package[what] for package in packages.values()) for what in ("modules", "lines")]
    commands = [
        f"| `{name}` | {command['modules']} |" for name, command in figures["commands"].items()
    ]
    return "\n".join(
        [
            "# Structure\n",
            "Written by `python -m benchmarks.reproduction.structure --write`.\n",
            "| package | modules | lines |\n|---|---:|---:|",
            *rows,
            f"| all | {total[0]} | {total[1]:,} |\n",
            "| command | modules of ours that it imports |\n|---|---:|",
            *commands,
            "",
        ]
    )


def main() -> None:
    """Print the figures, or the long modules and functions."""
    import tempfile

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--long", action="store_true", help="list long modules and functions")
    parser.add_argument("--write", action="store_true", help="write benchmarks/results/structure.*")
    options = parser.parse_args()
    if options.long:
        for warning in long_ones():
            print(f"warning: {warning}")  # noqa: T201 - a script
        return
    with tempfile.TemporaryDirectory() as folder:
        figures = measure(Path(folder))
    text = page(figures)
    print(text)  # noqa: T201 - a script
    if options.write:
        write_json(RESULTS / "structure.json", figures)
        with atomic(RESULTS / "structure.md") as file:
            file.write(text.encode())


if __name__ == "__main__":
    main()
