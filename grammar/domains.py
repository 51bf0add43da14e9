"""Detects the domain of a text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from grammar.boundaries import boundaries
from grammar.lexicon import CLAIMS, ORDERS, Lexicon, lexicon
from solver.model import Domain

_SEARCHED = 2_000
"""Number of characters searched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Signature:
    """Patterns that identify a domain: the start of a sentence about points, a claim's relation."""

    opening: re.Pattern[str]
    claim: re.Pattern[str]


def detect(premise: str, claim: str) -> Domain:
    """Detect the domain of an item from its first sentence, or else from its claim.

    The default is the temporal domain, whose reader then reports what is wrong with the text.
    """
    signatures = _signatures()
    premise, claim = premise.lstrip()[:_SEARCHED], claim.lstrip()[:_SEARCHED]
    for text in (premise, claim):
        for domain, signature in signatures.items():
            if signature.opening.match(text):
                return domain
    for domain, signature in signatures.items():
        if signature.claim.search(claim):
            return domain
    for domain, signature in signatures.items():
        if signature.opening.search(premise):
            return domain
    return Domain.TEMPORAL


@lru_cache(maxsize=1)
def _signatures() -> dict[Domain, _Signature]:
    return {
        domain: _in_symbols(words) if domain is Domain.LOGICAL else _in_prose(words)
        for domain, words in ((domain, lexicon(domain)) for domain in Domain)
    }


def _in_prose(words: Lexicon) -> _Signature:
    edges = boundaries(words)
    return _Signature(opening=re.compile(edges.opening), claim=re.compile(f"{edges.claim_phrase} "))


def _in_symbols(words: Lexicon) -> _Signature:
    phrases = {text for name in (*ORDERS, *CLAIMS) for text in words.literals.get(name, ())}
    symbols = "|".join(re.escape(text) for text in phrases if not text[0].isalpha())
    allen = "|".join(re.escape(text) for text in phrases if text[0].isalpha())
    return _Signature(
        opening=re.compile(rf"[^\s<>=]{{1,201}} ?(?:{symbols})"),
        claim=re.compile(rf"\A\S{{1,201}} (?:{allen}) \S{{1,201}}\s*\Z"),
    )
