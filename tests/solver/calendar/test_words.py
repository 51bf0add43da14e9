"""Values are written in the forms of answers."""

from __future__ import annotations

from datetime import date

import pytest

from solver.calendar import words

SECONDS = 2 * 86_400 + 5 * 3_600 + 7 * 60 + 9
"""Two days, five hours, seven minutes and nine seconds."""
DAY = date(1937, 12, 24).toordinal()


@pytest.mark.parametrize(
    ("value", "form", "text"),
    [
        (SECONDS, "$days days, $hours hours", "2 days, 5 hours"),
        (SECONDS, "$hours:$minutes:$seconds", "53:7:9"),
        (SECONDS, "$HH:$MM:$SS ($day)", "05:07:09 (+2)"),
        (3_600, "$HH:$MM $day", "01:00 same_day"),
        (-1, "$HH:$MM:$SS $day", "23:59:59 -1"),
        (3_723_004, "$thousandths", "01:02:03.004"),
        (366, "$leap", "Yes"),
        (365, "$leap", "No"),
        (12, "$year $era", "12 AD"),
        (0, "$year $era", "1 BC"),
        (-3, "$counted", "3 BC"),
        (0, "$counted", "0"),
        (DAY, "$yyyy-$mm-$dd, $d $month ($mon)", "1937-12-24, 24 December (Dec)"),
        (DAY, "MM/DD/YYYY", "12/24/1937"),
        (12 * 1937 + 2, "Mon, YYYY", "Mar, 1937"),
        (4, "weekday", "Friday"),
        (4, "$weekday", "Friday"),
        (-4, "number", "-4"),
    ],
)
def test_values_are_written(value: int, form: str, text: str) -> None:
    assert words.written(value, form) == text


@pytest.mark.parametrize(("value", "form"), [(9, "weekday"), (0, "MM/DD/YYYY"), (1, "$odd")])
def test_values_without_a_form_are_refused(value: int, form: str) -> None:
    with pytest.raises(words.CalendarError, match=f"found the value {value}, expected one"):
        words.written(value, form)


@pytest.mark.parametrize(
    ("minute", "text"),
    [
        (0, "12:00 am"), (570, "9:30 am"), (720, "12:00 pm"), (1_439, "11:59 pm"),
        (1_440, "12:00 am of day 2"), (2 * 1_440 + 61, "1:01 am of day 3"),
    ],
)  # fmt: skip
def test_minutes_of_days(minute: int, text: str) -> None:
    assert words.clock(minute) == text
