"""Typed facts for ``encodings/links``, and the decisions that come back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from grammar.eventhop.model import Bound, Point
from grammar.links.model import Document, Interpretation, RelationType, dated_order
from solver.asp import Program
from solver.encodings import Compound, Fact, ViolationAtom, written
from solver.links.engine import Decision

CONSISTENCY = "links/consistency.lp"
WITNESS = "links/witness.lp"
REPAIR = "links/repair.lp"
CLOSURE_LIMIT = 150_000
"""Largest product of nodes and links of a document that consistency.lp decides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class End(Compound):
    """The start or the end of a node."""

    predicate: ClassVar[str] = "at"
    event: int
    bound: Bound


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeFact(Fact):
    """A node of a document."""

    predicate: ClassVar[str] = "event"
    document: int
    event: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFact(Fact):
    """A link of a document."""

    predicate: ClassVar[str] = "link"
    document: int
    number: int
    relation: str
    left: int
    right: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedFact(Fact):
    """A step that follows from the calendar."""

    predicate: ClassVar[str] = "dated"
    document: int
    left: End
    kind: str
    right: End


@dataclass(frozen=True, slots=True, kw_only=True)
class InstantFact(Fact):
    """A node on a timeline."""

    predicate: ClassVar[str] = "instant"
    document: int
    event: int
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HopFact(Fact):
    """A step of a cycle."""

    predicate: ClassVar[str] = "hop"
    document: int
    number: int
    left: End
    right: End


@dataclass(frozen=True, slots=True, kw_only=True)
class HopsFact(Fact):
    """The number of steps of a cycle."""

    predicate: ClassVar[str] = "hops"
    document: int
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictFact(Fact):
    """A link of a conflict."""

    predicate: ClassVar[str] = "conflict"
    conflict: int
    link: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightFact(Fact):
    """The cost of removing a link."""

    predicate: ClassVar[str] = "weight"
    link: int
    weight: int


def program(name: str, interpretation: Interpretation) -> Program:
    """One of the encodings with the constants of an interpretation."""
    constants = {"reading": str(interpretation.reading), "during": str(interpretation.during)}
    return Program(encodings=(name,), constants=constants)


def document_facts(
    number: int, document: Document, interpretation: Interpretation
) -> Iterator[str]:
    """The facts of a document; nodes are numbered by their sorted ids."""
    nodes = _numbers(document)
    yield from NodeFact.rows((number, node) for node in nodes.values())
    yield from LinkFact.rows(
        (number, n, link.relation.lower(), nodes[link.left], nodes[link.right])
        for n, link in enumerate(document.links)
        if link.relation is not RelationType.VAGUE
    )
    if interpretation.dates:
        yield from written(
            DatedFact(
                document=number,
                left=_end(left, nodes),
                kind="strict" if strict else "loose",
                right=_end(right, nodes),
            )
            for left, strict, right in dated_order(document)
        )


def _numbers(document: Document) -> dict[str, int]:
    return {name: n for n, name in enumerate(sorted(document.nodes))}


def _end(point: Point, nodes: Mapping[str, int]) -> End:
    return End(event=nodes[point.event], bound=point.bound)


def inconsistent(documents: Sequence[Document], interpretation: Interpretation) -> set[int]:
    """Indices of the inconsistent documents, by ``consistency.lp``."""
    facts = _facts(documents, interpretation)
    atoms = program(CONSISTENCY, interpretation).unique_model("\n".join(facts))
    return {ViolationAtom.of(atom).numbers[0] for atom in atoms}


def decidable(document: Document) -> bool:
    """Whether a document is small enough for ``consistency.lp``."""
    return len(document.nodes) * len(document.links) <= CLOSURE_LIMIT


def refuted(
    documents: Sequence[Document], decisions: Sequence[Decision], interpretation: Interpretation
) -> set[int]:
    """Indices of the documents whose timeline or cycle ``witness.lp`` rejects."""
    facts = [*_facts(documents, interpretation), *witness_facts(documents, decisions)]
    atoms = program(WITNESS, interpretation).unique_model("\n".join(facts))
    return {ViolationAtom.of(atom).numbers[0] for atom in atoms}


def _facts(documents: Iterable[Document], interpretation: Interpretation) -> Iterator[str]:
    for number, document in enumerate(documents):
        yield from document_facts(number, document, interpretation)


def witness_facts(documents: Iterable[Document], decisions: Iterable[Decision]) -> Iterator[str]:
    """The timeline or the cycle of each document."""
    for number, (document, decision) in enumerate(zip(documents, decisions, strict=True)):
        nodes = _numbers(document)
        if decision.consistent:
            yield from InstantFact.rows(
                (number, nodes[name], *ends) for name, ends in decision.timeline.items()
            )
            continue
        yield from written(
            HopFact(
                document=number,
                number=n,
                left=_end(step.source, nodes),
                right=_end(step.target, nodes),
            )
            for n, step in enumerate(decision.cycle)
        )
        yield f"{HopsFact(document=number, number=len(decision.cycle))}."
