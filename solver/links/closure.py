"""Closure and reduction: what follows from links, and which links follow from the others.

An inequality follows if a walk of steps derives it. That is entailment where the links are
consistent, and remains defined where they are not.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from grammar.links.model import (
    INVERSE,
    Document,
    During,
    Format,
    Interpretation,
    Link,
    RelationType,
)
from grammar.links.tables import written_label
from solver.links.engine import Arc, Edge, Network, components

_INCLUDED = {
    RelationType.IDENTITY: RelationType.SIMULTANEOUS,
    RelationType.DURING: RelationType.IS_INCLUDED,
    RelationType.DURING_INV: RelationType.INCLUDES,
}
_SYNONYMS = {
    During.INCLUDED: _INCLUDED,
    During.SIMULTANEOUS: dict.fromkeys(_INCLUDED, RelationType.SIMULTANEOUS),
}
"""Relations that mean the same as another one."""
_LABELS = {
    Format.TABLE: tuple(RelationType[name] for name in (
        "SIMULTANEOUS", "BEFORE", "AFTER", "INCLUDES", "IS_INCLUDED")),
    Format.STARTS: tuple(RelationType[name] for name in (
        "STARTS_EQUAL", "STARTS_BEFORE", "STARTS_AFTER")),
    Format.TIMEML: tuple(RelationType[name] for name in (
        "SIMULTANEOUS", "IBEFORE", "IAFTER", "BEGINS", "BEGUN_BY", "ENDS", "ENDED_BY",
        "BEFORE", "AFTER", "INCLUDES", "IS_INCLUDED")),
}  # fmt: skip
"""Labels of each format without synonyms, the most specific first."""


def labels(document: Document) -> tuple[RelationType, ...]:
    """The relations in which a document's links are expressed, without synonyms and VAGUE.

    Those of its format, and OVERLAP where the document uses it.
    """
    used = {link.relation for link in document.links}
    form = Format.TABLE if document.format is Format.PAIRS else document.format
    if form in _LABELS:
        known = _LABELS[form]
    elif used & set(_LABELS[Format.STARTS]):
        known = _LABELS[Format.STARTS]
    else:
        known = _LABELS[Format.TIMEML]
    overlap = (RelationType.OVERLAP,) if RelationType.OVERLAP in used else ()
    return (*known, *overlap)


class Closure:
    """The walks between the points of a network; links can be dropped one by one.

    A link may be dropped only if the others entail it: then the closure stays the same.
    """

    def __init__(self, network: Network) -> None:
        self.network = network
        self._component = components(network.size, network.edges)
        self._own: dict[int, list[Edge]] = defaultdict(list)
        self._ways: list[list[Edge]] = [[] for _ in range(network.size)]
        self._parallel: Counter[Arc] = Counter()
        self._dropped: set[int] = set()
        # Bit sets of the next points of each point, and of the ones before it.
        self._after = [0] * network.size
        self._before = [0] * network.size
        count = max(self._component, default=-1) + 1
        # Steps from a component to a later one, by the number of steps of each strictness.
        self._between: list[dict[int, list[int]]] = [{} for _ in range(count)]
        self._looped = 0
        for edge in network.edges:
            self._own[edge.link].append(edge)
            self._ways[edge.source].append(edge)
            self._parallel[edge.source, edge.target, edge.strict] += 1
            self._after[edge.source] |= 1 << edge.target
            self._before[edge.target] |= 1 << edge.source
            self._count(edge, 1)
        self._close(count)

    def _count(self, edge: Edge, change: int) -> None:
        p, q = self._component[edge.source], self._component[edge.target]
        if p != q:
            self._between[p].setdefault(q, [0, 0])[edge.strict] += change
        elif edge.strict:
            self._looped |= 1 << p

    def _close(self, count: int) -> None:
        self._reach = [0] * count
        self._strict = [0] * count
        self._any = [0] * count
        self._sharp = [0] * count
        for p in range(count):
            reach, strict = 1 << p, 0
            for q, (_, sharp) in self._between[p].items():
                reach |= self._reach[q]
                strict |= self._reach[q] if sharp else self._strict[q]
                self._any[p] |= 1 << q
                self._sharp[p] |= (1 << q) if sharp else 0
            self._reach[p] = reach
            self._strict[p] = reach if self._looped >> p & 1 else strict
        self._back = [1 << p for p in range(count)]
        self._strict_back = [(1 << p) if self._looped >> p & 1 else 0 for p in range(count)]
        for p in range(count - 1, -1, -1):
            if self._looped >> p & 1:
                self._strict_back[p] |= self._back[p]
            for q, (_, sharp) in self._between[p].items():
                self._back[q] |= self._back[p]
                self._strict_back[q] |= self._back[p] if sharp else self._strict_back[p]

    def derivable(self, p: int, q: int, strict: bool) -> bool:
        """Whether p < q, or p <= q, follows from the links."""
        table = self._strict if strict else self._reach
        return bool(table[self._component[p]] >> self._component[q] & 1)

    def entails(self, arcs: Iterable[Arc]) -> bool:
        """Whether all inequalities follow from the links."""
        return all(self.derivable(*arc) for arc in arcs)

    def redundant(self, link: int) -> bool:
        """Whether a link follows from the others that are not dropped."""
        own_edges = self._own[link]
        component = self._component
        inside = any(component[edge.source] == component[edge.target] for edge in own_edges)
        elsewhere = ~sum(1 << n for n in {n for edge in own_edges for n in edge[:2]})
        mine = Counter((edge.source, edge.target, edge.strict) for edge in own_edges)
        for edge in own_edges:
            p, q, strict = edge.source, edge.target, edge.strict
            if p == q and not strict:
                continue
            arcs = [(p, q, True)] if strict else [(p, q, False), (p, q, True)]
            if any(self._parallel[arc] > mine[arc] for arc in arcs):
                continue
            # Two steps over a point that the link does not touch are steps of other links.
            if inside and not strict and self._after[p] & self._before[q] & elsewhere:
                continue
            if not (self._searched(edge) if inside else self._detour(edge, own_edges)):
                return False
        return True

    def _detour(self, edge: Edge, own_edges: Sequence[Edge]) -> bool:
        """Whether another step leads from the component of a step towards that of its target."""
        p, q = self._component[edge.source], self._component[edge.target]
        either, sharp = self._any[p], self._sharp[p]
        mine: dict[int, list[int]] = {}
        for step in own_edges:
            if self._component[step.source] == p:
                mine.setdefault(self._component[step.target], [0, 0])[step.strict] += 1
        for target, counts in mine.items():
            left = [a - b for a, b in zip(self._between[p][target], counts, strict=True)]
            if not left[1]:
                sharp &= ~(1 << target)
                if not left[0]:
                    either &= ~(1 << target)
        if not edge.strict or self._looped >> p & 1:
            return bool(either & self._back[q])
        return bool(sharp & self._back[q] or either & self._strict_back[q])

    def _searched(self, edge: Edge) -> bool:
        """Whether a walk without the link of a step derives the same."""
        goal = self._component[edge.target]
        seen = {(edge.source, False)}
        waiting = [(edge.source, False)]
        while waiting:
            point, strict = waiting.pop()
            for step in self._ways[point]:
                if step.link == edge.link or step.link in self._dropped:
                    continue
                state = (step.target, strict or step.strict)
                if step.target == edge.target and (state[1] or not edge.strict):
                    return True
                if state in seen or not self._reach[self._component[step.target]] >> goal & 1:
                    continue
                seen.add(state)
                waiting.append(state)
        return False

    def drop(self, link: int) -> None:
        """Drop a link that the others entail."""
        self._dropped.add(link)
        for edge in self._own[link]:
            arcs = [(edge.source, edge.target, strict) for strict in (False, True)]
            self._parallel[arcs[edge.strict]] -= 1
            if not any(self._parallel[arc] for arc in arcs):
                self._after[edge.source] &= ~(1 << edge.target)
                self._before[edge.target] &= ~(1 << edge.source)
            p, q = self._component[edge.source], self._component[edge.target]
            if p == q:
                continue
            self._count(edge, -1)
            loose, sharp = self._between[p][q]
            if not sharp:
                self._sharp[p] &= ~(1 << q)
                if not loose:
                    self._any[p] &= ~(1 << q)


def meaning(link: Link, interpretation: Interpretation) -> tuple[str, str, RelationType]:
    """The same for identical and inverse links."""
    relation = _SYNONYMS[interpretation.during].get(link.relation, link.relation)
    if link.left <= link.right:
        return link.left, link.right, relation
    return link.right, link.left, INVERSE[relation]


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlap:
    """How a document's links repeat each other.

    Attributes:
        repeated: (link, earlier link) with the same ends and relation.
        inverse: the same, the one stated from right to left.
        differing: (link, earlier link) of one pair with different relations.
    """

    repeated: tuple[tuple[int, int], ...]
    inverse: tuple[tuple[int, int], ...]
    differing: tuple[tuple[int, int], ...]


def overlap(document: Document, interpretation: Interpretation) -> Overlap:
    """Double links, and different links for one pair."""
    firsts: dict[frozenset[str], dict[RelationType, int]] = {}
    repeated: list[tuple[int, int]] = []
    inverse: list[tuple[int, int]] = []
    differing: list[tuple[int, int]] = []
    for n, link in enumerate(document.links):
        relation = meaning(link, interpretation)[2]
        earlier = firsts.setdefault(frozenset((link.left, link.right)), {})
        if relation in earlier:
            first = earlier[relation]
            same = document.links[first].left == link.left
            (repeated if same else inverse).append((n, first))
            continue
        differing += [(n, other) for other in earlier.values()]
        earlier[relation] = n
    return Overlap(repeated=tuple(repeated), inverse=tuple(inverse), differing=tuple(differing))


def redundant_links(closure: Closure) -> list[int]:
    """Indices of the links that follow from the others; VAGUE is no constraint, so not counted."""
    return [
        n
        for n, link in enumerate(closure.network.links)
        if link.relation is not RelationType.VAGUE and closure.redundant(n)
    ]


def determined(document: Document, closure: Closure) -> list[int]:
    """Indices of VAGUE links for whose pair a relation of the document's labels follows."""
    network, known = closure.network, labels(document)
    return [
        n
        for n, link in enumerate(document.links)
        if link.relation is RelationType.VAGUE
        and any(
            closure.entails(network.demanded(relation, link.left, link.right)) for relation in known
        )
    ]


