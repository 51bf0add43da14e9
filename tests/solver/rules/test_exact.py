"""Exact counts against a plain search, against ASP, and on a case worked by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.asp import Program
from solver.encodings import written
from solver.graph.model import Quadruples
from solver.rules import exact as counts
from solver.rules import exact as walks
from solver.rules.encode import rule_facts
from solver.rules.exact import mine_exact
from solver.rules.graph import RuleGraph
from solver.rules.model import MiningSettings, Rule

RELATIONS = 2
Fact = tuple[int, int, int, int]
FACTS = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(0, 2), st.integers(0, 3)),
    max_size=7,
)


def mined(facts: list[Fact], length: int, *, repeated: bool = False, jobs: int = 1) -> list[Rule]:
    graph = RuleGraph.of(Quadruples.of(np.array(facts, dtype=np.int64)), RELATIONS)
    mining = MiningSettings(lengths=(length,), repeated=repeated)
    (found,) = mine_exact(graph, mining, jobs=jobs)
    return list(found.rules)


def both_ways(facts: list[Fact]) -> list[Fact]:
    return sorted({*facts, *((o, r + RELATIONS, s, t) for s, r, o, t in facts)})


def chains(facts: list[Fact], length: int) -> Iterator[tuple[Fact, ...]]:
    if length == 0:
        yield ()
        return
    for chain in chains(facts, length - 1):
        for fact in facts:
            if not chain or (chain[-1][2] == fact[0] and chain[-1][3] <= fact[3]):
                yield (*chain, fact)


def groupings(length: int) -> set[tuple[tuple[int, ...], ...]]:
    """Every set of groups of positions that do not overlap, by trying all pairs."""
    positions = range(length + 1)
    pairs = list(combinations(positions, 2))
    found = set()
    for chosen in range(1 << len(pairs)):
        label = list(positions)
        for number, (p, q) in enumerate(pairs):
            if chosen >> number & 1:
                label = [label[p] if index == label[q] else index for index in label]
        groups = [
            tuple(p for p in positions if label[p] == number) for number in sorted(set(label))
        ]
        found.add(tuple(sorted(group for group in groups if len(group) > 1)))
    return found


def searched(facts: list[Fact], length: int, *, repeated: bool) -> dict[tuple[object, ...], Rule]:
    every = both_ways(facts)
    bodies: Counter[tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]] = Counter()
    followed: Counter[tuple[int, tuple[int, ...], tuple[tuple[int, ...], ...]]] = Counter()
    for chain in chains(every, length):
        body = tuple(fact[1] for fact in chain)
        entities = (chain[0][0], *(fact[2] for fact in chain))
        heads = {
            r for s, r, o, t in every if s == entities[0] and o == entities[-1] and t > chain[-1][3]
        }
        for same in groupings(length) if repeated else [()]:
            if all(len({entities[p] for p in group}) == 1 for group in same):
                bodies[body, same] += 1
                for head in heads:
                    followed[head, body, same] += 1
    return {
        (head, body, same): Rule(
            head=head, body=body, same=same, rule_support=n, body_support=bodies[body, same]
        )
        for (head, body, same), n in followed.items()
    }


def by_name(rules: list[Rule]) -> dict[tuple[object, ...], Rule]:
    named = {(rule.head, rule.body, rule.same): rule for rule in rules}
    assert len(named) == len(rules)
    return named


@pytest.mark.parametrize("repeated", [False, True])
@pytest.mark.parametrize("length", [1, 2, 3])
def test_counts_are_those_of_a_plain_search(length: int, repeated: bool) -> None:
    @given(FACTS)
    @settings(max_examples=60 if length < 3 else 25)
    def check(facts: list[Fact]) -> None:
        found = by_name(mined(facts, length, repeated=repeated))
        assert found == searched(facts, length, repeated=repeated)

    check()


@given(FACTS, st.integers(1, 3))
@settings(max_examples=25)
def test_counts_are_those_of_asp(facts: list[Fact], length: int) -> None:
    rules = mined(facts, length, repeated=True)
    program_text = [f"fact({s},{r},{o},{t})." for s, r, o, t in facts]
    program_text += [
        fact for number, rule in enumerate(rules) for fact in written(rule_facts(number, rule))
    ]
    program = Program(encodings=("rules/rule_support.lp",))
    atoms = program.unique_model(f"{' '.join(program_text)} relations({RELATIONS}).")
    counted = {atom.arguments for atom in atoms}
    assert counted == {(n, rule.rule_support, rule.body_support) for n, rule in enumerate(rules)}


def test_a_case_by_hand() -> None:
    # 0 visits 1 (relation 0) at 0 and 2; 1 thanks 0 (relation 1) at 1 and 2.
    facts = [(0, 0, 1, 0), (0, 0, 1, 2), (1, 1, 0, 1), (1, 1, 0, 2)]
    # Of two visits the first is thanked for later; a thank at the same time does not count.
    assert Rule(head=3, body=(0,), rule_support=1, body_support=2) in mined(facts, 1)
    # 0 visits 1 who thanks 0: from 0 on to 1 and 2, and from 2 on to 2; no fact joins 0 to 0.
    assert not any(rule.body == (0, 1) for rule in mined(facts, 2))


def test_walks_by_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(5)
    columns = [draw.integers(0, size, 40) for size in (4, RELATIONS, 4, 5)]
    facts: list[Fact] = list(zip(*(column.tolist() for column in columns), strict=True))
    whole = [mined(facts, length, repeated=True) for length in (1, 2, 3)]
    monkeypatch.setattr(walks, "AT_ONCE", 7)
    monkeypatch.setattr(counts, "DENSE", 3)
    monkeypatch.setattr(counts, "MOST_PENDING", 50)
    assert [mined(facts, length, repeated=True) for length in (1, 2, 3)] == whole


def test_processes_do_not_show() -> None:
    facts = [(0, 0, 1, 0), (1, 1, 2, 1), (0, 0, 2, 2), (2, 1, 0, 3)]
    assert mined(facts, 2, jobs=2) == mined(facts, 2)


@given(FACTS, st.integers(1, 3))
@settings(max_examples=40)
def test_walks_are_counted_without_taking_them(facts: list[Fact], length: int) -> None:
    graph = RuleGraph.of(Quadruples.of(np.array(facts, dtype=np.int64)), RELATIONS)
    (found,) = mine_exact(graph, MiningSettings(lengths=(length,)))
    taken = sum(1 for _ in chains(both_ways(facts), length))
    assert found.walks == walks.count_walks(graph, length) == taken


def test_facts_count_once_and_gaps_in_time_do_not_matter() -> None:
    facts = [(0, 0, 1, 0), (1, 1, 2, 1), (0, 0, 2, 2), (2, 1, 0, 3)]
    later = [(s, r, o, 1000 + 24 * t) for s, r, o, t in facts]
    assert mined(facts + facts[:2], 2) == mined(facts, 2) == mined(later, 2) != []


@pytest.mark.parametrize("length", [1, 2, 3])
def test_no_facts(length: int) -> None:
    assert mined([], length) == []


@pytest.fixture(scope="session")
def icews14(shared: Path) -> RuleGraph:
    rows = np.loadtxt(shared / "data/icews14/train.txt", dtype=np.int64, usecols=range(4))
    return RuleGraph.of(Quadruples.of(rows), 230)


def test_length_1_of_icews14(icews14: RuleGraph, shared: Path) -> None:
    (found,) = mine_exact(icews14, MiningSettings(lengths=(1,)))
    assert len(found.rules) == 41_068
    assert found.rules.rule_support.sum() == 1_019_096
    rows = np.loadtxt(shared / "data/icews14/exact_len1_counts.tsv.gz", dtype=np.int64)
    rules = found.rules
    columns = (rules.head, rules.body[:, 0], rules.rule_support, rules.body_support)
    counted = np.stack(columns, axis=1)
    assert (counted[np.lexsort(counted.T[::-1])] == rows[np.lexsort(rows.T[::-1])]).all()


@pytest.mark.slow
def test_length_2_of_icews14(icews14: RuleGraph) -> None:
    (found,) = mine_exact(icews14, MiningSettings(lengths=(2,)))
    assert found.walks == 62_246_847
    assert len(found.rules) == 2_516_003
