"""Engines smt and timelines on the reference vectors; smt at its limits and on real files."""

from __future__ import annotations

import csv
import gzip
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from grammar.errors import ExitStatus, UndecidedError
from grammar.eventhop.model import (
    AllenRelation,
    Bound,
    Domain,
    Item,
    Label,
    Order,
    Point,
    Policy,
    Relation,
    SpatialReading,
    Status,
)
from grammar.eventhop.reader import Reader
from solver import smt
from solver.eventhop.crosscheck import engine
from solver.eventhop.engines import EngineName, label
from solver.eventhop.engines.smt import RefutationEngine, begin, durations, relations
from solver.smt import OrderSolver, SmtError, version

ItemOf = Callable[[str, str], Item]
RandomItems = Callable[[int, int], list[Item]]
Vectors = list[tuple[Item, Status, bool]]

SEARCHING = pytest.mark.parametrize("name", [EngineName.SMT, EngineName.TIMELINES])
# The thirteen relations of A to B, as comparisons of their end points.
ALLEN = {
    AllenRelation.PRECEDES: "A+ < B-",
    AllenRelation.MEETS: "A+ = B-",
    AllenRelation.OVERLAPS: "A- < B-, B- < A+, A+ < B+",
    AllenRelation.FINISHED_BY: "A- < B-, A+ = B+",
    AllenRelation.CONTAINS: "A- < B-, B+ < A+",
    AllenRelation.STARTS: "A- = B-, A+ < B+",
    AllenRelation.EQUALS: "A- = B-, A+ = B+",
    AllenRelation.STARTED_BY: "B- = A-, B+ < A+",
    AllenRelation.DURING: "B- < A-, A+ < B+",
    AllenRelation.FINISHES: "B- < A-, B+ = A+",
    AllenRelation.OVERLAPPED_BY: "B- < A-, A- < B+, B+ < A+",
    AllenRelation.MET_BY: "B+ = A-",
    AllenRelation.PRECEDED_BY: "B+ < A-",
}


@SEARCHING
@pytest.mark.parametrize("policy", [Policy.LOCAL, Policy.GLOBAL])
def test_reference_vectors(vectors: Vectors, name: EngineName, policy: Policy) -> None:
    assert len(vectors) == 13
    verdicts = engine(name, policy).decide([item for item, _, _ in vectors])
    for (item, status, consistent), verdict in zip(vectors, verdicts, strict=True):
        expected = Label.TRUE if status is Status.ENTAILED else Label.FALSE
        if status is Status.CONTRADICTORY or (policy is Policy.GLOBAL and not consistent):
            expected = Label.UNDEFINED
        found = (verdict.status, verdict.consistent, verdict.label)
        assert found == (status, consistent, expected), item.id


@pytest.mark.parametrize("name", list(EngineName))
def test_each_allen_relation_excludes_the_others(item_of: ItemOf, name: EngineName) -> None:
    pairs = [(given, claimed) for given in AllenRelation for claimed in AllenRelation]
    items = [item_of(ALLEN[given], f"A allen_{claimed} B") for given, claimed in pairs]
    for (given, claimed), verdict in zip(pairs, engine(name).decide(items), strict=True):
        expected = Status.ENTAILED if given is claimed else Status.REFUTED
        assert verdict.status is expected, (given, claimed)


CORNERS = [
    ("", "A before B", "unknown", True),
    ("", "A overlaps A", "entailed", True),
    ("", "A- < A+", "entailed", True),
    ("", "A- = A-", "entailed", True),
    ("A- < A-", "A before A", "contradictory", False),
    ("A- < A-", "A- = A-", "contradictory", False),
    ("A- < A-", "A+ = A+", "entailed", False),
    ("A- < A-", "A before B", "unknown", False),
    ("A- = B-, C+ < C-", "A before B", "refuted", False),
    ("A- = B-, B- = C-, C- < A-", "A+ < B+", "unknown", False),
    ("A- = B-, B- = C-, C- < A-", "A- = B-", "contradictory", False),
    ("C+ < A-, A- < C-, C- < B-", "A before B", "unknown", False),
    ("C+ < A+, A+ < C-, C- < B-", "A before B", "entailed", False),
]


@pytest.mark.parametrize("name", list(EngineName))
@pytest.mark.parametrize(("premise", "claim", "status", "consistent"), CORNERS)
def test_edge_cases(
    item_of: ItemOf, name: EngineName, premise: str, claim: str, status: str, consistent: bool
) -> None:
    verdict = engine(name).decide([item_of(premise, claim)])[0]
    assert (verdict.status, verdict.consistent) == (status, consistent)


def test_items_do_not_affect_later_items(random_items: RandomItems) -> None:
    items = random_items(5, 60)
    alone = [RefutationEngine().decide([item])[0] for item in items]
    assert RefutationEngine().decide(items) == alone
    assert RefutationEngine().decide(items[::-1]) == alone[::-1]