def reduced(document: Document, interpretation: Interpretation) -> tuple[Link, ...]:
    """A minimal equivalent set: double links merged, then each dropped that the rest entails.

    Links are scanned in the order of the document. VAGUE links, which constrain nothing, are left
    out.
    """
    merged: dict[tuple[str, str, RelationType], Link] = {}
    for link in document.links:
        if link.relation is not RelationType.VAGUE:
            merged.setdefault(meaning(link, interpretation), link)
    network = Network(document, interpretation, tuple(merged.values()))
    closure = Closure(network)
    kept = []
    for n, link in enumerate(network.links):
        if closure.redundant(n):
            closure.drop(n)
        else:
            kept.append(link)
    return tuple(kept)


def closed(
    document: Document,
    interpretation: Interpretation,
    relations: Sequence[RelationType] | None = None,
) -> Iterator[Link]:
    """Every link that follows, in the document's labels; each pair once, in the nodes' order.

    Args:
        document: its links should be consistent; of others, what walks derive.
        interpretation: what the links mean.
        relations: the relations to derive; default: the document's labels.
    """
    network = Network(document, interpretation)
    closure = Closure(network)
    known = labels(document) if relations is None else tuple(relations)
    number = 0
    names = list(document.nodes)
    for n, left in enumerate(names):
        for right in names[n + 1 :]:
            for relation in known:
                if closure.entails(network.demanded(relation, left, right)):
                    number += 1
                    written = written_label(relation, document.format) or str(relation)
                    yield Link(
                        id=f"c{number}", left=left, right=right, relation=relation, written=written
                    )
