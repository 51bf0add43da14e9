"""Typed facts for ``encodings/links``, and the decisions that come back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

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


class End(Compound, predicate="at"):
    """The start or the end of a node."""

    event: int
    bound: Bound


class NodeFact(Fact, predicate="event"):
    """A node of a document."""

    document: int
    event: int


class LinkFact(Fact, predicate="link"):
    """A link of a document."""

    document: int
    number: int
    relation: str
    left: int
    right: int


class DatedFact(Fact, predicate="dated"):
    """A step that follows from the calendar."""

    document: int
    left: End
    kind: str
    right: End


class InstantFact(Fact, predicate="instant"):
    """A node on a timeline."""

    document: int
    event: int
    start: int
    end: int


class HopFact(Fact, predicate="hop"):
    """A step of a cycle."""

    document: int
    number: int
    left: End
    right: End


class HopsFact(Fact, predicate="hops"):
    """The number of steps of a cycle."""

    document: int
    number: int


class ConflictFact(Fact, predicate="conflict"):
    """A link of a conflict."""

    conflict: int
    link: int


class WeightFact(Fact, predicate="weight"):
    """The cost of removing a link."""

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
