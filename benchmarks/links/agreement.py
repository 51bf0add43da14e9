"""Agreement of two annotators after closure: labels of pairs, Cohen's kappa, contradictions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from grammar.links.model import Document, Interpretation, RelationType
from solver.links.closure import Closure, labels
from solver.links.engine import Network, components


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How two annotators label the pairs of the events and times that both have.

    Attributes:
        documents: number of documents of both.
        pairs: number of pairs by label and other label.
        contradicted: pairs with different labels, as (document, left, right), about which an
            annotator contradicts himself.
    """

    documents: int
    pairs: Counter[tuple[str, str]]
    contradicted: tuple[tuple[str, str, str], ...]

    @property
    def observed(self) -> float:
        """Share of the pairs with the same label; 0 without pairs. In [0, 1]."""
        total = self.pairs.total()
        same = sum(number for (one, other), number in self.pairs.items() if one == other)
        return same / total if total else 0.0

    @property
    def kappa(self) -> float:
        """Cohen's kappa; 1 if both use one label only. In [-1, 1]. Source: Cohen 1960."""
        total = self.pairs.total()
        if not total:
            return 0.0
        sides: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        for pair, number in self.pairs.items():
            for side, label in zip(sides, pair, strict=True):
                side[label] += number
        chance = sum(sides[0][label] * sides[1][label] for label in sides[0]) / total**2
        return (self.observed - chance) / (1 - chance) if chance < 1 else 1.0

    def as_json(self) -> dict[str, object]:
        """The figures."""
        return {
            "kind": "links",
            "documents": self.documents,
            "pairs": self.pairs.total(),
            "agreement": self.observed,
            "kappa": self.kappa,
            "contradicted": [list(one) for one in self.contradicted],
        }


def agreement(
    one: Iterable[Document], other: Iterable[Document], interpretation: Interpretation
) -> Agreement:
    """Compare the documents that both have, by name; pairs without a label count as VAGUE."""
    others = {document.name: document for document in other}
    pairs: Counter[tuple[str, str]] = Counter()
    contradicted: list[tuple[str, str, str]] = []
    documents = 0
    for document in one:
        if document.name not in others:
            continue
        documents += 1
        sides = [_Labels(side, interpretation) for side in (document, others[document.name])]
        names = [name for name in document.nodes if name in others[document.name].nodes]
        known = tuple(dict.fromkeys(label for side in sides for label in side.known))
        for left, right in combinations(names, 2):
            found = [side.label(left, right, known) for side in sides]
            pairs[found[0], found[1]] += 1
            torn = any(left in side.torn and right in side.torn for side in sides)
            if found[0] != found[1] and torn:
                contradicted.append((document.name, left, right))
    return Agreement(documents=documents, pairs=pairs, contradicted=tuple(contradicted))


class _Labels:
    """The labels that follow for the pairs of one document."""

    def __init__(self, document: Document, interpretation: Interpretation) -> None:
        self._network = Network(document, interpretation)
        self._closure = Closure(self._network)
        self.known = labels(document)
        component = components(self._network.size, self._network.edges)
        bad = {
            component[one.source]
            for one in self._network.edges
            if one.strict and component[one.source] == component[one.target]
        }
        self.torn = {
            name
            for n, name in enumerate(self._network.names)
            if component[2 * n] in bad or component[2 * n + 1] in bad
        }

    def label(self, left: str, right: str, known: Iterable[RelationType]) -> str:
        for relation in known:
            if self._closure.entails(self._network.demanded(relation, left, right)):
                return str(relation)
        return str(RelationType.VAGUE)
