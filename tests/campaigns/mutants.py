"""Plants faults between text and label: ``python -m tests.campaigns.mutants --mutants N``.

A mutant is one change in one file, ``--part`` of

- ``python``, the modules that read texts, number points, decide items or make certificates: a
  comparison turned round, a condition negated, a number changed, a last element or a statement left
  out;
- ``texts``, the grammars and encodings: the phrases of two terminals exchanged, an alternative, a
  quantifier, a negation or a rule left out, a comparison, a point or a kind of step changed, two
  arguments exchanged.

Each mutant verifies the same items in a process of its own. It is

- *harmless* if every verdict is the one of the sound program,
- *noticed* if the run stops, or an item that could be read cannot be read any more,
- *unnoticed* if a verdict differs and nothing is reported. None may be.

The run stops and resumes at any time; ``--write`` adds its figures to ``benchmarks/results``.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "benchmarks" / "results" / "mutants.json"
MODULES = (
    "grammar.eventhop.lexicon",
    "grammar.eventhop.names",
    "grammar.eventhop.parser",
    "grammar.eventhop.plain",
    "grammar.eventhop.reader",
    "solver.eventhop.crosscheck",
    "solver.eventhop.engines",
    "solver.eventhop.engines.graph",
    "solver.eventhop.engines.asp",
    "solver.eventhop.certificates.make",
    "solver.eventhop.certificates.lines",
    "solver.eventhop.outcomes",
)
ENTRY = "encodings/temporal/claims.lp"
COPIED = ("benchmarks", "encodings", "generators", "grammar", "solver")
SHARD = 20
SECONDS = 120

Mutant: TypeAlias = tuple[str, int]
"""A module or a file, and the number of a fault."""

_COMPARED = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_COMPUTED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd}


def changes(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """The faults that can replace a node, each with its name."""
    match node:
        case ast.Compare(left=left, ops=[op], comparators=right) if type(op) in _COMPARED:
            yield "comparison", ast.Compare(left, [_COMPARED[type(op)]()], right)
        case ast.BoolOp(op=op, values=values):
            yield (
                "connective",
                ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values),
            )
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "negation", operand
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _COMPUTED:
            yield "operator", ast.BinOp(left, _COMPUTED[type(op)](), right)
        case ast.Constant(value=bool(value)):
            yield "truth value", ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield "number", ast.Constant(value + 1)
        case ast.If(test=test, body=body, orelse=other):
            yield "condition", ast.If(ast.UnaryOp(ast.Not(), test), body, other)
        case ast.IfExp(test=test, body=first, orelse=second):
            yield "condition", ast.IfExp(test, second, first)
        case ast.Call(func=ast.Name(id="tuple" | "list" | "sorted")):
            last = ast.Slice(upper=ast.UnaryOp(ast.USub(), ast.Constant(1)))
            yield "last element", ast.Subscript(node, last, ast.Load())
        case ast.Expr(value=ast.Call()) | ast.AugAssign():
            yield "statement", ast.Pass()


class _Planter(ast.NodeTransformer):
    """Makes the change of a number; counts them all if there is none of this number."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.count = 0
        self.name = ""

    def visit(self, node: ast.AST) -> ast.AST:
        for name, changed in changes(node):
            if self.count == self.number:
                self.name = f"line {getattr(node, 'lineno', 0)}: {name}"
                self.count += 1
                return ast.copy_location(changed, node)
            self.count += 1
        visited: ast.AST = super().visit(node)
        return visited

    # Annotations and texts do nothing when a program runs.
    def visit_arg(self, node: ast.arg) -> ast.AST:
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return node


def plant(source: str, number: int) -> tuple[ast.AST, str]:
    """The program with the fault of a number, and where it is.

    Raises:
        IndexError: it has fewer faults.
    """
    planter = _Planter(number)
    tree = planter.visit(ast.parse(source))
    if not planter.name:
        raise IndexError(number)
    return ast.fix_missing_locations(tree), planter.name


def faults(source: str) -> int:
    """The number of faults that can be planted in a program."""
    planter = _Planter(-1)
    planter.visit(ast.parse(source))
    return planter.count


