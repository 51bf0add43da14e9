"""Dates in texts: six styles, weekdays of the calendar, and contradictions."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest

from grammar.dates import MONTHS, WEEKDAYS, DateStyle, ordinal_ending, write_date
from grammar.errors import ParseError
from grammar.texts.model import Clash, TextFact, clashes
from grammar.texts.reader import read_text
from grammar.texts.writer import write_text

STYLES = tuple(DateStyle)


def test_dates_are_written_in_six_styles() -> None:
    day = date(2026, 3, 1)
    assert [write_date(day, style) for style in STYLES] == [
        "March 1st, 2026", "Sun, March 1st, 2026", "Sunday, March 1st, 2026",
        "2026-03-01", "Sun, 2026-03-01", "Sunday, 2026-03-01",
    ]  # fmt: skip


def test_weekdays_are_those_of_the_calendar() -> None:
    """Zeller's congruence, which shares nothing with the calendar of the library."""
    day = date(1999, 12, 25)
    while day < date(2032, 1, 1):
        month, year = (day.month, day.year) if day.month > 2 else (day.month + 12, day.year - 1)
        zeller = day.day + 13 * (month + 1) // 5 + year + year // 4 - year // 100 + year // 400
        name = WEEKDAYS[(zeller + 5) % 7]
        written = write_date(day, DateStyle.WORDS_LONG)
        assert written.startswith(f"{name}, {MONTHS[day.month - 1]} {day.day}")
        day += timedelta(days=1)


def test_ordinals() -> None:
    ordinals = " ".join(f"{n}{ordinal_ending(n)}" for n in range(1, 32))
    assert re.findall(r"\d+(?:st|nd|rd)", ordinals) == [
        "1st",
        "2nd",
        "3rd",
        "21st",
        "22nd",
        "23rd",
        "31st",
    ]


@pytest.mark.parametrize(
    ("text", "column", "found", "expected"),
    [
        ("Ada joined Rovers on 2026-02-30.", 22, "2026-02-30", "a valid date"),
        ("On February 29th, 2025, Ada joined Rovers.", 4, "February 29th, 2025", "a valid date"),
        ("Ada joined Rovers on March 1th, 2026.", 22, "March 1th, 2026", "March 1st"),
        ("Ada joined Rovers.", 12, "Rovers.", "the date of the fact"),
        ("Ada met Rovers on 2026-03-01.", 1, "Ada met Rovers on 2026-03-01.", "a phrase"),
        ("Ada joined Rovers on 2026-03-01. He sings.", 34, "He sings.", "a phrase"),
        ("", 1, "the end of the text", "a headline"),
    ],
)  # fmt: skip
def test_syntax_errors_have_a_position(text: str, column: int, found: str, expected: str) -> None:
    with pytest.raises(ParseError) as caught:
        read_text(text)
    assert caught.value.column == column
    assert found in caught.value.found
    assert expected in caught.value.expected


@pytest.mark.parametrize(
    ("text", "clash"),
    [
        ("Ada joined Rovers on Monday, 2026-03-01.", Clash.WEEKDAY),
        ("On Tue, March 1st, 2026, Ada joined Rovers.", Clash.WEEKDAY),
        ("Mon, 2026-03-01 – The record. Ada joined Rovers on 2026-03-01.", Clash.WEEKDAY),
        ("2026-02-27 – The record. Ada joined Rovers on 2026-03-01.", Clash.TENSE),
        ("2026-03-02 – The record. Ada will join Rovers on 2026-03-01.", Clash.TENSE),
        ("Ada joined Rovers on 2026-03-01. Later, Ben left Rovers on 2026-03-01.", Clash.ORDER),
        ("Ada joined A on 2026-03-01. On the same day, Ben left A on 2026-03-02.", Clash.ORDER),
        ("Later, Ada joined Rovers on 2026-03-01.", Clash.ORDER),
        ("2026-03-02 – News of Ben. Ada joined Rovers on 2026-03-01.", Clash.TITLE),
    ],
)
def test_texts_that_contradict_themselves(text: str, clash: Clash) -> None:
    assert [code for code, _ in clashes(read_text(text))] == [clash]


def test_a_consistent_text() -> None:
    text = (
        "Sat, February 28th, 2026 – News in brief. Ada joined Rovers on Thursday, 2026-02-26. "
        "On the same day, Ben left “Northmill F.” on 2026-02-26. Later, Cleo will marry Dan on "
        "March 1st, 2026. On Mon, 2026-03-02, Eve will depart from the staff of Lakeside. "
        "Meanwhile, Finn will receive the award Elm on 2026-03-02."
    )
    read = read_text(text)
    assert not list(clashes(read))
    assert read.facts[1:3] == (
        TextFact(
            subject="Ben", relation="endMemberOf", object="Northmill F.", date=date(2026, 2, 26)
        ),
        TextFact(subject="Cleo", relation="startSpouse", object="Dan", date=date(2026, 3, 1)),
    )
    assert write_text(read) == text.replace("“Northmill F.”", "Northmill F.")


def test_a_report_refers_to_the_entities_of_the_sentence_before() -> None:
    text = (
        "2026-02-28 – Rovers in the news. Ada joined Rovers on 2026-02-26. "
        "Later, the former received the award Elm on 2026-02-27. "
        "On 2026-02-28, Ben joined the latter. The former left Rovers on 2026-02-28."
    )
    read = read_text(text)
    assert [(fact.subject, fact.object) for fact in read.facts] == [
        ("Ada", "Rovers"), ("Ada", "Elm"), ("Ben", "Elm"), ("Ben", "Rovers"),
    ]  # fmt: skip
    assert read.headline is not None
    assert (read.headline.title, read.headline.name) == ("{} in the news", "Rovers")
    assert not list(clashes(read))
    assert write_text(read) == text


def test_the_first_sentence_names_its_entities() -> None:
    with pytest.raises(ParseError, match="no sentence comes before"):
        read_text("The former joined Rovers on 2026-02-26.")
