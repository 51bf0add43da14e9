"""Text to graph: parses a premise and a claim into an item.

Source: EventHopNLI, section 7. A premise is a list of sentences, each about two points; a claim is
a sentence about two events, or beyond the paper about two points.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Protocol

from grammar.diagnosis import Diagnosis
from grammar.domains import detect
from grammar.errors import Fault, FaultError, quoted
from grammar.lexicon import lexicon, point_terminals
from grammar.meaning import EventClaim
from grammar.names import Names
from grammar.parser import CLAIM, TextParser, placed
from grammar.prose import ProseWording
from grammar.settled import normalize_openings, normalize_spellings
from grammar.symbols import SymbolWording
from solver.model import Claim, Domain, Item, Relation, SpatialReading

__all__ = ["Reader", "detect", "reader"]


class Wording(Protocol):
    """The parts of a reader that depend on the domain."""

    @property
    def names(self) -> Names:
        """Extracts names from tokens."""

    @property
    def diagnosis(self) -> Diagnosis:
        """Explains why a text does not parse."""

    @property
    def opens_with_names(self) -> bool:
        """Whether the sentences of a premise begin with a name."""

    def claim(self, parsed: EventClaim, premise: Iterable[Relation]) -> Claim | Relation:
        """Resolve a parsed claim, or raise a ``FaultError``."""


class Reader:
    """Parses the texts of one domain; ``reader`` returns a cached one.

    Args:
        domain: wording of the texts.
        spatial: which edge of a place is its start; ignored in other domains.
        self_claims: whether a claim may relate an event to itself, as in 1 of 45 published items.
    """

    def __init__(
        self,
        domain: Domain,
        spatial: SpatialReading = SpatialReading.GEOMETRIC,
        *,
        self_claims: bool = True,
    ) -> None:
        words = lexicon(domain)
        points = point_terminals(domain, spatial)
        self.domain = domain
        self.spatial = spatial
        self._self_claims = self_claims
        self._wording: Wording = (
            SymbolWording(words) if domain is Domain.LOGICAL else ProseWording(words, points)
        )
        self._parser = TextParser(words, points, self._wording.names, self._wording.diagnosis)

    def read(self, item_id: str, premise: str, claim: str) -> Item:
        """Parse an item.

        Args:
            item_id: id of the item.
            premise: sentences; may be empty.
            claim: relates two events or two points, which need not be in the premise.

        Raises:
            ParseError: with part, line, column, what was found and what was expected.
        """
        relations = self._parser.premise(premise)
        parsed = self._parser.claim(claim)
        if isinstance(parsed, Relation):
            return self._item(item_id, relations, parsed, premise, claim)
        try:
            resolved = self._wording.claim(parsed, relations)
        except FaultError as error:
            raise placed(CLAIM, claim, error.fault) from None
        item = self._item(item_id, relations, resolved, premise, claim)
        if not self._self_claims and _is_self_claim(item.claim):
            raise placed(CLAIM, claim, _same_event(parsed))
        return item

    def _item(
        self,
        item_id: str,
        relations: tuple[Relation, ...],
        resolved: Claim | Relation,
        premise: str,
        claim: str,
    ) -> Item:
        item = Item(id=item_id, premise=relations, claim=resolved, domain=self.domain)
        if not (premise.isascii() and claim.isascii()):
            item = normalize_spellings(item)
        if self._wording.opens_with_names and not (premise.islower() and claim.islower()):
            item = normalize_openings(item)
        return item


def _is_self_claim(claim: Claim | Relation) -> bool:
    return isinstance(claim, Claim) and claim.left == claim.right


def _same_event(parsed: EventClaim) -> Fault:
    return Fault(
        position=parsed.position,
        found=f"the event {quoted(parsed.right)} again",
        expected="a claim about two different events",
    )


def reader(
    domain: Domain,
    spatial: SpatialReading = SpatialReading.GEOMETRIC,
    *,
    self_claims: bool = True,
) -> Reader:
    """The reader of a domain, cached: a grammar takes some 40 ms to load."""
    return _cached(domain, spatial, self_claims)


@cache
def _cached(domain: Domain, spatial: SpatialReading, self_claims: bool) -> Reader:
    return Reader(domain, spatial, self_claims=self_claims)
