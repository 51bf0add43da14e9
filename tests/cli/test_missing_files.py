"""A missing path gives a one-line error that states what the command expects."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Solver = Callable[..., Any]

NONE = "none/here"
ITEMS = "a TSV, JSONL or Parquet file"
SCHEMA = "a folder with relations.csv and classes.csv, such a table, or SHACL shapes (.ttl)"
GRAPH = "the folder of a graph, or a file of facts"

CASES = {
    f"verify {NONE}": ITEMS,
    f"prompts {NONE}": ITEMS,
    f"verify --kind facts {NONE}": "a file of facts",
    f"verify --kind facts facts/right.tsv --schema {NONE}": SCHEMA,
    f"verify --kind facts facts/right.tsv --schema facts/schema --types {NONE}": (
        "classes of entities"
    ),
    f"verify --kind facts facts/right.tsv --schema {NONE}.ttl": SCHEMA,
    f"verify --kind facts facts/right.tsv --certificates {NONE}": "a file of certificates",
    f"verify --kind patterns {NONE}": "a list of patterns",
    f"verify --kind text {NONE} --facts texts/references.txt": "a file of texts",
    f"verify --kind text texts/right.txt --facts {NONE}": "facts as Python literals",
    f"parse --pairs {NONE}": "lines of two texts",
    f"realise {NONE}": "graphs as parse prints them",
    f"mine {NONE}": GRAPH,
    f"apply {NONE}.json --data tkg": "a file of rules",
    f"apply {NONE}.jsonl --data tkg": "a file of rules",
    f"generate tkg --config {NONE} --out out": "a config",
    f"generate texts --facts {NONE} --out out": "facts as Python literals",
    f"score nli {NONE} --data right.tsv": "a file of answers",
    f"score quadruples {NONE} --references quadruples/club.references.txt": (
        "facts as Python literals"
    ),
    f"score ranks {NONE} --data ranks/graph": "ranks, scores or weights",
    f"score ranks --answers {NONE} --prompts {NONE}": "a file of prompts",
}


@pytest.mark.parametrize("command", CASES)
def test_a_missing_path_is_reported_with_the_expected_input(
    solver: Solver, examples: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(examples)
    ran = solver(*command.split())
    assert (ran.status, ran.out) == (2, "")
    (line,) = ran.err.splitlines()
    assert line.startswith(f"error: {NONE}")
    assert f": no such file or directory, expected {CASES[command]} (check the path" in line
