"""Finds all violations in a generated graph with ``encodings/tkg/proof.lp``."""

from __future__ import annotations

from collections.abc import Iterator

from solver.asp import Program
from solver.encodings import Fact, ViolationAtom, written
from solver.tkg.io import GeneratedGraph, Role

PROOF = "tkg/proof.lp"
ENCODINGS = (PROOF, "tkg/instances.lp", "tkg/labels.lp", "tkg/support.lp")


class Horizon(Fact, predicate="horizon"):
    """The number of time steps."""

    steps: int


class PlantedInstances(Fact, predicate="planted_instances"):
    """The number of planted instances; later ones were derived."""

    number: int


class Drawn(Fact, predicate="drawn"):
    """How entities were drawn: ``injective`` if distinct placeholders are distinct."""

    manner: str


class Limit(Fact, predicate="limit"):
    """The largest number of steps of a derivation."""

    steps: int


class StepFact(Fact, predicate="step"):
    """A step of a pattern between two placeholders."""

    pattern: int
    step: int
    head: int
    relation: int
    tail: int


class LagFact(Fact, predicate="lag"):
    """The least and the greatest lag after a step."""

    pattern: int
    step: int
    least: int
    greatest: int


class Closed(Fact, predicate="closed"):
    """A closed pattern."""

    pattern: int


class GraphFact(Fact, predicate="fact"):
    """A fact of the graph."""

    number: int
    head: int
    relation: int
    tail: int
    time: int


class LabelFact(Fact, predicate="label"):
    """A label: a fact as a step of an instance of a pattern."""

    row: int
    fact: int
    pattern: int
    instance: int
    role: Role
    step: int


def findings(graph: GeneratedGraph) -> list[ViolationAtom]:
    """All violations, sorted; empty if the graph is as declared."""
    return sorted(
        map(ViolationAtom.of, Program(encodings=(PROOF,)).unique_model(proof_facts(graph)))
    )


def proof_facts(graph: GeneratedGraph) -> str:
    """The graph as input facts of the encoding."""
    labels = graph.labels
    columns = zip(
        range(len(labels)),
        labels.fact.tolist(),
        labels.pattern.tolist(),
        labels.instance.tolist(),
        (_ROLES[last] for last in labels.consequence.tolist()),
        labels.position.tolist(),
        strict=True,
    )
    rows = graph.facts.rows().tolist()
    facts = GraphFact.rows((number, *row) for number, row in enumerate(rows))
    return "\n".join((*written(_declared(graph)), *facts, *LabelFact.rows(columns)))


_ROLES = (Role.ANTECEDENT, Role.CONSEQUENCE)


def _declared(graph: GeneratedGraph) -> Iterator[Fact]:
    """What the manifest and the patterns state."""
    declared = graph.declared
    yield Horizon(steps=declared.steps)
    yield PlantedInstances(number=declared.planted)
    if declared.injective:
        yield Drawn(manner="injective")
    if declared.closed and declared.depth is not None:
        yield Limit(steps=declared.depth)
    for pattern in graph.patterns:
        for number, step in enumerate(pattern.template.steps, 1):
            yield StepFact(
                pattern=pattern.id,
                step=number,
                head=step.head,
                relation=pattern.relation(step),
                tail=step.tail,
            )
        for number, lag in enumerate(pattern.lags, 1):
            yield LagFact(pattern=pattern.id, step=number, least=lag.low, greatest=lag.high)
        if declared.closed and pattern.closed:
            yield Closed(pattern=pattern.id)
