"""Each condition of the checker is asked for: a forged case breaks it, and its reason is given."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from solver.calendar import check

DAY = ["a day", "date", [2001, 1, 1]]
MINUTE = 1440 * 712_000
"""A minute of 1950, when clocks of Monrovia were 44 minutes and 30 seconds behind."""


def value(gold: str, *steps: list[Any], **question: Any) -> dict[str, Any]:
    """A problem about the value of the last step."""
    asked = {"type": "value", "step": len(steps) - 1, "written": "number", **question}
    return {"gold": gold, "steps": list(steps), "question": asked}


def count(number: int) -> list[Any]:
    return ["a number", "count", [number]]


def order(gold: str, **question: Any) -> dict[str, Any]:
    """A problem about two entrants with the times 1 and 2."""
    entrants = [["Ada", 0, 0], ["Bo", 1, 1]]
    asked = {"type": "order", "entrants": entrants, "pick": "first", "written": "$name", **question}
    return {"gold": gold, "steps": [count(1), count(2)], "question": asked}


def times(gold: str, **question: Any) -> dict[str, Any]:
    """A problem about the times when everybody is free, of which there is one."""
    window = {"window": [0, 60], "entries": [["Ada", 30, 60, "tea"]], "options": {"(A)": [0, 30]}}
    return {"gold": gold, "question": {"type": "times", **window, **question}}


def starts(gold: str, label: int) -> dict[str, Any]:
    form = {"length": 30, "grid": 30, "label": label, "written": "$number"}
    return times(gold, type="starts", **form)


def meeting(**question: Any) -> dict[str, Any]:
    """A problem about the longest meeting of one person, who is always free."""
    asked = {"type": "meeting", "grid": 720, "needs": [["Ada", 0, 0, [0], [-1]]], "entries": [],
             "stated": [1440, 1]}  # fmt: skip
    return {"gold": "1440, 1", "question": {**asked, **question}}


FREE = {"free": [[0, 30]]}
RIGHT: list[tuple[dict[str, Any], dict[str, Any]]] = [
    (value("3", count(3), label=0), {"decided": "3"}),
    (value("(A)", count(3), options={"(A)": 0}), {"decided": "(A)"}),
    (value("3", count(3), label=0, written="$number"), {"decided": "3"}),
    (order("Ada", label=[0]), {"decided": "Ada"}),
    (times("(A)"), {**FREE, "decided": "(A)"}),
    (starts("1", 1), {**FREE, "decided": "1"}),
    (meeting(), {"longest": [1440, 1], "decided": "1440, 1"}),
]
FORGED: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    (value("1", count(3), ["its weekday", "weekday", [0]]), {"values": []},
     "weekday is not about a day"),
    (value("1", DAY, ["what", "guess", [0]]), {"values": []}, "there is no step guess"),
    (value("1", count(MINUTE), ["there", "local", [0, "Africa/Monrovia"]]), {"values": []},
     "a zone is not whole minutes from UTC"),
    (value("1", count(1), count(1_000_001), ["days", "within", [0, 1, 0, 1]]), {"values": []},
     "the days are too many"),
    (value("1", count(1), count(5), ["again", "recur", [0, 0, 1]]), {"values": []},
     "nothing recurs"),
    (value("1", DAY, count(5), ["between", "elapsed", [0, 1, "day"]]), {"values": []},
     "a day is compared with a number"),
    (value("(A)", count(3), options={"(A)": 0}, void="None"), {},
     "options, and an answer that there is none"),
    (value("4", count(3), label=0, written="$number"), {}, check.LABEL_FAULTS[0]),
    (times("(A)", window=[60, 60]), FREE, "the window is empty, or too long"),
    (times("(A)", window=[0, 10**9]), FREE, "the window is empty, or too long"),
    (times("(A)"), {"free": [[0, 31]]}, "the free times are [[0, 30]]"),
    (starts("1", 2), FREE, check.LABEL_FAULTS[0]),
    (starts("2", 1), FREE, check.LABEL_FAULTS[0]),
    (order("Ada", label=[1]), {}, check.LABEL_FAULTS[1]),
    (order("Ada", label=[0], pick="ascending", limit=[0]), {}, "an order has no limit"),
    (order("Ada"), {}, "the label is right"),
    (meeting(grid=0), {"longest": [1440, 1]}, "there are no days or no starts"),
    (meeting(needs=[["Ada", 0, 0, [], []]]), {"longest": [0, 0]}, "there are no days or no starts"),
    (meeting(), {"longest": [1440, 2]}, "the longest meeting is [1440, 1]"),
    (value("3", count(3), label=0), {"values": [[4]]}, "the values are [[3]]"),
    (value("3", count(3), label=0), {"verdict": "wrong"}, "the verdict is right"),
    (value("3", count(3), label=0), {"decided": "4"}, "the answer is 3"),
]  # fmt: skip


def case(problem: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """A case with the right values and verdict unless others are given."""
    found: dict[str, Any] = {"problem": problem, "verdict": "right", "decided": problem["gold"]}
    if problem.get("steps") and "values" not in more:
        found["values"] = check.values_of(problem)
    return found | more


@pytest.mark.parametrize(("problem", "more"), RIGHT)
def test_the_cases_are_proved(problem: dict[str, Any], more: dict[str, Any]) -> None:
    assert check.fault_of_case(case(problem, more), problem["gold"]) is None
    assert check.fault_of_case(case(problem, more), "another") == (
        "the label is not that of the problem"
    )


@pytest.mark.parametrize(("problem", "more", "reason"), FORGED)
def test_each_condition_is_asked_for(
    problem: dict[str, Any], more: dict[str, Any], reason: str
) -> None:
    assert check.fault_of_case(case(problem, more), problem["gold"]) == reason


@pytest.mark.parametrize("length", [0, -7, 1.5, "7"])
def test_what_recurs_has_whole_units(length: Any) -> None:
    with pytest.raises(check.RejectedError, match="nothing recurs"):
        check.recurring(5, length, 7)


@pytest.mark.parametrize(("start", "end"), [(5, date(2001, 1, 1)), (date(2001, 1, 1), 5)])
def test_days_and_numbers_are_not_compared(start: check.Value, end: check.Value) -> None:
    with pytest.raises(check.RejectedError, match="a day is compared with a number"):
        check.elapsed(start, end, "day")


@pytest.mark.parametrize("weekday", range(7))
@pytest.mark.parametrize("number", range(8))
def test_days_within_are_days_of_the_week(weekday: int, number: int) -> None:
    first = date(2001, 1, 3).toordinal()
    for last in range(first - 1, first + 16):
        days = (date.fromordinal(day) for day in range(first, last + 1))
        counted = sum((day.weekday() - weekday) % 7 < number for day in days)
        expected = counted if first <= last else None
        assert check.days_within(first, last, weekday, number) == expected
