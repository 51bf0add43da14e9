"""Hashes are equal iff items are isomorphic."""

from __future__ import annotations

from itertools import combinations
from random import Random

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from generators.eventhop.groups import reversed_edges
from generators.eventhop.skeleton import Edge
from solver.eventhop.hashes import outline_hash, outline_hashes, timeline_hash, timeline_hashes

EVENTS = 5
points = st.integers(0, 2 * EVENTS - 1)
edges = st.builds(Edge, points, points, st.booleans())
premises = st.lists(edges, min_size=1, max_size=9)


def moved(premise: list[Edge], order: list[int]) -> list[Edge]:
    return [
        Edge(2 * order[e.earlier >> 1] + e.earlier % 2, 2 * order[e.later >> 1] + e.later % 2, s)
        for e, s in ((e, e.strict) for e in premise)
    ]


@given(premises, st.permutations(range(2, EVENTS)), st.randoms(), st.booleans())
def test_renaming_and_reordering_change_nothing(
    premise: list[Edge], others: list[int], random: Random, symmetric: bool
) -> None:
    claimed = [1, 0] if symmetric and random.random() < 0.5 else [0, 1]
    other = moved(premise, [*claimed, *others])
    random.shuffle(other)
    # "p = q" is "q = p".
    other = [
        e if e.strict or random.random() < 0.5 else Edge(e.later, e.earlier, False) for e in other
    ]
    assert timeline_hash(other, EVENTS, symmetric=symmetric) == timeline_hash(
        premise, EVENTS, symmetric=symmetric
    )


@given(st.lists(st.tuples(premises, st.booleans()), max_size=6))
def test_many_hashes_are_those_of_each(graphs: list[tuple[list[Edge], bool]]) -> None:
    assert timeline_hashes([(edges, EVENTS + n, s) for n, (edges, s) in enumerate(graphs)]) == [
        timeline_hash(edges, EVENTS + n, symmetric=s) for n, (edges, s) in enumerate(graphs)
    ]


@given(premises)
def test_outlines_with_time_reversed(premise: list[Edge]) -> None:
    backwards = reversed_edges(premise)
    there, back = outline_hashes(premise, EVENTS)
    assert [there, back] == [outline_hash(edges, EVENTS) for edges in (premise, backwards)]


def graph(premise: list[Edge]) -> nx.MultiDiGraph:
    """Nodes are coloured by the claim, edges by bounds and kind."""
    found = nx.MultiDiGraph()
    for event in range(EVENTS):
        found.add_node(event, colour=event if event < 2 else 2)
    for e in premise:
        first, last, bounds = e.earlier >> 1, e.later >> 1, (e.earlier % 2, e.later % 2)
        found.add_edge(first, last, kind=(e.strict, bounds))
        if not e.strict:
            found.add_edge(last, first, kind=(False, bounds[::-1]))
    return found


def same(left: list[Edge], right: list[Edge]) -> bool:
    def same_edges(
        record: dict[int, dict[str, object]], other: dict[int, dict[str, object]]
    ) -> bool:
        return sorted(map(repr, (e["kind"] for e in record.values()))) == sorted(
            map(repr, (e["kind"] for e in other.values()))
        )

    return bool(
        nx.is_isomorphic(
            graph(left),
            graph(right),
            node_match=lambda a, b: a["colour"] == b["colour"],
            edge_match=same_edges,
        )
    )


def test_equal_hashes_are_equal_timelines() -> None:
    """On small premises, many of them isomorphic, equal hashes mean isomorphism."""
    random = Random(5)

    def drawn() -> list[Edge]:
        first, last = random.sample(range(4), 2)
        return [
            Edge(2 * first, 2 * last + 1, random.random() < 0.5),
            Edge(2 * last, 2 * random.choice([e for e in range(4) if e != last]), True),
        ]

    premises = [drawn() for _ in range(90)]
    hashes = [timeline_hash(premise, EVENTS, symmetric=False) for premise in premises]
    agreed = {True: 0, False: 0}
    for (edges, left), (other, right) in combinations(zip(premises, hashes, strict=True), 2):
        assert same(edges, other) is (left == right)
        agreed[left == right] += 1
    assert min(agreed.values()) > 50


def test_claims_distinguish_their_events_unless_symmetric() -> None:
    premise, mirrored = [Edge(1, 2, True)], [Edge(3, 0, True)]
    assert timeline_hash(premise, 2, symmetric=True) == timeline_hash(mirrored, 2, symmetric=True)
    assert timeline_hash(premise, 2, symmetric=False) != timeline_hash(mirrored, 2, symmetric=False)
