"""Runs the checker that is compiled from the Coq proofs beside ``check.py`` of chains.

It reads chains in numbers: proofs/README.md lists them. ``uses`` is not among them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from solver.eventhop.certificates.proved import (
    MALFORMED,
    Judgement,
    array,
    compared,
    flat,
    item_numbers,
    name,
    numbered_timeline,
    optional,
)
from solver.traces import check

__all__ = ["check_file", "judge", "name", "numbers"]

Json: TypeAlias = Any

_ORDERS = {"<": 0, "=": 2, "<=": 3}
_PARTS = {
    ("holds", "follows"): ("walks",),
    ("holds", "contradicts"): ("denied", "underivable"),
    ("holds", "carried"): ("underivable", "undenied", "carried"),
    ("holds", "open"): ("underivable", "undenied", "uncarried"),
    ("does-not-hold", "follows"): ("denied",),
    ("does-not-hold", "contradicts"): ("undenied",),
    ("possible", "follows"): ("undenied",),
    ("possible", "contradicts"): ("denied",),
    ("not-derivable", "follows"): ("underivable",),
    ("not-derivable", "contradicts"): ("walks",),
    ("left-open", "follows"): ("underivable", "undenied"),
    ("left-open", "contradicts"): ("denied", "walks"),
    ("timeline", "follows"): ("model",),
    ("timeline", "contradicts"): ("walk",),
}
"""The parts of a certificate that a verdict on a statement of a kind needs."""


class _Numbering:
    """The statements of a chain in numbers, in their order."""

    def __init__(self, item: check.Item, verdict: dict[str, Any]) -> None:
        self._item = item
        self._trace = check.Trace(item, verdict)
        self._wrong: list[str] = []

    def statement(self, name: str, row: dict[str, Any]) -> tuple[Json, ...]:
        kind, verdict = row["kind"], row["verdict"]
        orders = self._trace.orders(row["orders"]) if kind in check.ORDERED else []
        stated: tuple[Json, ...] = (check.KINDS.index(kind),)
        if kind == "timeline":
            stated += (self._instants(row["instants"]),)
        elif kind == "answer":
            stated += (check.items.LABELS.index(row["label"]),)
        elif kind in check.ORDERED:
            stated += ([(p, _ORDERS[sign], q) for p, sign, q in orders],)
        needed = _PARTS.get((kind, verdict), ())
        written = row.get("certificate", {})
        parts = [part for key in needed for part in self._part(key, written)]
        if (kind, verdict) == ("left-open", "contradicts"):
            parts = parts[:1]
        if verdict in check.WRONG:
            supplied = self._trace.supplied(kind, orders)
            self._wrong += [f"{name}/{place}" for place in range(len(supplied))]
        return (*stated, check.SEVERITY.index(verdict), parts)

    def _part(self, key: str, written: dict[str, Any]) -> Iterator[tuple[Json, ...]]:
        """A part of a certificate, if it is there and if a checker looks at it."""
        value = written.get(key)
        if value is None or (key == "uncarried" and not self._wrong):
            return
        if key == "walks":
            yield 0, [self._walk(walk) for walk in array(value)]
        elif key == "underivable":
            yield 1, *self._counterexample(value)
        elif key == "denied":
            if "cycle" in value:
                yield 2, *self._walk(value["cycle"], "order")
            else:
                yield 3, optional(value["order"]), *self._walk(value["walk"])
        elif key == "undenied":
            if self._trace.consistent:
                yield 4, numbered_timeline(self._item, value["model"])
            else:
                lines = array(value["timelines"])
                yield 5, [numbered_timeline(self._item, line) for line in lines]
        elif key == "carried":
            yield 6, [self._walk(walk, "wrong") for walk in array(value)]
        elif key == "uncarried":
            yield 7, *self._counterexample(value)
        elif key == "model":
            yield 8, numbered_timeline(self._item, value)
        elif self._trace.consistent:
            yield 9, *self._walk(value)

    def _counterexample(self, value: dict[str, Any]) -> tuple[Json, ...]:
        place = optional(value["order"])
        if "closed" in value:
            return 1, place, [self._item.point(name) for name in array(value["closed"])]
        return 0, place, numbered_timeline(self._item, value["timeline"])

    def _walk(self, value: dict[str, Any], further: str = "") -> tuple[int, list[int]]:
        """A walk; ``further`` says which orders it may take besides relations of the premise."""
        premise = len(self._item.relations)

        def number(step: object) -> int:
            if type(step) is str and further == "wrong":
                return premise + self._wrong.index(step)
            if type(step) is str and further == "order":
                return premise + int(step.removeprefix("order "))
            if type(step) is int and step >= premise:
                raise ValueError(step)
            return optional(step)

        if value.keys() != {"from", "steps"}:
            raise ValueError(value)
        return self._item.point(value["from"]), [number(step) for step in array(value["steps"])]

    def _instants(self, value: dict[str, Any]) -> list[tuple[int, int]]:
        """Instants by their rank: those of a chain may be fractions."""
        if any(type(x) not in (int, float) or x != x for x in value.values()):
            raise TypeError(value)
        ranks = {instant: rank for rank, instant in enumerate(sorted(set(value.values())))}
        return [(self._item.point(name), ranks[instant]) for name, instant in value.items()]


def numbers(item: check.Item, row: dict[str, Any]) -> str:
    """The line that the compiled checker reads.

    Raises:
        TypeError, ValueError, KeyError, IndexError, AttributeError: a value has no place there.
        solver.eventhop.check.RejectedError: a name is no point of the item.
    """
    chain = _Numbering(item, row["verdict"])
    steps = []
    for place, step in enumerate(array(row["steps"])):
        statements = [
            chain.statement(f"{place}.{index}", statement)
            for index, statement in enumerate(array(step["statements"]))
        ]
        steps.append((statements, check.SEVERITY.index(step["verdict"])))
    first = row["first_error"]
    found = item_numbers(item, row["verdict"], row["policy"], row["certificate"])
    if type(first) is not int or first < -1:
        raise ValueError(first)
    return " ".join(("chain", *flat([*found, steps, first])))


def judge(item: check.Item, row: dict[str, Any]) -> tuple[Judgement, Exception | None]:
    """What ``check.py`` finds of a chain but for ``uses``, and why it rejects the line."""
    try:
        line = numbers(item, row)
    except (*check.MALFORMED, IndexError, check.RejectedError):
        line = MALFORMED
    try:
        unused = check.check_steps(item, row)
    except (*check.MALFORMED, check.RejectedError) as error:
        return Judgement(False, line), error
    return Judgement(True, line), None if unused is None else check.RejectedError(unused)


def check_file(path: str) -> Iterator[tuple[int, str, str | None]]:
    """As that of ``check.py``, with the compiled checker beside it.

    Raises:
        CheckersDifferError: they do not accept the same certificates.
        NoProvedCheckerError: there is no compiled checker.
    """
    return compared(path, lambda decide: check.check_file(path, decide), judge)
