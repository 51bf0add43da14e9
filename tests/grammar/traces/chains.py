"""The chains of ``chains/*.txt``: own sentences in many hands, with what they state.

A line ``item DOMAIN`` opens an item, with its premise (``P``) and claim (``C``); ``chain STYLE
[first N]`` a chain about it, each line of which is a step. After ``⊢`` come the statements of the
step, with letters for events in the order of their first mention: ``a+<b-`` for *end of a before
start of b*, ``a<b`` for the claim *a before b*, ``a^b`` for *a overlaps b*, ``&`` between the
orders of one statement. ``not``, ``may``, ``nd``, ``open`` and ``if`` deny, allow, do not derive,
leave open and assume; ``ans`` is an answer, ``cc``, ``pc`` and ``ok`` are about contradictions,
``wd`` withdraws and ``tl`` is a timeline. A step without ``⊢`` has no label.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from grammar.eventhop.model import Domain, Label
from grammar.traces.model import PointOrder, ReadStatement, StatementKind, ordered

FOLDER = Path(__file__).with_name("chains")

_KINDS = {
    "not": StatementKind.DOES_NOT_HOLD,
    "may": StatementKind.POSSIBLE,
    "nd": StatementKind.NOT_DERIVABLE,
    "open": StatementKind.LEFT_OPEN,
    "if": StatementKind.ASSUMED,
}
_PLAIN = {
    "cc": StatementKind.CLAIM_CONTRADICTORY,
    "pc": StatementKind.PREMISE_CONTRADICTORY,
    "ok": StatementKind.PREMISE_CONSISTENT,
    "wd": StatementKind.WITHDRAWS,
}


@dataclass(frozen=True, slots=True)
class LabelledStep:
    """A step, and what it states; None if it has no label."""

    text: str
    statements: tuple[ReadStatement, ...] | None


@dataclass(frozen=True, slots=True)
class LabelledChain:
    """A chain about an item."""

    domain: Domain
    premise: str
    claim: str
    style: str
    first_error: int
    steps: list[LabelledStep] = field(default_factory=list)

    @property
    def labelled(self) -> bool:
        """Whether every step has a label."""
        return all(step.statements is not None for step in self.steps)


def chains(*names: str) -> Iterator[LabelledChain]:
    """The chains of some files."""
    for name in names:
        found: list[LabelledChain] = []
        domain, premise, claim = "", "", ""
        for line in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines():
            head, _, rest = line.partition(" ")
            if head == "item":
                domain, premise, claim = rest, "", ""
            elif head == "P" and not premise:
                premise = rest
            elif head == "C" and not claim:
                claim = rest
            elif head == "chain":
                style, _, first = rest.partition(" first ")
                found.append(LabelledChain(Domain(domain), premise, claim, style, int(first or -1)))
            elif line.strip() and domain:
                text, mark, label = line.partition(" ⊢ ")
                stated = _statements(label) if mark else None
                found[-1].steps.append(LabelledStep(text, stated))
        yield from found


def _statements(text: str) -> tuple[ReadStatement, ...]:
    if text.strip() == "-":
        return ()
    return tuple(_statement(part.strip()) for part in text.split(";"))


def _statement(text: str) -> ReadStatement:
    head, _, rest = text.partition(" ")
    if head in _PLAIN:
        return ReadStatement(kind=_PLAIN[head])
    if head == "ans":
        return ReadStatement(kind=StatementKind.ANSWER, label=Label(rest))
    if head == "tl":
        parts = rest.split()
        instants = tuple(
            (2 * _event(name) + bound, float(instant))
            for name, *both in zip(*[iter(parts)] * 3, strict=True)
            for bound, instant in enumerate(both)
        )
        return ReadStatement(kind=StatementKind.TIMELINE, instants=tuple(sorted(instants)))
    kind = _KINDS.get(head, StatementKind.HOLDS)
    orders = rest if head in _KINDS else text  # "if" alone assumes something else
    return ReadStatement(kind=kind, orders=tuple(_orders(orders)) if orders else ())


def _event(letter: str) -> int:
    return ord(letter) - ord("a")


def _orders(text: str) -> Iterator[PointOrder]:
    for part in text.split("&"):
        found = re.fullmatch(r"\s*([a-z])([-+]?)(<=|>=|[<=>^])([a-z])([-+]?)\s*", part)
        assert found, text
        left, low, sign, right, high = found.groups()
        a, b = 2 * _event(left), 2 * _event(right)
        if low or high:
            yield ordered(a + (low == "+"), sign, b + (high == "+"))
        elif sign == "^":
            yield ordered(a, "<", b + 1)
            yield ordered(b, "<", a + 1)
        else:
            yield ordered(a + 1, "<=", b) if sign == "<" else ordered(a, ">=", b + 1)
