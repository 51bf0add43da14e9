"""Compares both checkers of annotated links: ``python -m tests.campaigns.links --documents N``.

Random documents are verified and repaired; each line with its verdict and witness is changed in one
to three places. ``check.py`` and the checker compiled from the proofs have to accept the same
lines. Exit status 1 if they differ on one.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from solver.eventhop.certificates.proved import (
    MALFORMED,
    Judgement,
    compiled,
    differing,
    in_node,
)
from solver.links import check
from solver.links.proved import judge

VALUES = ("", "2026-03-01", "2026-03", "2026-W10", "2026-03-01T10:30", "PRESENT_REF", "2027")
RELATIONS = (*check.RELATIONS, *check.DURING["included"])
OPTIONS = (
    (),
    ("--dates",),
    ("--reading", "allen"),
    ("--reading", "allen", "--during", "simultaneous", "--dates"),
)
"""Readings that take turns."""

Row = dict[str, Any]


def documents(count: int, draw: random.Random) -> Iterator[Row]:
    """Random documents of two to five nodes, some with links of a node to itself."""
    for number in range(count):
        nodes = [f"e{place}" for place in range(draw.randint(2, 5))]
        times = {node: draw.choice(VALUES) for node in nodes if draw.random() < 0.4}
        yield {
            "document": f"d{number}",
            "nodes": [
                {"id": node, "time": node in times, "value": times.get(node, "")} for node in nodes
            ],
            "links": [
                {
                    "id": f"l{place}",
                    "left": draw.choice(nodes),
                    "right": draw.choice(nodes),
                    "relation": draw.choice(RELATIONS),
                }
                for place in range(draw.randint(0, 9))
            ],
        }


def rows(count: int, seed: int = 0) -> list[Row]:
    """The lines of ``verify`` and of ``repair`` about random documents."""
    draw, found = random.Random(seed), []
    with tempfile.TemporaryDirectory() as home:
        for number, options in enumerate(OPTIONS):
            file = Path(home) / f"{number}.jsonl"
            lines = (json.dumps(row) + "\n" for row in documents(count // len(OPTIONS), draw))
            file.write_text("".join(lines), encoding="utf-8")
            for command in (("verify", "--kind", "links"), ("repair",)):
                report = Path(home) / f"{number}-{command[0]}"
                program = [sys.executable, "-m", "solver", *command, str(file), *options]
                subprocess.run(
                    [*program, "--report", str(report)], capture_output=True, check=False
                )
                text = (report / "documents.jsonl").read_text(encoding="utf-8")
                found += [json.loads(line) for line in text.splitlines()]
    return found


def mutant(row: Row, draw: random.Random) -> Row:
    """The line with one to three values changed, left out, repeated or exchanged."""
    changed = copy.deepcopy(row)
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        part: Any = changed
        while True:
            keys = list(part) if isinstance(part, dict) else list(range(len(part)))
            if not keys:
                break
            key = draw.choice(keys)
            if isinstance(part[key], dict | list) and part[key] and draw.random() < 0.85:
                part = part[key]
                continue
            part[key] = _other(part[key], draw)
            if isinstance(part, list) and draw.random() < 0.3:
                part[key : key + 1] = draw.choice(([], 2 * [part[key]]))
            break
    return changed


def _other(value: object, draw: random.Random) -> object:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + draw.choice((-2, -1, 1, 2))
    if value is None:
        return draw.randrange(4)
    if isinstance(value, str):
        words = value.split(" ")
        others = (*RELATIONS, *VALUES) if value in (*RELATIONS, *VALUES) else ()
        bounds = {"start": "end", "end": "start"}
        swapped = " ".join([bounds.get(words[0], words[0]), *words[1:]])
        return draw.choice((*others, swapped, f"{value[:-1]}{draw.randrange(4)}"))
    return draw.choice((None, [], value))


def judgements(count: int, mutants: int, seed: int = 0) -> tuple[list[Judgement], int]:
    """Those of the lines about random documents and of mutants of each; how many are open."""
    draw, lines = random.Random(seed), rows(count, seed)
    every = [*lines, *(mutant(row, draw) for row in lines for _ in range(mutants))]
    found = [judge(row)[0] for row in every]
    assert all(each is None or each.accepted for each in found[: len(lines)])
    judged = [each for each in found if each is not None]
    return judged, len(found) - len(judged)


def main(arguments: list[str]) -> int:
    """Compare the checkers; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=400)
    parser.add_argument("--mutants", type=int, default=20, help="of each line")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--node", action="store_true", help="run the one in JavaScript")
    chosen = parser.parse_args(arguments)
    judged, left = judgements(chosen.documents, chosen.mutants, chosen.seed)
    checker = in_node() if chosen.node else compiled()
    wrong = differing(judged, checker)
    accepted = sum(each.accepted for each in judged)
    unread = sum(each.line == MALFORMED for each in judged)
    sys.stdout.write(
        f"{len(judged):,} lines, {accepted:,} accepted, {len(judged) - accepted:,} rejected, of "
        f"which {unread:,} have values of no place; {left:,} open; {len(wrong):,} differ "
        f"({checker.name})\n"
    )
    for number in wrong[:5]:
        sys.stdout.write(f"{judged[number]}\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
