"""Temporal awareness: do links follow from those of the other side?

Source: UzZaman and Allen 2011; TempEval-3 (UzZaman et al. 2013). The profiles reproduce published
scorers; see docs/links.md, section "Scores".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from benchmarks.metrics.bootstrap import RESAMPLES, Interval, quantiles, resampled_sums
from benchmarks.metrics.ranking import Numbers
from grammar.errors import ExitStatus, HopcheckError
from grammar.links.model import (
    INVERSE,
    Document,
    During,
    Interpretation,
    Link,
    Node,
    Reading,
    RelationType,
)
from solver.links.closure import Closure, meaning, reduced
from solver.links.engine import Network, components
from solver.links.repair import RepairSettings, repair


class Profile(StrEnum):
    """How links are selected and matched.

    ``reduced``: the reduction in document order, against the closure. ``tempeval3``: the shared
    task's scorer; ``acl11``: the same without reduction, each link also in its inverse form;
    ``tieval``: that library, without reduction.
    """

    REDUCED = "reduced"
    TEMPEVAL3 = "tempeval3"
    ACL11 = "acl11"
    TIEVAL = "tieval"


class Inconsistent(StrEnum):
    """What to do with a document whose links contradict each other."""

    REFUSE = "refuse"
    REPAIR = "repair"
    AS_IS = "as-is"


class InconsistentError(HopcheckError):
    """A side whose links contradict each other, where that is refused."""

    code = "inconsistent"
    exit_status = ExitStatus.VIOLATIONS


SCORING = Interpretation(reading=Reading.ALLEN)
"""The reading of scores: under the lenient one, SIMULTANEOUS would entail INCLUDES."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Links of each side that the other side confirms, and their numbers."""

    system: int
    system_links: int
    gold: int
    gold_links: int

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            system=self.system + other.system,
            system_links=self.system_links + other.system_links,
            gold=self.gold + other.gold,
            gold_links=self.gold_links + other.gold_links,
        )

    @property
    def precision(self) -> float:
        """Share of the system's links that follow from gold; 0 without links. In [0, 1]."""
        return self.system / self.system_links if self.system_links else 0.0

    @property
    def recall(self) -> float:
        """Share of the gold links that follow from the system's; 0 without links. In [0, 1]."""
        return self.gold / self.gold_links if self.gold_links else 0.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; 0 if both are 0. In [0, 1]."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


NONE = Counts(system=0, system_links=0, gold=0, gold_links=0)


class _Entailment:
    """Which links follow from some links."""

    def __init__(
        self, nodes: Mapping[str, Node], links: Sequence[Link], interpretation: Interpretation
    ) -> None:
        self._nodes = nodes
        document = Document(name="", nodes=nodes)
        self._network = Network(document, interpretation, links)
        self._closure = Closure(self._network)

    def follows(self, link: Link) -> bool:
        if link.left not in self._nodes or link.right not in self._nodes:
            return False
        return self._closure.entails(self._network.demands(link))


def consistent(document: Document, interpretation: Interpretation) -> bool:
    """Whether a document's links are consistent."""
    network = Network(document, interpretation)
    component = components(network.size, network.edges)
    return not any(e.strict and component[e.source] == component[e.target] for e in network.edges)


def prepared(
    document: Document, side: str, policy: Inconsistent, interpretation: Interpretation
) -> Document:
    """The document as it is scored.

    Raises:
        InconsistentError: its links contradict each other, and that is refused.
    """
    if policy is Inconsistent.AS_IS or consistent(document, interpretation):
        return document
    if policy is Inconsistent.REPAIR:
        settings = RepairSettings(interpretation=interpretation, second_limit=0)
        return repair(document, settings).repaired
    raise InconsistentError(
        f"the links of {document.name} ({side}) contradict each other, expected consistent ones",
        where=document.file,
        hint="--inconsistent repair removes the fewest links, as-is scores what walks derive",
    )


def awareness(
    gold: Document,
    system: Document,
    *,
    profile: Profile = Profile.REDUCED,
    interpretation: Interpretation = SCORING,
) -> Counts:
    """The counts of one document."""
    if profile in (Profile.TEMPEVAL3, Profile.ACL11):
        return _as_scorer(gold, system, inverse=profile is Profile.ACL11)
    if profile is Profile.TIEVAL:
        return _as_tieval(gold, system)
    gold_graph, system_graph = (
        _Entailment(document.nodes, _stated(document), interpretation)
        for document in (gold, system)
    )
    gold_links, system_links = (reduced(document, interpretation) for document in (gold, system))
    return Counts(
        system=sum(map(gold_graph.follows, system_links)),
        system_links=len(system_links),
        gold=sum(map(system_graph.follows, gold_links)),
        gold_links=len(gold_links),
    )


