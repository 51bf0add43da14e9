"""The cores of certificates, checked with z3."""

from __future__ import annotations

from pathlib import Path

import pytest

from grammar.eventhop.lexicon import detect
from grammar.eventhop.model import Status
from grammar.eventhop.reader import reader
from solver.eventhop.certificates.evidence import Cycle
from solver.eventhop.certificates.expand import evidence
from solver.eventhop.certificates.make import certify
from solver.eventhop.crosscheck import engine
from solver.eventhop.engines import EngineName
from solver.eventhop.engines.smt import unsatisfiable
from solver.eventhop.io import read_records
from solver.eventhop.records import Record
from solver.smt import OrderSolver


@pytest.mark.parametrize("share", [4, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("name", "cycles"),
    [
        ("temporal_test", 927),
        ("temporal_train", 289),
        ("spatial_test", 203),
        ("logical_test", 287),
    ],
)
def test_cores_are_minimally_unsatisfiable(
    shared: Path, name: str, cycles: int, share: int
) -> None:
    path = shared / "data" / "eventhop" / f"{name}.tsv.gz"
    records = [record for record in read_records(path) if isinstance(record, Record)]
    items = [reader(detect(r.premise, r.claim)).read(r.id, r.premise, r.claim) for r in records]
    solver = OrderSolver()
    found = 0
    for item, verdict in zip(items, engine(EngineName.GRAPH).decide(items), strict=True):
        if verdict.status is not Status.CONTRADICTORY:
            continue
        found += 1
        if found % share:
            continue
        shown = evidence(item, verdict, certify(item, verdict))
        assert isinstance(shown, Cycle)
        core = shown.core
        assert unsatisfiable(solver, item, core), item.id
        for spare in core:
            rest = [relation for relation in core if relation != spare]
            assert not unsatisfiable(solver, item, rest), (item.id, spare)
    assert found == cycles
