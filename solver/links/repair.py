"""Repairs documents: the fewest links, or those of least weight, to remove or to relabel.

Conflicts are found one after another; clingo hits the known ones at least cost, until what is
left is consistent (implicit hitting set). z3 confirms the cost by another formulation without
conflicts. Source: docs/links.md, section "Repair".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from random import Random
from time import monotonic
from typing import Any

from grammar.links.model import Document, Interpretation, Link, RelationType, Step
from solver.asp import Program
from solver.encodings import ViolationAtom
from solver.links.closure import labels, meaning
from solver.links.encode import REPAIR, ConflictFact, WeightFact
from solver.links.engine import Edge, Network, components

SECOND_LIMIT = 300
"""Links of a document up to which a second solver confirms the minimum by default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairSettings:
    """Options of a repair.

    Attributes:
        seconds: time limit for each document and solver.
        second_limit: links of a document up to which z3 confirms the minimum.
        relabel: whether to relabel links instead of removing them, where a label fits.
    """

    interpretation: Interpretation
    seconds: float = 60.0
    second_limit: int = SECOND_LIMIT
    relabel: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """A repair of a document.

    Attributes:
        removed: indices of the links to remove or to relabel.
        relabelled: the new relations of those that are relabelled.
        cost: their weight.
        lower: no repair costs less.
        second: the least cost by the second solver; None if it was not asked or not in time.
        repaired: the document afterwards.
        conflicts: cycles of the document, each with the indices of its links: a repair breaks all.
    """

    document: Document
    removed: tuple[int, ...]
    relabelled: Mapping[int, RelationType]
    cost: int
    lower: int
    second: int | None
    repaired: Document
    conflicts: tuple[tuple[Step, ...], ...] = ()

    @property
    def proved(self) -> bool:
        """Whether no repair costs less."""
        return self.cost == self.lower

    def as_json(self) -> dict[str, Any]:
        """What shows that the document is repaired, and that no repair costs less."""
        return {
            "links": [
                [link.id, link.left, link.right, str(link.relation), link.weight]
                for link in self.document.links
            ],
            "cost": self.cost,
            "lower": self.lower,
            "conflicts": [
                [[str(step.source), str(step.target), step.relation] for step in cycle]
                for cycle in self.conflicts
            ],
        }

    def changes(self) -> dict[Link, RelationType | None]:
        """The new relation of each changed link; None if it is removed."""
        return {self.document.links[n]: self.relabelled.get(n) for n in self.removed}


def repair(document: Document, settings: RepairSettings) -> Repair:
    """Repair a document."""
    # Links that mean the same are removed together, as any of them alone keeps their conflicts.
    alike: dict[tuple[str, str, RelationType], list[int]] = {}
    for n, link in enumerate(document.links):
        alike.setdefault(meaning(link, settings.interpretation), []).append(n)
    groups = list(alike.values())
    network = Network(
        document, settings.interpretation, [document.links[group[0]] for group in groups]
    )
    weights = [sum(document.links[n].weight for n in group) for group in groups]
    parted, lower, conflicts = _fewest(network, weights, monotonic() + settings.seconds)
    cost = _weight(parted, weights)
    removed = {n for group in parted for n in groups[group]}
    relabelled = _relabelled(document, settings.interpretation, removed) if settings.relabel else {}
    second = None
    if removed and len(groups) <= settings.second_limit:
        second = _confirmed(network, weights, settings.seconds)
    kept = tuple(
        replace(link, relation=relabelled[n], written="") if n in relabelled else link
        for n, link in enumerate(document.links)
        if n not in removed or n in relabelled
    )
    return Repair(
        document=document,
        removed=tuple(sorted(removed)),
        relabelled=relabelled,
        cost=cost,
        lower=lower,
        second=second,
        repaired=replace(document, links=kept),
        conflicts=tuple(_cycles(network, [group[0] for group in groups], conflicts)),
    )


def _cycles(
    network: Network, links: Sequence[int], conflicts: Sequence[tuple[int, ...]]
) -> Iterator[tuple[Step, ...]]:
    """A cycle of each conflict, with the indices of the document's links."""
    every = frozenset(range(len(links)))
    for conflict in conflicts:
        yield tuple(
            step if step.relation is None else replace(step, relation=links[step.relation])
            for step in network.decide(every.difference(conflict)).cycle
        )


_ROUNDS = 8
"""Greedy repairs between two optimisations: they find conflicts, and may be optimal themselves."""


