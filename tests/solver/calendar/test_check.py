"""Certificates of right verdicts are accepted; whatever is changed in one is noticed."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from grammar.calendar.steps import Step
from solver.calendar import check
from solver.calendar.decide import decide
from solver.calendar.engine import CalendarSolver
from solver.calendar.model import Problem, Value
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
         "found shift(0, 'day', 400000000), expected values of at most 366,000,000"),
        ('{"question": {"type": "value", "step": 0, "written": "weekday"}, "gold": "Monday",'
         ' "steps": [["a", "date", [2001, 1, 1]]]}',
         "found the value 730486, expected one of the form 'weekday'"),
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
    path.write_text(f"{line}\n", encoding="utf-8")
    assert run(["verify", "--kind", "calendar", str(path)]) == 2
    assert message in capsys.readouterr().err


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
