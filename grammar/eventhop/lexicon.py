"""The phrases of each relation, read from the ``.lark`` grammar files.

The grammar files are the only source of phrases for the reader, the writer and error messages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from lark import Token
from lark.lexer import PatternRE, TerminalDef
from lark.load_grammar import Grammar, load_grammar

from grammar.eventhop.model import (
    PUBLISHED_ORDERS,
    AllenRelation,
    Bound,
    ClaimRelation,
    Domain,
    Order,
    SpatialReading,
)

AnyRelation: TypeAlias = Order | ClaimRelation | AllenRelation

GAP = "…"
"""Placeholder of the second point in a phrase that encloses it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """A domain's grammar and the literals of its terminals, in the order of the file."""

    domain: Domain
    grammar: Grammar
    literals: Mapping[str, tuple[str, ...]]

    def phrases(self, relation: AnyRelation) -> tuple[str, ...]:
        """All phrases that express a relation, the default one first; none for a weak order."""
        if isinstance(relation, Order) and relation not in PUBLISHED_ORDERS:
            return ()
        name = terminal(relation)
        opens = self.literals.get(f"{name}_OPEN", ())
        closes = self.literals.get(f"{name}_CLOSE", ())
        enclosing = (f"{before} {GAP} {after}" for before, after in zip(opens, closes, strict=True))
        return (*self.literals[name], *enclosing)

    def mark(self, point: str) -> str:
        """The words that mark a point, as they are written; ``point`` is ``START``, for example."""
        return self.literals[f"{point}_MARK"][0]


def terminal(relation: AnyRelation) -> str:
    """Name of the terminal of a relation; depends on its type, as the enums share values."""
    match relation:
        case Order():
            return relation.name
        case ClaimRelation():
            return f"CLAIM_{relation.name}"
        case AllenRelation():
            return f"ALLEN_{relation.name}"


ORDERS: Mapping[str, Order] = MappingProxyType(
    {terminal(order): order for order in PUBLISHED_ORDERS}
    | {f"{order.name}_OPEN": order for order in PUBLISHED_ORDERS}
)
"""The terminals that express an order of two points."""

CLAIMS: Mapping[str, ClaimRelation | AllenRelation] = MappingProxyType(
    {terminal(claim): claim for claim in ClaimRelation}
    | {terminal(claim): claim for claim in AllenRelation}
)
"""The terminals that express a claim about two events."""


def point_terminals(domain: Domain, spatial: SpatialReading) -> Mapping[str, Bound]:
    """The terminals of points, and the bound of each."""
    if domain is not Domain.SPATIAL:
        return {"START": Bound.START, "END": Bound.END}
    if spatial is SpatialReading.GEOMETRIC:
        return {"WEST": Bound.START, "EAST": Bound.END}
    return {"EAST": Bound.START, "WEST": Bound.END}


@lru_cache(maxsize=len(Domain))
def lexicon(domain: Domain) -> Lexicon:
    """Read a domain's grammar file."""
    grammar, literals = grammar_file(domain)
    return Lexicon(domain=domain, grammar=grammar, literals=literals)


def grammar_file(name: str) -> tuple[Grammar, Mapping[str, tuple[str, ...]]]:
    """Read a grammar of this folder, and the literals of its terminals."""
    path = Path(__file__).with_name(f"{name}.lark")
    # Loaded separately from the parser, which needs the literals to complete the grammar.
    text = path.read_text(encoding="utf-8")
    grammar, _ = load_grammar(text, str(path), [], False)  # type: ignore[no-untyped-call]
    literals = {
        str(name): tuple(
            str(token)[1:-1]
            for token in tree.scan_values(lambda leaf: isinstance(leaf, Token))
            if token.type == "STRING"
        )
        for name, (tree, _) in grammar.term_defs
    }
    return grammar, MappingProxyType(literals)


EditTerminal: TypeAlias = Callable[[TerminalDef], None]

