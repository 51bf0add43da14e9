"""Parses rules such as ``hosts(A, B) <- visits(B, A)`` and formats facts in this notation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from string import ascii_uppercase

from grammar.errors import HopcheckError
from solver.graph.model import Vocabulary, relation_id
from solver.io.sources import shown
from solver.rules.encode import Fact
from solver.rules.model import Rule

_ATOM = re.compile(r"\s*(?P<name>.+?)\s*\(\s*(?P<first>[A-Z])\s*,\s*(?P<second>[A-Z])\s*\)\s*")
_HINT = "such as: hosts(A, B) <- visits(B, C), signs(C, A)"

_Atom = tuple[int, str, str]


class RuleTextError(HopcheckError):
    """A text that is not a rule."""

    code = "rule-text"


def read_rule(text: str, vocabulary: Vocabulary) -> tuple[Rule, ...]:
    """Parse a rule; returns all readings, without supports.

    The facts of the body are in temporal order and lead from one entity of the head to the other.
    The text does not state the direction, so that there may be two readings.

    Raises:
        RuleTextError: the text is not a rule.
        UnknownNameError: it names an unknown relation.
    """
    head_text, arrow, body_text = text.partition("<-")
    if not arrow:
        raise RuleTextError(f"found no <- in {shown(text)}, expected a rule", hint=_HINT)
    heads, body = _atoms(head_text, vocabulary), _atoms(body_text, vocabulary)
    if len(heads) != 1:
        raise RuleTextError(f"found {len(heads)} facts before <-, expected one", hint=_HINT)
    relation, first, second = heads[0]
    inverse = relation + vocabulary.relations
    readings = [_chain(relation, first, second, body, vocabulary)]
    if first != second:
        readings.append(_chain(inverse, second, first, body, vocabulary))
    found = tuple(reading for reading in readings if reading is not None)
    if not found:
        message = "the body does not lead from one of the head's entities to the other"
        raise RuleTextError(f"{message} fact by fact: {shown(text)}", hint=_HINT)
    return found


def fact_text(fact: Fact, vocabulary: Vocabulary) -> str:
    """Format a fact with names and without its time; inverse relations are read forwards.

    A negative entity id is formatted as a question mark.
    """
    row = forwards(fact, vocabulary)
    name = vocabulary.relation(row[1])
    return f"{name}({_entity(row[0], vocabulary)}, {_entity(row[2], vocabulary)})"


def forwards(fact: Fact, vocabulary: Vocabulary) -> Fact:
    """Turn a fact of an inverse relation into forward direction; return others unchanged."""
    head, relation, tail, time = fact
    if relation < vocabulary.relations:
        return fact
    return tail, relation - vocabulary.relations, head, time


def _entity(number: int, vocabulary: Vocabulary) -> str:
    return vocabulary.entity(number) if number >= 0 else "?"


def _atoms(text: str, vocabulary: Vocabulary) -> list[_Atom]:
    atoms: list[_Atom] = []
    place = 0
    while place < len(text.rstrip()):
        found = _ATOM.match(text, place)
        if found is None:
            expected = "expected a fact of two letters"
            raise RuleTextError(f"found {shown(text[place:].strip())}, {expected}", hint=_HINT)
        atoms.append((relation_id(vocabulary, found["name"]), found["first"], found["second"]))
        place = found.end() + text.startswith(",", found.end())
    return atoms


def _chain(
    head: int, start: str, end: str, body: Sequence[_Atom], vocabulary: Vocabulary
) -> Rule | None:
    """Chain the facts of a body from one entity to the other; None if that is impossible."""
    passed, relations = [start], []
    for relation, first, second in body:
        if first == passed[-1]:
            relations.append(relation)
            passed.append(second)
        elif second == passed[-1]:
            relations.append((relation + vocabulary.relations) % (2 * vocabulary.relations))
            passed.append(first)
        else:
            return None
    if not body or passed[-1] != end:
        return None
    places = [
        [k for k, letter in enumerate(passed) if letter == name] for name in dict.fromkeys(passed)
    ]
    return Rule(
        head=head,
        body=tuple(relations),
        same=tuple(tuple(group) for group in places if len(group) > 1),
        rule_support=0,
        body_support=0,
    )


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
