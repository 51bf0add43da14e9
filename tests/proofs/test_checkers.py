"""The Python checker and the compiled one accept the same certificates."""

from __future__ import annotations

import json
import math
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
from solver.eventhop.certificates.proved import (
    Answer,
    CheckersDifferError,
    Compiled,
    Judgement,
    Running,
    differing,
)
from solver.traces import check as chain_check
from solver.traces import proved as chains
from solver.traces.settings import TraceSettings
from solver.verification.run import verify
from tests.campaigns.traces import forged_lines


def some_cases(count: int, seed: int) -> Iterator[Case]:
    return all_cases([], certificates=count, mutants=3, rng=random.Random(seed))


def test_the_checkers_accept_the_same(checker: Compiled) -> None:
    seen, differing = compare(list(some_cases(400, 3)), checker)
    assert differing == []
    assert min(seen[answer] for answer in ("accepted", "rejected", "malformed")) > 50


def test_certificates_that_are_made_are_accepted(checker: Compiled) -> None:
    cases = list(islice(random_cases(random.Random(4)), 200))
    assert compare(cases, checker) == ({"accepted": len(cases)}, [])


def test_they_accept_the_same_about_weak_orders(checker: Compiled) -> None:
    rng, orders = random.Random(8), tuple(Order)
    true = list(islice(random_cases(rng, orders), 300))
    assert compare(true, checker) == ({"accepted": len(true)}, [])
    forged = list(islice(forgeries(rng, orders), 1200))
    seen, differing = compare(forged, checker)
    assert differing == []
    assert min(seen["accepted"], seen["rejected"]) > 50


@pytest.mark.parametrize("order", [1, -1])
def test_one_of_several_tables_from_a_point_is_enough(checker: Compiled, order: int) -> None:
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
    assert compare(cases, checker) == ({"accepted": len(cases)}, [])


@pytest.mark.parametrize(
    ("owner", "name", "faulty"),
    [
        (check.Timeline, "separates", lambda *_: True),
        (check.Timeline, "refutes", lambda *_: True),
        (check.Distances, "bound", lambda *_: 99),
        (check.Walk, "derives", lambda walk, need: walk.last == need.upper),
        (check.Procedure, "equal", lambda *_: set()),
        (check.Procedure, "clash", lambda *_: False),
        (check.Procedure, "precedes", lambda *_: True),
        (check.Procedure, "overlaps", lambda *_: True),
        (check.Procedure, "_after", lambda procedure, p: {q for q, s in procedure.arcs[p] if s}),
    ],
)
def test_a_fault_in_one_of_them_is_noticed(
    checker: Compiled,
    monkeypatch: pytest.MonkeyPatch,
    owner: type,
    name: str,
    faulty: Callable[..., Any],
) -> None:
    monkeypatch.setattr(owner, name, faulty)
    assert compare(list(some_cases(1_500, 5)), checker)[1]


def test_the_command_counts(checker: Compiled) -> None:
    options = ["--certificates", "40", *(["--node"] if checker.name == "JavaScript" else [])]
    ran = CliRunner().invoke(main, options, catch_exceptions=False)
    assert ran.exit_code == 0
    assert ran.output.startswith(f"{checker.name}: 40 certificates (")
    assert ran.output.endswith(", 0 differences\n")


# --- Chains of thought


def judged(seed: int, items: int) -> list[Judgement]:
    return [line.judged for line in forged_lines(seed, items)]


def test_the_checkers_of_chains_accept_the_same(checker: Compiled) -> None:
    lines = judged(seed=21, items=1_500)
    accepted = [line.accepted for line in lines]
    assert min(accepted.count(True), accepted.count(False)) > 150
    assert differing(lines, checker) == []


@pytest.mark.parametrize(
    ("owner", "name", "faulty"),
    [
        (chain_check, "derives", lambda *_, **__: True),
        (chain_check, "refutes", lambda *_: True),
        (chain_check, "model", lambda moves, value: chain_check.instants(moves, value)),
        (chain_check, "monotone", lambda moves, value: chain_check.instants(moves, value)),
        (chain_check, "underivable", lambda *_: None),
        (chain_check, "denied", lambda *_: None),
        (chain_check, "undenied", lambda *_: None),
        (chain_check, "derivation", lambda *_: None),
        (chain_check.Trace, "supplied", lambda *_: []),
        (chain_check.Trace, "_timeline", lambda *_: None),
        (chain_check, "_withdrawals", lambda _: (99, 0)),
    ],
)
def test_a_fault_in_the_checker_of_chains_is_noticed(
    checker: Compiled, monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, faulty: Any
) -> None:
    monkeypatch.setattr(owner, name, faulty)
    assert differing(judged(seed=22, items=2_000), checker)


def test_an_instant_that_is_no_number_is_rejected_by_both(
    checker: Compiled, tmp_path: Path
) -> None:
    premise = "The end of A happened before the start of B"
    row = {"premise": premise, "claim": "A happens before B", "trace": "A 0 to 1, B 2 to 3"}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row) + "\n")
    verify(tmp_path / "rows.jsonl", "traces", folder=tmp_path)
    for value in (math.nan, "1", None, True, math.inf, 1.5):
        line = json.loads((tmp_path / "items.jsonl").read_text())
        line["steps"][0]["statements"][0]["instants"]["end of A"] = value
        item = chain_check.items.Item(
            chain_check.items.read_texts(premise, row["claim"], "temporal", "geometric")
        )
        judged, _ = chains.judge(item, line)
        assert differing([judged], checker) == []
        assert judged.accepted is (value == 1.5)


@pytest.mark.parametrize("checks", ["verify", "check"])
def test_a_chain_that_the_compiled_checker_rejects_ends_the_run(
    checks: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = Path(__file__).resolve().parents[2] / "examples" / "traces" / "right.jsonl"
    assert (
        verify(file, "traces", folder=tmp_path, config=TraceSettings(proved=True)).exit_status == 0
    )
    for running in (Compiled, Running):
        monkeypatch.setattr(
            running, "answers", lambda _, lines: [Answer(False, False)] * len(lines)
        )
    if checks == "verify":
        with pytest.raises(CheckersDifferError, match=r"right\.jsonl:1"):
            verify(file, "traces", config=TraceSettings(proved=True))
    else:
        with pytest.raises(CheckersDifferError, match=r"items\.jsonl:1"):
            list(chains.check_file(str(tmp_path / "items.jsonl")))
