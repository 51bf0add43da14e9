"""The checker of lists: compared with the encodings, and given lists with a planted fault."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from solver.cli import run
from solver.patterns import check
from solver.patterns.engine import enumerate_patterns, judge
from solver.patterns.io import describe
from solver.patterns.model import CycleReading, Pattern, PatternFlags, read

CODES = ["".join(digits) for digits in product("01", repeat=4)]


def steps(pattern: Pattern) -> check.Pattern:
    return tuple(check.Step(step.head, step.relation, step.tail) for step in pattern.steps)


def flags(code: str) -> frozenset[str]:
    return frozenset(flag for flag, digit in zip(check.FLAGS, code, strict=True) if digit == "1")


def same(hops: int, code: str, reading: CycleReading) -> None:
    found = enumerate_patterns(hops, PatternFlags.read(code), reading)
    assert {steps(pattern) for pattern in found} == set(
        check.valid_patterns(hops, flags(code), reading.value)
    )


@pytest.mark.parametrize("reading", CycleReading)
@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("hops", [1, 2])
def test_the_checker_accepts_what_the_encodings_list(
    hops: int, code: str, reading: CycleReading
) -> None:
    same(hops, code, reading)


@pytest.mark.slow
@pytest.mark.parametrize("reading", CycleReading)
@pytest.mark.parametrize("code", CODES)
def test_so_it_does_at_three_hops(code: str, reading: CycleReading) -> None:
    same(3, code, reading)


@pytest.mark.parametrize(("hops", "kept"), [(1, 10), (2, 200), (3, 300)])
def test_both_describe_and_judge_patterns_alike(hops: int, kept: int) -> None:
    """Invalid ones too."""
    every = list(check.every_pattern(hops))
    some = random.Random(hops).sample(every, min(kept, len(every)))
    patterns = [check.shown(steps) for steps in some]
    for code, reading in zip(("0000", "1111"), CycleReading, strict=True):
        given = [read(text) for text in patterns]
        verdicts = judge(given, PatternFlags.read(code), reading)
        for steps, verdict in zip(some, verdicts, strict=True):
            reason = check.invalid(steps, flags(code), reading.value)
            assert verdict.valid is (reason is None)
            if verdict.valid:
                right = describe(verdict)
                assert check.described(steps) == right | {"shapes": sorted(right["shapes"])}


@pytest.fixture(scope="module")
def listed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("patterns") / "list.jsonl"
    run(["generate", "patterns", "--hops", "1,2", "--flags", "1100", "--out", str(path)])
    return path


def test_a_generated_list_is_right(listed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(listed)]) == 0
    assert capsys.readouterr().out == "158 items: 158 proved, 0 rejected, 0 not proved\n"


def changed(rows: list[dict[str, Any]], draw: random.Random) -> list[dict[str, Any]]:
    """A list with one line left out, repeated, or changed."""
    rows = [dict(row) for row in rows]
    at = draw.randrange(len(rows))
    match draw.randrange(4):
        case 0:
            del rows[at]
        case 1:
            rows.append(rows[at])
        case 2:
            field = draw.choice([name for name in rows[at] if name != "pattern"])
            other = draw.choice(rows)[field]
            rows[at][field] = other if other != rows[at][field] else "none"
        case _:
            text = rows[at]["pattern"]
            place = draw.choice([n for n, value in enumerate(text) if value.isdigit()])
            digit = draw.choice([name for name in "12345" if name != text[place]])
            rows[at]["pattern"] = text[:place] + digit + text[place + 1 :]
    return rows


def test_no_changed_list_is_accepted(listed: Path, tmp_path: Path) -> None:
    """The list is the only right one, so that every change is a fault."""
    rows = [json.loads(line) for line in listed.read_bytes().splitlines()]
    shutil.copy(listed.with_name("list.manifest.json"), tmp_path)
    draw = random.Random(0)
    for _ in range(120):
        other = changed(rows, draw)
        path = tmp_path / "list.jsonl"
        path.write_text("\n".join(map(json.dumps, other)), encoding="utf-8")
        assert any(fault for _, _, fault in check.check_file(str(path)))


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ([], "a line needs the field pattern"),
        ({}, "a line needs the field pattern"),
        (["pattern"], "a line needs the field pattern"),
        ({"pattern": 1}, "is no pattern"),
        ({"pattern": "1 -1-> 2"}, "is no pattern"),
        ({"pattern": "1 -0-> 2 => 1 -1-> 2"}, "numbers count from 1"),
        ({"pattern": "1 -1-> 2 => 1 -1-> 2"}, "a triple occurs twice"),
        ({"pattern": "2 -1-> 1 => 1 -1-> 2"}, "not numbered in order"),
        ({"pattern": "1 -1-> 2, 2 -1-> 3 => 1 -2-> 3"}, "does not declare this number of hops"),
        ({"pattern": "1 -1-> 2 => 1 -2-> 2", "hops": True}, "hops is 1"),
        ({"pattern": "1 -1-> 2 => 1 -2-> 2", "shapes": ["inverse"]}, "shapes is"),
    ],
)
def test_what_is_not_as_declared_is_rejected(row: object, reason: str) -> None:
    with pytest.raises(check.RejectedError, match=reason):
        check.check_pattern(row, check.Declared([1], flags("1100"), "fixed"), set())


def test_a_pattern_is_listed_once() -> None:
    declared, row = check.Declared([1], flags("1100"), "fixed"), {"pattern": "1 -1-> 2 => 1 -2-> 2"}
    known: set[check.Pattern] = set()
    check.check_pattern(row, declared, known)
    with pytest.raises(check.RejectedError, match="listed twice"):
        check.check_pattern(row, declared, known)


def test_the_file_runs_alone(listed: Path, alone: Callable[..., tuple[int, str, str]]) -> None:
    assert alone(check, listed) == (0, "158 items, 0 rejected\n", "")
