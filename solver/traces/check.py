"""Checks the verdicts of chains of thought by their certificates, with the checker of items alone.

    python -m solver.traces.check [--json] items.jsonl ...

Each line has the texts of an item, its verdict with a certificate as ``solver/eventhop/check.py``
checks it, and the steps of a chain: for each statement the orders that it is about, a verdict and
a certificate. What the prose of a step states is not read here: the orders are taken as they are.
Besides the standard library, this file uses ``check.py`` of items alone, which it finds in
``../eventhop``. Exit status: 0 if every line is proved, 1 if one is not, 2 if a file cannot be
read.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from importlib import util
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias


def _checker_of_items() -> Any:  # noqa: ANN401 - a module
    """``solver/eventhop/check.py``: the module, if this one is part of the package."""
    name = f"{(__package__ or '').rpartition('.')[0]}.eventhop.check".removeprefix(".")
    known = sys.modules.get(name)
    if known is None:
        path = Path(__file__).resolve().parent.parent / "eventhop" / "check.py"
        found = util.spec_from_file_location(name, path)
        if found is None or found.loader is None:
            raise ImportError(f"{path} is missing")
        known = sys.modules[name] = util.module_from_spec(found)
        found.loader.exec_module(known)
    return known


items = _checker_of_items()
Item: TypeAlias = Any
"""``Item`` of the checker of items."""
RejectedError: type[Exception] = items.RejectedError
require = items.require


class Need(NamedTuple):
    """``lower < upper`` if strict, ``lower <= upper`` if not."""

    lower: int
    strict: bool
    upper: int


Order: TypeAlias = tuple[int, str, int]
"""``left sign right``, where the sign is ``<``, ``<=`` or ``=``."""
Move: TypeAlias = tuple[int, bool, int]
"""A step from a point to a point, strict or not."""

SIGNS = ("<", "<=", "=")
WRONG = ("contradicts", "open", "carried")
ORDERED = ("holds", "does-not-hold", "possible", "not-derivable", "left-open")
SILENT = ("assumed", "withdraws")
KINDS = (
    *ORDERED,
    *("timeline", "answer", "claim-contradictory", "premise-contradictory", "premise-consistent"),
    *("unread", *SILENT),
)
SEVERITY = (*WRONG, "unread", "withdrawn", "follows", "restated", "none")


def needs(order: Order) -> list[Need]:
    """What is to be derived for an order."""
    p, sign, q = order
    return [Need(p, False, q), Need(q, False, p)] if sign == "=" else [Need(p, sign == "<", q)]


def opposites(order: Order) -> list[Need]:
    """One of these holds if the order does not."""
    p, sign, q = order
    return [Need(p, True, q), Need(q, True, p)] if sign == "=" else [Need(q, sign == "<=", p)]


class Moves:
    """The steps of the premise, with those of further orders by their names."""

    def __init__(self, item: Item) -> None:
        self.item = item
        self.size = len(item.points)
        self.named: dict[object, list[Order]] = {
            number: [(p, sign, q) if sign[0] != ">" else (q, sign.replace(">", "<"), p)]
            for number, (p, sign, q) in enumerate(item.relations)
        }

    def all(self) -> list[Move]:
        """Every step."""
        moves = [(p, True, p + 1) for p in range(0, self.size, 2)]
        for orders in self.named.values():
            moves += [tuple(need) for order in orders for need in needs(order)]  # type: ignore[misc]
        return moves

    def extended(self, further: dict[object, list[Order]]) -> Moves:
        """The steps with further orders."""
        other = Moves(self.item)
        other.named = {**self.named, **further}
        return other


def walk(moves: Moves, value: object) -> tuple[Need, bool]:
    """What a walk derives, and whether by loose steps alone."""
    if type(value) is not dict or value.keys() != {"from", "steps"}:
        raise RejectedError("a walk has the fields from and steps")
    begin = here = moves.item.point(value["from"])
    strict = False
    require(type(value["steps"]) is list, "the steps of a walk are an array")
    for step in value["steps"]:
        if step is None:
            require(here % 2 == 0, "a duration leads from the start of an event")
            here, strict = here + 1, True
            continue
        require(type(step) in (int, str) and step in moves.named, f"no such step: {step!r:.40}")
        onward = [
            need for order in moves.named[step] for need in needs(order) if need.lower == here
        ]
        require(len({need.upper for need in onward}) == 1, f"the step {step!r} does not go on here")
        here, strict = onward[0].upper, strict or all(need.strict for need in onward)
    return Need(begin, strict, here), not strict


def derives(found: tuple[Need, bool], wanted: Need, *, loosely: bool = False) -> bool:
    """Whether what a walk derives is at least what is wanted."""
    need, loose = found
    same = (need.lower, need.upper) == (wanted.lower, wanted.upper)
    return same and (loose if loosely else need.strict or not wanted.strict)


def instants(moves: Moves, value: object) -> dict[int, int]:
    """The instants of a timeline, one for each point."""
    require(type(value) is list, "a timeline is an array")
    at: dict[int, int] = {}
    for pair in value:  # type: ignore[attr-defined]
        require(type(pair) is list and len(pair) == 2, "a timeline has pairs")
        require(type(pair[1]) is int, "an instant is no whole number")
        at[moves.item.point(pair[0])] = pair[1]
    require(len(at) == moves.size == len(value), "each point has one instant")  # type: ignore[arg-type]
    return at


def model(moves: Moves, value: object) -> dict[int, int]:
    """A timeline on which every step holds."""
    at = instants(moves, value)
    for p, strict, q in moves.all():
        require(at[p] < at[q] if strict else at[p] <= at[q], "the timeline is no model")
    return at


def monotone(moves: Moves, value: object) -> dict[int, int]:
    """A timeline on which no step leads to an earlier instant."""
    at = instants(moves, value)
    require(all(at[p] <= at[q] for p, _, q in moves.all()), "the timeline is not monotone")
    return at


def refutes(moves: Moves, at: dict[int, int], need: Need) -> bool:
    """Whether a monotone timeline shows that a need cannot be derived."""
    loose = {at[p] for p, strict, q in moves.all() if strict and at[p] == at[q]}
    p, strict, q = need
    return at[q] < at[p] or (strict and at[p] == at[q] and at[p] not in loose)


def derivation(moves: Moves, orders: list[Order], value: object) -> None:
    """Require that walks derive all of some orders."""
    wanted = [(need, order[1] == "=") for order in orders for need in needs(order)]
    if type(value) is not list or len(value) != len(wanted):
        raise RejectedError("each order needs its walks")
    for written, (need, loosely) in zip(value, wanted, strict=True):
        proved = derives(walk(moves, written), need, loosely=loosely)
        require(proved, "a walk does not derive its order")


def underivable(moves: Moves, orders: list[Order], value: object) -> None:
    """Require a proof that one of some orders cannot be derived."""
    if type(value) is not dict or type(value.get("order")) is not int:
        raise RejectedError("an order that cannot be derived is named")
    require(0 <= value["order"] < len(orders), "no such order")
    order = orders[value["order"]]
    if "closed" in value:
        require(
            order[1] == "=" and type(value["closed"]) is list, "only equations have closed sets"
        )
        closed = {moves.item.point(name) for name in value["closed"]}
        for p, strict, q in moves.all():
            require(strict or p not in closed or q in closed, "the set is not closed")
        require(
            (order[0] in closed) != (order[2] in closed), "the set does not separate the points"
        )
        return
    at = monotone(moves, value.get("timeline"))
    refuted = any(refutes(moves, at, need) for need in needs(order))
    require(refuted, "the timeline is no counterexample")


def denied(moves: Moves, orders: list[Order], value: object, consistent: bool) -> None:
    """Require a proof that some orders have no model with the premise."""
    require(type(value) is dict, "what denies the orders is missing")
    parts: dict[str, Any] = value  # type: ignore[assignment]
    if "cycle" in parts:
        require(consistent, "a contradictory premise denies an order by its opposite alone")
        further: dict[object, list[Order]] = {
            f"order {place}": [order] for place, order in enumerate(orders)
        }
        need, _ = walk(moves.extended(further), parts["cycle"])
        require(need.lower == need.upper and need.strict, "the walk is no contradiction")
        return
    place = parts.get("order")
    require(type(place) is int and 0 <= place < len(orders), "no such order")
    found = walk(moves, parts.get("walk"))
    proved = any(derives(found, need) for need in opposites(orders[place]))  # type: ignore[index]
    require(proved, "the walk does not derive the opposite of the order")


def undenied(moves: Moves, orders: list[Order], value: object, consistent: bool) -> None:
    """Require a proof that some orders are not denied."""
    require(type(value) is dict, "what allows the orders is missing")
    parts: dict[str, Any] = value  # type: ignore[assignment]
    if consistent:
        model(moves.extended({"orders": orders}), parts.get("model"))
        return
    if type(parts.get("timelines")) is not list:
        raise RejectedError("timelines are missing")
    lines = [monotone(moves, line) for line in parts["timelines"]]
    for need in (need for order in orders for need in opposites(order)):
        require(any(refutes(moves, line, need) for line in lines), "an opposite may be derivable")


class Trace:
    """Checks the statements of a chain of thought in their order."""

    def __init__(self, item: Item, verdict: dict[str, Any]) -> None:
        self.moves, self.verdict = Moves(item), verdict
        self.consistent: bool = verdict["consistent"]
        self.given = {
            order for orders in self.moves.named.values() for order in map(_sorted, orders)
        }
        self.wrong: dict[object, list[Order]] = {}
        self.sources = {f"premise {number}": orders for number, orders in self.moves.named.items()}
        self.unused: str | None = None

    def statement(self, name: str, row: dict[str, Any]) -> str:
        """Reject a statement whose verdict is not proved; returns the verdict."""
        kind, verdict = row.get("kind"), row.get("verdict")
        require(kind in KINDS, "the kind is unknown")
        orders = self.orders(row.get("orders")) if kind in ORDERED else []
        at = self._instants(row.get("instants")) if kind == "timeline" else {}
        require(kind != "answer" or row.get("label") in items.LABELS, "the label is unknown")
        if kind == "unread" or verdict == "withdrawn":
            require(
                verdict == ("unread" if kind == "unread" else "withdrawn"), "the verdict is unread"
            )
            return str(verdict)
        if kind in SILENT:
            require(verdict == "none", "an assumption has no verdict")
            return "none"
        certificate = row.get("certificate", {})
        require(type(certificate) is dict, "a certificate is an object")
        if kind == "holds":
            self._holds(orders, verdict, certificate)
        else:
            require(verdict in ("follows", "contradicts"), "the verdict is unknown")
            self._other(str(kind), orders, at, verdict == "follows", row, certificate)
        supplied = self.supplied(str(kind), orders)
        if verdict in WRONG:
            self.wrong |= {f"{name}/{place}": [order] for place, order in enumerate(supplied)}
        elif supplied:
            self.given |= set(map(_sorted, supplied))
            if kind == "holds":
                try:
                    self._uses(orders, row.get("uses"))
                except RejectedError as error:
                    self.unused = self.unused or str(error)
            self.sources[f"step {name}"] = supplied
        return str(verdict)

    def orders(self, value: object) -> list[Order]:
        """The orders of a statement."""
        require(type(value) is list, "orders are an array")
        found = []
        for row in value:  # type: ignore[attr-defined]
            require(type(row) is list and len(row) == 3 and row[1] in SIGNS, "an order is a triple")
            points = self.moves.item.point(row[0]), self.moves.item.point(row[2])
            found.append(_sorted((points[0], row[1], points[1])))
        return found

    def _holds(self, orders: list[Order], verdict: object, parts: dict[str, Any]) -> None:
        require(orders, "what holds is missing")
        restated = all(_sorted(order) in self.given for order in orders)
        if restated or verdict == "restated":
            require(restated and verdict == "restated", "an order is new, or was stated before")
        elif verdict == "follows":
            derivation(self.moves, orders, parts.get("walks"))
        elif verdict == "contradicts":
            denied(self.moves, orders, parts.get("denied"), self.consistent)
            underivable(self.moves, orders, parts.get("underivable"))
        else:
            require(verdict in ("open", "carried"), "the verdict is unknown")
            underivable(self.moves, orders, parts.get("underivable"))
            undenied(self.moves, orders, parts.get("undenied"), self.consistent)
            corrupt = self.moves.extended(self.wrong)
            if verdict == "carried":
                derivation(corrupt, orders, parts.get("carried"))
            elif len(corrupt.named) > len(self.moves.named):
                underivable(corrupt, orders, parts.get("uncarried"))

    def _other(
        self,
        kind: str,
        orders: list[Order],
        at: dict[int, float],
        right: bool,
        row: dict[str, Any],
        parts: dict[str, Any],
    ) -> None:
        moves, consistent = self.moves, self.consistent
        if kind in ("does-not-hold", "possible"):
            if (kind == "does-not-hold") == right:
                denied(moves, orders, parts.get("denied"), consistent)
            else:
                undenied(moves, orders, parts.get("undenied"), consistent)
        elif kind in ("not-derivable", "left-open"):
            if right:
                underivable(moves, orders, parts.get("underivable"))
                if kind == "left-open":
                    undenied(moves, orders, parts.get("undenied"), consistent)
            elif kind == "left-open" and "denied" in parts:
                denied(moves, orders, parts.get("denied"), consistent)
            else:
                derivation(moves, orders, parts.get("walks"))
        elif kind == "timeline":
            self._timeline(at, right, parts)
        elif kind == "answer":
            require(right == (row.get("label") == self.verdict["label"]), "the label is another")
        else:
            facts = {
                "claim-contradictory": self.verdict["status"] == "contradictory",
                "premise-contradictory": not consistent,
                "premise-consistent": consistent,
            }
            require(facts.get(kind) is right, "the verdict is another")

    def _instants(self, value: object) -> dict[int, float]:
        require(type(value) is dict, "a timeline has instants")
        at = {self.moves.item.point(name): instant for name, instant in value.items()}  # type: ignore[attr-defined]
        numbers = all(type(x) in (int, float) and x == x for x in at.values())
        require(numbers, "an instant is no number")
        return at

    def _timeline(self, at: dict[int, float], right: bool, parts: dict[str, Any]) -> None:
        if right:
            full = model(self.moves, parts.get("model"))
            for p in at:
                for q in at:
                    same = (at[p] < at[q]) == (full[p] < full[q])
                    require(same, "the model has the points in another order")
        elif self.consistent:
            need, _ = walk(self.moves, parts.get("walk"))
            p, strict, q = need
            require(p in at and q in at, "the walk is about other points")
            broken = at[p] >= at[q] if strict else at[p] > at[q]
            require(broken, "the timeline keeps to the walk")

    def supplied(self, kind: str, orders: list[Order]) -> list[Order]:
        """What a statement adds to what is stated, right or wrong."""
        if kind == "holds":
            return orders
        if kind == "does-not-hold" and len(orders) == 1 and orders[0][1] != "=":
            p, sign, q = orders[0]
            return [(q, "<=" if sign == "<" else "<", p)]
        return []

    def _uses(self, orders: list[Order], value: object) -> None:
        """Require that the named sources derive the orders."""
        require(type(value) is list, "what a statement uses is an array")
        require(all(type(name) is str and name in self.sources for name in value), "no such source")  # type: ignore[attr-defined]
        moves = [(p, True, p + 1) for p in range(0, self.moves.size, 2)]
        for name in value:  # type: ignore[attr-defined]
            moves += [tuple(need) for order in self.sources[name] for need in needs(order)]  # type: ignore[misc]
        for order in orders:
            for need in needs(order):
                reached = _reached(need.lower, moves, loosely=order[1] == "=")
                wanted = (
                    {(need.upper, True)}
                    if need.strict
                    else {(need.upper, True), (need.upper, False)}
                )
                require(reached & wanted, "the named sources do not derive the orders")


def _reached(point: int, moves: list[Move], *, loosely: bool) -> set[tuple[int, bool]]:
    found, fresh = {(point, False)}, [(point, False)]
    while fresh:
        here, strictly = fresh.pop()
        for p, strict, q in moves:
            after = (q, strictly or strict)
            if p == here and not (loosely and strict) and after not in found:
                found.add(after)
                fresh.append(after)
    return found


def _sorted(order: Order) -> Order:
    p, sign, q = order
    return (q, sign, p) if sign == "=" and q < p else order


def check_trace(item: Item, row: dict[str, Any]) -> None:
    """Reject the verdicts of a line about an item, unless they are proved."""
    unused = check_steps(item, row)
    require(unused is None, unused or "")


def check_steps(item: Item, row: dict[str, Any]) -> str | None:
    """As ``check_trace``, but for what statements use; returns what is wrong with that."""
    items.check_verdict(item, row.get("verdict"), row["policy"], row.get("certificate"))
    trace = Trace(item, row["verdict"])
    first = -1
    require(type(row.get("steps")) is list, "steps are an array")
    taken = _withdrawals(row["steps"])
    for place, step in enumerate(row["steps"]):
        verdicts = []
        for index, statement in enumerate(step["statements"]):
            verdict = trace.statement(f"{place}.{index}", statement)
            require(verdict != "withdrawn" or taken > (place, index), "nothing takes it back")
            verdicts.append(verdict)
        worst = min(verdicts, key=SEVERITY.index, default="none")
        require(step.get("verdict") == worst, f"the verdict of step {place} is {worst}")
        if first < 0 and {"contradicts", "open"} & set(verdicts):
            first = place
    require(
        type(row.get("first_error")) is int and row["first_error"] == first,
        f"the first error is {first}",
    )
    return trace.unused


def check_row(row: object, decide: Callable[[Item, dict[str, Any]], None] = check_trace) -> None:
    """Reject a line, read as JSON, that does not prove its verdicts."""
    if type(row) is not dict:
        raise RejectedError("a line is an object")
    for name, values in items.CHOICES.items():
        require(row.get(name) in values, f"the {name} is unknown")
    named = all(type(row.get(name)) is str for name in ("premise", "claim"))
    require(named, "premise and claim are strings")
    texts = items.read_texts(row["premise"], row["claim"], row["domain"], row["spatial"])
    decide(items.Item(texts), row)


def _withdrawals(steps: list[dict[str, Any]]) -> tuple[int, int]:
    """The place of the last statement that takes something back."""
    places = [
        (place, index)
        for place, step in enumerate(steps)
        for index, statement in enumerate(step["statements"])
        if statement.get("kind") == "withdraws"
    ]
    return max(places, default=(-1, -1))


MALFORMED = (ValueError, KeyError, TypeError, AttributeError, RecursionError)
"""What a line raises that has not the form of a chain."""


def check_file(
    path: str, decide: Callable[[Item, dict[str, Any]], None] = check_trace
) -> Iterator[tuple[int, str, str | None]]:
    """Number, id and fault of each line; the fault is None if its verdicts are proved."""
    with Path(path).open("rb") as file:
        for number, line in enumerate(file, 1):
            name, fault = f"line {number}", None
            try:
                row = json.loads(line)
                name = str(row.get("id", name)) if type(row) is dict else name
                check_row(row, decide)
            except RejectedError as error:
                fault = str(error)
            except MALFORMED as error:
                fault = f"not a line of this form: {type(error).__name__}: {error}"
            yield number, name, fault


def main(arguments: list[str]) -> int:
    """Check files; returns the exit status."""
    as_json, paths = "--json" in arguments[:1], [arg for arg in arguments if arg != "--json"]
    if not paths:
        sys.stderr.write("usage: check.py [--json] items.jsonl ...\n")
        return 2
    found: list[str] = []
    lines = 0
    try:
        for path in paths:
            for number, name, fault in check_file(path):
                lines += 1
                found += [] if fault is None else [f"{path}:{number}: {fault} (item {name})"]
    except OSError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    report = {"items": lines, "rejected": len(found), "reasons": found}
    text = "\n".join([*found, f"{lines:,} traces, {len(found):,} rejected"])
    sys.stdout.write((json.dumps(report, indent=2) if as_json else text) + "\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