def path(module: str) -> Path:
    """The file of a module."""
    folder = ROOT.joinpath(*module.split("."))
    return folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")


def text_files() -> list[str]:
    """The grammars of the domains, and the encodings that the engine ``asp`` includes."""
    found = [f"grammar/eventhop/{domain}.lark" for domain in ("logical", "spatial", "temporal")]
    waiting = [ENTRY]
    while waiting:
        file = waiting.pop()
        if file not in found:
            found.append(file)
            text = (ROOT / file).read_text(encoding="utf-8")
            names = re.findall(r'^#include "(.+?)"', text, re.MULTILINE)
            waiting += [str(Path(file).parent / name) for name in names]
    return sorted(found)


_OTHER = {"strict": "loose", "loose": "strict", "start": "end", "end": "start"}
_COMPARED_TEXT = {"<": "<=", "<=": "<", "!=": "=", "=": "!="}
_Planted: TypeAlias = tuple[tuple[str, re.Pattern[str], Callable[[re.Match[str]], str]], ...]
_ENCODING: _Planted = (
    ("negation", re.compile(r"\bnot "), lambda _: ""),
    ("comparison", re.compile(r"(?<= )(<=|<|!=|=)(?= )"), lambda m: _COMPARED_TEXT[m[0]]),
    ("number", re.compile(r"(?<!\w)\d+(?!\w)"), lambda m: str(int(m[0]) + 1)),
    ("kind", re.compile(r"\b(strict|loose)\b"), lambda m: _OTHER[m[0]]),
    ("point", re.compile(r"\b(start|end)\b"), lambda m: _OTHER[m[0]]),
    ("arguments", re.compile(r"(\w+),(\w+)(?=\))"), lambda m: f"{m[2]},{m[1]}"),
)
_GRAMMAR: _Planted = (
    ("alternative", re.compile(r"\| *\S+|\S+ \|"), lambda _: ""),
    ("quantifier", re.compile(r"(?<=\w)\?"), lambda _: ""),
)
_TERMINAL = re.compile(r"^([A-Z_]+): (.+?)(?=^\S|\Z)", re.MULTILINE | re.DOTALL)


def text_mutants(name: str, source: str) -> list[tuple[str, str]]:
    """The faults that can be planted in a grammar or an encoding: place, and the changed text."""
    found = []
    grammar = name.endswith(".lark")
    comment = "//" if grammar else "%"
    at = 0
    for number, line in enumerate(source.splitlines(keepends=True), 1):
        code = "" if line.startswith(("#", comment)) else line.partition(f" {comment}")[0]
        for kind, pattern, change in _GRAMMAR if grammar else _ENCODING:
            for match in pattern.finditer(code):
                changed = line[: match.start()] + change(match) + line[match.end() :]
                text = source[:at] + changed + source[at + len(line) :]
                found.append((f"line {number}: {kind}", text))
        at += len(line)
    if grammar:
        # A terminal takes the phrases of the next one, and the other way round.
        terminals = list(_TERMINAL.finditer(source))
        for terminal, other in pairwise(terminals):
            between = source[terminal.end(2) : other.start(2)]
            text = (
                source[: terminal.start(2)]
                + other[2]
                + between
                + terminal[2]
                + source[other.end(2) :]
            )
            found.append((f"{terminal[1]}: phrases", text))
    else:
        for match in re.finditer(r"^[^%#\s][^%]*?\.$", source, re.MULTILINE | re.DOTALL):
            text = source[: match.start()] + source[match.end() :]
            found.append((f"line {source.count(chr(10), 0, match.start()) + 1}: rule", text))
    return found


def all_mutants(seed: int, part: str = "python") -> list[Mutant]:
    """Module or file, and number, of every mutant, in random order."""
    if part == "python":
        sizes = {module: faults(path(module).read_text(encoding="utf-8")) for module in MODULES}
    else:
        texts = {file: (ROOT / file).read_text(encoding="utf-8") for file in text_files()}
        sizes = {name: len(text_mutants(name, text)) for name, text in texts.items()}
    every = [(name, number) for name, size in sizes.items() for number in range(size)]
    return random.Random(seed).sample(every, len(every))


