"""Text to graph: a premise and a claim are read into an item.

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
from grammar.prose import Prose
from grammar.settled import settled_openings, settled_spellings
from grammar.symbols import Symbols
from solver.model import Claim, Domain, Item, Relation, SpatialReading

__all__ = ["Reader", "detect", "reader"]


class Wording(Protocol):
    """What domains do each in their own way."""

    @property
    def names(self) -> Names:
        """What takes the names out of tokens."""

    @property
    def diagnosis(self) -> Diagnosis:
        """What says why a text does not parse."""

    @property
    def opens_with_names(self) -> bool:
        """Whether the sentences of a premise begin with a name."""

    def claim(self, said: EventClaim, premise: Iterable[Relation]) -> Claim | Relation:
        """What a claim about events claims, or a ``FaultError``."""


class Reader:
    """Reads the texts of one domain; ``reader`` gives one that is made already.

    Args:
        domain: how the texts are worded.
        spatial: which edge of a place is its start; of no effect in other domains.
        self_claims: whether an event may be claimed to be before, after, … itself, as it is in
            1 of 45 published items.
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
            Symbols(words) if domain is Domain.LOGICAL else Prose(words, points)
        )
        self._parser = TextParser(words, points, self._wording.names, self._wording.diagnosis)

    def read(self, item_id: str, premise: str, claim: str) -> Item:
        """Read an item.

        Args:
            item_id: taken over as it is.
            premise: sentences; none is legal, and says nothing.
            claim: of two events or two points, in the premise or not.

        Raises:
            ParseError: with part, line, column, what was found and what was expected.
        """
        relations = self._parser.premise(premise)
        said = self._parser.claim(claim)
        if isinstance(said, Relation):
            return self._item(item_id, relations, said, premise, claim)
        try:
            meant = self._wording.claim(said, relations)
        except FaultError as error:
            raise placed(CLAIM, claim, error.fault) from None
        item = self._item(item_id, relations, meant, premise, claim)
        if not self._self_claims and _is_about_itself(item.claim):
            raise placed(CLAIM, claim, _same_event(said))
        return item

    def _item(
        self,
        item_id: str,
        relations: tuple[Relation, ...],
        meant: Claim | Relation,
        premise: str,
        claim: str,
    ) -> Item:
        item = Item(id=item_id, premise=relations, claim=meant, domain=self.domain)
        if not (premise.isascii() and claim.isascii()):
            item = settled_spellings(item)
        if self._wording.opens_with_names and not (premise.islower() and claim.islower()):
            item = settled_openings(item)
        return item


def _is_about_itself(claim: Claim | Relation) -> bool:
    return isinstance(claim, Claim) and claim.left == claim.right


def _same_event(said: EventClaim) -> Fault:
    return Fault(
        position=said.position,
        found=f"the event {quoted(said.right)} again",
        expected="a claim about two different events",
    )


def reader(
    domain: Domain,
    spatial: SpatialReading = SpatialReading.GEOMETRIC,
    *,
    self_claims: bool = True,
) -> Reader:
    """The reader of a domain, made at the first call: a grammar takes some 40 ms to load."""
    return _made(domain, spatial, self_claims)


@cache
def _made(domain: Domain, spatial: SpatialReading, self_claims: bool) -> Reader:
    return Reader(domain, spatial, self_claims=self_claims)
