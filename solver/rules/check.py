"""Checks groundings of temporal rules, with nothing but this file.

    python check.py explained.json --data GRAPH

explained.json is what ``explain --rule`` or ``explain --query`` prints with ``--json``; GRAPH has
one fact per line, by names or by ids with maps. Each grounding must match its rule: see
docs/certificates.md. Exit status: 0 if all do, 1 if one does not, 2 if a file cannot be read.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias


class RejectedError(Exception):
    """A grounding does not match its rule."""


def require(condition: object, reason: str) -> None:
    """Reject the grounding unless a condition holds."""
    if not condition:
        raise RejectedError(reason)


Fact: TypeAlias = tuple[int, int, int, int]


class Graph(NamedTuple):
    """Facts in numbers, and the number of each relation."""

    facts: set[Fact]
    relations: dict[str, int]


class Atom(NamedTuple):
    """A relation between two variables."""

    relation: str
    left: str
    right: str


# --- The files ------------------------------------------------------------------------------------


def read_graph(path: Path) -> Graph:
    """Read a graph: a folder with a file per split, or one file.

    Raises:
        ValueError: it has another form; also OSError and KeyError.
    """
    rows = []
    for stem in [path / split for split in SPLITS] if path.is_dir() else [path]:
        ends = (".txt", ".tsv", ".txt.gz", ".tsv.gz") if path.is_dir() else ("",)
        files = (Path(f"{stem}{end}") for end in ends)
        for line in _lines(next(filter(Path.is_file, files), None)):
            cells = [cell.strip() for cell in (line.split("\t") if "\t" in line else line.split())]
            if len(cells) < 4:
                raise ValueError(f"no fact: {line[:80]!r}")
            rows.append(cells[:4])
    if rows and rows[0] == ["head", "relation", "tail", "time"]:
        rows.pop(0)
    if all(cell.isdigit() for row in rows for cell in row[:3]):
        facts = {(int(s), int(r), int(o), _time(t)) for s, r, o, t in rows}
        named = _names(path, "relation2id") if path.is_dir() else {}
        return Graph(
            facts, named or {str(number): number for number in {fact[1] for fact in facts}}
        )
    entities = _numbers({cell for row in rows for cell in (row[0], row[2])})
    relations = _numbers({row[1] for row in rows})
    first = 0 if rows[0][3].isdigit() else min(_time(row[3]) for row in rows)
    found = {(entities[s], relations[r], entities[o], _time(t) - first) for s, r, o, t in rows}
    return Graph(found, relations)


def _time(text: str) -> int:
    return int(text) if text.isdigit() else date.fromisoformat(text).toordinal()


def _numbers(names: Iterable[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(sorted(names))}


def _names(folder: Path, stem: str) -> dict[str, int]:
    if (folder / f"{stem}.json").is_file():
        found = json.loads((folder / f"{stem}.json").read_bytes())
        return {name: int(number) for name, number in found.items()}
    file = folder / f"{stem}.txt"
    rows = [line.split("\t") for line in _lines(file if file.is_file() else None)]
    return {row[0]: int(row[1]) for row in rows if len(row) > 1}


def _lines(path: Path | None) -> Iterator[str]:
    if path is not None:
        data = path.read_bytes()
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8-sig")
        yield from (line for line in text.replace("\r\n", "\n").split("\n") if line.strip())


# --- The rules ------------------------------------------------------------------------------------


def read_rule(text: object) -> tuple[Atom, list[Atom]]:
    """The head and the body of ``hosts(A, B) <- visits(B, A)``."""
    if type(text) is not str or not RULE.fullmatch(text) or text.count(" <- ") != 1:
        raise RejectedError(f"{text!r:.80} is no rule")
    head, body = text.split(" <- ")
    atoms = [Atom(*match.groups()) for match in ATOM.finditer(f"{body}, ")]
    return Atom(*ATOM.findall(f"{head}, ")[0]), atoms


def check_grounding(
    graph: Graph, rule: tuple[Atom, list[Atom]], ends: tuple[int, int], time: int, value: object
) -> None:
    """Reject facts that do not match the body, or do not lead to the head.

    Args:
        graph: the graph.
        rule: head and body.
        ends: subject and object of the head.
        time: the body is before it.
        value: the facts; relations beyond the others are read backwards.
    """
    head, body = rule
    bound = {head.left: ends[0]}
    require(bound.setdefault(head.right, ends[1]) == ends[1], "the head has one entity twice")
    given, size, before = _list(value), len(graph.relations), None
    require(len(given) == len(body), f"there is one fact for each of {len(body)} of the body")
    for atom, given_fact in zip(body, given, strict=True):
        numbers = len(_list(given_fact)) == 4 and all(type(number) is int for number in given_fact)
        require(numbers, "a fact has four numbers")
        subject, relation, target, at = given_fact
        backwards, relation = divmod(relation, size)
        require(backwards in (0, 1), "there is no such relation")
        fact = (target, relation, subject, at) if backwards else (subject, relation, target, at)
        require(fact in graph.facts, f"{fact} is not in the graph")
        require(graph.relations.get(atom.relation) == relation, f"it is no fact of {atom.relation}")
        for variable, entity in ((atom.left, fact[0]), (atom.right, fact[2])):
            same = bound.setdefault(variable, entity) == entity
            require(same, f"{variable} is two entities")
        require(before is None or before <= at, "the facts are not in order of time")
        require(at < time, "a fact is not earlier than the head")
        before = at


def _list(value: object) -> list[Any]:
    if type(value) is not list:
        raise RejectedError(f"{value!r:.40} is no array")
    return value


def check_file(path: str, data: Iterable[str] = ()) -> Iterator[tuple[str, str, str | None]]:
    """Place, name and fault of each grounding; the fault is None if it matches its rule.

    Raises:
        ValueError: not one graph is named, or a file has another form; also OSError and KeyError.
    """
    graphs = list(data)
    if len(graphs) != 1:
        raise ValueError("name the graph of the groundings (--data GRAPH)")
    graph = read_graph(Path(graphs[0]))
    found = json.loads(Path(path).read_bytes())
    for name, ends, time, row in _groundings(graph, found):
        fault = None
        try:
            rule = read_rule(row.get("text", found.get("text")))
            relation = graph.relations.get(rule[0].relation)
            require(relation == ends[1], "the rule has another relation in its head")
            check_grounding(graph, rule, (ends[0], ends[2]), time, row.get("body"))
        except RejectedError as error:
            fault = str(error)
        yield path, name, fault


def _groundings(
    graph: Graph, found: dict[str, Any]
) -> Iterator[tuple[str, tuple[int, int, int], int, dict[str, Any]]]:
    """Name, head, time and row of each grounding of a rule or of the answers to a query."""
    for number, row in enumerate(found.get("groundings", ())):
        subject, kind, target, at = map(_number, row["head"])
        # A head that is no fact is at no time.
        time = at if (subject, kind, target, at) in graph.facts else -1
        yield f"grounding {number}", (subject, kind, target), time, row
    for record in found.get("first", ()):
        backwards, relation = divmod(_number(found["relation"]), len(graph.relations))
        ends = _number(found["head"]), _number(record["entity"])
        head = (ends[backwards], relation, ends[1 - backwards])
        for row in record["reasons"]:
            name = f"{record['entity']} by rule {row['rule']}"
            yield name, head, _number(found["time"]), row | {"body": row["grounding"]}


def _number(value: object) -> int:
    if type(value) is not int:
        raise ValueError(f"{value!r:.40} is no whole number")
    return value


def main(arguments: list[str]) -> int:
    """Check groundings; returns the exit status."""
    if len(arguments) != 3 or arguments[1] != "--data":
        sys.stderr.write("usage: check.py explained.json --data GRAPH\n")
        return 2
    count = rejected = 0
    try:
        for where, name, fault in check_file(arguments[0], arguments[2:]):
            count, rejected = count + 1, rejected + (fault is not None)
            if fault is not None:
                sys.stdout.write(f"{where}: {fault} (item {name})\n")
    except (OSError, *UNREADABLE) as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    sys.stdout.write(f"{count:,} items, {rejected:,} rejected\n")
    return 1 if rejected else 0


SPLITS = ("train", "valid", "test")
ATOM = re.compile(r"(.+?)\(([A-Z]), ([A-Z])\), ")
RULE = re.compile(r".+?\([A-Z], [A-Z]\) <- .+?\([A-Z], [A-Z]\)(?:, .+?\([A-Z], [A-Z]\))*")
UNREADABLE = (ValueError, KeyError, TypeError, IndexError, EOFError)

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
