"""Finding codes of lists of patterns; an invalid pattern has the name of the rule it violates."""

from __future__ import annotations

from solver.patterns.model import RULE_IN_WORDS
from solver.verification.report import Codes

_FIELDS = ("hops", "shapes", "entity_reuse", "relation_reuse", "antecedent_relations")

CODES = Codes(
    {
        **{
            rule.value: (f"{{pattern}} is invalid: {words}", words)
            for rule, words in RULE_IN_WORDS.items()
        },
        "not_canonical": "{pattern} is not numbered in order of first appearance",
        "listed_twice": (
            "{pattern} is listed already",
            "an earlier line has the same canonical form",
        ),
        "undeclared_hops": "{pattern} has {pattern.hops} hops, the list declares {declared}",
        **{
            f"wrong_{field}": f"{{pattern}} states {field} {{stated}}, found {{found}}"
            for field in _FIELDS
        },
        "missing": "{pattern} is valid and canonical, but not listed",
    }
)
