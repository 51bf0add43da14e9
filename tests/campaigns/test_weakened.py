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


def test_one_condition_holds_whatever_it_is_given() -> None:
    condition = next(each for each in weakened.conditions() if each.kind == "links")
    sound = (ROOT / condition.file).read_bytes()
    changed = weakened.weakened(sound, condition)
    before, after = (
        [ast.unparse(node) for node in ast.walk(ast.parse(data)) if isinstance(node, ast.Call)]
        for data in (sound, changed)
    )
    new = [call for call in after if call not in before]
    assert len(new) == 1
    assert new[0].startswith("require(True, ")


def test_tests_that_fail_without_a_change_notice_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(weakened.SCOPES, "family", ("tests/there_is_no_such_test.py",))
    first = next(n for n, each in enumerate(weakened.conditions()) if each.kind == "family")
    with pytest.raises(SystemExit, match="fail with the sound checker"):
        list(weakened.shard(first, 1))