def _stated(document: Document) -> list[Link]:
    return [link for link in document.links if link.relation is not RelationType.VAGUE]


_AS_SCORER = Interpretation(reading=Reading.ALLEN, during=During.SIMULTANEOUS)


class _Scored:
    """One side as the TempEval-3 scorer sees it: links are taken first come, first served."""

    def __init__(self, document: Document) -> None:
        links: dict[tuple[str, str, str], Link] = {}
        for link in _stated(document):
            during = link.relation is RelationType.DURING
            relation = RelationType.SIMULTANEOUS if during else link.relation
            related = replace(link, relation=relation)
            links.setdefault((related.left, related.relation, related.right), related)
        self.links = list(links.values())
        self._literal = links.keys()
        accepted: list[Link] = []
        self.kept: list[Link] = []
        self._graph = _Entailment(document.nodes, accepted, _AS_SCORER)
        for link in self.links:
            if self._graph.follows(link):
                continue
            self.kept.append(link)
            more = replace(document, links=(*accepted, link))
            if consistent(more, _AS_SCORER):
                accepted.append(link)
                self._graph = _Entailment(document.nodes, accepted, _AS_SCORER)

    def confirms(self, link: Link) -> bool:
        """Whether a link or its inverse is stated here, or follows from what was accepted."""
        inverse = (link.right, INVERSE[link.relation], link.left)
        stated = (link.left, link.relation, link.right) in self._literal
        return stated or inverse in self._literal or self._graph.follows(link)


def _as_scorer(gold: Document, system: Document, *, inverse: bool) -> Counts:
    score, other = _Scored(gold), _Scored(system)
    gold_links, system_links = (score.links, other.links) if inverse else (score.kept, other.kept)
    times = 2 if inverse else 1
    return Counts(
        system=times * sum(map(score.confirms, system_links)),
        system_links=times * len(system_links),
        gold=times * sum(map(other.confirms, gold_links)),
        gold_links=times * len(gold_links),
    )


