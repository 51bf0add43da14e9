"""The graph engine of chains of thought: closures, smallest sets of sources, summaries."""

from __future__ import annotations

import random

import pytest

from grammar.eventhop.model import Domain, Label, SpatialReading
from grammar.eventhop.reader import reader
from grammar.traces.model import PointOrder, StatementKind
from grammar.traces.reader import TraceReader
from solver.eventhop.certificates.make import certify, hops
from solver.eventhop.engines.graph import ClosureEngine
from solver.traces.engine import PremiseClosure, decide
from solver.traces.model import RIGHT, StepVerdict, Support, TraceVerdict, worst
from solver.traces.reward import Steps
from tests.campaigns.traces import (
    all_walks,
    fewest,
    random_trace,
    shown,
    sources_before,
)

CHAIN = (
    "The end of Kite Fair happened before the start of Boat Race. The end of Boat Race happened "
    "before the start of Lamp Walk. The end of Lamp Walk happened before the start of Stone Play"
)
OPEN = "The start of Ivy Ball happened before the start of Tin Expo"
TORN = (
    "The end of Glass Week happened before the start of Corn Feast. The end of Corn Feast happened "
    "before the start of Glass Week"
)


def judged(premise: str, claim: str, *steps: str) -> TraceVerdict:
    item = reader(Domain.TEMPORAL).read("item", premise, claim)
    closure = PremiseClosure(item)
    reads = TraceReader(item, SpatialReading.GEOMETRIC, closure.claimed.orders)
    return decide(closure, reads.read(steps))


def test_closure_shows_what_composed_walks_show() -> None:
    draw = random.Random(1)
    for _ in range(300):
        premise, _ = random_trace(draw)
        walks = all_walks(premise.relations, premise.size)
        for p in range(premise.size):
            for q in range(premise.size):
                for sign in ("<", "<=", "="):
                    order = PointOrder(p, sign, q)
                    assert premise.closure.derives(order) == shown(walks, order), order


def test_no_smaller_set_of_sources_derives_a_statement() -> None:
    draw, compared = random.Random(2), 0
    while compared < 120:
        premise, steps = random_trace(draw)
        verdict = decide(premise, steps)
        for place, step in enumerate(verdict.steps):
            for index, statement in enumerate(step.statements):
                if statement.kind is not StatementKind.HOLDS or statement.verdict not in RIGHT:
                    continue
                sources = sources_before(premise, verdict, place, index)
                used = [sources[name] for name in statement.uses]
                size = premise.size
                assert fewest([sum(used, ())], statement.orders, size, 1) is not None
                least = fewest(list(sources.values()), statement.orders, size, len(used))
                assert least == len(used)
                compared += 1


def test_hops_are_those_of_items() -> None:
    draw = random.Random(3)
    for _ in range(100):
        premise, _ = random_trace(draw)
        (verdict,) = ClosureEngine().decide([premise.item])
        assert Steps(premise).proof() == hops(certify(premise.item, verdict))
        assert verdict.status is premise.status
        assert verdict.consistent is premise.consistent


@pytest.mark.parametrize(
    ("steps", "first", "support", "lucky"),
    [
        (["Kite Fair ends before Lamp Walk starts.", "So Kite Fair ends before Stone Play starts.",
          "Answer: True"], -1, Support.SUPPORTED, False),
        (["Kite Fair ends before Stone Play starts.", "True"], -1, Support.LEAPING, False),
        (["Kite Fair ends before Boat Race starts.", "True"], -1, Support.UNSUPPORTED, False),
        (["Lamp Walk ends before Boat Race starts.", "True"], 0, Support.UNSUPPORTED, True),
        (["False"], 0, Support.UNSUPPORTED, False),
        (["Lamp Walk ends before Boat Race starts.", "Wait, that is wrong.", "True"], -1,
         Support.UNSUPPORTED, False),
    ],
)  # fmt: skip
def test_summary_of_a_trace(steps: list[str], first: int, support: Support, lucky: bool) -> None:
    verdict = judged(CHAIN, "Kite Fair happens before Stone Play", *steps)
    assert (verdict.first_error, verdict.support, verdict.lucky) == (first, support, lucky)


@pytest.mark.parametrize(
    ("steps", "support"),
    [
        (
            ["Ivy Ball 0 to 1, Tin Expo 2 to 3", "Ivy Ball 0 to 3, Tin Expo 2 to 4"],
            Support.SUPPORTED,
        ),
        (["Ivy Ball 0 to 1, Tin Expo 2 to 3"], Support.UNSUPPORTED),
        (["Ivy Ball 0 to 3, Tin Expo 2 to 4"], Support.UNSUPPORTED),
        (["It is unclear whether Ivy Ball ends before Tin Expo starts."], Support.SUPPORTED),
        (["Ivy Ball might end before or after Tin Expo starts."], Support.SUPPORTED),
        (["The claim does not follow."], Support.UNSUPPORTED),
    ],
)
def test_support_of_an_open_claim(steps: list[str], support: Support) -> None:
    verdict = judged(OPEN, "Ivy Ball happens before Tin Expo", *steps)
    assert (verdict.first_error, verdict.support) == (-1, support)


def test_a_contradictory_premise_derives_both_directions_and_nothing_about_others() -> None:
    verdict = judged(
        TORN + ". The start of Milk Run happened before the end of Glass Week",
        "Glass Week happens before Corn Feast",
        "Glass Week ends before Corn Feast starts.",
        "Corn Feast ends before Glass Week starts.",
        "Glass Week starts before Milk Run ends.",
        "The premise has no contradiction.",
        "Undefined",
    )
    found = [step.verdict for step in verdict.steps]
    assert found == ["restated", "restated", "open", "contradicts", "follows"]
    assert verdict.support is Support.SUPPORTED
    assert verdict.label is Label.UNDEFINED


def test_a_wrong_statement_carries_what_follows_from_it_alone() -> None:
    verdict = judged(
        OPEN,
        "Ivy Ball happens before Tin Expo",
        "Ivy Ball ends before Tin Expo starts.",
        "So Ivy Ball ends before Tin Expo ends.",
        "Tin Expo ends before Ivy Ball starts.",
    )
    assert [step.verdict for step in verdict.steps] == ["open", "carried", "contradicts"]


def test_worst_verdict_is_that_of_the_step() -> None:
    assert worst([]) is StepVerdict.NONE
    assert worst([StepVerdict.RESTATED, StepVerdict.FOLLOWS]) is StepVerdict.FOLLOWS
    assert worst([StepVerdict.UNREAD, StepVerdict.CARRIED]) is StepVerdict.CARRIED
    assert worst([StepVerdict.OPEN, StepVerdict.CONTRADICTS]) is StepVerdict.CONTRADICTS