def _fewest(
    network: Network, weights: Sequence[int], deadline: float
) -> tuple[AbstractSet[int], int, list[tuple[int, ...]]]:
    """Links to remove, a lower bound of their weight, and the conflicts that show it.

    The bound is the weight if there was time.
    """
    conflicts: set[frozenset[int]] = set()
    removed: AbstractSet[int] = frozenset()
    best: AbstractSet[int] = frozenset(range(len(weights)))
    lower = 0
    source = Random(0)
    while True:
        found = network.conflicts(removed)
        if not found:
            return removed, lower, _minimal(conflicts)
        conflicts |= found
        for _ in range(_ROUNDS):
            hit = _hit(network, conflicts, removed, weights, source)
            if _weight(hit, weights) < _weight(best, weights):
                best = hit
        minimal = _minimal(conflicts)
        if _weight(best, weights) == lower:
            return best, lower, minimal
        facts = _facts(minimal, weights)
        optimum = Program(encodings=(REPAIR,)).optimum(facts, deadline - monotonic())
        # A link has to go, and each weighs at least 1, even if clingo had no time for a bound.
        lower = max(lower, optimum.lower, 1)
        if not optimum.proved or optimum.atoms is None:
            return best, min(lower, _weight(best, weights)), minimal
        removed = {ViolationAtom.of(atom).numbers[0] for atom in optimum.atoms}


def _weight(links: Iterable[int], weights: Sequence[int]) -> int:
    return sum(weights[n] for n in links)


def _hit(
    network: Network,
    conflicts: set[frozenset[int]],
    removed: AbstractSet[int],
    weights: Sequence[int],
    source: Random,
) -> AbstractSet[int]:
    """Remove more links, greedily, until no conflict is left; adds the conflicts on the way."""
    hit = set(removed)
    found = network.conflicts(hit)
    while found:
        conflicts |= found
        while found:
            counts = Counter(link for conflict in found for link in conflict)
            most = max(counts[n] / weights[n] for n in counts)
            hit.add(source.choice([n for n in sorted(counts) if counts[n] / weights[n] == most]))
            found = {conflict for conflict in found if hit.isdisjoint(conflict)}
        found = network.conflicts(hit)
    for link in sorted(hit, key=lambda n: (-weights[n], source.random())):
        if network.decide(hit - {link}).consistent:
            hit.remove(link)
    return hit


def _minimal(conflicts: Iterable[frozenset[int]]) -> list[tuple[int, ...]]:
    """Conflicts without those that contain another one."""
    kept: list[frozenset[int]] = []
    for conflict in sorted(conflicts, key=lambda conflict: (len(conflict), sorted(conflict))):
        if not any(other <= conflict for other in kept):
            kept.append(conflict)
    return [tuple(sorted(conflict)) for conflict in kept]


def _facts(conflicts: Sequence[tuple[int, ...]], weights: Sequence[int]) -> str:
    links = sorted({link for conflict in conflicts for link in conflict})
    rows = [
        *ConflictFact.rows((n, link) for n, conflict in enumerate(conflicts) for link in conflict)
    ]
    return "\n".join([*rows, *WeightFact.rows((link, weights[link]) for link in links)])


def _confirmed(network: Network, weights: Sequence[int], seconds: float) -> int | None:
    """The least weight by z3; links outside contradictory components are in no conflict."""
    from solver.smt import least_weight

    component = components(network.size, network.edges)
    inside = [edge for edge in network.edges if component[edge.source] == component[edge.target]]
    guarded: dict[int, list[tuple[int, int, bool]]] = {}
    for edge in inside:
        if edge.link >= 0:
            guarded.setdefault(edge.link, []).append(edge[:3])
    fixed = [edge[:3] for edge in inside if edge.link < 0]
    chosen = {n: weights[n] for n in guarded}
    return least_weight(fixed, guarded, chosen, seconds=seconds)


def _relabelled(
    document: Document, interpretation: Interpretation, removed: AbstractSet[int]
) -> dict[int, RelationType]:
    """A relation for each removed link with which the rest stays consistent, where there is one."""
    network = Network(document, interpretation)
    edges = [edge for edge in network.edges if edge.link not in removed]
    vague = any(link.relation is RelationType.VAGUE for link in document.links)
    known = (*labels(document), *((RelationType.VAGUE,) if vague else ()))
    found: dict[int, RelationType] = {}
    for n in sorted(removed):
        link = document.links[n]
        for relation in known:
            arcs = network.demanded(relation, link.left, link.right)
            more = [*edges, *(Edge(p, q, strict, n) for p, q, strict in arcs)]
            component = components(network.size, more)
            if not any(e.strict and component[e.source] == component[e.target] for e in more):
                found[n], edges = relation, more
                break
    return found


def weighted(document: Document, weights: Mapping[tuple[str, str], int]) -> Document:
    """The document with the weights of some links, by the names of document and link."""
    links = tuple(
        replace(link, weight=weights.get((document.name, link.id), link.weight))
        for link in document.links
    )
    return replace(document, links=links)
