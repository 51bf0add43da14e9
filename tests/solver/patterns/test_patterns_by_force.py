"""The encodings list exactly the patterns that the printed algorithms accept, one by one.

Everything here is written from Algorithms 3 and 8-11 alone: all raw patterns, filtered as printed,
renamed, counted once.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import NamedTuple

import pytest

from solver.patterns.engine import enumerate_patterns, judge
from solver.patterns.model import CycleReading, Pattern, PatternFlags, Triple

VOCABULARY = {1: (2, 2), 2: (4, 3), 3: (5, 4)}
CODES = ["".join(digits) for digits in product("01", repeat=4)]
QUICK = ("1100", "1111")


class Edge(NamedTuple):
    h: int
    r: int
    t: int

    @property
    def ends(self) -> set[int]:
        return {self.h, self.t}


Raw = tuple[Edge, ...]


@cache
def canonical(hops: int) -> list[Raw]:
    """Every raw pattern whose consequence names known entities, in canonical form, once.

    Validity looks at names only for their being the same, so that it may be asked after renaming.
    """
    entities, relations = VOCABULARY[hops]
    orders = {renamed(numbers) for numbers in product(range(1, relations + 1), repeat=hops + 1)}
    found: set[Raw] = set()
    for ends in product(range(1, entities + 1), repeat=2 * hops):
        # One representative is enough: others are renamed to it. This one is named in order.
        if renamed(ends) != ends:
            continue
        known = sorted(set(ends))
        for ends_of_consequence in product(known, repeat=2):
            every = (*ends, *ends_of_consequence)
            for names in orders:
                found.add(
                    tuple(Edge(every[2 * n], r, every[2 * n + 1]) for n, r in enumerate(names))
                )
    return sorted(found)


def renamed(names: tuple[int, ...]) -> tuple[int, ...]:
    order: dict[int, int] = {}
    return tuple(order.setdefault(name, len(order) + 1) for name in names)


def single_cycle(edges: list[set[int]]) -> bool:
    """Algorithm 11, adjacency required; edges are a multiset, a loop counts twice at its vertex."""
    length = len(edges)
    for i in range(length):
        if not edges[i] & edges[(i + 1) % length]:
            return False
    vertices = set().union(*edges)
    degree = dict.fromkeys(vertices, 0)
    for edge in edges:
        for v in edge:
            degree[v] += 2 if len(edge) == 1 else 1
    if any(d != 2 for d in degree.values()):
        return False
    seen, stack = set(), [min(vertices)]
    while stack:
        v = stack.pop()
        if v not in seen:
            seen.add(v)
            stack += [u for edge in edges if v in edge for u in edge]
    return seen == vertices and length == len(vertices)


def common(raw: Raw, code: str) -> bool:
    """What Algorithms 8, 9 and 10 ask alike."""
    unique, no_self, no_new, sequential = (digit == "1" for digit in code)
    *antecedents, c = raw
    if unique and len(set(raw)) < len(raw):
        return False
    if no_self and any(len(edge.ends) < 2 for edge in raw):
        return False
    if sequential and not single_cycle([edge.ends for edge in raw]):
        return False
    if not c.ends <= set().union(*(antecedent.ends for antecedent in antecedents)):
        return False
    return not (no_new and c.r not in {antecedent.r for antecedent in antecedents})


def joined(raw: Raw, reading: CycleReading) -> bool:
    """The last lines of Algorithms 9 and 10."""
    *antecedents, c = raw
    if len(antecedents) == 1:
        return True
    if len(antecedents) == 2:
        e1, e2 = (antecedent.ends for antecedent in antecedents)
        return bool(e1 & e2) or (c.h in e1 and c.t in e2) or (c.t in e1 and c.h in e2)
    return three_joined(antecedents, c, reading)


def three_joined(antecedents: list[Edge], c: Edge, reading: CycleReading) -> bool:
    (_, a2, a3), (e1, e2, e3) = antecedents, [antecedent.ends for antecedent in antecedents]
    h2, t2, h3, t3, hc, tc = a2.h, a2.t, a3.h, a3.t, c.h, c.t
    if (h2 in e1 or t2 in e1) and (h3 in e1 | e2 or t3 in e1 | e2):
        return True
    if reading is CycleReading.LITERAL:
        disjoint = not (h2 in e1 and t2 in e1)
    else:
        disjoint = not (h2 in e1 or t2 in e1)
    third_connects = (h3 in e1 and t3 in e2) or (t3 in e1 and h3 in e2)
    third_partial = h3 in e1 | e2 or t3 in e1 | e2
    third_first = h3 in e1 or t3 in e1
    third_second = h3 in e2 or t3 in e2
    to_second = (hc in e1 | e3 and tc in e2) or (tc in e1 | e3 and hc in e2)
    to_first = (hc in e2 | e3 and tc in e1) or (tc in e2 | e3 and hc in e1)
    to_third = (hc in e1 | e2 and tc in e3) or (tc in e1 | e2 and hc in e3)
    if disjoint:
        return third_connects or (third_first and to_second) or (third_second and to_first)
    return third_partial or to_third


def plainly_connected(raw: Raw) -> bool:
    """All steps hang together, the consequence among them."""
    reached, rest = set(raw[0].ends), list(raw[1:])
    while near := [edge for edge in rest if edge.ends & reached]:
        reached |= set().union(*(edge.ends for edge in near))
        rest = [edge for edge in rest if edge not in near]
    return not rest


def by_force(hops: int, code: str, reading: CycleReading) -> set[Raw]:
    return {raw for raw in canonical(hops) if common(raw, code) and joined(raw, reading)}


@cache
def listed(hops: int, code: str, reading: CycleReading) -> list[Pattern]:
    return enumerate_patterns(hops, PatternFlags.read(code), reading)


def raw(pattern: Pattern) -> Raw:
    return tuple(Edge(step.head, step.relation, step.tail) for step in pattern.steps)


def same(hops: int, code: str, reading: CycleReading) -> None:
    found = listed(hops, code, reading)
    assert found == sorted(set(found))
    assert {raw(pattern) for pattern in found} == by_force(hops, code, reading)


@pytest.mark.parametrize("hops", [1, 2])
def test_one_representative_is_enough(hops: int) -> None:
    """All raw patterns of Algorithm 3, filtered first and renamed afterwards, are no others."""
    entities, relations = VOCABULARY[hops]
    triples = [
        Edge(h, r, t)
        for h, r, t in product(
            range(1, entities + 1), range(1, relations + 1), range(1, entities + 1)
        )
    ]
    found: dict[str, set[Raw]] = {code: set() for code in ("0000", "1011")}
    for antecedents in product(triples, repeat=hops):
        known = set().union(*(antecedent.ends for antecedent in antecedents))
        for c in triples:
            if c.ends <= known and joined((*antecedents, c), CycleReading.FIXED):
                for code, kept in found.items():
                    if common((*antecedents, c), code):
                        kept.add(in_order((*antecedents, c)))
    assert found == {code: by_force(hops, code, CycleReading.FIXED) for code in found}


def in_order(raw: Raw) -> Raw:
    ends = renamed(tuple(name for edge in raw for name in (edge.h, edge.t)))
    names = renamed(tuple(edge.r for edge in raw))
    return tuple(Edge(ends[2 * n], r, ends[2 * n + 1]) for n, r in enumerate(names))


@pytest.mark.parametrize("reading", CycleReading)
@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("hops", [1, 2])
def test_the_encodings_list_what_the_algorithms_accept(
    hops: int, code: str, reading: CycleReading
) -> None:
    same(hops, code, reading)


@pytest.mark.parametrize("reading", CycleReading)
@pytest.mark.parametrize("code", QUICK)
def test_so_they_do_at_three_hops(code: str, reading: CycleReading) -> None:
    same(3, code, reading)


@pytest.mark.slow
@pytest.mark.parametrize("reading", CycleReading)
@pytest.mark.parametrize("code", [code for code in CODES if code not in QUICK])
def test_so_they_do_at_three_hops_under_all_flags(code: str, reading: CycleReading) -> None:
    same(3, code, reading)


@pytest.mark.parametrize(
    ("code", "number", "two"),
    [
        ("0000", 10, 395),
        ("0001", 4, 40),
        ("0100", 4, 180),
        ("1000", 8, 345),
        ("1010", 3, 192),
        ("1100", 3, 154),
        ("1101", 3, 40),
        ("1110", 1, 84),
        ("1111", 1, 24),
    ],
)
def test_counts(code: str, number: int, two: int) -> None:
    for reading in CycleReading:
        assert len(listed(1, code, reading)) == number
        assert len(listed(2, code, reading)) == two


@pytest.mark.parametrize(
    ("reading", "count"), [(CycleReading.LITERAL, 9_470), (CycleReading.FIXED, 10_190)]
)
def test_counts_at_three_hops(reading: CycleReading, count: int) -> None:
    assert len(listed(3, "1100", reading)) == count


def test_readings_differ_where_the_consequence_brings_in_the_third() -> None:
    fixed, literal = (
        set(listed(3, "1100", reading)) for reading in (CycleReading.FIXED, CycleReading.LITERAL)
    )
    assert literal < fixed
    assert len(fixed - literal) == 720


def test_a_sixth_entity_gives_no_more() -> None:
    """Three loose antecedents name six, and a consequence joins but two of them."""
    loose = (Edge(1, 1, 2), Edge(3, 1, 4), Edge(5, 1, 6))
    for ends in product(range(1, 7), repeat=2):
        assert not three_joined(list(loose), Edge(ends[0], 1, ends[1]), CycleReading.FIXED)
        assert not three_joined(list(loose), Edge(ends[0], 1, ends[1]), CycleReading.LITERAL)


@pytest.mark.slow
def test_the_fixed_reading_is_plain_connectivity() -> None:
    every = [edges for edges in canonical(3) if common(edges, "0000")]
    assert {edges for edges in every if plainly_connected(edges)} == by_force(
        3, "0000", CycleReading.FIXED
    )


def test_judging_agrees_on_every_raw_pattern_of_two_hops() -> None:
    """The invalid ones too, which no enumeration shows."""
    every = canonical(2)
    patterns = [_pattern(edges) for edges in every]
    # Each flag is set once and left out once.
    for code in ("0101", "1010"):
        verdicts = judge(patterns, PatternFlags.read(code))
        accepted = [common(edges, code) and joined(edges, CycleReading.FIXED) for edges in every]
        assert [verdict.valid for verdict in verdicts] == accepted
        assert all(verdict.is_canonical for verdict in verdicts)


def _pattern(steps: Raw) -> Pattern:
    triples = [Triple(head=h, relation=r, tail=t) for h, r, t in steps]
    return Pattern(antecedents=tuple(triples[:-1]), consequence=triples[-1])
