"""Rules in words: ``hosts(A, B) <- visits(B, A)``, each entity a letter, the head's first."""

from __future__ import annotations

from string import ascii_uppercase

from solver.rules.rule import Rule
from solver.tkg.dataset import Vocabulary


def rule_text(rule: Rule, vocabulary: Vocabulary) -> str:
    """A rule with the names of its relations; facts of inverse relations are read forwards.

    The body's facts follow each other in time, or are simultaneous; the head is later than all.
    A rule of length 1 and its mirror image, inverse for inverse, read alike.
    """
    letters = _letters(rule, inverse=rule.head >= vocabulary.relations)
    facts = [
        _fact(relation, letters[place], letters[place + 1], vocabulary)
        for place, relation in enumerate(rule.body)
    ]
    return f"{_fact(rule.head, letters[0], letters[-1], vocabulary)} <- {', '.join(facts)}"


def _letters(rule: Rule, *, inverse: bool) -> list[str]:
    first = {position: group[0] for group in rule.same for position in group}
    held = [first.get(position, position) for position in range(rule.length + 1)]
    ends = [held[-1], held[0]] if inverse else [held[0], held[-1]]
    names = dict(zip(dict.fromkeys(ends + held), ascii_uppercase, strict=False))
    return [names[position] for position in held]


def _fact(relation: int, head: str, tail: str, vocabulary: Vocabulary) -> str:
    name = vocabulary.relation(relation % vocabulary.relations)
    if relation >= vocabulary.relations:
        head, tail = tail, head
    return f"{name}({head}, {tail})"