_SPACES = r"\s{1,20}"
_TEXT_END = r"\.\Z|\Z"
ARTICLE = " the"
"""Optional last word of a phrase before a point."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Boundaries:
    """Patterns of a prose grammar.

    Attributes:
        opening: the mark of a point at the start of a sentence, ``The start of ``.
        mark: the mark of a point elsewhere, ``start of ``.
        phrase: a phrase of a premise, `` happened before the``.
        link: a phrase and the mark after it, `` happened before the end of ``.
        close: the part of a phrase after the second point, `` had happened``.
        claim_phrase: a phrase of a claim, `` happens before``.
        sentence_start: a full stop and the opening of the next sentence.
    """

    opening: str
    mark: str
    phrase: str
    link: str
    close: str
    claim_phrase: str
    sentence_start: str

    def fill(self, pattern: str) -> str:
        """Replace the placeholders of a pattern by what may follow a name."""
        ends = {
            "@POINT_END@": f"{self.link}|{self.sentence_start}|{_TEXT_END}",
            "@INNER_END@": f"{self.close}(?:{self.sentence_start}|{_TEXT_END})",
            "@SUBJECT_END@": f"{self.claim_phrase} ",
            "@OBJECT_END@": f"{self.claim_phrase} |{_TEXT_END}",
        }
        for place, end in ends.items():
            pattern = pattern.replace(place, end)
        return pattern


def boundaries(lexicon: Lexicon) -> Boundaries:
    """Build the patterns of a prose grammar."""
    words = lexicon.literals
    marks = [words[name] for name in words if name.endswith("_MARK")]
    article, anywhere = (
        alternatives(words["ARTICLE"]),
        alternatives(m for names in marks for m in names),
    )
    opening = f"(?:{article})?(?:{anywhere})"
    mark = f"(?:{alternatives(mark[0] for mark in marks)})"
    phrase = _phrase(text for name in ORDERS if name in words for text in words[name])
    return Boundaries(
        opening=opening,
        mark=mark,
        phrase=phrase,
        link=f"{phrase} {mark}",
        close=f" (?:{alternatives(words.get('AFTER_CLOSE', ()))})",
        claim_phrase=f" (?:{alternatives(text for name in CLAIMS for text in words[name])})",
        sentence_start=rf"\.{_SPACES}{opening}",
    )


def editor(lexicon: Lexicon) -> EditTerminal:
    """The Lark hook that completes the terminals of a grammar."""
    return _symbols(lexicon) if lexicon.domain is Domain.LOGICAL else _prose(lexicon)


def _prose(lexicon: Lexicon) -> EditTerminal:
    edges = boundaries(lexicon)

    def edit(terminal: TerminalDef) -> None:
        name = terminal.name
        texts = lexicon.literals.get(name, ())
        if name in ORDERS:
            terminal.pattern = PatternRE(f"{_phrase(texts)} (?={edges.mark})")
        elif name in CLAIMS:
            terminal.pattern = PatternRE(f" (?:{alternatives(texts)}) ")
        elif name.endswith("_CLOSE"):
            terminal.pattern = PatternRE(f" (?:{alternatives(texts)})")
        else:
            terminal.pattern = PatternRE(edges.fill(terminal.pattern.to_regexp()))

    return edit


def _symbols(lexicon: Lexicon) -> EditTerminal:
    def edit(terminal: TerminalDef) -> None:
        if terminal.name in ORDERS or terminal.name in CLAIMS:
            texts = lexicon.literals[terminal.name]
            # Around symbols, spaces are optional.
            space = " " if texts[0][0].isalpha() else " ?"
            terminal.pattern = PatternRE(f"{space}(?:{alternatives(texts)}){space}")

    return edit


def _phrase(texts: Iterable[str]) -> str:
    """A phrase after a space; the article at its end is optional."""
    return f" (?:{alternatives(text.removesuffix(ARTICLE) for text in texts)})(?:{ARTICLE})?"


def alternatives(texts: Iterable[str]) -> str:
    """Alternatives, longest first."""
    return "|".join(re.escape(text) for text in sorted(texts, key=lambda text: (-len(text), text)))


_SEARCHED = 2_000
"""Number of characters searched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """Patterns that identify a domain: the start of a sentence about points, a claim's relation."""

    opening: re.Pattern[str]
    claim: re.Pattern[str]


def detect(premise: str, claim: str) -> Domain:
    """Detect the domain of an item from its first sentence, or else from its claim.

    The default is the temporal domain, whose reader then reports what is wrong with the text.
    """
    known = signatures()
    premise, claim = premise.lstrip()[:_SEARCHED], claim.lstrip()[:_SEARCHED]
    for text in (premise, claim):
        for domain, signature in known.items():
            if signature.opening.match(text):
                return domain
    for domain, signature in known.items():
        if signature.claim.search(claim):
            return domain
    for domain, signature in known.items():
        if signature.opening.search(premise):
            return domain
    return Domain.TEMPORAL


@lru_cache(maxsize=1)
def signatures() -> dict[Domain, Signature]:
    """The patterns that identify each domain."""
    return {
        domain: _in_symbols(words) if domain is Domain.LOGICAL else _in_prose(words)
        for domain, words in ((domain, lexicon(domain)) for domain in Domain)
    }


def _in_prose(words: Lexicon) -> Signature:
    edges = boundaries(words)
    return Signature(opening=re.compile(edges.opening), claim=re.compile(f"{edges.claim_phrase} "))


def _in_symbols(words: Lexicon) -> Signature:
    phrases = {text for name in (*ORDERS, *CLAIMS) for text in words.literals.get(name, ())}
    symbols = "|".join(re.escape(text) for text in sorted(phrases) if not text[0].isalpha())
    allen = "|".join(re.escape(text) for text in sorted(phrases) if text[0].isalpha())
    return Signature(
        opening=re.compile(rf"[^\s<>=]{{1,201}} ?(?:{symbols})"),
        claim=re.compile(rf"\A\S{{1,201}} (?:{allen}) \S{{1,201}}\s*\Z"),
    )
