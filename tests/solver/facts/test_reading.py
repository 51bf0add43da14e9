"""Reading of facts: three formats, dates and intervals, unreadable rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from solver.facts.intervals import Naming
from solver.facts.io import read_facts
from solver.facts.model import IntervalFact, has_escape, is_empty, is_generic, is_placeholder
from solver.graph.io import read_dataset
from solver.io.sources import InputError

ROWS = {
    "facts.references.txt": "[['Ada', 'startSpouse', 'Ben', '2026-01-31']]\n",
    "facts.tsv": "subject\trelation\tobject\tdate\nAda\tstartSpouse\tBen\t2026-01-31\n",
    "facts.jsonl": '{"subject":"Ada","relation":"startSpouse","object":"Ben","date":"2026-01-31"}',
}


@pytest.mark.parametrize("name", ROWS)
def test_three_formats_of_one_fact(tmp_path: Path, name: str) -> None:
    for path in (tmp_path / name, tmp_path / "facts"):
        path.write_text(ROWS[name])
        (fact,) = read_facts(path, Naming()).facts
        assert str(fact) == "(Ada, startSpouse, Ben, 2026-01-31)"
        assert fact.relation == "spouse"
        assert fact.where == f"{path}:{len(ROWS[name].splitlines())}"


def test_blanks_are_stripped_in_tsv_and_kept_in_literals_and_json(tmp_path: Path) -> None:
    path = tmp_path / "facts.tsv"
    path.write_text(ROWS["facts.tsv"].replace("\t", " \t  "))
    (fact,) = read_facts(path, Naming()).facts
    (known,) = read_dataset(path, ordered=False).vocabulary.relation_names
    assert (fact.subject, fact.object, known) == ("Ada", "Ben", "startSpouse")
    path = tmp_path / "facts.jsonl"
    path.write_text(ROWS["facts.jsonl"].replace("Ada", "Ada "))
    (fact,) = read_facts(path, Naming()).facts
    assert fact.subject == "Ada "


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("facts.tsv", "Ada\tspouse\tBen\t2026-01-31\t\n"),
        (
            "facts.jsonl",
            '{"subject":"Ada","relation":"spouse","object":"Ben","start":"2026-01-31","rule":"r"}\n',
        ),
    ],
)
def test_intervals(tmp_path: Path, name: str, row: str) -> None:
    path = tmp_path / name
    path.write_text(row)
    (fact,) = read_facts(path, Naming()).facts
    assert isinstance(fact, IntervalFact)
    assert str(fact) == "(Ada, spouse, Ben, [2026-01-31, ...])"


@pytest.mark.parametrize(
    ("name", "row", "message"),
    [
        (
            "f.references.txt",
            "[['A', 'r', 'B', '2026-02-30']]",
            "'2026-02-30', expected a valid date",
        ),
        ("f.references.txt", "[['A', 'r', 'B', 'May 2026']]", "'May 2026', expected a valid date"),
        ("f.references.txt", "[['A', 'r', 'B']]", "3 parts, expected 4"),
        ("f.references.txt", "[['A', 'r', 'B', '2026-01-01', 1]]", "5 parts, expected 4"),
        ("f.references.txt", "A r B 2026-01-01", "expected a Python literal"),
        ("f.tsv", "A\tr\tB", "expected 4 or 5 tab-separated cells"),
        ("f.tsv", "A\tr\tB\t2026-13-01", "'2026-13-01', expected a valid date"),
        ("f.tsv", "A\tr\tB\t2026-01-01\tsoon", "'soon', expected a valid date"),
        ("f.tsv", "A\tr\tB\t\t", "found no date"),
        ("f.jsonl", '{"subject": "A"', "broken JSON"),
        ("f.jsonl", '{"subject":"A","relation":"r","object":3,"date":"2026-01-01"}', "expected"),
        ("f.jsonl", '{"subject":"A","relation":"r","object":"B"}', "found no date"),
        (
            "f.jsonl",
            '{"subject":"A","relation":"r","object":"B","date":"2026-01-01","end":"2026-01-01"}',
            "a date and an interval",
        ),
    ],
)
def test_unreadable_rows_are_reported(tmp_path: Path, name: str, row: str, message: str) -> None:
    path = tmp_path / name
    right = {
        "t": ROWS["facts.references.txt"],
        "v": "A\tr\tB\t2026-01-01",
        "l": ROWS["facts.jsonl"],
    }
    path.write_text(f"{right[name[-1]].strip()}\n\n{row}\n")
    read = read_facts(path, Naming())
    assert len(read.facts) == 1
    (text,) = read.unreadable
    assert text.startswith(f"{path}:3")
    assert message in text


def test_files_without_facts(tmp_path: Path) -> None:
    path = tmp_path / "facts.tsv"
    path.write_text("subject\trelation\tobject\tdate\n")
    with pytest.raises(InputError, match="found no facts"):
        read_facts(path, Naming())


def test_names() -> None:
    assert is_empty(" \t")
    assert is_placeholder(" Unknown ")
    assert not is_placeholder("The Unknown Pleasures")
    assert is_generic("Oldport team generic instance")
    assert has_escape("Kos U002C Bela")
    assert not has_escape("BU002C")
