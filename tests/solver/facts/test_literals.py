"""Reading of facts as Python literals, with errors for invalid ones."""

from __future__ import annotations

import gzip
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.facts.literals import PARTS, StatedFact, read_literals
from solver.io.sources import InputError

ADA = ["Ada", "startSpouse", "Ben", "2026-01-31"]


def written(folder: Path, *texts: str) -> Path:
    path = folder / "facts.references.txt"
    path.write_text("\n".join(texts), encoding="utf-8")
    return path


def test_examples_in_their_order(tmp_path: Path) -> None:
    path = written(tmp_path, repr([ADA]), "", repr([ADA, ["Ö", "founder", "a \"b\" 'c'", ""]]))
    example, two = read_literals(path)
    assert (example.line, two.line) == (1, 3)
    assert example.facts == (StatedFact(**dict(zip(PARTS, ADA, strict=True))),)
    assert [fact.object for fact in two.facts] == ["Ben", "a \"b\" 'c'"]
    assert example.errors == two.errors == ()
    assert str(example.facts[0]) == "(Ada, startSpouse, Ben, 2026-01-31)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[['Ada', 'startSpouse'", "expected a Python literal"),
        ("__import__('os').getcwd()", "expected a Python literal"),
        ("[" * 9_999, "expected a Python literal"),
        ("{[]: 1}", "expected a Python literal"),
        (r"[['A\ud800', 'founder', 'B', '2026-01-01']]", "expected a Python literal"),
        ("3", "found int '3', expected a list of facts"),
        ("{'a': 1}", "expected a list of facts"),
        (repr([ADA[:3]]), "fact 1 of the line: found 3 parts, expected 4"),
        (repr([[*ADA, "b"]]), "fact 1 of the line: found 5 parts, expected 4"),
        (repr([[*ADA[:3], 2026]]), "found int '2026' for the date, expected a text"),
        (repr(ADA), "fact 1 of the line: found str"),
    ],
)
def test_what_cannot_be_read_is_told_and_the_rest_goes_on(
    tmp_path: Path, text: str, message: str
) -> None:
    path = written(tmp_path, text, repr([ADA]))
    broken, right = read_literals(path)
    assert message in str(broken.errors[0])
    assert broken.errors[0].where == f"{path}:1"
    assert broken.facts == ()
    assert len(right.facts) == 1
    assert "\n" not in str(broken.errors[0])


def test_a_broken_fact_leaves_its_neighbours(tmp_path: Path) -> None:
    (example,) = read_literals(written(tmp_path, repr([ADA, ADA[:3], ADA])))
    assert (len(example.facts), len(example.errors)) == (2, 1)
    assert "fact 2 of the line" in str(example.errors[0])


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "facts.references.txt"
    path.write_bytes(b"[['\xff']]\n" + repr([ADA]).encode())
    broken, right = read_literals(path)
    assert "UTF-8" in str(broken.errors[0])
    assert right.facts


def test_packed_and_missing_files(tmp_path: Path) -> None:
    path = tmp_path / "facts.references.txt.gz"
    path.write_bytes(gzip.compress(repr([ADA]).encode()))
    assert len(list(read_literals(path))) == 1
    with pytest.raises(InputError, match="no such file"):
        list(read_literals(tmp_path / "missing"))


def test_a_stray_backslash_is_no_remark(tmp_path: Path) -> None:
    path = written(tmp_path, r"[['A\d', 'founder', 'B', '2026-01-01']]")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (example,) = read_literals(path)
    assert example.facts[0].subject == r"A\d"


NAMES = st.text(st.characters(exclude_categories=["Cs"]))


@given(st.lists(st.lists(st.tuples(NAMES, NAMES, NAMES, NAMES), min_size=1), min_size=1))
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, examples: list[list[tuple[str, ...]]]
) -> None:
    lines = [repr([list(fact) for fact in example]) for example in examples]
    path = written(tmp_path_factory.mktemp("facts"), *lines)
    read = list(read_literals(path))
    found = [[(f.subject, f.relation, f.object, f.date) for f in example.facts] for example in read]
    assert found == examples
