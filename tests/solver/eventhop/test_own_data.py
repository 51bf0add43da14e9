"""Small files as their users have them: read, or refused with the option that reads them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from solver.cli import run

PREMISE = "the end of A happened before the start of B. the end of B happened before the start of C"
ROWS = [
    ("1", PREMISE, "A happens before C", "true"),
    ("2", PREMISE, "A happens after C", "false"),
    ("3", PREMISE, "C happens before D", "false"),
    (
        "4",
        PREMISE + ". the end of C happened before the start of A",
        "A happens before C",
        "undefined",
    ),
]
NLI = {"true": "entailment", "false": "contradiction", "undefined": "broken"}
WORDS = "entailment=true,contradiction=false,broken=undefined"


def table(
    separator: str, header: str, end: str = "\n", *, labels: dict[str, str] | None = None
) -> str:
    lines = [header] if header else []
    for id_, premise, claim, label in ROWS:
        shown = label if labels is None else labels[label]
        lines.append(separator.join((id_, f'"{premise}"', claim, shown)))
    return end.join(lines) + end


def json_lines(names: tuple[str, str, str, str], labels: dict[str, str] | None = None) -> str:
    rows = [(*row[:3], row[3] if labels is None else labels[row[3]]) for row in ROWS]
    return "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows)


HEAD = "id,premise,claim,label"
READ = {
    "CSV with a header": ("items.csv", table(",", HEAD), ()),
    "TSV with a header": ("items.tsv", table("\t", HEAD.replace(",", "\t")), ()),
    "Excel: byte order mark, semicolons, Windows line ends": (
        *("items.csv", "\ufeff" + table(";", "ID;Premise;Hypothesis;Gold", "\r\n"), ()),
    ),
    "NLI labels": (
        *("nli.csv", table(",", "id,premise,hypothesis,label", labels=NLI), ("--map", WORDS)),
    ),
    "labels called as in SNLI": (
        "snli.jsonl",
        json_lines(("id", "premise", "hypothesis", "gold_label"), NLI),
        ("--map", WORDS),
    ),
    "other columns": (
        "own.csv",
        table(",", "key,context,statement,answer"),
        ("--map", "id=key,premise=context,claim=statement,gold=answer"),
    ),
    "JSON Lines with other fields": (
        "own.jsonl",
        json_lines(("key", "context", "statement", "answer"), NLI),
        ("--map", f"id=key,premise=context,claim=statement,gold=answer,{WORDS}"),
    ),
}
REFUSED = {
    "JSON Lines with other fields": (
        *("own.jsonl", json_lines(("key", "context", "statement", "answer"))),
        "--map premise=COLUMN,claim=COLUMN names other columns",
    ),
    "other columns": (
        *("own.csv", table(",", "id,premise,statement,label")),
        "found the columns id, premise, statement, label, but none of the claim (--map premise=",
    ),
    "NLI labels": (
        *("nli.csv", table(",", HEAD, labels=NLI)),
        "--labels nli3 reads entailment, neutral and contradiction; or give your own words",
    ),
    "CSV without a header": (
        *("items.csv", table(",", "")),
        "read are the published TSV of 9 or 10 columns; a table (tabs, commas or semicolons) whose",
    ),
    "a column too many": (
        *("items.csv", table(",", HEAD).replace("A happens before C,", "A happens before C,x,", 1)),
        "items.csv:2:1: found 5 columns, expected 4 as the first line names",
    ),
    "Allen's relations as premises": (
        "allen.csv",
        'id,premise,claim,label\n1,"A overlaps B",A happens before B,true\n',
        "A overlaps B",
    ),
}


def verified(path: Path, *options: str) -> int:
    return run(["verify", str(path), *options, "--json"])


@pytest.mark.parametrize("name", READ)
def test_files_that_are_read(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, text, options = READ[name]
    path = tmp_path / file
    path.write_bytes(text.encode())
    assert verified(path, *options) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["items"], found["unparsed"]) == (4, 0)
    # A wrong label is found: the labels were read, not ignored.
    label = "contradiction" if "contradiction" in text else "false"
    right = "entailment" if label == "contradiction" else "true"
    path.write_bytes(text.replace(right, label, 1).encode())
    assert verified(path, *options) == 1


@pytest.mark.parametrize("name", REFUSED)
def test_files_that_are_refused(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, text, reason = REFUSED[name]
    path = tmp_path / file
    path.write_text(text)
    assert verified(path) == 2
    assert reason in capsys.readouterr().err


@pytest.mark.parametrize("value", ["gold", "maybe=perhaps", "=true", "premise="])
def test_an_invalid_map(value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "items.csv"
    path.write_text(table(",", HEAD))
    assert verified(path, "--map", value) == 2
    assert "expected FIELD=COLUMN or WORD=LABEL" in capsys.readouterr().err


def test_scores_of_own_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, answers = tmp_path / "nli.csv", tmp_path / "answers.csv"
    path.write_text(table(",", "id,premise,hypothesis,label", labels=NLI))
    answers.write_text("id,answer\n" + "".join(f"{row[0]},{row[3]}\n" for row in ROWS))
    command = ["score", "nli", str(answers), "--data", str(path), "--gold", "file", "--map", WORDS]
    assert run([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["overall"]["accuracy"]["value"] == 1
