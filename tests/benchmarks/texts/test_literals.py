"""Reading of references and predictions, and faults of malformed lines."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from benchmarks.texts.extraction import match_lines
from solver.facts.literals import FactsError, read_predictions, read_references
from solver.io.sources import InputError

GOOD = "[['Ann', 'startMemberOf', 'Choir', '2031-01-31']]"

FLAWS = [
    ("Ann joined the choir.", ":2:5: not a Python literal", True),
    ("[['Ann', 'r', 'Choir', '2031-01-31']", ":2:1: not a Python literal", True),
    ("[[Ann]]", ":2:1: not a Python literal", True),
    ("7", ":2:1: found '7', expected a list", True),
    ("['Ann']", ":2:2: fact 1: found \"'Ann'\", expected 4 strings", True),
    ("", ":2:1: not a Python literal", True),
    ("[['a', 'r', 'b', '2031-01-31'], ['a', 'r']]", ":2:33: fact 2: found 2 elements", True),
    ("[['a', 'r', 'b']]", ":2:2: fact 1: found 3 elements, expected 4", False),
    ("[['ä', 'r', 'b', '2031-01-31'], ['a', 'r', 'b', 'c', 'd']]", ":2:33: fact 2: found 5", True),
    ("  [['a', 'r', 'b', '2031-02-30']]", ":2:4: fact 1: found '2031-02-30', expected a v", False),
    ("[['a', 'r', 'b', '20310203']]", ":2:2: fact 1: found '20310203'", False),
    ("[['a', 'r', 'b', 3]]", ":2:2: fact 1: found '3', expected a string", True),
    ("[['a', 'r', 'b', None]]", ":2:2: fact 1: found '', expected a valid date", False),
    ("[('a', 'r', 'b', None)]", ":2:2: fact 1: found '', expected a valid date", True),
    (r"[['a\ud800', 'r', 'b', '2031-01-31']]", ":2:1: not a Python literal", True),
    ("[" * 400, ":2:", True),
]


def written(path: Path, *rows: str) -> str:
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(("line", "message", "dropped"), FLAWS)
def test_flaws_are_named_by_their_place(
    tmp_path: Path, line: str, message: str, dropped: bool
) -> None:
    path = written(tmp_path / "facts.txt", GOOD, line, GOOD)
    rows = read_predictions(path)
    assert [row.number for row in rows] == [1, 2, 3]
    assert [len(row.faults) for row in rows] == [0, 1, 0]
    assert message in str(rows[1].faults[0])
    assert rows[1].dropped is dropped
    with pytest.raises(FactsError, match="1 fault in the references") as error:
        read_references(path)
    assert message in str(error.value)


def test_all_flaws_of_references_are_counted(tmp_path: Path) -> None:
    path = written(tmp_path / "facts.txt", *["?"] * 25)
    with pytest.raises(FactsError, match="25 faults in the references") as error:
        read_references(path)
    assert "facts.txt:20:1: " in str(error.value)
    assert str(error.value).endswith("\n5 more")


def test_plain_and_packed_files_read_alike(tmp_path: Path) -> None:
    plain = written(tmp_path / "facts.txt", GOOD, "[]", "", "")
    packed = tmp_path / "facts.txt.gz"
    packed.write_bytes(gzip.compress(Path(plain).read_bytes().rstrip()))
    assert read_references(plain) == read_references(str(packed))
    assert [len(row.facts) for row in read_references(plain)] == [1, 0]


def test_more_predictions_than_references(tmp_path: Path) -> None:
    rows = read_references(written(tmp_path / "few.txt", GOOD))
    more = read_predictions(written(tmp_path / "many.txt", GOOD, GOOD, GOOD))
    with pytest.raises(InputError, match=r"^many\.txt:2:1: found 3 lines, expected one for each"):
        match_lines(rows, more, file="many.txt")


def test_missing_and_empty_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_predictions(str(tmp_path / "none.txt"))
    with pytest.raises(InputError, match="no line"):
        read_references(written(tmp_path / "empty.txt"))
