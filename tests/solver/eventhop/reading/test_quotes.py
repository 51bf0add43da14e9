"""Quoted cells: as the csv module reads them, and the effect of a stray opening quote."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.eventhop.records import BrokenRecord, ReadRecord, Record
from solver.io.sources import LINE_LIMIT, ROW_LINES, Line
from solver.io.tables import rows

Read = Callable[[str | bytes, str], list[ReadRecord]]

ROW = "0\tpossible\tfalse\tafter\t4\t3\t2\tP.\tC?\tTrue\n"

# Short enough that no line inside a quote looks like a row of its own.
CELLS = st.lists(st.text("a\t\"\n\r é'", max_size=3), min_size=3, max_size=3)
BEFORE = [str(column) for column in range(9)]


def lines(text: str) -> Iterator[Line]:
    for number, line in enumerate(text.split("\n")[:-1], 1):
        bare = line.removesuffix("\r")
        yield Line(number=number, text=bare, end="\r\n" if bare != line else "\n")


@given(st.lists(CELLS.map(BEFORE.__add__), max_size=4))
def test_cells_are_those_of_the_csv_module(table: list[list[str]]) -> None:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter="\t").writerows(table)
    text.seek(0)
    assert list(csv.reader(text, delimiter="\t")) == table
    got = list(rows(lines(text.getvalue()), "items.tsv", widths=(12,)))
    assert [list(row.cells) for row in got] == table


@given(CELLS, st.booleans())
def test_columns_are_where_the_texts_start(cells: list[str], quoted: bool) -> None:
    cells = [re.sub(r'[\t\r\n"]', "", cell) for cell in ["begin", *cells]]
    row = "\t".join(f'"{cell}"' if quoted else cell for cell in cells)
    (got,) = rows(lines(row + "\n"), "items.tsv", widths=(4,))
    found = [
        row[column - 1 :][: len(cell)] for column, cell in zip(got.columns, cells, strict=True)
    ]
    assert found == list(got.cells) == cells
    # Empty cells match anywhere: increasing columns distinguish them.
    assert all(a < b for a, b in zip(got.columns, got.columns[1:], strict=False))


def test_a_quote_that_is_closed_far_below_breaks_its_own_row_only(read: Read) -> None:
    opened, shut = ROW.replace("C?", '"C?'), ROW.replace("C?", 'C?"')
    records = read(ROW + opened + ROW * 5 + shut + ROW, "items.tsv")
    assert [type(record) for record in records] == [Record, BrokenRecord, *[Record] * 7]
    assert [record.place.line for record in records] == list(range(1, 10))


@pytest.mark.parametrize(
    ("line", "times"),
    [("ab\n", ROW_LINES), ("ab" * 4000 + "\n", LINE_LIMIT // 8000 + 1)],
    ids=["lines", "bytes"],
)
def test_the_closing_quote_is_looked_for_in_a_bounded_stretch(
    read: Read, line: str, times: int
) -> None:
    head, tail = ROW.split("P.")
    far = line * times
    near = line * 3
    (whole,) = read(f'{head}"{near}"{tail}', "items.tsv")
    assert isinstance(whole, Record)
    records = read(f'{head}"{far}"{tail}', "items.tsv")
    assert isinstance(records[0], BrokenRecord)
    assert records[0].place.line == 1
    assert [record.place.line for record in records[1:4]] == [2, 3, 4]


def test_a_line_that_cannot_be_read_ends_the_search(read: Read) -> None:
    records = read(ROW.replace("C?", '"C?').encode() + b"\xff\n" + ROW.encode(), "items.tsv")
    assert [type(record) for record in records] == [BrokenRecord, BrokenRecord, Record]


def test_many_open_quotes_cost_no_more_than_many_rows(
    read: Read, within: Callable[..., Any]
) -> None:
    content = '0\t"open\n' + '1\t""""open\n' + "2\n" + '3\t"a\tb\n'
    assert len(within(5, lambda: read(content * 2500, "items.tsv"))) == 10_000


def test_a_long_quote_is_read_in_one_pass(read: Read, within: Callable[..., Any]) -> None:
    content = '0\t"' + '""' * (LINE_LIMIT // 2 - 8) + "\n" + ROW
    records = within(5, lambda: read(content, "items.tsv"))
    assert [type(record) for record in records] == [BrokenRecord, Record]
