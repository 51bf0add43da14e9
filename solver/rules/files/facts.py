"""Rules as ASP facts, the input of encodings that apply them.

``rule(I,H)``: rule I has head relation H. ``body(I,K,R)``: its K-th fact, from 1, has relation R.
``same(I,P,Q)``: positions P < Q of the body, from 0, have the same entity.
``support(I,S,B)``: S of B body groundings are followed by a head fact.
"""

from __future__ import annotations

from collections.abc import Iterator

from solver.rules.rule import Rule
from solver.rules.table import RuleTable


def lines(rules: RuleTable) -> Iterator[bytes]:
    """Yield one line of facts per rule; rules are numbered from 0 in their order."""
    for number, rule in enumerate(rules):
        yield (facts(number, rule) + "\n").encode()


def facts(number: int, rule: Rule) -> str:
    """The facts of one rule, on one line."""
    atoms = [f"rule({number},{rule.head})."]
    atoms += [f"body({number},{k},{relation})." for k, relation in enumerate(rule.body, 1)]
    atoms += [f"same({number},{group[0]},{q})." for group in rule.same for q in group[1:]]
    atoms.append(f"support({number},{rule.rule_support},{rule.body_support}).")
    return " ".join(atoms)
