"""Five examples for prompts, worded by the grammar and labelled by an engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.nli.wordings import WORDINGS
from grammar.writer import Writer
from solver.engines import EngineName, engine
from solver.model import (
    Bound,
    Claim,
    ClaimRelation,
    Domain,
    Item,
    Label,
    Order,
    Point,
    Relation,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """An item's texts and its label."""

    premise: str
    claim: str
    label: Label


@dataclass(frozen=True, slots=True)
class _Sketch:
    """An abbreviated item: ``A+ < B-`` for "the end of A before the start of B"."""

    premise: tuple[str, ...]
    left: str
    relation: ClaimRelation
    right: str


# Entailed, refuted, unknown, contradictory, and an overlap; with ties, converses and durations.
_SKETCHES = (
    _Sketch(("C+ < B-", "A+ = C-", "B+ > D+"), "A", ClaimRelation.BEFORE, "B"),
    _Sketch(("D- > A+", "B+ < D+", "C+ < A-"), "D", ClaimRelation.BEFORE, "C"),
    _Sketch(("A- < B-", "C- = B+"), "A", ClaimRelation.BEFORE, "B"),
    _Sketch(("B+ < C-", "D- < C+", "C- = B-"), "C", ClaimRelation.AFTER, "B"),
    _Sketch(("A- < D-", "B- < A+", "D- < B+"), "B", ClaimRelation.OVERLAPS, "A"),
)
_ORDERS = {"<": Order.BEFORE, ">": Order.AFTER, "=": Order.SIMULTANEOUS}
_BOUNDS = {"-": Bound.START, "+": Bound.END}


def examples(domain: Domain) -> list[Example]:
    """The five examples in the wording of a domain; places in the geometric reading."""
    names = WORDINGS[domain].names
    items = [
        Item(
            id=str(number),
            premise=tuple(_relation(text, names) for text in sketch.premise),
            claim=Claim(
                left=names[sketch.left], relation=sketch.relation, right=names[sketch.right]
            ),
            domain=domain,
        )
        for number, sketch in enumerate(_SKETCHES, start=1)
    ]
    return _worded(items, Writer(domain))


def _worded(items: Sequence[Item], writer: Writer) -> list[Example]:
    verdicts = engine(EngineName.GRAPH).decide(items)
    made = []
    for item, verdict in zip(items, verdicts, strict=True):
        text = writer.write(item)
        made.append(Example(premise=text.premise, claim=text.claim, label=verdict.label))
    return made


def _relation(text: str, names: Mapping[str, str]) -> Relation:
    left, order, right = text.split()
    return Relation(left=_point(left, names), order=_ORDERS[order], right=_point(right, names))


def _point(text: str, names: Mapping[str, str]) -> Point:
    return Point(event=names[text[0]], bound=_BOUNDS[text[1]])
