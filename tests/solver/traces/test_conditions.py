"""Each condition of the checker is asked for: a forged part breaks it, and its reason is given."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from solver.eventhop import check as items
from solver.traces import check

A, A_END, B, B_END = "start of A", "end of A", "start of B", "end of B"
PLACES = {A: ("A", 0), A_END: ("A", 1), B: ("B", 0), B_END: ("B", 1)}


def premise(*relations: tuple[str, str, str]) -> check.Moves:
    """The steps of a premise whose first event is A; the claim is that A is before B."""
    stated = [items.Sentence(PLACES[p], sign, PLACES[q]) for p, sign, q in relations]
    return check.Moves(items.Item(items.Texts(stated, ("A", "before", "B"))))


OPEN = premise()
CHAIN = premise((A_END, "<", B))
EQUAL = premise((A, "=", B))
TORN = premise((A_END, "<", B), (B_END, "<", A))
FIRST, LATER = [(1, "<", 2)], [(0, "<", 2)]
"""The order that ``CHAIN`` states, and one that follows."""
SAME = [(0, "=", 2)]


def walk(begin: object, *steps: object) -> dict[str, Any]:
    return {"from": begin, "steps": list(steps)}


def line(*instants: object) -> list[list[object]]:
    """A timeline of both events."""
    return [[point, at] for point, at in zip(PLACES, instants, strict=True)]


def order(number: object, **parts: object) -> dict[str, Any]:
    return {"order": number, **parts}


PARTS: list[tuple[Callable[..., object], tuple[Any, ...], str | None]] = [
    (check.walk, (CHAIN, walk(A, None, 0)), None),
    (check.walk, (CHAIN, None), "a walk has the fields from and steps"),
    (check.walk, (CHAIN, {"from": A}), "a walk has the fields from and steps"),
    (check.walk, (CHAIN, {"from": A, "steps": ()}), "the steps of a walk are an array"),
    (check.walk, (CHAIN, walk(A_END, None)), "a duration leads from the start of an event"),
    (check.walk, (CHAIN, walk(A_END, 1)), "no such step: 1"),
    (check.walk, (CHAIN, walk(A_END, False)), "no such step: False"),
    (check.walk, (CHAIN, walk(A, 0)), "the step 0 does not go on here"),
    (check.walk, (CHAIN, walk("start of C")), "'start of C' is no point of the item"),
    (check.model, (CHAIN, line(0, 1, 2, 3)), None),
    (check.model, (CHAIN, ()), "a timeline is an array"),
    (check.model, (CHAIN, [*line(0, 1, 2, 3)[:3], (B_END, 3)]), "a timeline has pairs"),
    (check.model, (CHAIN, [*line(0, 1, 2, 3)[:3], [B_END]]), "a timeline has pairs"),
    (check.model, (CHAIN, line(0, 1, 2, 3.0)), "an instant is no whole number"),
    (check.model, (CHAIN, line(0, 1, 2, True)), "an instant is no whole number"),
    (check.model, (CHAIN, line(0, 1, 2, 3)[:3]), "each point has one instant"),
    (check.model, (CHAIN, [*line(0, 1, 2, 3), [A, 0]]), "each point has one instant"),
    (check.model, (CHAIN, line(0, 1, 1, 2)), "the timeline is no model"),
    (check.model, (CHAIN, line(0, 0, 1, 2)), "the timeline is no model"),
    (check.model, (EQUAL, line(0, 1, 1, 2)), "the timeline is no model"),
    (check.monotone, (CHAIN, line(0, 0, 0, 0)), None),
    (check.monotone, (CHAIN, line(0, 2, 1, 3)), "the timeline is not monotone"),
    (check.derivation, (CHAIN, LATER, [walk(A, None, 0)]), None),
    (check.derivation, (EQUAL, SAME, [walk(A, 0), walk(B, 0)]), None),
    (check.derivation, (CHAIN, LATER, []), "each order needs its walks"),
    (check.derivation, (CHAIN, LATER, None), "each order needs its walks"),
    (check.derivation, (CHAIN, LATER, [walk(A, None)]), "a walk does not derive its order"),
    (check.derivation, (EQUAL, LATER, [walk(A, 0)]), "a walk does not derive its order"),
    (check.derivation, (TORN, SAME, [walk(A, None, 0), walk(B, None, 1)]),
     "a walk does not derive its order"),
    (check.underivable, (OPEN, LATER, order(0, timeline=line(0, 1, 0, 1))), None),
    (check.underivable, (OPEN, SAME, order(0, timeline=line(0, 1, 1, 2))), None),
    (check.underivable, (EQUAL, [(1, "=", 3)], order(0, closed=[A_END])), None),
    (check.underivable, (OPEN, LATER, None), "an order that cannot be derived is named"),
    (check.underivable, (OPEN, LATER, order("0")), "an order that cannot be derived is named"),
    (check.underivable, (OPEN, LATER, order(1)), "no such order"),
    (check.underivable, (OPEN, LATER, order(-1)), "no such order"),
    (check.underivable, (OPEN, LATER, order(0, closed=[A])), "only equations have closed sets"),
    (check.underivable, (OPEN, SAME, order(0, closed="")), "only equations have closed sets"),
    (check.underivable, (EQUAL, SAME, order(0, closed=[A])), "the set is not closed"),
    (check.underivable, (EQUAL, SAME, order(0, closed=[A, B])),
     "the set does not separate the points"),
    (check.underivable, (EQUAL, SAME, order(0, closed=[])), "the set does not separate the points"),
    (check.underivable, (CHAIN, LATER, order(0, timeline=line(0, 1, 2, 3))),
     "the timeline is no counterexample"),
    (check.underivable, (CHAIN, LATER, order(0, timeline=line(0, 0, 0, 0))),
     "the timeline is no counterexample"),
    (check.denied, (CHAIN, [(2, "<=", 1)], order(0, walk=walk(A_END, 0)), True), None),
    (check.denied, (CHAIN, SAME, {"cycle": walk(A, None, 0, "order 0")}, True), None),
    (check.denied, (CHAIN, SAME, None, True), "what denies the orders is missing"),
    (check.denied, (TORN, SAME, {"cycle": walk(A, None, 0, "order 0")}, False),
     "a contradictory premise denies an order by its opposite alone"),
    (check.denied, (CHAIN, LATER, {"cycle": walk(A, None, 0)}, True),
     "the walk is no contradiction"),
    (check.denied, (EQUAL, SAME, {"cycle": walk(A, 0, "order 0")}, True),
     "the walk is no contradiction"),
    (check.denied, (CHAIN, LATER, order(1, walk=walk(A)), True), "no such order"),
    (check.denied, (CHAIN, LATER, order(-1, walk=walk(A)), True), "no such order"),
    (check.denied, (CHAIN, LATER, order(None, walk=walk(A)), True), "no such order"),
    (check.denied, (CHAIN, LATER, order(0, walk=walk(A, None, 0)), True),
     "the walk does not derive the opposite of the order"),
    (check.undenied, (OPEN, SAME, {"model": line(0, 1, 0, 1)}, True), None),
    (check.undenied, (CHAIN, [(2, "<=", 1)], {"timelines": [line(0, 0, 0, 0)]}, False),
     "an opposite may be derivable"),
    (check.undenied, (TORN, [(3, "=", 2)], {"timelines": [line(0, 0, 0, 0)]}, False),
     "an opposite may be derivable"),
    (check.undenied, (OPEN, LATER, {"timelines": [line(0, 1, 2, 3)]}, False), None),
    (check.undenied, (OPEN, SAME, None, True), "what allows the orders is missing"),
    (check.undenied, (OPEN, SAME, {"model": line(0, 1, 2, 3)}, True), "the timeline is no model"),
    (check.undenied, (OPEN, SAME, {"timelines": None}, False), "timelines are missing"),
]  # fmt: skip


@pytest.mark.parametrize(("checked", "given", "reason"), PARTS)
def test_a_part_of_a_certificate(
    checked: Callable[..., object], given: tuple[Any, ...], reason: str | None
) -> None:
    if reason is None:
        checked(*given)
        return
    with pytest.raises(check.RejectedError, match=f"^{re.escape(reason)}$"):
        checked(*given)


VERDICT = {"status": "entailed", "consistent": True, "label": "true", "hops": 1}


def holds(orders: object, verdict: object, **certificate: object) -> dict[str, Any]:
    return {"kind": "holds", "orders": orders, "verdict": verdict, "certificate": certificate}


def other(kind: str, verdict: object, **row: object) -> dict[str, Any]:
    return {"kind": kind, "verdict": verdict, **row}


def timeline(verdict: str, instants: object, **certificate: object) -> dict[str, Any]:
    return other("timeline", verdict, instants=instants, certificate=certificate)


LATE, BACK = [[A, "<", B]], [[B, "<", A]]
WALKS, DENIED = [walk(A, None, 0)], order(0, walk=walk(A, None, 0))
UNDERIVABLE = order(0, timeline=line(0, 1, 2, 3))
STATEMENTS: list[tuple[dict[str, Any], str | None]] = [
    (holds(LATE, "follows", walks=WALKS), None),
    (holds([[A_END, "<", B]], "restated"), None),
    (holds(BACK, "contradicts", denied=DENIED, underivable=UNDERIVABLE), None),
    (holds([[A_END, "=", B_END]], "contradicts", denied={"cycle": walk(A_END, 0, None, "order 0")},
           underivable=order(0, timeline=line(0, 1, 2, 3))), None),
    (other("odd", "none"), "the kind is unknown"),
    (other("answer", "follows", label="maybe"), "the label is unknown"),
    (other("answer", "follows", label="true"), None),
    (other("answer", "contradicts", label="true"), "the label is another"),
    (other("answer", "follows", label="false"), "the label is another"),
    (other("unread", "follows"), "the verdict is unread"),
    (other("unread", "withdrawn"), "the verdict is unread"),
    (other("assumed", "follows"), "an assumption has no verdict"),
    (other("withdraws", "contradicts"), "an assumption has no verdict"),
    (other("answer", "follows", label="true", certificate=[]), "a certificate is an object"),
    (other("possible", "open", orders=LATE), "the verdict is unknown"),
    (other("possible", None, orders=LATE), "the verdict is unknown"),
    (holds(None, "follows", walks=WALKS), "orders are an array"),
    (holds([[A, "<"]], "follows", walks=WALKS), "an order is a triple"),
    (holds([(A, "<", B)], "follows", walks=WALKS), "an order is a triple"),
    (holds([[B, ">", A]], "follows", walks=WALKS), "an order is a triple"),
    (holds([], "restated"), "what holds is missing"),
    (holds(LATE, "restated"), "an order is new, or was stated before"),
    (holds([[A_END, "<", B]], "follows", walks=[walk(A_END, 0)]),
     "an order is new, or was stated before"),
    (holds(LATE, "odd"), "the verdict is unknown"),
    (holds(LATE, "none"), "the verdict is unknown"),
    (holds(BACK, "contradicts", denied=order(0, walk=walk(A, None)), underivable=UNDERIVABLE),
     "the walk does not derive the opposite of the order"),
    (holds(BACK, "contradicts", denied=DENIED, underivable=order(0, timeline=line(1, 2, 0, 1))),
     "the timeline is not monotone"),
    (other("possible", "contradicts", orders=BACK, certificate={"denied": DENIED}), None),
    (other("possible", "follows", orders=LATE,
           certificate={"undenied": {"model": line(0, 1, 2, 3)}}), None),
    (other("possible", "follows", orders=BACK,
           certificate={"undenied": {"model": line(0, 1, 2, 3)}}), "the timeline is no model"),
    (other("does-not-hold", "follows", orders=BACK, certificate={"denied": DENIED}), None),
    (other("does-not-hold", "contradicts", orders=BACK, certificate={"denied": DENIED}),
     "what allows the orders is missing"),
    (other("not-derivable", "contradicts", orders=LATE, certificate={"walks": WALKS}), None),
    (other("not-derivable", "follows", orders=BACK,
           certificate={"underivable": UNDERIVABLE}), None),
    (other("left-open", "follows", orders=BACK, certificate={"underivable": UNDERIVABLE}),
     "what allows the orders is missing"),
    (other("left-open", "contradicts", orders=BACK, certificate={"denied": DENIED}), None),
    (other("left-open", "contradicts", orders=LATE, certificate={"walks": WALKS}), None),
    (other("premise-consistent", "follows"), None),
    (other("premise-consistent", "contradicts"), "the verdict is another"),
    (other("premise-contradictory", "follows"), "the verdict is another"),
    (other("claim-contradictory", "contradicts"), None),
    (other("claim-contradictory", "follows"), "the verdict is another"),
    (timeline("follows", {A: 0, B: 1.5}, model=line(0, 1, 2, 3)), None),
    (timeline("follows", [], model=line(0, 1, 2, 3)), "a timeline has instants"),
    (timeline("follows", {A: "0", B: 1}, model=line(0, 1, 2, 3)), "an instant is no number"),
    (timeline("follows", {A: 0, B: float("nan")}, model=line(0, 1, 2, 3)),
     "an instant is no number"),
    (timeline("follows", {A: 2, B: 1}, model=line(0, 1, 2, 3)),
     "the model has the points in another order"),
    (timeline("follows", {A: 1, B: 1}, model=line(0, 1, 2, 3)),
     "the model has the points in another order"),
    (timeline("contradicts", {A: 2, B: 1}, walk=walk(A, None, 0)), None),
    (timeline("contradicts", {A: 2, A_END: 1}, walk=walk(A, None, 0)),
     "the walk is about other points"),
    (timeline("contradicts", {B: 2, A_END: 1}, walk=walk(A, None, 0)),
     "the walk is about other points"),
    (timeline("contradicts", {A: 1, B: 2}, walk=walk(A, None, 0)),
     "the timeline keeps to the walk"),
]  # fmt: skip


def trace(moves: check.Moves = CHAIN, **verdict: object) -> check.Trace:
    return check.Trace(moves.item, {**VERDICT, **verdict})


@pytest.mark.parametrize(("statement", "reason"), STATEMENTS)
def test_a_statement(statement: dict[str, Any], reason: str | None) -> None:
    if reason is None:
        assert trace().statement("0.0", statement) == statement["verdict"]
        return
    with pytest.raises(check.RejectedError, match=f"^{re.escape(reason)}$"):
        trace().statement("0.0", statement)


def test_a_timeline_keeps_to_a_walk_that_is_not_strict() -> None:
    found = trace(EQUAL)
    right = timeline("contradicts", {A: 2, B: 1}, walk=walk(A, 0))
    assert found.statement("0.0", right) == "contradicts"
    with pytest.raises(check.RejectedError, match="the timeline keeps to the walk"):
        found.statement("0.1", timeline("contradicts", {A: 1, B: 1}, walk=walk(A, 0)))


def test_what_a_wrong_statement_carries() -> None:
    found = trace(OPEN)
    opened = {"underivable": order(0, timeline=line(0, 1, 0, 1))}
    allowed = {"undenied": {"model": line(0, 1, 2, 3)}}
    first = holds([[A_END, "<", B]], "open", **opened, **allowed)
    assert found.statement("0.0", first) == "open"
    walks = {"carried": [walk(A, None, "0.0/0")]}
    with pytest.raises(check.RejectedError, match="an order that cannot be derived is named"):
        found.statement("1.0", holds(LATE, "open", **opened, **allowed))
    with pytest.raises(check.RejectedError, match="a walk does not derive its order"):
        found.statement("1.0", holds(LATE, "carried", **opened, **allowed, carried=[walk(A, None)]))
    assert found.statement("1.0", holds(LATE, "carried", **opened, **allowed, **walks)) == "carried"


@pytest.mark.parametrize(
    ("uses", "reason"),
    [
        (["premise 0"], None),
        (["step 0.0"], None),
        ("premise 0", "what a statement uses is an array"),
        (["premise 1"], "no such source"),
        ([0], "no such source"),
        (["step 1.0"], "no such source"),
        ([], "the named sources do not derive the orders"),
    ],
)
def test_what_a_statement_uses(uses: object, reason: str | None) -> None:
    found = trace()
    found.statement("0.0", holds([[A_END, "<", B]], "restated") | {"uses": ["premise 0"]})
    found.statement("1.0", holds(LATE, "follows", walks=WALKS) | {"uses": uses})
    assert found.unused == reason


def test_an_equation_is_derived_by_loose_steps_alone() -> None:
    found = trace(TORN, consistent=False)
    assert found._uses([(0, "<", 2)], ["premise 0"]) is None
    with pytest.raises(check.RejectedError, match="the named sources do not derive the orders"):
        found._uses([(0, "=", 2)], ["premise 0", "premise 1"])


ROW = {
    "id": "x", "premise": "The end of A happened before the start of B",
    "claim": "A happens before B", "domain": "temporal", "spatial": "geometric", "policy": "local",
    "verdict": VERDICT,
    "certificate": {
        "walks": [walk(A_END, 0)], "cycle": None, "timelines": [line(0, 1, 2, 3)],
        "distances": [{"from": A_END, "beyond": 1, "near": [[A_END, 0, 0]]}],
    },
    "steps": [], "first_error": -1,
}  # fmt: skip
WITHDRAWN = other("answer", "withdrawn", label="true")
ERROR = {"statements": [other("answer", "contradicts", label="false")], "verdict": "contradicts"}


def steps(*rows: object) -> dict[str, Any]:
    return {"steps": list(rows)}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, None),
        (steps({"statements": [], "verdict": "none"}), None),
        (steps(ERROR) | {"first_error": 0}, None),
        (steps({"statements": [WITHDRAWN, other("withdraws", "none")], "verdict": "withdrawn"}),
         None),
        ({"steps": {}}, "steps are an array"),
        (steps({"statements": [WITHDRAWN], "verdict": "withdrawn"}), "nothing takes it back"),
        (steps({"statements": [other("withdraws", "none"), WITHDRAWN], "verdict": "withdrawn"}),
         "nothing takes it back"),
        (steps({"statements": [], "verdict": "follows"}), "the verdict of step 0 is none"),
        (steps({"statements": []}), "the verdict of step 0 is none"),
        (steps({"statements": [other("premise-consistent", "follows"), *ERROR["statements"]],
                "verdict": "follows"}), "the verdict of step 0 is contradicts"),
        (steps(ERROR), "the first error is 0"),
        ({"first_error": 0}, "the first error is -1"),
        (steps(ERROR) | {"first_error": False}, "the first error is 0"),
        (steps({"statements": [holds(LATE, "follows", walks=WALKS) | {"uses": []}],
                "verdict": "follows"}), "the named sources do not derive the orders"),
        ({"policy": "odd"}, "the policy is unknown"),
        ({"spatial": None}, "the spatial is unknown"),
        ({"claim": None}, "premise and claim are strings"),
        ({"verdict": VERDICT | {"label": "false"}}, "the label is true"),
    ],
)  # fmt: skip
def test_a_line(changes: dict[str, Any], reason: str | None) -> None:
    if reason is None:
        check.check_row(ROW | changes)
        return
    with pytest.raises(check.RejectedError, match=f"^{re.escape(reason)}$"):
        check.check_row(ROW | changes)


def test_a_line_is_an_object() -> None:
    with pytest.raises(check.RejectedError, match="a line is an object"):
        check.check_row([])
