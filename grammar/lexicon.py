"""The phrases of each relation, read from the ``.lark`` grammar files.

The grammar files are the only source of phrases for the reader, the writer and error messages.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from lark import Token
from lark.load_grammar import Grammar, load_grammar

from solver.model import AllenRelation, Bound, ClaimRelation, Domain, Order, SpatialReading

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
        """All phrases that express a relation, the default one first."""
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
    {terminal(order): order for order in Order} | {f"{order.name}_OPEN": order for order in Order}
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
    path = Path(__file__).with_name(f"{domain}.lark")
    # Loaded separately from the parser, which needs the literals to complete the grammar.
    text = path.read_text(encoding="utf-8")
    grammar, _ = load_grammar(text, path.name, [], False)  # type: ignore[no-untyped-call]
    literals = {
        name: tuple(
            str(token)[1:-1]
            for token in tree.scan_values(lambda leaf: isinstance(leaf, Token))
            if token.type == "STRING"
        )
        for name, (tree, _) in grammar.term_defs
    }
    return Lexicon(domain=domain, grammar=grammar, literals=MappingProxyType(literals))
