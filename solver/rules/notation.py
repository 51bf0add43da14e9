"""Parses rules such as ``hosts(A, B) <- visits(B, A)`` and formats facts in this notation."""

from __future__ import annotations

import re
from collections.abc import Sequence

from solver.errors import HopcheckError
from solver.reading.failures import shown
from solver.rules.grounding import Fact
from solver.rules.rule import Rule
from solver.tkg.dataset import Vocabulary
from solver.tkg.naming import relation_id

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
    found = tuple(one for one in readings if one is not None)
    if not found:
        message = "the body does not lead from one of the head's entities to the other"
        raise RuleTextError(f"{message} fact by fact: {shown(text)}", hint=_HINT)
    return found


def fact_text(fact: Fact, vocabulary: Vocabulary) -> str:
    """Format a fact with names and without its time; inverse relations are read forwards.

    A negative entity id is formatted as a question mark.
    """
    one = forwards(fact, vocabulary)
    name = vocabulary.relation(one[1])
    return f"{name}({_entity(one[0], vocabulary)}, {_entity(one[2], vocabulary)})"


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
        [k for k, letter in enumerate(passed) if letter == one] for one in dict.fromkeys(passed)
    ]
    return Rule(
        head=head,
        body=tuple(relations),
        same=tuple(tuple(group) for group in places if len(group) > 1),
        rule_support=0,
        body_support=0,
    )
