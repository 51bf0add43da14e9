"""Text to graph: parses a premise and a claim into an item.

Source: EventHopNLI, section 7. A premise is a list of sentences, each about two points; a claim is
a sentence about two events, or beyond the paper about two points.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any, Protocol

from grammar.errors import Fault, FaultError, ParseError, placed, quoted
from grammar.eventhop import sentences, words
from grammar.eventhop.lexicon import Lexicon, boundaries, detect, lexicon, point_terminals
from grammar.eventhop.model import (
    PUBLISHED_ORDERS,
    AllenRelation,
    Bound,
    Claim,
    ClaimRelation,
    Domain,
    Item,
    Order,
    Point,
    Relation,
    SpatialReading,
)
from grammar.eventhop.names import (
    Names,
    ProseNames,
    SymbolNames,
    normalize_openings,
    normalize_spellings,
    normalize_subject,
    spellings,
)
from grammar.eventhop.parser import CLAIM, PREMISE, TextParser
from grammar.eventhop.plain import EventClaim, PlainProse

if TYPE_CHECKING:
    from pathlib import Path

    from grammar.eventhop.diagnosis import Diagnosis
    from grammar.eventhop.wordings import Wordings
    from grammar.phrases import PhraseFile


FORMATS = (
    '"The end of X happened before the start of Y", "X happened before Y", '
    '"X ended before Y began" or "X overlapped with Y"'
)

_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
"""Some of these are blanks in one language and none in another."""
_POINT_INSIDE = re.compile(r"(?:^|\s)(?:start|end) of ", re.IGNORECASE)


class ProseWording:
    """Names, diagnosis and claims of prose wordings.

    Args:
        lexicon: the words of the domain.
        points: its terminals for points, the start first.
    """

    opens_with_names = False

    def __init__(self, lexicon: Lexicon, points: Collection[str]) -> None:
        edges = boundaries(lexicon)
        self.names = ProseNames(edges)
        self._diagnosed = lexicon, edges, points
        self._mark = re.compile(f"{edges.opening}(?:the )?")
        self._example = quoted(lexicon.phrases(Order.BEFORE)[0])

    @cached_property
    def diagnosis(self) -> Diagnosis:
        """Explains why a text does not parse."""
        from grammar.eventhop.diagnosis import ProseDiagnosis

        return ProseDiagnosis(*self._diagnosed)

    def claim(self, parsed: EventClaim, premise: Iterable[Relation]) -> Claim:
        """Resolve a claim; its first name may differ from the premise's in a capital letter.

        Raises:
            FaultError: it relates points by the phrase of a claim about events.
        """
        known = {point.event for relation in premise for point in (relation.left, relation.right)}
        left = parsed.left
        if left not in known:
            left = normalize_subject(left, spellings((*known, parsed.right)))
            self._reject_point(parsed.left, 0, known)
        if parsed.right not in known:
            self._reject_point(parsed.right, parsed.position, known)
        return Claim(left=left, relation=parsed.relation, right=parsed.right)

    def _reject_point(self, side: str, position: int, known: Collection[str]) -> None:
        """Reject ``start of X`` as an event name if ``X`` is an event of the premise."""
        mark = self._mark.match(side)
        if mark is not None and side[mark.end() :] in known:
            raise FaultError(
                Fault(
                    position=position,
                    found=quoted(side),
                    expected="an event",
                    hint=f"a claim about points uses a premise phrase, such as {self._example}",
                )
            )


class SymbolWording:
    """Names, diagnosis and claims of the logical wording.

    Args:
        lexicon: the words of the domain.
    """

    opens_with_names = True

    def __init__(self, lexicon: Lexicon) -> None:
        self.names = SymbolNames()
        self._lexicon = lexicon
        self._bounds: Mapping[str, Bound] = {
            lexicon.mark("START"): Bound.START,
            lexicon.mark("END"): Bound.END,
        }
        orders = {phrase: order for order in PUBLISHED_ORDERS for phrase in lexicon.phrases(order)}
        self._orders = {claim: orders[lexicon.phrases(claim)[0]] for claim in ClaimRelation}

    @cached_property
    def diagnosis(self) -> Diagnosis:
        """Explains why a text does not parse."""
        from grammar.eventhop.diagnosis import SymbolDiagnosis

        return SymbolDiagnosis(self._lexicon)

    def claim(self, parsed: EventClaim, premise: Iterable[Relation]) -> Claim | Relation:
        """Resolve a claim about the premise's points or events.

        Raises:
            FaultError: it is ambiguous between points and events, or mixes them.
        """
        known = {point.event for relation in premise for point in (relation.left, relation.right)}
        sides = (parsed.left, parsed.right)
        pointed = all(map(self._is_point, sides))
        as_events = sum(side in known for side in sides)
        as_points = sum(self._is_point(side) and side[:-1] in known for side in sides)
        allen = isinstance(parsed.relation, AllenRelation)
        if as_events > as_points or (as_points == 0 and (allen or not pointed)):
            return Claim(left=parsed.left, relation=parsed.relation, right=parsed.right)
        if allen or not pointed or as_events == as_points > 0:
            raise FaultError(_ambiguous(parsed))
        order = self._orders[ClaimRelation(parsed.relation)]
        return Relation(left=self._point(parsed.left), order=order, right=self._point(parsed.right))

    def _is_point(self, side: str) -> bool:
        return len(side) > 1 and side[-1] in self._bounds

    def _point(self, side: str) -> Point:
        return Point(event=side[:-1], bound=self._bounds[side[-1]])


def _ambiguous(parsed: EventClaim) -> Fault:
    return Fault(
        position=0,
        found=f"{quoted(parsed.left)} and {quoted(parsed.right)}",
        expected="two events or two points of the premise",
        hint="events: mill < tide, mill meets tide; points: mill1 < tide2",
    )


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
        plain: whether to read plain texts without the parser, which changes the speed alone.
        phrases: phrase files; those of other domains are ignored.

    Raises:
        PhraseError: a phrase fails a test.
    """

    def __init__(
        self,
        domain: Domain,
        spatial: SpatialReading = SpatialReading.GEOMETRIC,
        *,
        self_claims: bool = True,
        plain: bool = True,
        phrases: Sequence[PhraseFile] = (),
    ) -> None:
        words = lexicon(domain)
        points = point_terminals(domain, spatial)
        self.domain = domain
        self.spatial = spatial
        self._self_claims = self_claims
        self._wording: Wording = (
            SymbolWording(words) if domain is Domain.LOGICAL else ProseWording(words, points)
        )
        self._parser = TextParser(
            words,
            points,
            self._wording.names,
            lambda: self._wording.diagnosis,
            PlainProse(words, points) if plain and domain is not Domain.LOGICAL else None,
        )
        self._wordings: Wordings | None = None
        if files := [file for file in phrases if file.domain == domain]:
            from grammar.eventhop.wordings import Wordings

            self._wordings = Wordings(files, domain, spatial, self)

    def read(
        self,
        item_id: str,
        premise: str,
        claim: str,
        *,
        expected: Sequence[Relation] = (),
        names: Collection[str] = (),
    ) -> Item:
        """Parse an item.

        Args:
            item_id: id of the item.
            premise: sentences; may be empty.
            claim: relates two events or two points, which need not be in the premise.
            expected: relations that are used where a sentence of a plain premise says the same; it
                changes the speed alone.
            names: names that may contain any word.

        Raises:
            words.UnlicensedError: a word is part of no phrase and of no name.
            ParseError: with part, line, column, what was found and what was expected.
        """
        for part, text in ((PREMISE, premise), (CLAIM, claim)):
            if control := _CONTROL.search(text):
                found_there = f"the control character U+{ord(control[0]):04X}"
                fault = Fault(
                    position=control.start(),
                    found=found_there,
                    expected="characters that can be seen",
                )
                raise ParseError.of(fault, part=part, text=text)
        try:
            relations = self._parser.premise(premise, expected)
            found = words.Names()
            item = self._resolved(item_id, relations, premise, claim, names, found)
            return self._licensed(item, premise, claim, names, found, found.first - found.inner)
        except ParseError as error:
            if error.part == "claim" and not isinstance(error, words.UnlicensedError):
                raise
            refused = error
        try:
            relations, found = sentences.read(
                premise.strip(), self.domain, self.spatial, self._reads(names)
            )
        except FaultError as error:
            if isinstance(refused, words.UnlicensedError):
                raise refused from None
            if error.fault.hint:
                raise placed(PREMISE, premise, error.fault) from None
            prose = self.domain is Domain.TEMPORAL and not _POINT_INSIDE.search(premise)
            if prose and not refused.hint:
                refused.hint = f"sentences that are read: {FORMATS}"
            raise refused from None
        first = found.first - found.inner
        item = self._resolved(item_id, relations, premise, claim, names, found)
        first |= found.first - found.inner
        return self._licensed(item, premise, claim, names, found, first)

    def premise(self, text: str) -> tuple[Relation, ...]:
        """The relations of sentences in the published wording.

        Raises:
            ParseError: they are no such sentences.
        """
        return self._parser.premise(text)

    def claim(self, text: str) -> Claim | Relation:
        """A claim that no premise precedes.

        Raises:
            ParseError: it is none.
            FaultError: its sides are ambiguous.
        """
        parsed = self._parser.claim(text)
        return parsed if isinstance(parsed, Relation) else self._wording.claim(parsed, ())

    def used(self, premise: str, claim: str, names: Collection[str] = ()) -> Sequence[PhraseFile]:
        """The phrase files with a phrase in these texts."""
        return () if self._wordings is None else self._wordings.used(premise, claim, names)

    def _reads(self, names: Collection[str]) -> Callable[..., Any] | None:
        """What reads a sentence if there are phrase files."""
        if self._wordings is None:
            return None
        logical = self.domain is Domain.LOGICAL
        reads = self._wordings.comparison if logical else self._wordings.sentence
        return partial(reads, names)

    def _resolved(
        self,
        item_id: str,
        relations: tuple[Relation, ...],
        premise: str,
        claim: str,
        names: Collection[str],
        found: words.Names,
    ) -> Item:
        """An item with the relations of its premise; names of the claim are added to ``found``."""
        if self._wordings is not None:
            known = {point.event for row in relations for point in (row.left, row.right)}
            try:
                stated = self._wordings.claim(claim.strip(), names, found, known)
            except FaultError as error:
                raise placed(CLAIM, claim, error.fault) from None
            if stated is not None:
                return self._item(item_id, relations, stated, premise, claim)
        quotes = '"' in claim or "“" in claim
        written = self._written_claim(relations, claim, names, found) if quotes else None
        parsed: EventClaim | Claim | Relation
        try:
            parsed = written or self._parser.claim(claim)
        except ParseError:
            written = self._written_claim(relations, claim, names, found)
            if written is None:
                raise
            parsed = written
        if isinstance(parsed, Relation | Claim):
            return self._item(item_id, relations, parsed, premise, claim)
        try:
            resolved = self._wording.claim(parsed, relations)
        except FaultError as error:
            raise placed(CLAIM, claim, error.fault) from None
        item = self._item(item_id, relations, resolved, premise, claim)
        if not self._self_claims and _is_self_claim(item.claim):
            raise placed(CLAIM, claim, _same_event(parsed))
        return item

    def _written_claim(
        self,
        relations: tuple[Relation, ...],
        claim: str,
        names: Collection[str],
        found: words.Names,
    ) -> Claim | Relation | None:
        """A claim in the words that people use; None if it is none."""
        from grammar.eventhop import claims

        known = {point.event for row in relations for point in (row.left, row.right)}
        leading = found.first - found.inner
        try:
            read, written = claims.read(
                claim, self.domain, self.spatial, listed=names, known=known, leading=leading
            )
        except FaultError:
            return None
        if isinstance(read, Claim) and read.left == read.right and not self._self_claims:
            return None
        found.quoted |= written.quoted
        found.first |= written.first
        found.inner |= written.inner
        return read

    def _licensed(
        self,
        item: Item,
        premise: str,
        claim: str,
        listed: Collection[str],
        found: words.Names,
        first: Collection[str] = (),
    ) -> Item:
        """The item, if all of its names are licensed."""
        if self.domain is Domain.LOGICAL:
            return item
        first = set(first)
        if isinstance(item.claim, Claim):
            # The name at the start of a claim; one that the premise has is judged there.
            known = {
                point.event
                for relation in item.premise
                for point in (relation.left, relation.right)
            }
            first |= {item.claim.left} - known
        quotes = found.quoted
        words.require_licensed(item, premise, claim, listed=listed, quotes=quotes, first=first)
        if self._wordings is not None:
            for name in item.names:
                word = None if name in listed or name in quotes else self._wordings.unlicensed(name)
                if word is not None:
                    raise words.unlicensed_error(premise, claim, name, word)
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
    phrases: Sequence[PhraseFile] = (),
) -> Reader:
    """The reader of a domain, cached: a grammar takes some 40 ms to load."""
    return _cached(domain, spatial, self_claims, tuple(phrases))