def _as_tieval(gold: Document, system: Document) -> Counts:
    """As tieval: all distinct links, and no closure at all where there is a cycle."""
    gold_links, system_links = (
        list({meaning(link, _AS_SCORER): link for link in _stated(document)}.values())
        for document in (gold, system)
    )
    gold_graph, system_graph = (
        _Entailment(
            document.nodes,
            _stated(document) if consistent(document, _AS_SCORER) else [],
            _AS_SCORER,
        )
        for document in (gold, system)
    )
    return Counts(
        system=sum(map(gold_graph.follows, system_links)),
        system_links=len(system_links),
        gold=sum(map(system_graph.follows, gold_links)),
        gold_links=len(gold_links),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedPairs:
    """The linked pairs of a document by label.

    Attributes:
        gold, system: linked pairs of each side.
        alike: pairs that have this label on both sides.
    """

    gold: Counter[str]
    system: Counter[str]
    alike: Counter[str]

    def total(self, label: str) -> int:
        """Pairs with a label, of both sides together."""
        return self.gold[label] + self.system[label]


_BLOCK = 100
"""Resamples in memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkScores:
    """Scores of a system's documents.

    Attributes:
        by_document: the counts of each gold document; a missing document of the system is empty.
        pairs: linked pairs of each gold document.
        missing: documents of gold alone.
        extra: documents of the system alone.
        inconsistent: inconsistent documents, as (side, name).
    """

    by_document: Mapping[str, Counts]
    pairs: Mapping[str, LinkedPairs]
    missing: tuple[str, ...]
    extra: tuple[str, ...]
    inconsistent: tuple[tuple[str, str], ...]

    @property
    def total(self) -> Counts:
        """The counts of all documents."""
        return sum(self.by_document.values(), NONE)

    def pairwise_f1(self) -> dict[str, float]:
        """F1 of each label over the linked pairs, without closure. In [0, 1]."""
        found = {}
        for label in self.labels():
            alike = sum(pair.alike[label] for pair in self.pairs.values())
            total = sum(pair.total(label) for pair in self.pairs.values())
            found[label] = 2 * alike / total if total else 0.0
        return found

    def labels(self) -> list[str]:
        """The labels of the linked pairs, sorted."""
        every = self.pairs.values()
        return sorted(
            {label for pairs in every for side in (pairs.gold, pairs.system) for label in side}
        )

    def intervals(self, *, seed: int = 0, resamples: int = RESAMPLES) -> dict[str, Interval]:
        """95% bootstrap intervals of precision, recall and F1, over resampled documents.

        Args:
            seed: random seed.
            resamples: number of resamples.

        Returns:
            The intervals by ``precision``, ``recall``, ``f1`` and the labels; a resample without
            links scores 0, as a corpus without links does. Empty without documents.
        """
        if not self.by_document:
            return {}
        labels = self.labels()
        columns = [
            [counts.system, counts.system_links, counts.gold, counts.gold_links]
            + [number for label in labels for number in (pair.alike[label], pair.total(label))]
            for counts, pair in zip(self.by_document.values(), self.pairs.values(), strict=True)
        ]
        sums = resampled_sums(
            np.array(columns, dtype=np.float64),
            seed=(seed, "links", "bootstrap"),
            resamples=resamples,
            block=_BLOCK,
        )
        precision, recall = (_shares(sums[:, n], sums[:, n + 1]) for n in (0, 2))
        values = {"precision": precision, "recall": recall}
        values["f1"] = _shares(2 * precision * recall, precision + recall)
        for n, label in enumerate(labels, 2):
            values[label] = _shares(2 * sums[:, 2 * n], sums[:, 2 * n + 1])
        ends = {name: quantiles(drawn).tolist() for name, drawn in values.items()}
        return {name: Interval(low=low, high=high) for name, (low, high) in ends.items()}

    def as_json(self, *, seed: int = 0, resamples: int = RESAMPLES) -> dict[str, object]:
        """The scores with their intervals and counts."""
        found = self.intervals(seed=seed, resamples=resamples)
        return {
            "kind": "links",
            **_figures(self.total),
            "intervals": {name: [interval.low, interval.high] for name, interval in found.items()},
            "by_document": {
                name: _figures(counts) for name, counts in sorted(self.by_document.items())
            },
            "pairwise_f1": self.pairwise_f1(),
            "missing": list(self.missing),
            "extra": list(self.extra),
            "inconsistent": [list(pair) for pair in self.inconsistent],
        }


def _shares(parts: Numbers, wholes: Numbers) -> Numbers:
    """The quotients; 0 where the whole is 0."""
    shares: Numbers = np.divide(parts, wholes, out=np.zeros_like(parts), where=wholes > 0)
    return shares


def _figures(counts: Counts) -> dict[str, float]:
    return {
        "precision": counts.precision,
        "recall": counts.recall,
        "f1": counts.f1,
        "system_matched": counts.system,
        "system_links": counts.system_links,
        "gold_matched": counts.gold,
        "gold_links": counts.gold_links,
    }


def score_links(
    gold: Iterable[Document],
    system: Iterable[Document],
    *,
    profile: Profile = Profile.REDUCED,
    interpretation: Interpretation = SCORING,
    policy: Inconsistent = Inconsistent.REFUSE,
) -> LinkScores:
    """Score documents by name.

    Raises:
        InconsistentError: a document is inconsistent, and that is refused.
    """
    golds = {document.name: document for document in gold}
    systems = {document.name: document for document in system}
    counts: dict[str, Counts] = {}
    pairs: dict[str, LinkedPairs] = {}
    wrong: list[tuple[str, str]] = []
    for name, document in golds.items():
        sides = []
        other = systems.get(name, Document(name=name))
        for side, other_document in (("gold", document), ("system", other)):
            if not consistent(other_document, interpretation):
                wrong.append((side, name))
            sides.append(prepared(other_document, side, policy, interpretation))
        counts[name] = awareness(sides[0], sides[1], profile=profile, interpretation=interpretation)
        stated = [_by_pair(side, interpretation) for side in sides]
        alike = (label for pair, label in stated[0].items() if stated[1].get(pair) == label)
        pairs[name] = LinkedPairs(
            gold=Counter(stated[0].values()),
            system=Counter(stated[1].values()),
            alike=Counter(alike),
        )
    return LinkScores(
        by_document=counts,
        pairs=pairs,
        missing=tuple(sorted(golds.keys() - systems.keys())),
        extra=tuple(sorted(systems.keys() - golds.keys())),
        inconsistent=tuple(wrong),
    )


def _by_pair(document: Document, interpretation: Interpretation) -> dict[tuple[str, str], str]:
    """The first label of each linked pair, read from the lesser id to the greater."""
    found: dict[tuple[str, str], str] = {}
    for link in document.links:
        left, right, relation = meaning(link, interpretation)
        found.setdefault((left, right), str(relation))
    return found
