"""The least accuracy of a probe on surface counts of a small shape, however its items are chosen.

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
from itertools import combinations, product

from generators.eventhop.cells import LABELS, Shape
from generators.eventhop.matched import evidence
from generators.eventhop.skeleton import Edge
from grammar.eventhop.model import Label
from solver.eventhop.probes import distances


def floor(occurring: Collection[frozenset[Label]]) -> Fraction:
    """The floor for the sets of labels that occur with the same counts.

    Raises:
        ValueError: a label does not occur.
    """
    if frozenset(Label) - frozenset().union(*occurring):
        raise ValueError("a label does not occur")
    sizes = sorted(len(one) for one in occurring)
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