@cache
def _cached(
    domain: Domain, spatial: SpatialReading, self_claims: bool, phrases: tuple[PhraseFile, ...]
) -> Reader:
    return Reader(domain, spatial, self_claims=self_claims, phrases=phrases)


def admitted(sources: Sequence[str | Path]) -> tuple[PhraseFile, ...]:
    """Load phrase files about events, and test them in the geometric reading of places.

    Args:
        sources: of each the path, the name of an installed file, or the text.

    Raises:
        PhraseError: one is refused; with the phrase, its place and the reason.
    """
    if not sources:
        return ()
    from grammar.phrases import PhraseError, load_phrases

    files = tuple(map(load_phrases, sources))
    for file in files:
        if file.domain not in [*Domain]:
            found = f"found the domain {quoted(file.domain)}"
            raise PhraseError(f"{found}, expected one of {', '.join(Domain)}", where=file.where)
        reader(Domain(file.domain), phrases=files)
    return files


def domain_of(premise: str, claim: str, phrases: Sequence[PhraseFile] = ()) -> Domain:
    """Detect the domain of an item, first by the phrase files with a phrase in its texts."""
    domains = {
        Domain(file.domain)
        for file in phrases
        if reader(Domain(file.domain), phrases=phrases).used(premise, claim)
    }
    return domains.pop() if len(domains) == 1 else detect(premise, claim)
