"""What is known about a document whose links are decided."""

from __future__ import annotations

from dataclasses import dataclass

from grammar.links.model import Document, FlawCode, Interpretation, RelationType
from solver.links.closure import Closure, Overlap, determined, overlap, redundant_links
from solver.links.engine import Decision, Network
from solver.links.settings import LinkSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What was found in a document.

    Attributes:
        decision: consistent or not, with its certificate.
        cores: minimal contradictory sets, as indices of links.
        overlap: double links.
        conflicting: pairs of links for one pair that contradict each other.
        redundant: number of links that follow from the others, 0 in an inconsistent document; None
            if not counted.
        determined: indices of VAGUE links whose pair is determined.
    """

    document: Document
    decision: Decision
    cores: tuple[tuple[int, ...], ...]
    overlap: Overlap
    conflicting: tuple[tuple[int, int], ...]
    redundant: int | None
    determined: tuple[int, ...]

    def flaws(self, code: FlawCode) -> int:
        """Number of links left out for a reason."""
        return sum(flaw.code is code for flaw in self.document.flaws)

    @property
    def stated(self) -> int:
        """Number of links in the file, those left out included."""
        return len(self.document.links) + len(self.document.flaws)


def examine(document: Document, decision: Decision, settings: LinkSettings) -> Outcome:
    """What is known about a document that is decided."""
    network = Network(document, settings.interpretation)
    repeats = overlap(document, settings.interpretation)
    vague = any(link.relation is RelationType.VAGUE for link in document.links)
    cores = () if decision.consistent else tuple(network.cores(settings.cores))
    # From contradictory links everything follows.
    redundant = 0 if settings.redundancy else None
    counted = settings.redundancy and decision.consistent
    closure = Closure(network) if counted or vague else None
    if closure is not None and counted:
        redundant = len(redundant_links(closure))
    return Outcome(
        document=document,
        decision=decision,
        cores=cores,
        overlap=repeats,
        conflicting=tuple(
            pair
            for pair in repeats.differing
            if not decision.consistent and _contradict(document, pair, settings.interpretation)
        ),
        redundant=redundant,
        determined=tuple(determined(document, closure)) if closure is not None and vague else (),
    )


def _contradict(document: Document, pair: tuple[int, int], interpretation: Interpretation) -> bool:
    links = tuple(document.links[n] for n in pair)
    nodes = {name: document.nodes[name] for name in (links[0].left, links[0].right)}
    alone = Document(name=document.name, nodes=nodes)
    return not Network(alone, interpretation, links).decide().consistent