def test_a_model_satisfies_the_assertions(item_of: ItemOf) -> None:
    item = item_of("A+ < B-, C- > B-, C+ = D+", "A before D")
    solver = OrderSolver()
    numbered = begin(solver, item)
    sentences = [*relations(numbered), *durations(numbered)]
    with solver.assuming(sentence.term for sentence in sentences):
        assert solver.satisfiable()
        at = {numbered.point(p): n for p, n in enumerate(solver.instants())}
    assert at.keys() == {Point(event=event, bound=bound) for event in "ABCD" for bound in Bound}
    start = {event: at[Point(event=event, bound=Bound.START)] for event in "ABCD"}
    end = {event: at[Point(event=event, bound=Bound.END)] for event in "ABCD"}
    assert all(start[event] < end[event] for event in "ABCD")
    assert end["A"] < start["B"] < start["C"]
    assert end["C"] == end["D"]


@pytest.mark.parametrize("cores", [0, 1, 16])
def test_refuted_guards_are_those_that_cannot_be_true(
    random_items: RandomItems, monkeypatch: pytest.MonkeyPatch, cores: int
) -> None:
    monkeypatch.setattr(smt, "_CORES", cores)
    solver, refuted = OrderSolver(), 0
    for item in random_items(9, 60):
        sentences = relations(begin(solver, item))
        guards = {sentence.guard for sentence in sentences}
        solver.declare(guards)
        with solver.assuming(
            term for sentence in sentences for term in (sentence.relaxed, sentence.guarded)
        ):
            found = solver.refuted(guards)
            assert found == {guard for guard in guards if not solver.satisfiable(guard)}
        refuted += len(found)
    assert refuted > 20


def tangle(relations: int) -> Item:
    points = [Point(event=f"E{n}", bound=bound) for n in range(relations // 5) for bound in Bound]
    size = len(points)
    return Item(
        id="tangle",
        premise=tuple(
            Relation(
                left=points[n * 7919 % size],
                order=Order.BEFORE,
                right=points[(n * 104729 + n // size + 1) % size],
            )
            for n in range(relations)
        ),
        claim=Relation(left=points[0], order=Order.BEFORE, right=points[1]),
    )


def test_time_limit(item_of: ItemOf) -> None:
    asked = RefutationEngine(solver=OrderSolver(timeout_ms=300))
    with pytest.raises(UndecidedError, match="tangle: z3 has no answer within 300 ms") as raised:
        asked.decide([tangle(5000)])
    assert raised.value.exit_status is ExitStatus.UNDECIDED
    # The next item is not affected.
    assert asked.decide([item_of("A+ < B-", "A before B")])[0].status is Status.ENTAILED


def test_errors_of_z3_are_reported_and_do_not_affect_later_items(item_of: ItemOf) -> None:
    solver = OrderSolver()
    begin(solver, item_of("A+ < B-", "A before B"))
    with pytest.raises(SmtError, match="z3 rejects the theory"), solver.assuming(["(nonsense 1)"]):
        pass
    assert solver.satisfiable()


def test_version() -> None:
    assert version().split(".")[0].isdigit()


def read(shared: Path, name: str, spatial: SpatialReading) -> dict[str, list[Item]]:
    reader = Reader(Domain(name.partition("_")[0]), spatial)
    by_gold: dict[str, list[Item]] = {}
    path = shared / "data" / "eventhop" / f"{name}.tsv.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
        for row in csv.reader(lines, delimiter="\t"):
            by_gold.setdefault(row[9], []).append(reader.read(row[0], row[7], row[8]))
    return by_gold


@pytest.mark.slow
def test_published_labels_against_smt(shared: Path) -> None:
    asked = engine(EngineName.SMT)
    confusion: dict[Policy, dict[str, Counter[Label]]] = {Policy.LOCAL: {}, Policy.GLOBAL: {}}
    for gold, items in read(shared, "temporal_test", SpatialReading.GEOMETRIC).items():
        verdicts = asked.decide(items)
        for policy, counts in confusion.items():
            counts[gold] = Counter(
                label(verdict.status, consistent=verdict.consistent, policy=policy)
                for verdict in verdicts
            )
    true, false, undefined = Label.TRUE, Label.FALSE, Label.UNDEFINED
    assert confusion == {
        Policy.LOCAL: {
            "False": {false: 734, undefined: 92},
            "Impossible": {undefined: 730},
            "True": {false: 197, undefined: 105, true: 542},
        },
        Policy.GLOBAL: {
            "False": {false: 521, undefined: 305},
            "Impossible": {undefined: 730},
            "True": {false: 149, undefined: 336, true: 359},
        },
    }


@pytest.mark.parametrize("share", [10, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("name", "spatial"),
    [
        ("temporal_train", SpatialReading.GEOMETRIC),
        ("spatial_test", SpatialReading.GEOMETRIC),
        ("spatial_test", SpatialReading.PUBLISHED),
        ("logical_test", SpatialReading.GEOMETRIC),
    ],
)
def test_smt_agrees_with_graph_on_real_files(
    shared: Path, name: str, spatial: SpatialReading, share: int
) -> None:
    every = [item for group in read(shared, name, spatial).values() for item in group]
    assert len(every) == 720
    items = every[::share]
    assert engine(EngineName.SMT).decide(items) == engine(EngineName.GRAPH).decide(items)
