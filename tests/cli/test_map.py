"""``--map`` reads the files of every kind under other names of their columns."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generators.tkg.config import Config
from generators.tkg.files import write_graph
from generators.tkg.run import generate
from solver.cli import run
from solver.verification.kinds import built_in

ROOT = Path(__file__).resolve().parents[2]
GRAPH = str(ROOT / "examples/questions/graph")
PATTERNS = [{"pattern": "1 -1-> 2 => 2 -1-> 1", "hops": 1}, {"pattern": "1 -1-> 2 => 1 -1-> 2"}]
FACTS = [
    {"subject": "Ada", "relation": "endSpouse", "object": "Ben", "date": "2026-01-31"},
    {"subject": "Ada", "relation": "startSpouse", "object": "Ben", "date": "2026-02-31"},
]
LINKS = [
    {"id": "1", "left": "a", "right": "b", "relation": "BEFORE"},
    {"id": "2", "left": "b", "right": "a", "relation": "BEFORE"},
]
QUESTIONS = (ROOT / "examples/questions/flawed.jsonl").read_text().splitlines()
ASKED = [row for row in map(json.loads, QUESTIONS) if row["kind"] == "1-hop"]
KEPT = {"findings", "violations", "unreadable", "unparsed", "engines"}
ITEMS = [{"premise": "the end of A happened before the start of B", "claim": "B happens before A",
          "label": "true"}]  # fmt: skip
ROWS: dict[str, tuple[list[dict[str, Any]], list[str]]] = {
    "eventhop": (ITEMS, ["--probes", "none"]),
    "links": ([{"document": "d", "links": LINKS}], []),
    "patterns": (PATTERNS, ["--flags", "1100", "--hops", "1"]),
    "facts": (FACTS, []),
    "questions": (
        [row for row in map(json.loads, QUESTIONS) if row["kind"] == "1-hop"],
        ["--data", GRAPH, "--probes", "none"],
    ),
}


def verified(
    capsys: pytest.CaptureFixture[str], *words: str, without: str = ""
) -> tuple[int, dict[str, Any], str]:
    status = run(["verify", *words, "--json"])
    printed = capsys.readouterr()
    report = json.loads(printed.out)
    kept = {name: report[name] for name in report.keys() & KEPT}
    return status, kept, printed.err.replace(without, "")


@pytest.mark.parametrize("kind", ROWS)
def test_renamed_fields_are_read(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows, options = ROWS[kind]
    names = {name: f"the_{name}" for name in rows[0]}
    paths = tmp_path / "plain.jsonl", tmp_path / "other.jsonl"
    for path, renamed in zip(paths, ({}, names), strict=True):
        lines = ({renamed.get(name, name): row[name] for name in row} for row in rows)
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    stated = verified(capsys, "--kind", kind, str(paths[0]), *options, without=str(paths[0]))
    mapped = ",".join(f"{name}={other}" for name, other in names.items())
    other = verified(capsys, "--kind", kind, str(paths[1]), "--map", mapped, *options,
                     without=str(paths[1]))  # fmt: skip
    assert other[:2] == stated[:2]
    assert stated[0] != 0
    assert verified(capsys, "--kind", kind, str(paths[1]), *options)[1] != stated[1]


def test_a_table_of_facts_with_named_columns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "facts.tsv"
    path.write_text("to\twhen\tfrom\twhat\nBen\t2026-01-31\tAda\tstartSpouse\nBen\tnever\tAda\tx\n")
    words = [
        "--kind",
        "facts",
        str(path),
        "--map",
        "subject=from,object=to,relation=what,date=when",
    ]
    status, report, messages = verified(capsys, *words)
    assert (status, report["unreadable"]) == (2, 1)
    assert messages == f"{path}:3: found date 'never', expected a valid date such as 2026-01-31\n"
    assert run(["verify", *words[:-1], "subject=from,object=to,date=when"]) == 2
    assert "relation: found nothing, expected a string" in capsys.readouterr().err
    assert run(["verify", *words[:-1], "subject=sender"]) == 2
    assert "but not 'sender'" in capsys.readouterr().err


def test_texts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = (ROOT / "examples/texts/right.txt").read_text().splitlines()
    path = tmp_path / "texts.jsonl"
    path.write_text("".join(json.dumps({"words": text}) + "\n" for text in texts if text))
    words = ["--kind", "texts", str(path), "--facts", str(ROOT / "examples/texts/references.txt")]
    assert verified(capsys, *words, "--map", "text=words", "--probes", "none")[0] == 0
    assert run(["verify", *words, "--probes", "none"]) == 2


def test_the_labels_and_patterns_of_a_graph(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "graph"
    folder.mkdir()
    config = Config(patterns=(2, 2, 1), steps=20)
    write_graph(folder, generate(config, 1), config, 1)
    assert verified(capsys, "--kind", "tkg", str(folder))[0] == 0
    edit(folder / "labels.tsv", lambda text: text.replace("role", "part", 1))
    edit(folder / "patterns.jsonl", lambda text: text.replace('"lags"', '"gaps"'))
    words = ["verify", "--kind", "tkg", str(folder)]
    assert run(words) == 2
    # The checksums differ, and nothing else.
    run([*words, "--map", "role=part,lags=gaps", "--json"])
    assert json.loads(capsys.readouterr().out)["violations"].keys() == {"digest"}


def edit(path: Path, change: Callable[[str], str]) -> None:
    path.write_text(change(path.read_text()))


@pytest.mark.parametrize("kind", [kind for kind in ROWS if kind != "eventhop"])
def test_a_field_that_no_file_has_is_refused(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text("{}\n")
    options = ROWS[kind][1]
    assert run(["verify", "--kind", kind, str(path), "--map", "colour=x", *options]) == 2
    declared = built_in()[kind].columns
    assert declared is not None
    first = next(iter(next(iter(declared().values())).__annotations__))
    found = capsys.readouterr().err
    assert found.startswith("error: found 'colour=x', expected FIELD=COLUMN (fields: ")
    assert first in found
