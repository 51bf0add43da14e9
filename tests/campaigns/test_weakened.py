"""The campaign that takes conditions out of checkers."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from solver.verification.kinds import kinds
from tests.campaigns import weakened

ROOT = Path(__file__).resolve().parents[2]


def test_every_checker_has_conditions() -> None:
    checked = {kind.name for kind in kinds() if kind.checker is not None}
    assert {condition.kind for condition in weakened.conditions()} == checked


CHECKER = b"""
def check(row):
    if type(row) is not dict or not row:
        raise RejectedError("empty")
    named = row["name"]
    require(named, "no name")
    named = len(row) == 1 and row["size"] > 0
    require(named, "another size")
    if row.get("more"):
        raise OSError
"""


def test_conditions_are_weakened_as_wholes_and_in_parts() -> None:
    found = [
        (CHECKER[each.start : each.end].decode(), each.weaker.decode())
        for each in sorted(weakened.conditions_of("toy", CHECKER))
    ]
    assert sorted(found) == [
        ("len(row) == 1", "True"),
        ('len(row) == 1 and row["size"] > 0', "True"),
        ("not row", "False"),
        ('row["name"]', "True"),
        ('row["size"] > 0', "True"),
        ("type(row) is not dict", "False"),
        ("type(row) is not dict or not row", "False"),
    ]
    for condition in weakened.conditions_of("toy", CHECKER):
        ast.parse(weakened.weakened(CHECKER, condition))


def test_tests_that_fail_without_a_change_notice_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(weakened.SCOPES, "family", ("tests/there_is_no_such_test.py",))
    with pytest.raises(SystemExit, match="fail with the sound checker"):
        weakened.require_sound(["family"])
