"""Counts of 2-hop rules by columns, against the encoding that says what they mean."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from generators.questions import two_hop as question_rules
from generators.questions.graph import Arcs, Settings
from generators.questions.two_hop import ENCODING, arc_of, day_counts, mine, rule_keys, two_hop
from grammar.questions.model import Arc
from solver.asp import Program
from solver.graph.model import Quadruples, Split
from solver.questions.model import TwoHopRule

from .conftest import MakeWorld

LEAST = 2
Counts = dict[tuple[int, int], tuple[int, int]]


def facts_of(facts: Quadruples) -> str:
    return "".join(f"fact({s},{r},{o},{t})." for s, r, o, t in facts.rows().tolist())


def rules_of(pairs: list[tuple[Arc, Arc]], ids: dict[str, int]) -> str:
    return "".join(
        f"rule({row},{ids[a.relation]},{a.shared},{ids[b.relation]},{b.shared})."
        for row, (a, b) in enumerate(pairs)
    )


@pytest.mark.parametrize("seed", range(6))
def test_the_encoding_counts_as_much(world: MakeWorld, seed: int) -> None:
    graph = world(seed, 90).graph
    words, facts = graph.vocabulary, graph.asked[Split.TRAIN]
    arcs = Arcs.of(facts, words.relations)
    every = [arc_of(number, words) for number in range(arcs.relations)]
    pairs = [(a, b) for a, b in product(every, repeat=2) if a != b]
    ids = {words.relation(number): number for number in range(words.relations)}
    given = f"least({LEAST}). {facts_of(facts)} {rules_of(pairs, ids)}"
    atoms = Program(encodings=(ENCODING,)).unique_model(given)
    logic = {tuple(a.arguments) for a in atoms if a.name == "supported" and a.arguments[2]}
    counts = day_counts(arcs)
    columns = (counts.given, counts.asked, counts.time, counts.support, counts.body)
    numbers = {pair: row for row, pair in enumerate(pairs)}
    found = {
        (numbers[every[a], every[b]], time, support, body)
        for a, b, time, support, body in zip(*(c.tolist() for c in columns), strict=True)
    }
    assert found == logic
    assert found
    found = [a.arguments for a in atoms if a.name == "holds"]
    days = {pair: sum(row == numbers[pair] for row, _ in found) for pair in pairs}
    rules = mine(arcs, words, Settings(min_support=LEAST, min_days=1, min_confidence=0))
    assert {(r.given, r.asked): r.days for r in rules} == {p: n for p, n in days.items() if n}


@pytest.mark.parametrize("most", [1, 7, 40])
@pytest.mark.parametrize("seed", range(3))
def test_days_are_counted_in_parts(
    world: MakeWorld, seed: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = world(seed, 90).graph
    arcs = Arcs.of(graph.asked[Split.TRAIN], graph.vocabulary.relations)
    parts = list(arcs.by_days(most))
    assert np.concatenate([part.row for part in parts]).tolist() == arcs.row.tolist()
    days = [set(part.time.tolist()) for part in parts]
    assert len(set.union(*days)) == sum(map(len, days))
    assert all(len(part) <= most or len(on) == 1 for part, on in zip(parts, days, strict=True))
    settings = Settings(min_support=LEAST, min_days=1, min_confidence=0)
    whole = mine(arcs, graph.vocabulary, settings)
    monkeypatch.setattr(question_rules, "_ARCS", most)
    assert mine(arcs, graph.vocabulary, settings) == whole != ()


@pytest.mark.parametrize("seed", range(3))
def test_the_encoding_finds_the_same_groundings(world: MakeWorld, seed: int) -> None:
    graph = world(seed, 90).graph
    words, facts = graph.vocabulary, graph.asked[Split.TRAIN]
    arcs = Arcs.of(facts, words.relations)
    every = [arc_of(number, words) for number in range(arcs.relations)]
    rules = [
        TwoHopRule(given=a, asked=b, rule_support=1, body_support=1)
        for a, b in product(every[::2], every[::3])
        if a != b
    ]
    ids = {words.relation(number): number for number in range(words.relations)}
    pairs = [(rule.given, rule.asked) for rule in rules]
    atoms = Program(encodings=(ENCODING,)).unique_model(f"{facts_of(facts)} {rules_of(pairs, ids)}")
    items = two_hop(arcs, rule_keys(rules, words, ""), 0, np.random.default_rng(0))
    found = {}
    for row in range(len(items)):
        part = slice(items.offsets[row], items.offsets[row + 1])
        key = (int(items.rule[row]), int(items.time[row]), int(items.entity[row]))
        steps = zip(items.answer[part].tolist(), items.party[part].tolist(), strict=True)
        found |= {(*key, answer): party for answer, party in steps}
    first: dict[tuple[object, ...], object] = {}
    for atom in atoms:
        if atom.name == "grounding":
            *key, party = atom.arguments
            first[tuple(key)] = min(party, first.get(tuple(key), party))  # type: ignore[type-var]
    assert found == first
    assert found
