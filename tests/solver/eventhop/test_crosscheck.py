"""A disagreement between engines stops the run and is reproducible."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grammar.errors import ExitStatus
from grammar.eventhop.model import (
    Bound,
    Claim,
    ClaimRelation,
    Item,
    Label,
    Order,
    Point,
    Policy,
    Relation,
    Status,
    Verdict,
)
from solver.eventhop.crosscheck import Crosscheck, ItemDisagreementError
from solver.eventhop.engines import EngineName
from solver.eventhop.engines.graph import number
from solver.eventhop.self_test import self_test

ITEM = Item(
    id="sailing/3",
    premise=(
        Relation(
            left=Point(event="Regatta", bound=Bound.END),
            order=Order.BEFORE,
            right=Point(event="Harbour Fair", bound=Bound.START),
        ),
    ),
    claim=Claim(left="Regatta", relation=ClaimRelation.BEFORE, right="Harbour Fair"),
)
OTHER = replace(ITEM, id="4", claim=replace(ITEM.claim, relation=ClaimRelation.AFTER))


class Liar:
    """An engine that is wrong about one item."""

    name = EngineName.SMT

    def decide(self, items: Sequence[Item]) -> list[Verdict]:
        verdicts = Crosscheck([EngineName.GRAPH]).decide(items)
        return [
            replace(verdict, status=Status.UNKNOWN, label=Label.FALSE)
            if item.id == ITEM.id
            else verdict
            for item, verdict in zip(items, verdicts, strict=True)
        ]


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> ItemDisagreementError:
    crosscheck = Crosscheck([EngineName.ASP, EngineName.GRAPH])
    monkeypatch.setattr(crosscheck, "_engines", (*crosscheck._engines, Liar()))
    with pytest.raises(ItemDisagreementError) as caught:
        crosscheck.decide([OTHER, ITEM])
    return caught.value


def test_agreeing_engines_decide() -> None:
    names = [EngineName.ASP, EngineName.GRAPH]
    statuses = [v.status for v in Crosscheck(names, Policy.GLOBAL).decide([ITEM, OTHER])]
    assert statuses == [Status.ENTAILED, Status.REFUTED]


def test_the_first_disagreement_is_reported(found: ItemDisagreementError) -> None:
    assert found.item == ITEM
    assert found.exit_status is ExitStatus.DISAGREEMENT
    assert "asp: entailed, true" in str(found)
    assert "smt: unknown, false" in str(found)


def test_a_disagreement_can_be_pickled(found: ItemDisagreementError) -> None:
    arrived = pickle.loads(pickle.dumps(found))
    assert (arrived.item, arrived.verdicts) == (found.item, found.verdicts)
    assert str(arrived) == str(found)


def test_the_reproducer_runs(
    found: ItemDisagreementError, tmp_path: Path, python: Callable[..., Any]
) -> None:
    home = found.write_reproducer(tmp_path)
    page = (home / "README.txt").read_text()
    for engine in ("asp", "graph", "smt"):
        assert f"{engine}: " in page
    ran = python("-m", "clingo", *_clingo_arguments(page), "--outf=2", cwd=home)
    assert '"status(0,entailed)"' in ran.stdout


def _clingo_arguments(page: str) -> list[str]:
    return next(
        line.split()[1:] for line in page.splitlines() if line.strip().startswith("clingo ")
    )


def test_the_script_of_the_reproducer_runs_the_engines(
    found: ItemDisagreementError, tmp_path: Path, python: Callable[..., Any]
) -> None:
    home = found.write_reproducer(tmp_path)
    ran = python("ask_again.py", cwd=home)
    assert ran.returncode == 0, ran.stderr
    assert "graph  entailed" in ran.stdout


def test_every_engine_passes_the_self_test() -> None:
    assert {check.engine: check.trouble for check in self_test()} == dict.fromkeys(EngineName, "")


@pytest.mark.parametrize("fault", ["solver.eventhop.engines.graph", "solver.eventhop.engines.asp"])
def test_a_fault_in_a_numbering_is_noticed(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine ``asp`` numbers events on its own, so that the two numberings check each other."""
    swapped = replace(ITEM, claim=replace(ITEM.claim, left="Harbour Fair", right="Regatta"))
    monkeypatch.setattr(f"{fault}.number", lambda _: number(swapped), raising=False)
    monkeypatch.setattr(
        f"{fault}.event_numbers", lambda _: {"Regatta": 1, "Harbour Fair": 1}, raising=False
    )
    with pytest.raises(ItemDisagreementError):
        Crosscheck([EngineName.ASP, EngineName.GRAPH]).decide([ITEM])