def place_of(mutant: Mutant) -> str:
    """Where the fault of a mutant is."""
    name, number = mutant
    if name in MODULES:
        where = plant(path(name).read_text(encoding="utf-8"), number)[1]
    else:
        where = text_mutants(name, (ROOT / name).read_text(encoding="utf-8"))[number][0]
    return f"{name}, {where}"


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module with a fault."""

    def __init__(self, module: str, number: int) -> None:
        self.module, self.number = module, number

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.module:
            return None
        file = path(fullname)
        inside = [str(file.parent)] if file.name == "__init__.py" else None
        return importlib.util.spec_from_file_location(
            fullname, file, loader=self, submodule_search_locations=inside
        )

    def create_module(self, _spec: importlib.machinery.ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        tree, _ = plant(path(self.module).read_text(encoding="utf-8"), self.number)
        assert isinstance(tree, ast.Module)
        exec(compile(tree, str(path(self.module)), "exec"), module.__dict__)


ODD = (
    ("", "the fair happens before the race"),
    ("The end of fair happened before the start of race.", "Fair happens before race."),
    (
        "the end of the Fair ensued once the start of the race had happened",
        "The Fair overlaps with race",
    ),
    ("start of Miller’s Feast preceded the end of fair", "Miller's Feast happens after fair"),
    (
        "The end of St. Mary's Fair came before the start of race",
        "race happens after St. Mary's Fair",
    ),
    ("mill1 < tide2. Tide1 = mill2", "Mill < tide"),
    ("mill1 < tide2", "mill1 < tide1"),
    ("western edge of A lies west of eastern edge of B", "the A is completely west of the B"),
    ("the start of A happened before the start of A", "A happens before A"),
)


def corpus(seed: int, count: int) -> list[dict[str, str]]:
    """Texts of random items in all domains and wordings, and some with odd spellings."""
    from dataclasses import replace

    from grammar.eventhop.model import Domain
    from grammar.eventhop.writer import Writer
    from tests.campaigns.engines import random_item

    rows = []
    for number in range(count):
        choose = random.Random(f"{seed} {number}").choice
        domain = [*Domain][number % 3]
        item = replace(random_item(seed, number), domain=domain)
        text = Writer(domain, phrases=choose).write(item)
        rows.append({"id": str(number), "premise": text.premise, "claim": text.claim})
    odd = ({"premise": premise, "claim": claim} for premise, claim in ODD)
    return rows + [{"id": f"odd {n}", **record} for n, record in enumerate(odd)]


def verdicts(rows: Sequence[dict[str, str]]) -> list[list[object]]:
    """The verdict of each item; none for a text that cannot be read."""
    from solver.eventhop.engines import ItemSettings
    from solver.eventhop.outcomes import ItemDecider
    from solver.eventhop.records import ItemPlace, Record

    place = ItemPlace(file="items", line=1, premise=1, claim=1)
    records = [
        Record(
            id=row["id"],
            premise=row["premise"],
            claim=row["claim"],
            gold=None,
            label=None,
            place=place,
        )
        for row in rows
    ]
    return [
        [None]
        if outcome.verdict is None
        else [
            outcome.verdict.status,
            outcome.verdict.label,
            outcome.verdict.consistent,
            outcome.hops,
        ]
        for outcome in ItemDecider(ItemSettings()).outcomes(records)
    ]


def run(
    mutant: Mutant | None, rows: Sequence[dict[str, str]], copy: Path | None = None
) -> list[list[object]] | None:
    """The verdicts of a mutant, or of the sound program; None if the run stops.

    Args:
        mutant: the fault.
        rows: the items.
        copy: a copy of the packages, in which a grammar or an encoding is changed for the run.
    """
    named = [] if mutant is None or mutant[0] not in MODULES else [mutant[0], str(mutant[1])]
    command = [sys.executable, "-m", "tests.campaigns.mutants", "--run", *named]
    where: dict[str, Any] = {}
    if mutant is not None and not named and copy is not None:
        source = (ROOT / mutant[0]).read_text(encoding="utf-8")
        changed = text_mutants(mutant[0], source)[mutant[1]][1]
        (copy / mutant[0]).write_text(changed, encoding="utf-8")
        where = {"cwd": copy, "env": os.environ | {"PYTHONPATH": str(copy)}}
    try:
        ran = subprocess.run(
            command, input=json.dumps(list(rows)), capture_output=True, text=True, check=False,
            timeout=SECONDS, **where,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return None
    finally:
        if where and mutant is not None and copy is not None:
            shutil.copy(ROOT / mutant[0], copy / mutant[0])
    return None if ran.returncode else json.loads(ran.stdout)


def outcome(sound: list[list[object]], found: list[list[object]] | None) -> str:
    """Whether a mutant is harmless, noticed or unnoticed."""
    if found is None:
        return "noticed"
    differ = [
        (values, other) for values, other in zip(sound, found, strict=True) if values != other
    ]
    if not differ:
        return "harmless"
    return "unnoticed" if any(other != [None] for _, other in differ) else "noticed"


def shard(seed: int, part: str, first: int, count: int, items: int) -> dict[str, Any]:
    """Some mutants: how many are harmless, noticed, unnoticed, and which are unnoticed."""
    rows = corpus(seed, items)
    sound = run(None, rows)
    if sound is None or [None] in sound:
        raise RuntimeError("the sound program does not read all items")
    found: Counter[str] = Counter()
    unnoticed = []
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in COPIED if part == "texts" else ():
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("results"))
        for mutant in all_mutants(seed, part)[first : first + count]:
            kind = outcome(sound, run(mutant, rows, copy))
            found[kind] += 1
            if kind == "unnoticed":
                unnoticed.append(place_of(mutant))
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = round((used.ru_utime + used.ru_stime) / count, 2)
    return {"found": dict(found), "unnoticed": unnoticed, "seconds": seconds}


def main() -> int:
    """Run a campaign, one shard of it, or one mutant."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=("python", "texts"), default="python")
    parser.add_argument("--mutants", type=int, help="number; all by default")
    parser.add_argument("--items", type=int, default=90)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("campaigns/mutants"))
    parser.add_argument("--write", action="store_true", help=f"write {RESULTS.name}")
    parser.add_argument("--shard", type=int, nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--run", nargs="*", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run is not None:
        if options.run:
            sys.meta_path.insert(0, _Finder(options.run[0], int(options.run[1])))
        sys.stdout.write(json.dumps(verdicts(json.load(sys.stdin))))
        return 0
    if options.shard is not None:
        first, size = options.shard
        found = shard(options.seed, options.part, first, size, options.items)
        sys.stdout.write(json.dumps(found) + "\n")
        return 0

    from solver.io.writing import write_json
    from tests.campaigns.journal import campaign

    part = options.part
    every = all_mutants(options.seed, part)
    count = min(options.mutants or len(every), len(every))
    files = [path(module) for module in MODULES]
    files += [ROOT / name for name in text_files()] if part == "texts" else []
    source = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    key = {"seed": options.seed, "items": options.items, "source": source}
    arguments = ("--part", part, "--seed", str(options.seed), "--items", str(options.items))
    name = "tests.campaigns.mutants"
    rows = list(campaign(name, options.out / part, key, SHARD, count, *arguments))
    total: Counter[str] = Counter()
    for row in rows:
        total.update(row["found"])
    figures = {
        "files": list(MODULES) if part == "python" else text_files(),
        "possible": len(every),
        "tried": count,
        "seed": options.seed,
        "items": options.items + len(ODD),
        **{kind: total[kind] for kind in ("harmless", "noticed", "unnoticed")},
        "which": [value for row in rows for value in row["unnoticed"]],
    }
    sys.stdout.write(json.dumps(figures, indent=2) + "\n")
    if options.write:
        known = json.loads(RESULTS.read_bytes()) if RESULTS.exists() else {}
        write_json(RESULTS, known | {part: figures})
    return int(total["unnoticed"] > 0)


if __name__ == "__main__":
    sys.exit(main())
