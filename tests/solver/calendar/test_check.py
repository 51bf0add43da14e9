"""Certificates of right verdicts are accepted; whatever is changed in one is noticed."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest

from grammar.calendar.steps import ARITIES, Step
from solver.calendar import check
from solver.calendar.decide import decide
from solver.calendar.engine import CalendarSolver
from solver.calendar.model import CalendarError, Problem, Value
from solver.cli import run
from solver.smt import TheorySolver
from solver.verification.outcomes import judged

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "calendar"


def problems(name: str) -> list[Problem]:
    lines = (EXAMPLES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [msgspec.json.decode(line, type=Problem) for line in lines]


def rows() -> list[dict[str, Any]]:
    every = [*problems("right"), *problems("flawed")]
    made = [
        judged("calendar", problem.gold, {"first": outcome, "second": outcome})
        for problem, outcome in zip(every, decide(every), strict=True)
    ]
    return [json.loads(json.dumps({"id": n, **row})) for n, row in enumerate(made)]


ROWS = rows()


def test_examples_are_proved() -> None:
    assert [check.fault_of_row(row) for row in ROWS] == [None] * len(ROWS)
    assert len({row["verdict"] for row in ROWS}) == 6


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, part in pairs:
            yield from leaves(part, (*path, key))
    else:
        yield path, value


def changed(row: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    other = copy.deepcopy(row)
    part = other
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    return other


@pytest.mark.parametrize("number", range(len(ROWS)))
@pytest.mark.parametrize("field", ["gold", "decided", "verdict"])
def test_another_label_or_verdict_is_rejected(number: int, field: str) -> None:
    row = ROWS[number]
    for value in ("(A)", "(B)", "right", "wrong", "Neutral", "contradictory", None, "01/01/2001"):
        if value != row[field]:
            assert check.fault_of_row({**row, field: value}) is not None


@pytest.mark.parametrize("number", range(len(ROWS)))
def test_other_values_and_free_times_are_rejected(number: int) -> None:
    tried = 0
    for path, value in leaves(ROWS[number]):
        if {"values", "free"} & set(path) and isinstance(value, int):
            tried += 1
            assert check.fault_of_row(changed(ROWS[number], path, value + 1)) is not None
    assert tried or ROWS[number]["certificate"]["cases"][0]["problem"]["question"]["type"]


def test_a_label_is_not_saved_by_changing_the_problem_alone() -> None:
    """The label, the reading and the certificate must agree."""
    row = ROWS[0]
    path = ("certificate", "cases", 0, "problem", "gold")
    assert check.fault_of_row(changed(row, path, "(A)")) is not None
    assert check.fault_of_row(changed(row, ("readings", "first", "decided"), "(A)")) is not None
    assert check.fault_of_row({**row, "certificate": {}}) == "it has no certificate"


@pytest.mark.parametrize(
    "broken", ["", "[]", "{}", "null", "{", '{"verdict": "right", "certificate": {"cases": [1]}}']
)
def test_broken_lines_are_rejected(broken: str, tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text(f"{json.dumps(ROWS[0])}\n{broken}\n", encoding="utf-8")
    faults = [fault for _, _, fault in check.check_file(str(path))]
    assert faults[0] is None
    assert all(faults[1:])
    assert len(faults) == (2 if broken else 1)


def test_the_checker_runs_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in ROWS), encoding="utf-8")
    assert check.main([str(path)]) == 0
    other = {**ROWS[0], "gold": "(A)"}
    path.write_text(f"{json.dumps(other)}\n", encoding="utf-8")
    assert check.main([str(path)]) == 1
    assert "the label is not that of the problem" in capsys.readouterr().out
    assert check.main([str(tmp_path / "missing.jsonl")]) == 2


def test_verify_explain_and_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(EXAMPLES / "right.jsonl")]) == 0
    report = str(tmp_path / "report")
    assert run(["verify", str(EXAMPLES / "flawed.jsonl"), "--report", report, "--json"]) == 1
    assert run(["check", report]) == 0
    assert run(["explain", "--problem", str(EXAMPLES / "right.jsonl"), "--id", "9"]) == 2
    capsys.readouterr()
    for number, words in ((0, "<title>Days of a chain"), (3, "<title>Free times")):
        drawing = tmp_path / f"{number}.svg"
        arguments = ["--id", str(number), "--svg", str(drawing)]
        assert run(["explain", "--problem", str(EXAMPLES / "right.jsonl"), *arguments]) == 0
        assert words in drawing.read_text(encoding="utf-8")
    assert "the answer is 02/29/2024, option (B)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"question": {"type": "value", "step": 0, "written": "number"}, "gold": "1"}', "no"),
        (
            '{"question": {"type": "value", "step": 0, "written": "number"}, "gold": "1",'
            ' "steps": [["a", "shift", [0, "day", 1]]]}',
            "found from 0 of shift",
        ),
        ('{"question": {"type": "value", "step": 1, "written": "weekday"}, "gold": "Monday",'
         ' "steps": [["a", "date", [2001, 1, 1]], ["b", "shift", [0, "day", 400000000]]]}',
         "found a day outside the years 1 to 9999"),
        ('{"question": {"type": "value", "step": 0, "written": "weekday"}, "gold": "Monday",'
         ' "steps": [["a", "date", [2001, 1, 1]]]}',
         "found the value 730486, expected one of the form 'weekday'"),
        *(
            (
                '{"question": {"type": "value", "step": 3, "written": "number"}, "gold": "1",'
                ' "steps": [["a", "date", [2001, 1, 1]], ["b", "count", [5]], ["c", "month",'
                f' [2001, 1]], ["d", "{op}", {arguments}]]}}',
                f"found {found} of ",
            )
            for op, arguments, found in [
                ("nth", "[0, -1, 4]", "weekday -1"), ("nth", "[0, 7, 4]", "weekday 7"),
                ("nth", "[0, 3, 0]", "number 0"), ("nth", "[1, 3, 1]", "nth(1, 3, 1)"),
                ("date", "[0, 1, 1]", "year 0"), ("date", "[2001, 100, 1]", "month 100"),
                ("bound", '[0, "first", 0]', "months 0"), ("bound", '[0, "last", 5]', "months 5"),
                ("cycle", "[1, 0]", "length 0"), ("cycle", "[0, 7]", "cycle(0, 7)"),
                ("ratio", "[1, 1, -2]", "over -2"), ("weekday", "[2]", "weekday(2,)"),
                ("elapsed", '[0, 1, "day"]', "elapsed(0, 1, 'day')"),
                ("elapsed", '[1, 1, "month"]', "elapsed(1, 1, 'month')"),
                ("shift", '[1, "month", 1]', "shift(1, 'month', 1)"),
                ("shift", '[2, "day", 1]', "shift(2, 'day', 1)"),
                ("shift", '[0, "count", 1]', "shift(0, 'count', 1)"),
                ("within", "[0, 0, 1, 8]", "number 8"), ("recur", "[0, 0, 0]", "length 0"),
            ]
        ),
        ('{"question": {"type": "value", "step": 0, "written": "weekday", "options": {"(A)": 0}},'
         ' "gold": "(A)", "steps": [["a", "date", [2001, 2, 30]]]}',
         "found an option that the answer depends on"),
        ('{"question": {"type": "times", "window": [-1, 50], "entries": [], "options":'
         ' {"(A)": [0, 50]}}, "gold": "(A)"}', "found the window from -1 to 50"),
        ('{"question": {"type": "starts", "window": [0, 60], "entries": [], "length": 30,'
         ' "grid": 30, "label": 3, "written": "$number"}, "gold": "2"}',
         "found the label '2': the label is another one than its value"),
        ('{"question": {"type": "order", "entrants": [["Ada", 0, 0], ["Bo", 1, 1]],'
         ' "pick": "first", "label": [2], "written": "$name"}, "gold": "Ada",'
         ' "steps": [["a", "count", [1]], ["b", "count", [2]]]}', "that names no entrant"),
        ('{"question": {"type": "order", "entrants": [["Ada", 0, 0], ["Bo", 1, 1]],'
         ' "pick": "first", "label": [1], "written": "$name"}, "gold": "Ada",'
         ' "steps": [["a", "count", [1]], ["b", "count", [2]]]}',
         "found the label 'Ada': the label names others"),
        # Numbers that would wrap round in clingo, or whose products would.
        ('{"question": {"type": "value", "step": 0, "written": "number"}, "gold": "1",'
         ' "steps": [["a", "count", [999999999999]]]}', "expected values of at most 2,000,000,000"),
        ('{"question": {"type": "value", "step": 1, "written": "number"}, "gold": "1",'
         ' "steps": [["a", "count", [90000]], ["b", "ratio", [0, 90000, 1]]]}',
         "found ratio(0, 90000, 1), expected values of at most 2,000,000,000"),
        ('{"question": {"type": "times", "window": [5, 5], "entries": [], "options": {}},'
         ' "gold": "(A)"}', "found the time from 5 to 5"),
    ],
)  # fmt: skip
def test_ill_formed_problems_are_unreadable(
    line: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "problems.jsonl"
    right = (EXAMPLES / "right.jsonl").read_text(encoding="utf-8").splitlines()[0]
    path.write_text(f"{right}\n{line}\n", encoding="utf-8")
    assert run(["verify", "--kind", "calendar", str(path)]) == 2
    printed = capsys.readouterr().err
    assert message in printed
    assert "problems.jsonl:2" in printed


@pytest.mark.parametrize("seed", range(120))
def test_a_step_of_any_arguments_is_refused_or_decided_alike(seed: int) -> None:
    """Both engines and the checker agree on what is not refused; ``decide`` raises otherwise."""
    draw = Random(seed)
    numbers = (*range(-13, 14), 28, 29, 30, 31, 32, 60)
    years = (-1, 0, 1, 4, 1900, 1999, 2000, 9998, 9999, 10_000)
    words = {
        "unit": ("day", "month", "count"),
        "side": ("first", "last"),
        "zone": ("Asia/Tokyo", "Mars"),
    }
    for _ in range(6):
        op = draw.choice([*ARITIES])
        arguments = [
            draw.choice(words[name]) if name in words
            else draw.randrange(5) if name in ("from", "to")
            else draw.choice(years if name == "year" else numbers)
            for name in ARITIES[op]
        ]  # fmt: skip
        steps = (
            Step("a", "date", (draw.choice(years[2:-1]), draw.randint(0, 13), draw.randint(0, 32))),
            Step("b", "date", (2024, draw.randint(1, 12), draw.randint(1, 28))),
            Step("c", "count", (draw.choice(numbers),)),
            Step("d", "month", (2024, draw.randint(1, 12))),
            Step("e", "date", (2023, 2, 29)),
            Step("f", op, tuple(arguments)),
        )
        options = {"(A)": draw.randrange(5), "(B)": 1}
        question = Value(step=5, written="number", options=options)
        with suppress(CalendarError):
            decide([Problem(question=question, gold="(A)", steps=steps)])


ZONES = ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "UTC")


@pytest.mark.parametrize("zone", ZONES)
def test_moments_are_those_at_which_clocks_show_a_time(zone: str) -> None:
    """The minutes of UTC are tried one by one around days on which clocks are changed."""
    draw = Random(zone)
    days = [date(2021, 3, 28), date(2021, 10, 31), date(2021, 4, 4), date(2021, 10, 3),
            date(2021, 3, 14), date(2021, 11, 7), date(1999, 7, 1)]  # fmt: skip
    for day in days:
        minutes = [15 * draw.randrange(16) for _ in range(6)]
        start = datetime.combine(day - timedelta(days=1), time(), tzinfo=UTC)
        moments = [start + timedelta(minutes=n) for n in range(3 * 1440)]
        shown = [moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None) for moment in moments]
        for minute in minutes:
            wall = datetime.combine(day, time(minute // 60, minute % 60))
            expected = [
                numbered(moment.replace(tzinfo=None))
                for moment, seen in zip(moments, shown, strict=True)
                if seen == wall
            ]
            steps = (
                Step("time", "count", (numbered(wall),)),
                Step("moment", "utc", (0, zone)),
                Step("again", "local", (1, zone)),
            )
            (outcome,) = decide([Problem(question=Value(step=2, written="number"), gold="?",
                                         steps=steps)])  # fmt: skip
            values: Any = outcome.certificate["values"]
            assert values[1] == expected
            assert values[2] == ([numbered(wall)] if expected else [])
            verdicts = {0: "contradictory", 1: "wrong", 2: "wrong"}
            assert outcome.verdict == verdicts[len(expected)]


def numbered(wall: datetime) -> int:
    return 1440 * wall.toordinal() + 60 * wall.hour + wall.minute


@pytest.mark.parametrize(
    ("minute", "message"),
    [(1440 * date(1972, 12, 31).toordinal(), "outside the years 1973 to 2037"),
     (1440 * date(2038, 1, 1).toordinal(), "outside the years 1973 to 2037")],
)  # fmt: skip
def test_zones_of_other_years_are_refused(minute: int, message: str) -> None:
    steps = (Step("time", "count", (minute,)), Step("moment", "utc", (0, "Europe/Berlin")))
    with pytest.raises(CalendarError, match=message):
        decide([Problem(question=Value(step=1, written="number"), gold="?", steps=steps)])


def test_an_order_is_proved_from_its_json() -> None:
    line = {
        "question": {"type": "order", "entrants": [["Ada", 0, 0], ["Bo", 1, 1]], "pick": "first",
                     "label": [0], "written": "$name"},
        "gold": "Ada", "steps": [["a", "count", [1]], ["b", "count", [2]]],
    }  # fmt: skip
    (outcome,) = decide([msgspec.convert(line, Problem)])
    case = {"verdict": outcome.verdict, "decided": outcome.decided, **outcome.certificate}
    read = json.loads(json.dumps(case))
    assert check.fault_of_case(read, "Ada") is None
    assert check.fault_of_case({**read, "decided": "Bo"}, "Ada") is not None


def test_a_long_chain_is_decided() -> None:
    """One step after another, from 1 January 2001: no step is looked up by recursion."""
    steps = [Step("then", "date", (2001, 1, 1))]
    steps += [Step("next", "shift", (number, "day", 1)) for number in range(1_500)]
    steps.append(Step("its weekday", "weekday", (1_500,)))
    question = Value(step=1_501, written="weekday")
    (outcome,) = decide([Problem(question=question, gold="?", steps=tuple(steps))])
    assert outcome.decided == "Wednesday"  # a Monday, and 214 weeks and 2 days


def test_each_day_has_the_number_after_that_of_the_day_before() -> None:
    """So a number has one year, month and day: what z3 confirms step by step has no other parts."""
    solver = TheorySolver("calendar/calendar.smt2")
    sorts = dict.fromkeys(("y", "m", "d"), "Int")
    same_month = "(= (days y m (+ d 1)) (+ (days y m d) 1))"
    next_month = "(= (days y (+ m 1) 1) (+ (days y m (length y m)) 1))"
    next_year = "(= (days (+ y 1) 1 1) (+ (days y 12 31) 1))"
    solver.begin("days", sorts, ["(proper y m d)"])
    assert not solver.satisfiable(f"(not {same_month})")
    assert not solver.satisfiable("(< m 12)", f"(not {next_month})")
    assert not solver.satisfiable(f"(not {next_year})")
    assert solver.satisfiable("(= (days y m d) 738945)")


def test_a_planted_fault_of_asp_is_noticed() -> None:
    """z3 accepts the values of ASP and no others."""
    from dataclasses import replace

    from solver.calendar.encode import solve

    solver, given = CalendarSolver(), problems("right")[:3]
    for problem, solved in zip(given, solve(given), strict=True):
        assert solver.confirms(problem, solved)
        off = tuple(tuple(value + 1 for value in values) for values in solved.values)
        assert not solver.confirms(problem, replace(solved, values=off))
        assert not solver.confirms(problem, replace(solved, fits=()))
