"""The published procedure: reference vectors, unsupported claims, published files."""

from __future__ import annotations

import csv
import gzip
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import pytest

from grammar.errors import HopcheckError
from grammar.eventhop.model import (
    AllenRelation,
    Bound,
    Claim,
    ClaimRelation,
    Domain,
    Item,
    Label,
    Order,
    Point,
    Relation,
    SpatialReading,
)
from grammar.eventhop.reader import Reader
from solver.eventhop import check
from solver.eventhop.certificates.lines import texts
from solver.eventhop.crosscheck import engine
from solver.eventhop.engines import EngineName, Fault
from solver.eventhop.published import published_label
from tests.solver.eventhop.test_certificates import small_items

EVERY_FAULT = frozenset(Fault)


def local_labels(items: list[Item]) -> list[Label]:
    return [verdict.label for verdict in engine(EngineName.GRAPH).decide(items)]


def relations(text: str) -> Iterator[Relation]:
    """Parse ``A+ < B-`` as: end of A before start of B."""
    orders = {"<": Order.BEFORE, ">": Order.AFTER, "=": Order.SIMULTANEOUS}
    bounds = {"-": Bound.START, "+": Bound.END}
    for sentence in text.split(", "):
        p, order, q = sentence.split()
        left, right = (Point(event=x[0], bound=bounds[x[1]]) for x in (p, q))
        yield Relation(left=left, order=orders[order], right=right)


def made(premise: str, claim: str) -> Item:
    left, relation, right = claim.split()
    named = Claim(left=left, relation=ClaimRelation(relation), right=right)
    return Item(id="made", premise=tuple(relations(premise)), claim=named)


VECTORS = [
    ("A+ < B-", "A before B", "true", "true"),
    ("A+ = B-", "A before B", "true", "true"),
    ("A+ < B-", "A overlaps B", "false", "false"),
    ("A- < B-", "A before B", "false", "false"),
    ("A- = B-, A- < B-", "A before B", "false", "undefined"),
    ("A+ < A-", "A before B", "false", "undefined"),
    ("C- < D-, D- < C-, A+ < B-", "A before B", "true", "true"),
    ("A- < B+, B- < A+", "A overlaps B", "true", "true"),
    ("B- < A+", "A overlaps B", "true", "false"),
    ("A+ = C-, C+ = B-", "A before B", "true", "true"),
    ("A- > B+", "A after B", "true", "true"),
    ("A+ < B+, B+ < A+", "A before B", "false", "undefined"),
    ("A- < C-, C- < A-, A+ < B-", "A before B", "true", "true"),
]


@pytest.mark.parametrize(("premise", "claim", "published", "local"), VECTORS)
def test_reference_vectors(premise: str, claim: str, published: str, local: str) -> None:
    item = made(premise, claim)
    assert published_label(item) == published
    assert published_label(item, EVERY_FAULT) == local


SELF_CLAIMS = [
    ("A- < B-", "A before A", "false", "false"),
    ("A- < B-", "A overlaps A", "true", "true"),
    ("A- < B-, B- < A-", "A before A", "undefined", "undefined"),
    ("A+ < B-, B- < A+", "A before A", "false", "undefined"),
    ("A- = B-, B- = A+", "A before A", "false", "undefined"),
]


@pytest.mark.parametrize(("premise", "claim", "published", "local"), SELF_CLAIMS)
def test_an_event_claimed_of_itself(premise: str, claim: str, published: str, local: str) -> None:
    item = made(premise, claim)
    assert published_label(item) == published
    assert published_label(item, EVERY_FAULT) == local


def test_events_not_in_the_premise_are_unconstrained() -> None:
    assert published_label(made("A- < B-", "C before D")) is Label.FALSE


@pytest.mark.parametrize(
    "claim",
    [
        Claim(left="A", relation=AllenRelation.MEETS, right="B"),
        Claim(left="A", relation=AllenRelation.OVERLAPS, right="B"),
        next(relations("A- < B-")),
    ],
    ids=str,
)
def test_rejects_claims_that_are_not_in_the_paper(claim: Claim | Relation) -> None:
    with pytest.raises(HopcheckError, match="does not support the claim") as caught:
        published_label(Item(id="row 7", premise=(), claim=claim))
    assert caught.value.code == "unpublished-claim"
    assert caught.value.where == "row 7"
    assert caught.value.hint


GOLD = {"True": Label.TRUE, "False": Label.FALSE, "Impossible": Label.UNDEFINED}


@dataclass(frozen=True, slots=True)
class Row:
    item: Item
    gold: Label


def rows(shared: Path, name: str, spatial: SpatialReading) -> list[Row]:
    reader = Reader(Domain(name.partition("_")[0]), spatial)
    path = shared / "data" / "eventhop" / f"{name}.tsv.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
        return [
            Row(reader.read(row[0], row[7], row[8]), GOLD[row[9]])
            for row in csv.reader(lines, delimiter="\t")
        ]


PUBLISHED, GEOMETRIC = SpatialReading.PUBLISHED, SpatialReading.GEOMETRIC
FILES = [
    ("temporal_test", PUBLISHED, 2400, 2400),
    ("spatial_test", PUBLISHED, 720, 720),
    ("spatial_test", GEOMETRIC, 720, 213),
    ("logical_test", PUBLISHED, 720, 719),
    ("temporal_train", PUBLISHED, 720, 718),
]


@pytest.mark.parametrize(("name", "spatial", "size", "equal"), FILES)
def test_gives_the_labels_of_the_published_files(
    shared: Path, name: str, spatial: SpatialReading, size: int, equal: int
) -> None:
    """The spatial file was labelled in the published reading; no other reproduces its labels."""
    found = rows(shared, name, spatial)
    assert len(found) == size
    assert sum(published_label(row.item) is row.gold for row in found) == equal
    repaired = [published_label(row.item, EVERY_FAULT) for row in found]
    assert repaired == local_labels([row.item for row in found])


def test_the_checker_runs_the_same_procedure() -> None:
    """Two implementations, with all faults, none, and every set of repairs."""
    labels: Counter[str] = Counter()
    for item in small_items(20251130, 700):
        if not isinstance(item.claim, Claim) or isinstance(item.claim.relation, AllenRelation):
            continue
        read = check.Item(texts(item))
        for size in range(len(Fault) + 1):
            for repaired in combinations(Fault, size):
                found = check.Procedure(read, frozenset(map(str, repaired))).label()
                assert found == published_label(item, frozenset(repaired)), (item, repaired)
                labels[f"{item.claim.relation} {found}"] += 1
    assert len(labels) == 9
    assert min(labels.values()) > 100
