"""Probes of annotated links: is the relation predictable from words, order or distance?

In texts by people it is in part: events are often mentioned in their order. So these probes are run
on request only; a corpus that is to test reasoning should not have such shortcuts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from grammar.links.model import Document, Link
from solver.probes.learners import Bags, Features, Table
from solver.probes.probe import PROBED, Labelled, Probe, ProbeLevel, ProbeResult, run_probes


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbedLink:
    """A link, its document, and the places of its nodes in the document, from 0."""

    link: Link
    document: Document
    left: int
    right: int


def probed_links(document: Document) -> Iterator[ProbedLink]:
    """The links of a document."""
    places = {name: place for place, name in enumerate(document.nodes)}
    for link in document.links:
        left, right = places[link.left], places[link.right]
        yield ProbedLink(link=link, document=document, left=left, right=right)


Items = Sequence[ProbedLink]
_WORD = re.compile(r"\w+")


def _words(items: Items) -> Features:
    bags: list[list[str]] = []
    for sample in items:
        nodes = sample.document.nodes
        bags.append(
            [
                f"{side} word {word}"
                for side, name in (("left", sample.link.left), ("right", sample.link.right))
                for word in _WORD.findall(nodes[name].word.lower())
            ]
        )
    return Bags(bags=bags)


def _order(items: Items) -> Features:
    nodes = [
        (sample.document.nodes[sample.link.left], sample.document.nodes[sample.link.right])
        for sample in items
    ]
    rows = [
        (sample.left < sample.right, left.is_time, right.is_time)
        for sample, (left, right) in zip(items, nodes, strict=True)
    ]
    return _table(("left node first", "left node is a time", "right node is a time"), rows)


def _distance(items: Items) -> Features:
    rows = []
    for sample in items:
        nodes = sample.document.nodes
        same = nodes[sample.link.left].sentence == nodes[sample.link.right].sentence
        rows.append((abs(sample.right - sample.left), same, min(sample.left, sample.right)))
    return _table(("nodes apart", "same sentence", "place of the first node"), rows)


def _table(names: Sequence[str], rows: Sequence[Sequence[float]]) -> Features:
    import numpy as np

    values = np.array(rows, dtype=np.float64).reshape(len(rows), len(names))
    return Table(names=tuple(names), values=values)


PROBES: tuple[Probe[ProbedLink], ...] = (
    Probe(name="the words of the pair", features=_words, fast=False),
    Probe(name="the order in the text", features=_order, fast=False),
    Probe(name="the distance in the text", features=_distance, fast=False),
)


def probed(documents: Iterable[Document], level: ProbeLevel) -> Iterator[ProbeResult]:
    """Cross-validate the probes on the first links of a corpus; only at level ``all``."""
    if level is not ProbeLevel.ALL:
        return
    some = [link for document in documents for link in probed_links(document)][: PROBED[level]]
    labelled = Labelled(
        items=some,
        labels=[str(probed_link.link.relation) for probed_link in some],
        ids=[f"{probed_link.document.name} {probed_link.link.id}" for probed_link in some],
    )
    yield from run_probes(PROBES, labelled, level=level)
