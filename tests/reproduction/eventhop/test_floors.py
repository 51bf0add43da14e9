"""Floors: by all premises of 4x3, and by premises of all labels with the same counts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import pytest

from benchmarks.reproduction.eventhop.floors import counts, floor, occurring, premises
from generators.eventhop.cells import BOUNDS, LABELS, Shape
from generators.eventhop.layout import FLOORS
from generators.eventhop.matched import evidence
from generators.eventhop.skeleton import Edge
from grammar.eventhop.model import Claim, ClaimRelation, Item, Label, Order, Point, Relation
from solver.eventhop.probes import GRAPH, MENTIONS, POINTS, SENTENCES, surface

T, F, U = Label.TRUE, Label.FALSE, Label.UNDEFINED
both_claims = pytest.mark.parametrize("overlaps", [False, True], ids=["before", "overlaps"])


@both_claims
def test_of_4x3_by_all_premises(overlaps: bool) -> None:
    shape = Shape(events=4, relations=3)
    found = occurring(premises(shape), overlaps=overlaps)
    assert found == {frozenset(one) for one in ([T], [F], [U], [T, F], [F, U])}
    assert floor(found) == FLOORS[shape]


MATCHED = {
    ("4x4", False): ("1<2 6<4 5<0 3<7", "3<0 1<4 6<2 7<5", "3<7 1<2 7<4 4<0"),
    ("4x4", True): ("7<1 2<7 3<4 1<3", "1<6 3<7 2<1 5<3", "3<4 1<3 2<7 5<1"),
    ("4x8", False): (
        "6<2 4<0 6<5 4<6 5<7 5<3 1<6 4<7",
        "6<2 4<0 4<3 4<6 5<7 1<7 5<6 4<7",
        "6<2 1<5 4<3 6<4 5<7 5<6 6<0 4<7",
    ),
    ("4x8", True): (
        "0<4 3<7 6<1 4<6 4<2 5<6 7<5 4<7",
        "6<2 0<4 7<1 6<5 3<4 6<4 5<7 4<7",
        "7<4 6<5 3<7 6<4 5<7 0<6 4<2 4<1",
    ),
}


@pytest.mark.parametrize(("name", "overlaps"), MATCHED)
def test_of_other_shapes_is_chance(name: str, overlaps: bool) -> None:
    """Premises of all labels have the same counts."""
    shape = Shape(events=4, relations=int(name[-1]))
    items = [
        [Edge(int(one[0]), int(one[2]), True) for one in text.split()]
        for text in MATCHED[name, overlaps]
    ]
    assert [LABELS[evidence(edges, overlaps=overlaps)[0]] for edges in items] == [T, F, U]
    for edges in items:
        assert len({p >> 1 for edge in edges for p in edge[:2]}) == shape.events
        assert len({*edges}) == shape.relations
    assert floor(occurring(items, overlaps=overlaps)) == FLOORS[shape]


def item(edges: Sequence[Edge]) -> Item:
    def point(number: int) -> Point:
        return Point(event=f"e{number >> 1}", bound=BOUNDS[number & 1])

    premise = tuple(
        Relation(
            left=point(p), order=Order.BEFORE if strict else Order.SIMULTANEOUS, right=point(q)
        )
        for p, q, strict in edges
    )
    claim = Claim(left="e0", relation=ClaimRelation.BEFORE, right="e1")
    return Item(id="1", premise=premise, claim=claim)


def test_counts_are_those_of_the_probes() -> None:
    """Equal for the same premises as the columns of ``verify``, but for the sides of ``=``."""
    names = (*SENTENCES, *MENTIONS, *POINTS, *GRAPH)
    kind, turned = "sentences start simultaneous end", "sentences end simultaneous start"
    pairs = set()
    for edges in islice(premises(Shape(events=4, relations=3)), 0, None, 97):
        found = surface("", item(edges))
        found[kind] += found.pop(turned)
        pairs.add((counts(edges), tuple(found[name] for name in names if name != turned)))
    assert len({one for one, _ in pairs}) == len({other for _, other in pairs}) == len(pairs) > 300


@pytest.mark.parametrize(
    ("sets", "expected"),
    [
        (["TFU", "T"], "1/3"),
        (["TF", "FU", "TU"], "1/2"),
        (["TF", "FU", "T", "U"], "2/3"),
        (["TF", "U"], "2/3"),
        (["T", "F", "U"], "1"),
    ],
)
def test_floors_of_sets(sets: list[str], expected: str) -> None:
    named = {"T": T, "F": F, "U": U}
    found = {frozenset(named[letter] for letter in one) for one in sets}
    assert str(floor(found)) == expected
    assert float(floor(found)) == pytest.approx(least(found), abs=1e-9)


def least(sets: set[frozenset[Label]]) -> float:
    """The optimum of the linear program."""
    from scipy.optimize import linprog

    every = sorted(sets, key=sorted)
    covers = [[-float(label in one) for one in every] for label in Label]
    return float(linprog([1.0] * len(every), A_ub=covers, b_ub=[-1 / 3] * 3).fun)


def test_a_label_has_to_occur() -> None:
    with pytest.raises(ValueError, match="a label does not occur"):
        floor({frozenset([T, F])})
