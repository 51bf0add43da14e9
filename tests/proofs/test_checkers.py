"""The Python checker and the compiled one accept the same certificates."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from benchmarks.reproduction.eventhop.checkers import (
    Case,
    all_cases,
    compare,
    forgeries,
    main,
    random_cases,
)
from grammar.eventhop.model import Order, Status
from solver.eventhop import check


def some_cases(count: int, seed: int) -> Iterator[Case]:
    return all_cases([], certificates=count, mutants=3, rng=random.Random(seed))


def test_the_checkers_accept_the_same(built: Path) -> None:
    seen, differing = compare(list(some_cases(400, 3)), built / "check")
    assert differing == []
    assert min(seen[answer] for answer in ("accepted", "rejected", "malformed")) > 50


def test_certificates_that_are_made_are_accepted(built: Path) -> None:
    cases = list(islice(random_cases(random.Random(4)), 200))
    assert compare(cases, built / "check") == ({"accepted": len(cases)}, [])


def test_they_accept_the_same_about_weak_orders(built: Path) -> None:
    rng, orders = random.Random(8), tuple(Order)
    true = list(islice(random_cases(rng, orders), 300))
    assert compare(true, built / "check") == ({"accepted": len(true)}, [])
    forged = list(islice(forgeries(rng, orders), 1200))
    seen, differing = compare(forged, built / "check")
    assert differing == []
    assert min(seen["accepted"], seen["rejected"]) > 50


@pytest.mark.parametrize("order", [1, -1])
def test_one_of_several_tables_from_a_point_is_enough(built: Path, order: int) -> None:
    """Each with another table, of no use, before or after it."""
    cases = []
    for case in islice(random_cases(random.Random(6)), 400):
        tables = [
            [table, {"from": table["from"], "beyond": 0, "near": []}][::order]
            for table in case.certificate["distances"]
        ]
        certificate = case.certificate | {"distances": [table for two in tables for table in two]}
        cases.append(replace(case, certificate=certificate))
    assert {case.verdict["status"] for case in cases} == set(Status)
    assert compare(cases, built / "check") == ({"accepted": len(cases)}, [])


@pytest.mark.parametrize(
    ("owner", "name", "faulty"),
    [
        (check.Timeline, "separates", lambda *_: True),
        (check.Timeline, "refutes", lambda *_: True),
        (check.Distances, "bound", lambda *_: 99),
        (check.Walk, "derives", lambda walk, need: walk.last == need.upper),
    ],
)
def test_a_fault_in_one_of_them_is_noticed(
    built: Path,
    monkeypatch: pytest.MonkeyPatch,
    owner: type,
    name: str,
    faulty: Callable[..., Any],
) -> None:
    monkeypatch.setattr(owner, name, faulty)
    assert compare(list(some_cases(1_500, 5)), built / "check")[1]


def test_the_command_counts(built: Path) -> None:
    ran = CliRunner().invoke(
        main, ["--certificates", "40", "--compiled", str(built / "check")], catch_exceptions=False
    )
    assert ran.exit_code == 0
    assert ran.output.startswith("40 certificates (")
    assert ran.output.endswith(", 0 differences\n")
