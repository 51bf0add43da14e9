"""Graph to text: writes items in the wording of the published generator.

Every text is parsed back immediately, so that parsing a written text always returns the item; an
item whose names prevent this is rejected.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from grammar.errors import ParseError, UnwritableError, quoted
from grammar.eventhop.lexicon import GAP, AnyRelation, lexicon, point_terminals, terminal
from grammar.eventhop.model import (
    PUBLISHED_ORDERS,
    AllenRelation,
    Claim,
    ClaimRelation,
    Domain,
    Item,
    Relation,
    SpatialReading,
)
from grammar.eventhop.reader import reader
from grammar.phrases import PhraseFile

PhraseChoice: TypeAlias = Callable[[tuple[str, ...]], str]
"""Chooses one of a relation's phrases, such as ``random.Random(7).choice``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """The two texts of an item."""

    premise: str
    claim: str


class Writer:
    """Writes items of one domain.

    Args:
        domain: wording of the texts.
        spatial: which edge of a place is its start; ignored in other domains.
        phrases: preferred phrases, or a function that chooses one of a relation's phrases; by
            default, the first phrase of the grammar.
        names: names that may contain any word, as their readers list them too.
        wordings: phrase files with which the texts are parsed back.

    Raises:
        UnwritableError: one of the phrases does not exist in this domain.
    """

    def __init__(
        self,
        domain: Domain,
        spatial: SpatialReading = SpatialReading.GEOMETRIC,
        *,
        phrases: Sequence[str] | PhraseChoice = (),
        names: Collection[str] = (),
        wordings: Sequence[PhraseFile] = (),
    ) -> None:
        self.domain = domain
        self._names = names
        self._lexicon = lexicon(domain)
        self._reader = reader(domain, spatial, phrases=wordings)
        self._phrases = {
            terminal(relation): self._lexicon.phrases(relation)
            for relation in (*PUBLISHED_ORDERS, *ClaimRelation, *AllenRelation)
        }
        self._marks = {
            bound: self._lexicon.mark(name)
            for name, bound in point_terminals(domain, spatial).items()
        }
        # What is between and after the points in the sentences of each order, by its phrases.
        self._around = {
            order: {phrase: _around(phrase) for phrase in self._lexicon.phrases(order)}
            for order in PUBLISHED_ORDERS
        }
        self._logical = domain is Domain.LOGICAL
        self._choose = self._preferring(phrases) if isinstance(phrases, Sequence) else phrases
        # As published: sentences of the other domains begin with a lower-case letter.
        self._opening = "The " if domain is Domain.TEMPORAL else ""

    def write(self, item: Item) -> Text:
        """Write an item as text.

        Raises:
            UnwritableError: it is of another domain, or would not be parsed as the same item.
        """
        if item.domain is not self.domain:
            raise UnwritableError(
                f"an item of the {item.domain} domain, expected one of the {self.domain} domain",
                where=item.id,
            )
        claim = item.claim
        stated = (*item.premise, claim) if isinstance(claim, Relation) else item.premise
        for relation in stated:
            if relation.order not in self._around:
                message = f"the texts of this domain have no phrase for {relation.order.value}"
                raise UnwritableError(message, where=item.id)
        premise = ". ".join(self._sentence(relation) for relation in item.premise)
        text = Text(
            premise=premise,
            claim=self._sentence(claim) if isinstance(claim, Relation) else self._claim(claim),
        )
        self._check(item, text)
        return text

    def _sentence(self, relation: Relation) -> str:
        order, left, right = relation.order, relation.left, relation.right
        phrase = self._choose(self._phrases[order.name])
        around = self._around[order].get(phrase)
        if around is None:
            raise _unknown(phrase, order)
        between, after = around
        first, second = self._marks[left.bound], self._marks[right.bound]
        if self._logical:
            return f"{left.event}{first}{between}{right.event}{second}{after}"
        return f"{self._opening}{first}{left.event}{between}{second}{right.event}{after}"

    def _claim(self, claim: Claim) -> str:
        return f"{claim.left} {self._phrase(claim.relation)} {claim.right}"

    def _phrase(self, relation: AnyRelation) -> str:
        phrases = self._phrases[terminal(relation)]
        phrase = self._choose(phrases)
        if phrase not in phrases:
            raise _unknown(phrase, relation)
        return phrase

    def _preferring(self, preferred: Sequence[str]) -> PhraseChoice:
        known = {phrase for phrases in self._phrases.values() for phrase in phrases}
        for phrase in preferred:
            if phrase not in known:
                raise UnwritableError(f"{quoted(phrase)} expresses no relation of this domain")

        def choose(phrases: tuple[str, ...]) -> str:
            return next((phrase for phrase in preferred if phrase in phrases), phrases[0])

        return choose

    def _check(self, item: Item, text: Text) -> None:
        hint = "rename it: a name must not contain a phrase or begin with a lower-case article"
        try:
            again = self._reader.read(
                item.id, text.premise, text.claim, expected=item.premise, names=self._names
            )
        except ParseError as error:
            message = f"its {error.part} cannot be parsed back: {error.message}"
            raise UnwritableError(message, where=item.id, hint=hint) from None
        for name, other in zip(item.names, again.names, strict=False):
            if name != other:
                message = f"the name {quoted(name)} would be parsed back as {quoted(other)}"
                raise UnwritableError(message, where=item.id, hint=hint)
        if again != item or _kind(again.claim) is not _kind(item.claim):
            raise UnwritableError("its text would mean something else", where=item.id, hint=hint)


def _around(phrase: str) -> tuple[str, str]:
    """The text between two points that a phrase relates, and the text after the second one."""
    before, gap, after = phrase.partition(f" {GAP} ")
    return f" {before} ", f" {after}" if gap else ""


def _unknown(phrase: str, relation: AnyRelation) -> UnwritableError:
    return UnwritableError(f"{quoted(phrase)} does not express {relation}")


def _kind(claim: Claim | Relation) -> type:
    """The type of a claim's relation, which distinguishes equal values of two enums."""
    return type(claim.relation) if isinstance(claim, Claim) else Relation
