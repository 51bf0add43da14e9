"""Floors: by all premises of 4x3, and by premises of all labels with the same counts.

The floor of a shape is the least accuracy of a probe on surface counts, whichever items it has.
Let each label have a third of the items. The probe that knows their distribution answers the most
frequent label of the item's counts. Call ``t(L)`` the share of items that it gets right among those
whose counts occur with the labels ``L``. It is at least the share of each label among them, and the
items of a label have counts of some ``L`` with the label: so the ``t(L)`` of these sets add up to
at least 1/3, for each label. The least sum of all ``t(L)`` is the floor. It is reached by some
distribution, and is a third of the least fractional cover of the labels by the sets that occur.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, islice, product

import pytest

from generators.eventhop.config import LABELS, Shape
from generators.eventhop.layout import FLOORS
from generators.eventhop.matched import evidence
from generators.eventhop.skeleton import BOUNDS, Edge
from grammar.eventhop.model import Claim, ClaimRelation, Item, Label, Order, Point, Relation
from solver.eventhop.probes import GRAPH, MENTIONS, POINTS, SENTENCES, surface
from tests.solver.eventhop.cue_definitions import distances

T, F, U = Label.TRUE, Label.FALSE, Label.UNDEFINED
both_claims = pytest.mark.parametrize("overlaps", [False, True], ids=["before", "overlaps"])


def floor(occurring: Collection[frozenset[Label]]) -> Fraction:
    """The floor for the sets of labels that occur with the same counts.

    Raises:
        ValueError: a label does not occur.
    """
    if frozenset(Label) - frozenset().union(*occurring):
        raise ValueError("a label does not occur")
    sizes = sorted(len(labels) for labels in occurring)
    if sizes[-1] == len(Label):
        cover = Fraction(1)
    elif sum(size == 2 for size in sizes) == 3:
        # Half of each pair covers all three labels.
        cover = Fraction(3, 2)
    else:
        cover = Fraction(2) if sizes[-1] == 2 else Fraction(3)
    return cover / len(Label)


def occurring(items: Iterable[Sequence[Edge]], *, overlaps: bool) -> set[frozenset[Label]]:
    """The sets of labels that items with the same counts have; stops where all labels meet."""
    labels: dict[tuple[object, ...], set[Label]] = {}
    for edges in items:
        found = labels.setdefault(counts(edges), set())
        found.add(LABELS[evidence(edges, overlaps=overlaps)[0]])
        if len(found) == len(Label):
            return {frozenset(Label)}
    return {frozenset(found) for found in labels.values()}


def premises(shape: Shape) -> Iterator[list[Edge]]:
    """All premises of a shape that name all events and relate no two points twice."""
    points = range(2 * shape.events)
    pairs = [(p, q) for p, q in combinations(points, 2) if p >> 1 != q >> 1]
    for chosen in combinations(pairs, shape.relations):
        if len({p >> 1 for pair in chosen for p in pair}) < shape.events:
            continue
        ways = [((p, q, True), (q, p, True), (p, q, False)) for p, q in chosen]
        for edges in product(*ways):
            yield [Edge(*edge) for edge in edges]


def counts(edges: Sequence[Edge]) -> tuple[object, ...]:
    """What the probes of ``verify`` count, but for positions in the text.

    Kinds of sentence, sentences about each point of the claim's events and about both events, their
    neighbours and distance, and connected parts.
    """
    kinds: list[tuple[int, int, bool]] = []
    sides: list[tuple[int, int]] = []
    both = 0
    neighbours: dict[int, set[int]] = {0: set(), 1: set()}
    for p, q, strict in edges:
        low, high = p & 1, q & 1
        kinds.append((low, high, True) if strict else (min(low, high), max(low, high), False))
        if p < 4:
            sides.append((p, 0 if strict else 2))
        if q < 4:
            sides.append((q, 1 if strict else 2))
        both += p < 4 and q < 4
        neighbours.setdefault(p >> 1, set()).add(q >> 1)
        neighbours.setdefault(q >> 1, set()).add(p >> 1)
    from_first, parts = distances(neighbours, 0)
    near = len(neighbours[0]), len(neighbours[1])
    return tuple(sorted(kinds)), tuple(sorted(sides)), both, near, from_first.get(1, -1), parts


@both_claims
def test_of_4x3_by_all_premises(overlaps: bool) -> None:
    shape = Shape(events=4, relations=3)
    found = occurring(premises(shape), overlaps=overlaps)
    assert found == {frozenset(labels) for labels in ([T], [F], [U], [T, F], [F, U])}
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
        [Edge(int(word[0]), int(word[2]), True) for word in text.split()]
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
    assert (
        len({values for values, _ in pairs})
        == len({other for _, other in pairs})
        == len(pairs)
        > 300
    )


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
    found = {frozenset(named[letter] for letter in group) for group in sets}
    assert str(floor(found)) == expected
    assert float(floor(found)) == pytest.approx(least(found), abs=1e-9)


def least(sets: set[frozenset[Label]]) -> float:
    """The optimum of the linear program."""
    from scipy.optimize import linprog

    every = sorted(sets, key=sorted)
    covers = [[-float(label in labels) for labels in every] for label in Label]
    return float(linprog([1.0] * len(every), A_ub=covers, b_ub=[-1 / 3] * 3).fun)


def test_a_label_has_to_occur() -> None:
    with pytest.raises(ValueError, match="a label does not occur"):
        floor({frozenset([T, F])})
