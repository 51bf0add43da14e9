"""Verbalised certificates."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from grammar.eventhop.model import Bound, Item, Order, Point, Relation
from solver.eventhop.certificates.evidence import Timelines
from solver.eventhop.certificates.expand import evidence
from solver.eventhop.certificates.make import certify
from solver.eventhop.crosscheck import engine
from solver.eventhop.engines import EngineName
from solver.eventhop.messages import (
    APART,
    SHOWN_EVENTS,
    claim_in_words,
    hops_in_words,
    in_words,
    sentences_in_words,
)
from solver.io.sources import counted

ItemMaker = Callable[[str, str], Item]


def words(item: Item) -> list[str]:
    verdict = engine(EngineName.GRAPH).decide([item])[0]
    return in_words(item, verdict, evidence(item, verdict, certify(item, verdict)))


@pytest.mark.parametrize(
    ("premise", "claim", "expected"),
    [
        (
            "B- > C+, A+ = C-",
            "A before B",
            [
                "1. end of A simultaneous with start of C (sentence 2)",
                "2. start of C before end of C (each event lasts)",
                "3. end of C before start of B (sentence 1)",
                "So end of A before start of B.",
                "Hence “A before B” holds.",
                f"{APART}: A 0 to 1, B 3 to 4, C 1 to 2.",
            ],
        ),
        (
            "A+ < B-",
            "A overlaps B",
            [
                "1. end of A before start of B (sentence 1)",
                "Hence “A overlaps B” cannot hold.",
                f"{APART}: A 0 to 1, B 2 to 3.",
            ],
        ),
        (
            "A+ < A-",
            "A before B",
            [
                "1. start of A before end of A (each event lasts)",
                "But also:",
                "2. end of A before start of A (sentence 1)",
                "No timeline has both.",
                "The conflict is among sentence 1 alone; dropping any one ends it.",
            ],
        ),
        (
            "A- < B-",
            "A before B",
            [
                "Two timelines fit the premise:",
                "In the first the claim holds: A 0 to 1, B 1 to 2.",
                "In the second it does not: A 0 to 2, B 1 to 2.",
            ],
        ),
    ],
    ids=["entailed", "refuted", "contradictory", "unknown"],
)
def test_each_status_is_explained(
    item_of: ItemMaker, premise: str, claim: str, expected: list[str]
) -> None:
    assert words(item_of(premise, claim)) == expected


def test_an_open_item_of_an_inconsistent_premise_has_a_remark(item_of: ItemMaker) -> None:
    lines = words(item_of("C- < D-, D- < C-", "A before B"))
    assert lines[0] == "Two timelines fit the premise apart from its contradiction:"
    assert lines[-3:] == [
        "The premise contradicts itself elsewhere; on the timeline, that is one instant:",
        "1. start of C before start of D (sentence 1)",
        "2. start of D before start of C (sentence 2)",
    ]


def test_a_closed_walk_needs_no_way_back(item_of: ItemMaker) -> None:
    lines = words(item_of("A+ < A-", "A+ < A+"))
    assert "But also:" not in lines
    assert lines[-1] == "No timeline puts a point before itself."


def test_a_timeline_of_many_events_is_cut(item_of: ItemMaker) -> None:
    premise = ", ".join(f"X{number}- < B-" for number in range(20))
    item = item_of(premise, "A before B")
    assert words(item)[1].endswith(f"and {22 - SHOWN_EVENTS} more events.")


def test_a_timeline_may_lack_a_point(item_of: ItemMaker) -> None:
    item = item_of("", "A before B")
    verdict = engine(EngineName.GRAPH).decide([item])[0]
    instant = {Point(event="A", bound=Bound.END): 4}
    lines = in_words(item, verdict, Timelines(holds=instant, fails=instant))
    assert lines[1] == "In the first the claim holds: A at 4, B."


def test_phrases() -> None:
    assert counted(1, "item") == "1 item"
    assert counted(2400, "item") == "2,400 items"
    assert (hops_in_words(None), hops_in_words(1), hops_in_words(0)) == ("", "1 hop", "0 hops")
    assert sentences_in_words((0, 3, 4)) == "sentences 1, 4 and 5"


def test_claims_are_formatted(item_of: ItemMaker) -> None:
    assert claim_in_words(item_of("", "A allen_finished_by B").claim) == "A finished by B"
    point = Point(event="A", bound=Bound.START)
    claim = Relation(left=point, order=Order.AFTER, right=point)
    assert claim_in_words(claim) == "start of A after start of A"
