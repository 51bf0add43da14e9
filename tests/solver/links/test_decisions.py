"""Both engines and the certificates, compared with a brute force over all timelines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, product
from typing import Any

import pytest

from grammar.links.model import (
    Document,
    During,
    Interpretation,
    Link,
    Node,
    Reading,
    RelationType,
)
from solver.links import encode
from solver.links.check import RejectedError, check_row
from solver.links.engine import Decision, Network
from solver.links.io import certified
from solver.links.repair import RepairSettings, repair
from solver.links.verify import decide

DocumentMaker = Callable[[str], Document]
LENIENT, ALLEN = Interpretation(), Interpretation(reading=Reading.ALLEN)


def test_engines_agree_with_all_timelines(
    random_documents: Callable[..., list[Document]],
    world: Any,
    interpretations: list[Interpretation],
) -> None:
    inconsistent = 0
    for number, interpretation in enumerate(interpretations):
        documents = random_documents(number, 250, nodes=3, links=5)
        decisions = decide(documents, interpretation)
        for document, decision in zip(documents, decisions, strict=True):
            assert decision.consistent is bool(world(document, interpretation).models())
            inconsistent += not decision.consistent
            if decision.consistent:
                instants = {n for ends in decision.timeline.values() for n in ends}
                assert instants == set(range(len(instants)))
    assert 100 < inconsistent < 900


@pytest.mark.parametrize("reading", Reading)
def test_every_pair_of_relations(reading: Reading, world: Any) -> None:
    """Two links between three nodes, in every relation."""
    nodes = {name: Node(id=name) for name in "abc"}
    documents = [
        Document(
            name=f"{relation} {other}",
            nodes=nodes,
            links=(
                Link(id="0", left="a", right="b", relation=relation),
                Link(id="1", left=ends[0], right=ends[1], relation=other),
            ),
        )
        for relation, other in product(RelationType, repeat=2)
        for ends in ("ab", "ba", "bc")
    ]
    interpretation = Interpretation(reading=reading)
    found = [decision.consistent for decision in decide(documents, interpretation)]
    assert found == [bool(world(document, interpretation).models()) for document in documents]
    assert found.count(False) > 100


def test_the_fewest_instants(document_of: DocumentMaker) -> None:
    document = document_of("a INCLUDES b, b BEFORE c, a INCLUDES c")
    decision = Network(document, ALLEN).decide()
    assert decision.timeline == {"a": (0, 5), "b": (1, 2), "c": (3, 4)}
    decision = Network(document, LENIENT).decide()
    assert decision.timeline == {"a": (0, 2), "b": (0, 1), "c": (1, 2)}


@pytest.mark.parametrize("relation", list(RelationType))
def test_a_link_of_an_event_to_itself(
    document_of: DocumentMaker, relation: RelationType, interpretations: list[Interpretation]
) -> None:
    """No interval precedes, starts or ends itself; only under allen none includes itself."""
    strict = {"BEFORE", "AFTER", "IBEFORE", "IAFTER", "BEGINS", "BEGUN_BY", "ENDS", "ENDED_BY"}
    strict |= {"STARTS_BEFORE", "STARTS_AFTER"}
    inside = {"INCLUDES", "IS_INCLUDED"}
    document = document_of(f"b BEFORE c, a {relation} a")
    for interpretation in interpretations:
        during = {"DURING", "DURING_INV"} if interpretation.during is During.INCLUDED else set()
        allen = inside | during if interpretation.reading is Reading.ALLEN else set()
        (decision,) = decide([document], interpretation)
        assert decision.consistent is (relation not in strict | allen)
        assert decision.links == (() if decision.consistent else (1,))
        check_row(certified(document, interpretation, decision))
        if not decision.consistent:
            found = repair(document, RepairSettings(interpretation=interpretation))
            assert (found.removed, found.cost) == ((1,), 1)


def test_a_cycle_is_minimal(document_of: DocumentMaker) -> None:
    text = "a BEFORE b, b BEFORE c, c BEFORE d, d BEFORE a, a BEFORE c, c SIMULTANEOUS a"
    decision = Network(document_of(text), LENIENT).decide()
    assert decision.links == (4, 5)


def test_all_minimal_cores(random_documents: Callable[..., list[Document]], world: Any) -> None:
    seen = 0
    for document in random_documents(7, 150, nodes=3, links=6):
        brute = world(document, LENIENT)
        wrong = [
            set(chosen)
            for size in range(1, len(document.links) + 1)
            for chosen in combinations(range(len(document.links)), size)
            if not brute.models([document.links[n] for n in chosen])
        ]
        minimal = sorted(
            tuple(sorted(numbers)) for numbers in wrong if not any(o < numbers for o in wrong)
        )
        assert sorted(Network(document, LENIENT).cores(1000)) == minimal
        seen += len(minimal) > 1
    assert seen > 20


def test_a_limited_number_of_cores(document_of: DocumentMaker) -> None:
    text = "a BEFORE b, b BEFORE a, c BEFORE d, d BEFORE c, e BEFORE f, f BEFORE e"
    network = Network(document_of(text), LENIENT)
    assert len(list(network.cores(2))) == 2
    assert sorted(network.cores(100)) == [(0, 1), (2, 3), (4, 5)]


def test_the_calendar() -> None:
    nodes = {
        "t1": Node(id="t1", is_time=True, value="1998-02-27"),
        "t2": Node(id="t2", is_time=True, value="1998-02"),
        "t3": Node(id="t3", is_time=True, value="P3M"),
        "e1": Node(id="e1"),
    }
    links = (
        Link(id="0", left="t2", right="e1", relation=RelationType.BEFORE),
        Link(id="1", left="e1", right="t1", relation=RelationType.IS_INCLUDED),
    )
    document = Document(name="d", nodes=nodes, links=links)
    dated = Interpretation(reading=Reading.ALLEN, dates=True)
    assert decide([document], ALLEN)[0].consistent
    (found,) = decide([document], dated)
    assert found.links == (0, 1)
    (kept,) = decide([replace(document, links=links[1:])], dated)
    assert kept.consistent
    with pytest.raises(RejectedError, match="nothing leads"):
        check_row(certified(document, ALLEN, found))


def test_wrong_certificates_are_rejected(document_of: DocumentMaker) -> None:
    """By the checker and by the encoding alike."""
    document = document_of("a BEFORE b, b BEFORE c, c BEFORE a")
    (decision,) = decide([document], LENIENT)
    cycle = decision.cycle
    for wrong in (
        cycle[1:],
        cycle[::-1],
        (),
        tuple(step for step in cycle if step.relation is not None),
        tuple(replace(step, relation=None) for step in cycle),
    ):
        with pytest.raises(RejectedError):
            check_row(certified(document, LENIENT, replace(decision, cycle=wrong)))
        assert encode.refuted([document], [replace(decision, cycle=wrong)], LENIENT) in (
            ({0},)
            if [(s.source, s.target) for s in wrong] != [(s.source, s.target) for s in cycle]
            else (set(),)
        )
    straight = document_of("a BEFORE b, b BEFORE c")
    (decision,) = decide([straight], LENIENT)
    for changed in ({"a": (0, 9)}, {"b": (1, 1)}, {"c": (-5, -4)}):
        timeline = {**decision.timeline, **changed}
        wrong_one = Decision(consistent=True, timeline=timeline, cycle=())
        with pytest.raises(RejectedError):
            check_row(certified(straight, LENIENT, wrong_one))
        assert encode.refuted([straight], [wrong_one], LENIENT) == {0}
