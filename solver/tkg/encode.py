"""Finds all violations in a generated graph with ``encodings/tkg/proof.lp``."""

from __future__ import annotations

from dataclasses import dataclass

from solver.asp import AspError, Program
from solver.tkg.io import GeneratedGraph

PROOF = "tkg/proof.lp"
ENCODINGS = (PROOF, "tkg/instances.lp", "tkg/labels.lp", "tkg/support.lp")


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Finding:
    """An atom ``violation(code(numbers))``."""

    code: str
    numbers: tuple[int, ...]


def findings(graph: GeneratedGraph) -> list[Finding]:
    """All violations, sorted; empty if the graph is as declared."""
    found = []
    for atom in Program(encodings=(PROOF,)).unique_model(proof_facts(graph)):
        match atom.arguments:
            case ((str(code), numbers),):
                counted = tuple(number for number in numbers if isinstance(number, int))
                found.append(Finding(code=code, numbers=counted))
            case _:
                raise AspError(f"found {atom}, expected violation(code(numbers))")
    return sorted(found)


def proof_facts(graph: GeneratedGraph) -> str:
    """The graph as input facts of the encoding."""
    declared, labels = graph.declared, graph.labels
    lines = [f"horizon({declared.steps}). planted_instances({declared.planted})."]
    if declared.injective:
        lines.append("drawn(injective).")
    if declared.closed and declared.depth is not None:
        lines.append(f"limit({declared.depth}).")
    for one in graph.patterns:
        for number, step in enumerate(one.template.steps, 1):
            lines.append(f"step({one.id},{number},{step.head},{one.relation(step)},{step.tail}).")
        lines += [f"lag({one.id},{n},{lag.low},{lag.high})." for n, lag in enumerate(one.lags, 1)]
        if declared.closed and one.closed:
            lines.append(f"followed({one.id}).")
    rows = graph.facts.rows().tolist()
    lines += [f"fact({n},{h},{r},{t},{u})." for n, (h, r, t, u) in enumerate(rows)]
    columns = zip(
        labels.fact.tolist(),
        labels.pattern.tolist(),
        labels.instance.tolist(),
        labels.consequence.tolist(),
        labels.position.tolist(),
        strict=True,
    )
    roles = ("antecedent", "consequence")
    lines += [
        f"label({row},{fact},{pattern},{instance},{roles[last]},{step})."
        for row, (fact, pattern, instance, last, step) in enumerate(columns)
    ]
    return "\n".join(lines)
