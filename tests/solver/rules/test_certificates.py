"""Groundings: all of them by clingo, the latest by joins, each replayed on the graph."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest

from solver.graph.queries import Queries
from solver.rules.application import Application
from solver.rules.encode import groundings
from solver.rules.explain import answer, certified, latest_grounding

from .conftest import World

TIME = 7


@pytest.mark.parametrize("seed", range(10))
def test_clingo_finds_every_grounding(seed: int, world: Callable[..., World]) -> None:
    here = world(seed, facts=15)
    history = Application(here.table, here.graph, here.vocabulary).history(TIME)
    pairs = itertools.product(range(here.vocabulary.entities), range(2 * here.vocabulary.relations))
    asked = np.array(list(pairs), dtype=np.int64)
    queries = Queries(
        head=asked[:, 0], relation=asked[:, 1], time=np.full(len(asked), TIME, dtype=np.int64)
    )
    expected = {
        (query, rule, facts[-1][2], facts)
        for query, (head, relation) in enumerate(asked.tolist())
        for rule, known in enumerate(here.rules)
        if known.head == relation
        for facts in here.groundings(known, head, TIME)
    }
    for once in (False, True):
        found = {
            (grounding.query, grounding.rule, grounding.candidate, grounding.facts)
            for grounding in groundings(history, queries, here.rules, distinct_facts=once)
        }
        assert found == {row for row in expected if not once or here.distinct(row[3])}


def test_groundings_with_distinct_facts(world: Callable[..., World]) -> None:
    left_out = 0
    for seed in range(60):
        here = world(seed, facts=15)
        history = Application(here.table, here.graph, here.vocabulary).history(TIME)
        for rule, head in itertools.product(here.rules, range(here.vocabulary.entities)):
            every = list(here.groundings(rule, head, TIME))
            for candidate in {facts[-1][2] for facts in every}:
                ending = [facts for facts in every if facts[-1][2] == candidate]
                times = [[fact[3] for fact in facts] for facts in ending if here.distinct(facts)]
                grounding = latest_grounding(history, rule, head, candidate, distinct_facts=True)
                assert [fact[3] for fact in grounding] == max(times, default=[])
                assert not grounding or (grounding in ending and here.distinct(grounding))
                left_out += len(ending) - len(times)
    assert left_out > 100


@pytest.mark.parametrize("seed", range(10))
def test_each_candidate_has_its_certificate(seed: int, world: Callable[..., World]) -> None:
    here = world(seed)
    application = Application(here.table, here.graph, here.vocabulary)
    for head in range(here.vocabulary.entities):
        query = Queries.single(head, 0, TIME)
        found = answer(application, head, 0, TIME)
        assert found.ruled == bool(found.reasons)
        if found.ruled:
            assert {entity for entity, _ in found.candidates} == set(found.reasons)
        for candidate, reasons in found.reasons.items():
            assert [reason.score for reason in reasons] == sorted(
                (reason.score for reason in reasons), reverse=True
            )
            for reason in reasons:
                assert here.rules[reason.number] == reason.rule
                every = list(here.groundings(reason.rule, head, TIME))
                ending = [facts for facts in every if facts[-1][2] == candidate]
                latest = max(facts[0][3] for facts in ending)
                assert reason.begin == latest
                history = application.history(TIME)
                proofs = {
                    certified_grounding.facts
                    for certified_grounding in certified(
                        history, query, reason.rule, candidate, reason.begin
                    )
                }
                assert proofs == {facts for facts in ending if facts[0][3] == latest}
                grounding = latest_grounding(history, reason.rule, head, candidate)
                assert grounding in proofs
                assert [fact[3] for fact in grounding] == list(
                    max(tuple(fact[3] for fact in facts) for facts in proofs)
                )


def test_a_rule_that_leads_nowhere_has_no_grounding(world: Callable[..., World]) -> None:
    here = world(2)
    history = Application(here.table, here.graph, here.vocabulary).history(0)
    assert latest_grounding(history, here.rules[0], 0, 0) == ()
