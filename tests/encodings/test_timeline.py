"""The search encodings: number of timelines, claims on them, feasible relations."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from grammar.errors import ExitStatus, HopcheckError
from grammar.eventhop.model import (
    AllenRelation,
    Bound,
    Claim,
    ClaimRelation,
    Item,
    Order,
    Point,
    Relation,
)
from solver.asp import Program, Reasoning
from solver.encodings import Atom, Term, encoding
from solver.eventhop.engines.timelines import (
    MOST_EVENTS,
    TooLargeError,
    cyclic_constraints,
    feasible_relations,
    relaxed_facts,
)

TIMELINE = Program(encodings=("temporal/timeline.lp",))
CYCLIC = Program(encodings=("temporal/cyclic_constraints.lp",))
SEARCH = Program(encodings=("temporal/search.lp",))
ENTRIES = ["cyclic_constraints.lp", "timeline.lp", "feasible.lp", "search.lp", "weak_order.lp"]


def text(term: Term) -> str:
    if isinstance(term, tuple):
        return f"{term[0]}({','.join(map(text, term[1]))})"
    return str(term)


def texts(atoms: list[Atom] | None) -> set[str]:
    assert atoms is not None
    return {f"{atom.name}({','.join(map(text, atom.arguments))})" for atom in atoms}


@pytest.mark.parametrize("name", ENTRIES)
def test_encodings_run_alone_without_warnings(name: str, python: Callable[..., Any]) -> None:
    done = python("-m", "clingo", "--warn=all", "--verbose=0", encoding(f"temporal/{name}"))
    assert (done.stdout.split(), done.stderr) == (["SATISFIABLE"], "")


# Orders of n intervals: 1, 13 (Allen's relations), 409, as in OEIS A055203.
@pytest.mark.parametrize(("events", "lines"), [(1, 1), (2, 13), (3, 409)])
def test_number_of_lines(events: int, lines: int) -> None:
    found = [texts(atoms) for atoms in TIMELINE.models(f"event(0,1..{events}).")]
    assert len(found) == lines
    assert len({frozenset(atoms) for atoms in found}) == lines


def test_each_line_of_two_events_has_one_allen_relation() -> None:
    models = TIMELINE.models("event(0,0..1). query(0,0,1).")
    related = [
        [str(atom.arguments[3]) for atom in atoms if atom.name == "related"] for atoms in models
    ]
    assert sorted(related) == sorted([relation.value] for relation in AllenRelation)


LINES = [
    ("event(0,0).", {"earlier(0,at(0,start),at(0,end))"}),
    (
        "event(0,0..1). relation(0,0,at(0,end),simultaneous,at(1,start)). query(0,0,1).",
        {
            "earlier(0,at(0,start),at(0,end))",
            "earlier(0,at(1,start),at(1,end))",
            "same(0,at(0,end),at(1,start))",
            "earlier(0,at(0,start),at(1,start))",
            "earlier(0,at(0,start),at(1,end))",
            "earlier(0,at(0,end),at(1,end))",
            "related(0,0,1,meets)",
        },
    ),
    # A relaxed duration may be zero: the event becomes an instant without Allen relations.
    (
        "event(0,0). relation(0,0,at(0,end),simultaneous,at(0,start))."
        " relaxed(0,lasts(0)). query(0,0,0).",
        {"same(0,at(0,end),at(0,start))"},
    ),
]


@pytest.mark.parametrize(("facts", "atoms"), LINES)
def test_premises_with_one_line(facts: str, atoms: set[str]) -> None:
    assert [texts(found) for found in TIMELINE.models(facts)] == [atoms]


NO_LINES = [
    "event(0,0). relation(0,0,at(0,end),before,at(0,start)).",
    "event(0,0). relation(0,0,at(0,start),after,at(0,end)).",
    "event(0,0). relation(0,0,at(0,start),simultaneous,at(0,end)).",
    "event(0,0). relation(0,0,at(0,start),before,at(0,start)).",
    # A relaxed constraint may not be reversed.
    "event(0,0). relation(0,0,at(0,end),before,at(0,start)). relaxed(0,0).",
    # Relaxation applies to the constraint of one item only.
    "event(0..1,0). relation(0,0,at(0,end),before,at(0,start)). relaxed(1,(0;lasts(0))).",
]


@pytest.mark.parametrize("facts", NO_LINES)
def test_premises_without_a_line(facts: str) -> None:
    assert list(TIMELINE.models(facts)) == []


TEARS = [
    ("event(0,0).", set()),
    ("event(0,0). relation(0,0,at(0,start),before,at(0,end)).", set()),
    (
        "event(0,0). relation(0,0,at(0,end),before,at(0,start)).",
        {"collapsed(0,0)", "collapsed(0,lasts(0))"},
    ),
    (
        "event(0,0..1). relation(0,0,at(0,start),simultaneous,at(1,start))."
        " relation(0,1,at(0,start),before,at(1,start)).",
        {"collapsed(0,1)"},
    ),
    (
        "event(0,0..1). relation(0,0,at(0,start),before,at(1,start))."
        " relation(0,1,at(0,start),after,at(1,start)). relation(0,2,at(0,end),before,at(1,start)).",
        {"collapsed(0,0)", "collapsed(0,1)", "collapsed(0,2)", "collapsed(0,lasts(0))"},
    ),
]


@pytest.mark.parametrize(("facts", "collapsed"), TEARS)
def test_constraints_on_cycles(facts: str, collapsed: set[str]) -> None:
    assert texts(CYCLIC.consequences(facts, Reasoning.CAUTIOUS)) == collapsed


# Facts of a premise and a claim; whether the claim can be and must be true, or is contradictory.
CLAIMS = [
    ("claim(0,before,0,1).", "can"),
    ("relation(0,0,at(0,end),simultaneous,at(1,start)). claim(0,before,0,1).", "must"),
    ("relation(0,0,at(0,end),simultaneous,at(1,start)). claim(0,overlaps,0,1).", "cannot"),
    ("relation(0,0,at(0,end),simultaneous,at(1,start)). claim(0,after,1,0).", "must"),
    ("relation(0,0,at(0,end),after,at(1,end)). claim(0,after,0,1).", "can"),
    ("relation(0,0,at(0,start),before,at(1,end)). claim(0,overlaps,0,1).", "can"),
    ("relation(0,0,at(0,end),after,at(1,end)). claim(0,allen(contains),0,1).", "can"),
    ("relation(0,0,at(0,end),after,at(1,end)). claim(0,allen(during),0,1).", "cannot"),
    ("claim(0,before,at(0,start),at(0,end)).", "must"),
    ("claim(0,simultaneous,at(0,start),at(0,start)).", "must"),
    ("claim(0,after,at(0,start),at(0,start)).", "cannot"),
    ("claim(0,overlaps,0,0).", "must"),
    (
        "relation(0,0,at(0,end),before,at(0,start)). relaxed(0,(0;lasts(0))). claim(0,before,0,1).",
        "contradictory",
    ),
    (
        "relation(0,0,at(0,end),before,at(0,end)). relaxed(0,0). claim(0,before,0,1).",
        "can",
    ),
    (
        "relation(0,0,at(0,end),before,at(0,end)). relaxed(0,0). claim(0,before,0,0).",
        "contradictory",
    ),
]


@pytest.mark.parametrize(("facts", "answer"), CLAIMS)
def test_claims_on_lines(facts: str, answer: str) -> None:
    given = "event(0,0..1). " + facts
    possible = texts(SEARCH.consequences(given, Reasoning.BRAVE))
    necessary = texts(SEARCH.consequences(given, Reasoning.CAUTIOUS))
    if answer == "contradictory":
        assert "collapsed_claim(0)" in necessary
    else:
        assert "collapsed_claim(0)" not in necessary
        found = ("true(0)" in possible, "true(0)" in necessary)
        assert (
            found == {"can": (True, False), "must": (True, True), "cannot": (False, False)}[answer]
        )


def point(name: str) -> Point:
    return Point(event=name[:-1], bound=Bound.END if name[-1] == "+" else Bound.START)


def item(premise: str) -> Item:
    orders = {"<": Order.BEFORE, ">": Order.AFTER, "=": Order.SIMULTANEOUS}
    sentences = [sentence.split() for sentence in premise.split(", ")] if premise else []
    return Item(
        id="made",
        premise=tuple(
            Relation(left=point(p), order=orders[o], right=point(q)) for p, o, q in sentences
        ),
        claim=Claim(left="A", relation=ClaimRelation.BEFORE, right="C"),
    )


ANY = set(AllenRelation)
# Compositions from Allen (1983, figure 4), and other cases.
FEASIBLE = [
    ("", ANY),
    ("A+ = B-, B+ = C-", {"precedes"}),
    ("A+ < B-, B- < C-, C- < B+, B+ < C+", {"precedes"}),
    ("A- < B-, B- < A+, A+ < B+, B- < C-, C- < B+, B+ < C+", {"precedes", "meets", "overlaps"}),
    ("A- < B-, B- < A+, A+ < B+, B- > C-, B+ < C+", {"overlaps", "starts", "during"}),
    ("A- > B-, A+ < B+, B- > C-, B+ < C+", {"during"}),
    ("A- = B-, A+ < B+, B- = C-, B+ > C+", {"starts", "equals", "started_by"}),
    ("A- > B-, A+ = B+, B+ = C-", {"meets"}),
    ("A+ = B-, B- = C+", {"finishes", "equals", "finished_by"}),
    ("A- > B-, A+ < B+, B- < C-, B+ > C+", ANY),
    ("A+ < B-, C+ < B-", ANY),
    # Inconsistent elsewhere: the other constraints still apply.
    ("D+ < D-, A+ = C-", {"meets"}),
    # A starts on a cycle and so coincides with the start of D, but A still has a duration.
    ("A- < D-, D- < A-, D- = C-", {"starts", "equals", "started_by"}),
    # An event whose duration is on a cycle has no relation.
    ("A+ < A-", set()),
]


@pytest.mark.parametrize(("premise", "expected"), FEASIBLE)
def test_feasible_relations(premise: str, expected: set[str]) -> None:
    assert feasible_relations(item(premise), "A", "C") == set(map(AllenRelation, expected))


def test_feasible_relations_of_swapped_events_are_the_converses() -> None:
    names = [relation.value for relation in AllenRelation]
    converse = dict(zip(names, reversed(names), strict=True))
    assert converse["overlaps"] == "overlapped_by"
    assert converse["finishes"] == "finished_by"
    for premise, expected in FEASIBLE:
        back = feasible_relations(item(premise), "C", "A")
        assert back == {AllenRelation(converse[str(relation)]) for relation in expected}, premise


def test_feasible_relations_reject_unknown_events() -> None:
    with pytest.raises(HopcheckError, match="made: the item does not mention the event 'Z'"):
        feasible_relations(item("A+ < C-"), "A", "Z")


def test_items_of_a_batch_are_independent() -> None:
    premises = ["A+ < A-", "A+ < C-", "A- = C-, A- < C-", ""]
    batch = [item(premise) for premise in premises]
    alone = [cyclic_constraints([batch_item])[0] for batch_item in batch]
    assert cyclic_constraints(batch) == alone
    assert alone[1] == alone[3] == []
    given = relaxed_facts(batch, alone)
    assert {"relaxed(0,0).", "relaxed(0,lasts(0)).", "relaxed(2,1)."} <= set(given.split("\n"))


def chain(events: int) -> Item:
    points = [point(f"E{n}{bound}") for n in range(events - 2) for bound in "-+"]
    premise = [Relation(left=p, order=Order.BEFORE, right=q) for p, q in pairwise(points)]
    made = item("")
    return Item(id="chain", premise=tuple(premise), claim=made.claim)


def test_large_items_are_rejected() -> None:
    assert cyclic_constraints([chain(MOST_EVENTS)]) == [[]]
    with pytest.raises(
        TooLargeError, match=f"chain: the item has {MOST_EVENTS + 1} events"
    ) as caught:
        cyclic_constraints([chain(MOST_EVENTS + 1)])
    assert caught.value.exit_status is ExitStatus.UNREADABLE
    assert "smt" in caught.value.hint


def test_grounding_grows_with_the_cube_of_the_points(python: Callable[..., Any]) -> None:
    def rules(events: int) -> int:
        command = ("-m", "clingo", "--mode=gringo", "--text", "-", encoding("temporal/timeline.lp"))
        done = python(*command, input=f"event(0,1..{events}).", check=True)
        return len(done.stdout.splitlines())

    few, many = rules(4), rules(8)
    assert 4 < many / few < 8.5
    assert many < 2 * (2 * 8) ** 3
