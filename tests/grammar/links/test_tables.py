"""Tables of links, and calendar intervals."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from grammar.links.model import INVERSE, Document, FlawCode, Format, RelationType, interval
from grammar.links.tables import TableError, TableReader, is_row, relation_of, rows, written_label


def read(*lines: str) -> list[Document]:
    reader = TableReader("x.tsv")
    for number, line in enumerate(lines, 1):
        reader.add(number, line)
    return list(reader.documents())


def test_four_columns() -> None:
    document, other = read(
        "d1\te4\te20\ta", "d2\te1\tt0\tIS_INCLUDED", "d1\te4\te4\ts", "d1\te1\te2\tq"
    )
    assert (document.name, document.format, list(document.nodes)) == (
        "d1",
        Format.TABLE,
        ["e4", "e20", "e1", "e2"],
    )
    assert [str(link) for link in document.links] == ["1: e4 a e20", "3: e4 s e4"]
    assert document.links[0].relation is RelationType.AFTER
    assert [(flaw.code, flaw.line) for flaw in document.flaws] == [
        (FlawCode.SELF, 3),
        (FlawCode.UNKNOWN, 4),
    ]
    assert other.nodes["t0"].is_time
    assert other.links[0].relation is RelationType.IS_INCLUDED
    assert list(rows([document])) == ["d1\te4\te20\ta", "d1\te4\te4\ts"]


def test_six_columns_are_about_start_points() -> None:
    (document,) = read("d\tsaid\tleft\t1\t5\tVAGUE", "d\tsaid\tcame\t1\t6\tEQUAL")
    assert document.format is Format.STARTS
    assert document.nodes["5"].word == "left"
    assert [link.relation for link in document.links] == [
        RelationType.VAGUE,
        RelationType.STARTS_EQUAL,
    ]
    assert list(rows([document])) == ["d\tsaid\tleft\t1\t5\tVAGUE", "d\tsaid\tcame\t1\t6\tEQUAL"]


def test_three_columns_are_of_the_document_of_the_file() -> None:
    reader = TableReader("wsj_0001.tml.ann", "wsj_0001.tml.ann")
    reader.add(1, "e1\te2\tb")
    reader.add(2, "t0\te1\tv")
    (document,) = reader.documents()
    assert (document.name, document.format) == ("wsj_0001.tml.ann", Format.PAIRS)
    assert [str(link) for link in document.links] == ["1: e1 b e2", "2: t0 v e1"]
    assert list(rows([document])) == ["e1\te2\tb", "t0\te1\tv"]


def test_a_fifth_column_is_a_note() -> None:
    (document,) = read("d\te1\te2\tii\tunsure", "d\te1\te3\tb\t")
    assert [link.relation for link in document.links] == [
        RelationType.IS_INCLUDED,
        RelationType.BEFORE,
    ]


@pytest.mark.parametrize("line", ["d\te1", "d\t\te2\ta", "", "d e1 e2 a"])
def test_broken_rows(line: str) -> None:
    with pytest.raises(TableError, match=r"x\.tsv:1: (found|column)"):
        read(line)


def test_labels() -> None:
    assert is_row("d\te1\te2\tii\n")
    assert not is_row("premise\thypothesis\tlabel\tid")
    assert relation_of("NONE") is RelationType.VAGUE
    assert relation_of("DURING") is RelationType.DURING
    assert relation_of("before-ish") is None
    assert written_label(RelationType.STARTS_EQUAL, Format.STARTS) == "EQUAL"
    assert written_label(RelationType.BEGINS, Format.TABLE) is None
    assert all(INVERSE[INVERSE[relation]] is relation for relation in RelationType)


@pytest.mark.parametrize(
    ("value", "start", "length"),
    [
        ("1998", datetime(1998, 1, 1), timedelta(days=365)),
        ("1998-Q2", datetime(1998, 4, 1), timedelta(days=91)),
        ("1998-H2", datetime(1998, 7, 1), timedelta(days=184)),
        ("1998-12", datetime(1998, 12, 1), timedelta(days=31)),
        ("1998-W01", datetime(1997, 12, 29), timedelta(days=7)),
        ("1998-W01-2", datetime(1997, 12, 30), timedelta(days=1)),
        ("1998-02-27", datetime(1998, 2, 27), timedelta(days=1)),
        ("1998-02-27T07", datetime(1998, 2, 27, 7), timedelta(hours=1)),
        ("1998-02-27T07:56:00", datetime(1998, 2, 27, 7, 56), timedelta(seconds=1)),
    ],
)
def test_values_of_the_calendar(value: str, start: datetime, length: timedelta) -> None:
    assert interval(value) == (start, start + length)


@pytest.mark.parametrize(
    "value",
    ["P3M", "PAST_REF", "XXXX", "199X", "1998-SU", "1998-02-30", "1998-13", "1998-02-27T25:00",
     "1998-02-27TMO", "0000", "9999", "1998-W60", "", "02/27/1998"],
)  # fmt: skip
def test_other_values_have_no_interval(value: str) -> None:
    assert interval(value) is None
