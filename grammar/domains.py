"""Which domain a text is worded in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from grammar.boundaries import boundaries
from grammar.lexicon import CLAIMS, ORDERS, Lexicon, lexicon
from solver.model import Domain

_LOOKED_AT = 2_000
"""Characters of a text that are looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Signs:
    """What tells the texts of a domain: how a sentence about points begins, how a claim relates."""

    opening: re.Pattern[str]
    claim: re.Pattern[str]


def detect(premise: str, claim: str) -> Domain:
    """Tell the domain of an item by its first sentence, or else by its claim.

    A text that shows no domain counts as temporal, and its reader will say what is wrong with it.
    """
    signs = _signs()
    premise, claim = premise.lstrip()[:_LOOKED_AT], claim.lstrip()[:_LOOKED_AT]
    for text in (premise, claim):
        for domain, sign in signs.items():
            if sign.opening.match(text):
                return domain
    for domain, sign in signs.items():
        if sign.claim.search(claim):
            return domain
    for domain, sign in signs.items():
        if sign.opening.search(premise):
            return domain
    return Domain.TEMPORAL


@lru_cache(maxsize=1)
def _signs() -> dict[Domain, _Signs]:
    return {
        domain: _in_symbols(words) if domain is Domain.LOGICAL else _in_prose(words)
        for domain, words in ((domain, lexicon(domain)) for domain in Domain)
    }


def _in_prose(words: Lexicon) -> _Signs:
    edges = boundaries(words)
    return _Signs(opening=re.compile(edges.opening), claim=re.compile(f"{edges.claim_phrase} "))


def _in_symbols(words: Lexicon) -> _Signs:
    said = {text for name in (*ORDERS, *CLAIMS) for text in words.literals.get(name, ())}
    symbols = "|".join(re.escape(text) for text in said if not text[0].isalpha())
    allen = "|".join(re.escape(text) for text in said if text[0].isalpha())
    return _Signs(
        opening=re.compile(rf"[^\s<>=]{{1,201}} ?(?:{symbols})"),
        claim=re.compile(rf"\A\S{{1,201}} (?:{allen}) \S{{1,201}}\s*\Z"),
    )
