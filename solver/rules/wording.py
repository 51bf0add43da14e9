"""Formats rules: ``hosts(A, B) <- visits(B, A)``, variables as letters, the head's first."""

from __future__ import annotations

from string import ascii_uppercase

from solver.rules.rule import Rule
from solver.tkg.dataset import Vocabulary


def rule_text(rule: Rule, vocabulary: Vocabulary) -> str:
    """Format a rule with relation names; inverse relations are read forwards.

    The facts of the body are in non-decreasing temporal order; the head is later than all. A rule
    of length 1 and its inverse have the same text.
    """
    letters = _letters(rule, inverse=rule.head >= vocabulary.relations)
    facts = [
        _fact(relation, letters[place], letters[place + 1], vocabulary)
        for place, relation in enumerate(rule.body)
    ]
    return f"{_fact(rule.head, letters[0], letters[-1], vocabulary)} <- {', '.join(facts)}"


def _letters(rule: Rule, *, inverse: bool) -> list[str]:
    first = {position: group[0] for group in rule.same for position in group}
    variables = [first.get(position, position) for position in range(rule.length + 1)]
    ends = [variables[-1], variables[0]] if inverse else [variables[0], variables[-1]]
    names = dict(zip(dict.fromkeys(ends + variables), ascii_uppercase, strict=False))
    return [names[position] for position in variables]


def _fact(relation: int, head: str, tail: str, vocabulary: Vocabulary) -> str:
    name = vocabulary.relation(relation % vocabulary.relations)
    if relation >= vocabulary.relations:
        head, tail = tail, head
    return f"{name}({head}, {tail})"
