"""Files of labels and of planted patterns: read as written, refused with their place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from solver.io.sources import InputError
from solver.patterns.model import Lag, PatternError
from solver.tkg.io import COLUMNS, Labels, read_labels, write_labels
from solver.tkg.planted import planted, read_planted, write_planted

HEADER = "\t".join(COLUMNS)
RIGHT = '{"id": 0, "lags": [[1, 3]], "pattern": "1 -7-> 2 => 2 -0-> 1"}'


def labels(rows: list[tuple[int, int, int, bool, int]]) -> Labels:
    fact, pattern, instance, consequence, position = (
        np.array(values) for values in zip(*rows, strict=True)
    )
    return Labels(
        fact=fact,
        pattern=pattern,
        instance=instance,
        consequence=consequence,
        position=position,
    )


def test_labels_are_written_sorted_and_read_as_written(tmp_path: Path) -> None:
    given = labels([(4, 1, 9, True, 2), (0, 1, 9, False, 1), (4, 0, 3, False, 1)])
    path = write_labels(tmp_path / "labels.tsv", given)
    assert path.read_text().splitlines() == [
        HEADER,
        "0\t1\t9\tantecedent\t1",
        "4\t0\t3\tantecedent\t1",
        "4\t1\t9\tconsequence\t2",
    ]
    found = read_labels(path)
    ordered = given.by_fact()
    for name in ("fact", "pattern", "instance", "consequence", "position"):
        assert getattr(found, name).tolist() == getattr(ordered, name).tolist()
    assert found.consequence.dtype == np.bool_


def test_a_table_may_hold_no_label(tmp_path: Path) -> None:
    path = tmp_path / "labels.tsv"
    path.write_text(HEADER + "\n")
    assert len(read_labels(path)) == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ":1:1: found nothing, expected the columns fact, pattern"),
        ("fact\tpattern\n", ":1:1: found 'fact\\tpattern', expected the columns"),
        (f"{HEADER}\n0\t1\t2\tantecedent\n", ":2:1: found 4 columns, expected 5"),
        (f"{HEADER}\n\n0\t1\t2\tcause\t1\n", ":3:7: role: found 'cause', expected antecedent or"),
        (f"{HEADER}\n0\t1\t2\tantecedent\t-1\n", ":2:18: position: found '-1', expected a whole"),
        (f"{HEADER}\n0\tnan\t2\tantecedent\t1\n", ":2:3: pattern: found 'nan', expected a whole"),
        (f"{HEADER}\n0\t1.0\t2\tantecedent\t1\n", ":2:3: pattern: found '1.0', expected a whole"),
        (f"{HEADER}\n{'9' * 30}\t1\t2\tantecedent\t1\n", ":2:1: fact: found '999"),
    ],
)
def test_refused_labels(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "labels.tsv"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_labels(path)
    assert message in str(caught.value)


def test_patterns_keep_the_relations_of_their_graph(tmp_path: Path) -> None:
    pattern = planted(
        3,
        "1 -7-> 2, 2 -0-> 3 => 1 -7-> 3",
        [Lag(low=1, high=3), Lag(low=2, high=2)],
        closed=False,
    )
    assert pattern.relations == (7, 0)
    assert str(pattern.template) == "1 -1-> 2, 2 -2-> 3 => 1 -1-> 3"
    assert [pattern.relation(step) for step in pattern.template.steps] == [7, 0, 7]
    assert (pattern.hops, pattern.placeholders) == (2, 3)
    path = write_planted(tmp_path / "patterns.jsonl", [pattern])
    assert '"pattern":"1 -7-> 2, 2 -0-> 3 => 1 -7-> 3"' in path.read_text()
    assert read_planted(path) == (pattern,)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", ":2:2: broken JSON (the line is truncated)"),
        ('{"id": 1}', ":2:1: found no pattern: object missing required field"),
        (RIGHT, ":2:1: found pattern 0 again, it is on line 1 already"),
        (RIGHT.replace("0,", "-4,"), "found -4, expected a whole number from 0"),
        (RIGHT.replace("0,", f"{10**30},"), f"found {10**30}, expected"),
        (RIGHT.replace("0,", "1,").replace("1, 3", f"1, {10**9}"), f"found {10**9}, expected"),
        (RIGHT.replace("0,", "1,").replace("1, 3", "3, 1"), "found lag [3, 1]"),
        (RIGHT.replace("0,", "1,").replace("[[1, 3]]", "[]"), "found 0 lags, expected 1"),
        (RIGHT.replace("0,", "1,").replace("=>", "="), "expected"),
    ],
)
def test_refused_patterns(line: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "patterns.jsonl"
    path.write_text(f"{RIGHT}\n{line}\n")
    with pytest.raises(InputError) as caught:
        read_planted(path)
    column = 2 if line == "{" else 1
    assert str(caught.value).startswith(f"{path}:2:{column}: ")
    assert message in str(caught.value)


def test_a_pattern_has_a_lag_for_each_hop() -> None:
    with pytest.raises(PatternError, match="found 2 lags, expected 1"):
        planted(0, "1 -0-> 2 => 2 -0-> 1", [Lag(low=1, high=1)] * 2)
