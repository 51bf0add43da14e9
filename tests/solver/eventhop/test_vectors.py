"""The 13 reference vectors of ``docs/eventhop.md``, by every engine and under every policy."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from grammar.eventhop.model import Item, Label, Policy, Status
from solver.eventhop.certificates.lines import certificate_error
from solver.eventhop.certificates.make import certify, hops
from solver.eventhop.crosscheck import engine
from solver.eventhop.engines import EngineName, Fault
from solver.eventhop.published import published_label

ItemMaker = Callable[[str, str], Item]

PAGE = Path(__file__).resolve().parents[3] / "docs" / "eventhop.md"
LABELS = {"t": Label.TRUE, "f": Label.FALSE, "u": Label.UNDEFINED}


class Vector(NamedTuple):
    premise: str
    claim: str
    status: str
    hops: int | None
    labels: str
    """Under the policies local, global, published."""


VECTORS = [
    Vector("A+ < B-", "A before B", "entailed", 1, "ttt"),
    Vector("A+ = B-", "A before B", "entailed", 1, "ttt"),
    Vector("A+ < B-", "A overlaps B", "refuted", 1, "fff"),
    Vector("A- < B-", "A before B", "unknown", None, "fff"),
    Vector("A- = B-, A- < B-", "A before B", "contradictory", 2, "uuf"),
    Vector("A+ < A-", "A before B", "contradictory", 1, "uuf"),
    Vector("C- < D-, D- < C-, A+ < B-", "A before B", "entailed", 1, "tut"),
    Vector("A- < B+, B- < A+", "A overlaps B", "entailed", 1, "ttt"),
    Vector("B- < A+", "A overlaps B", "unknown", None, "fft"),
    Vector("A+ = C-, C+ = B-", "A before B", "entailed", 2, "ttt"),
    Vector("A- > B+", "A after B", "entailed", 1, "ttt"),
    Vector("A+ < B+, B+ < A+", "A before B", "contradictory", 2, "uuf"),
    Vector("A- < C-, C- < A-, A+ < B-", "A before B", "entailed", 1, "tut"),
]

every_vector = pytest.mark.parametrize("vector", VECTORS, ids=lambda v: f"{v.premise}: {v.claim}")


@every_vector
@pytest.mark.parametrize("name", EngineName)
def test_engines(item_of: ItemMaker, vector: Vector, name: EngineName) -> None:
    item = item_of(vector.premise, vector.claim)
    for policy, label in zip((Policy.LOCAL, Policy.GLOBAL), vector.labels[:2], strict=True):
        (verdict,) = engine(name, policy).decide([item])
        assert verdict.status is Status(vector.status)
        assert verdict.label is LABELS[label]
        assert verdict.consistent is (vector.labels[1] != "u")


@every_vector
def test_the_published_procedure(item_of: ItemMaker, vector: Vector) -> None:
    item = item_of(vector.premise, vector.claim)
    assert published_label(item) is LABELS[vector.labels[2]]
    assert published_label(item, frozenset(Fault)) is LABELS[vector.labels[0]]


@every_vector
def test_certificates_and_hops(item_of: ItemMaker, vector: Vector) -> None:
    item = item_of(vector.premise, vector.claim)
    (verdict,) = engine(EngineName.GRAPH).decide([item])
    certificate = certify(item, verdict)
    assert certificate_error(item, verdict, hops(certificate), certificate) is None
    assert hops(certificate) == vector.hops


def test_the_page_shows_this_table() -> None:
    rows = re.findall(r"^\| \d+ \| (.*) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    shown = [tuple(cell.strip(" `") for cell in row.split("|")) for row in rows]
    expected = [
        (v.premise, v.claim, v.status, "" if v.hops is None else str(v.hops), *v.labels)
        for v in VECTORS
    ]
    assert shown == expected
