"""Counts of 2-hop rules by columns, against the encoding that says what they mean."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest

from generators.questions import two_hop as question_rules
from generators.questions.graph import Arcs, Settings, day_parts
from generators.questions.two_hop import (
    ENCODING,
    TwoHopItems,
    arc_of,
    day_counts,
    mine,
    rule_keys,
    two_hop,
)
from grammar.questions.model import Arc
from solver.asp import Program
from solver.graph.model import Quadruples
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
    words, facts = graph.vocabulary, graph.training_facts(suitable=True)
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
    rules = mine(facts, words, Settings(min_support=LEAST, min_days=1, min_confidence=0))
    assert {(r.given, r.asked): r.days for r in rules} == {p: n for p, n in days.items() if n}


@pytest.mark.parametrize("most", [1, 7, 40])
@pytest.mark.parametrize("seed", range(3))
def test_days_are_counted_in_parts(
    world: MakeWorld, seed: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = world(seed, 90).graph
    facts = graph.training_facts(suitable=True)
    settings = Settings(min_support=LEAST, min_days=1, min_confidence=0)
    whole = mine(facts, graph.vocabulary, settings)
    monkeypatch.setattr(question_rules, "DAYS_PAIRS", most)
    assert mine(facts, graph.vocabulary, settings) == whole != ()


@pytest.mark.parametrize("most", [0, 1, 7, 40, 10_000])
@pytest.mark.parametrize("seed", range(8))
def test_parts_are_whole_days_of_so_many_pairs(seed: int, most: int) -> None:
    draw = np.random.default_rng(seed)
    size = int(draw.integers(0, 60))
    columns = (draw.integers(high, size=size) for high in (5, 2, 5, 12))
    facts = Quadruples.of(np.stack(list(columns), axis=1)).distinct()
    rows = np.flatnonzero(draw.random(len(facts)) < 0.8)
    found = [part.tolist() for part in day_parts(facts, rows, most)]
    ends = {
        row: [int(facts.head[row]), int(facts.tail[row])] for row in rows.tolist()
    }  # a loop is there twice
    numbers: dict[int, Counter[int]] = {}
    for row, both in ends.items():
        numbers.setdefault(int(facts.time[row]), Counter()).update(both)
    pairs = {day: sum(n * n for n in counts.values()) for day, counts in numbers.items()}
    expected: list[list[int]] = []
    together = 0
    for day in sorted(pairs):
        if not expected or together + pairs[day] > most:
            expected.append([])
            together = 0
        together += pairs[day]
        expected[-1] += [row for row in rows.tolist() if facts.time[row] == day]
    assert found == expected


@pytest.mark.parametrize("cap", [1, 3, 1_000])
@pytest.mark.parametrize("most", [1, 30, 200])
@pytest.mark.parametrize("seed", range(3))
def test_a_cap_is_reached_in_parts(
    world: MakeWorld, seed: int, most: int, cap: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = world(seed, 90).graph
    words, facts = graph.vocabulary, graph.training_facts(suitable=True)
    rows = np.arange(len(facts))
    rules = mine(facts, words, Settings(min_support=1, min_days=1, min_confidence=0))
    keys = rule_keys(rules, words, "")

    def made(cap: int) -> TwoHopItems:
        return two_hop(facts, rows, words.relations, keys, cap, np.random.default_rng(seed))

    whole = made(0)
    monkeypatch.setattr(question_rules, "DAYS_PAIRS", most)
    assert questions_of(made(0)) == questions_of(whole)
    some = made(cap)
    assert questions_of(some).items() <= questions_of(whole).items()
    assert list(questions_of(some)) == sorted(questions_of(some))
    assert some.found == len(whole)
    each, every = (Counter(items.rule.tolist()) for items in (some, whole))
    assert each == {rule: min(cap, number) for rule, number in every.items()}


def test_a_cap_in_parts_is_not_spent_on_the_first_days(
    world: MakeWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = world(1, 400).graph
    words, facts = graph.vocabulary, graph.training_facts(suitable=True)
    rows = np.arange(len(facts))
    rules = mine(facts, words, Settings(min_support=1, min_days=1, min_confidence=0))
    keys = rule_keys(rules, words, "")
    monkeypatch.setattr(question_rules, "DAYS_PAIRS", 1)
    whole, some = (
        two_hop(facts, rows, words.relations, keys, cap, np.random.default_rng(0)) for cap in (0, 4)
    )
    middle = np.median(whole.time)
    late = (some.time > middle).mean() - (whole.time > middle).mean()
    assert abs(late) < 0.1


def questions_of(items: TwoHopItems) -> dict[tuple[int, int, int], list[tuple[int, int]]]:
    """Time, rule and entity of each question, with its answers and their parties."""
    ends = items.offsets.tolist()
    shown = list(zip(items.answer.tolist(), items.party.tolist(), strict=True))
    names = zip(items.time.tolist(), items.rule.tolist(), items.entity.tolist(), strict=True)
    return {
        name: shown[begin:end] for name, begin, end in zip(names, ends[:-1], ends[1:], strict=True)
    }


@pytest.mark.parametrize("most", [1, 60, 10_000])
@pytest.mark.parametrize("seed", range(3))
def test_the_encoding_finds_the_same_groundings(
    world: MakeWorld, seed: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(question_rules, "DAYS_PAIRS", most)
    graph = world(seed, 90).graph
    words, facts = graph.vocabulary, graph.training_facts(suitable=True)
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
    keys, rows = rule_keys(rules, words, ""), np.arange(len(facts))
    items = two_hop(facts, rows, words.relations, keys, 0, np.random.default_rng(0))
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
