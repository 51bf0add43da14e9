"""Checks certificates of facts predicted by rules, with the ASP encoding alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from solver.graph.model import Ids, Index, Quadruples, Vocabulary, pack
from solver.graph.queries import Queries
from solver.rules.encode import Fact, groundings
from solver.rules.history import History
from solver.rules.model import Rule
from solver.rules.notation import forwards

AT_ONCE = 64
"""Number of certificates per clingo call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """A claim that a fact follows by a rule from a grounding of its body.

    Attributes:
        fact: the instantiated head of the rule.
        grounding: facts in the order of the body; relations are inverse where the body reads a
            fact backwards.
    """

    fact: Fact
    rule: Rule
    grounding: tuple[Fact, ...]


def invalid_certificates(
    certificates: Sequence[Certificate], known: Quadruples, vocabulary: Vocabulary
) -> list[int]:
    """Find the numbers of the invalid certificates, with ``rules/groundings.lp``.

    A certificate cites no fact twice.

    Args:
        certificates: the certificates to check.
        known: all facts that groundings may use; they have to be earlier than the predicted fact.
        vocabulary: entities, relations and times.
    """
    index = Index.of(_keys(known, vocabulary))
    cited = [_own(one.grounding, vocabulary) for one in certificates]
    wrong = {
        number
        for number, facts in enumerate(cited)
        if not index.contains(_keys(facts, vocabulary)).all()
    }
    for begin in range(0, len(certificates), AT_ONCE):
        batch = range(begin, min(begin + AT_ONCE, len(certificates)))
        found = _confirmed([certificates[number] for number in batch], vocabulary)
        wrong |= {number for number in batch if number - begin not in found}
    return sorted(wrong)


def _confirmed(certificates: Sequence[Certificate], vocabulary: Vocabulary) -> set[int]:
    """The certificates whose groundings clingo derives from the cited facts."""
    cited = [fact for one in certificates for fact in one.grounding]
    facts = _own(cited, vocabulary)
    rules = sorted({one.rule for one in certificates})
    rows = np.array([one.fact for one in certificates], dtype=np.int64)
    queries = Queries(head=rows[:, 0], relation=rows[:, 1], time=rows[:, 3])
    found = {
        (one.query, one.rule, one.candidate, one.facts)
        for one in groundings(History.of(facts, vocabulary), queries, rules, distinct_facts=True)
    }
    numbers = {rule: number for number, rule in enumerate(rules)}
    return {
        number
        for number, one in enumerate(certificates)
        if (number, numbers[one.rule], one.fact[2], one.grounding) in found
    }


def _own(facts: Sequence[Fact], vocabulary: Vocabulary) -> Quadruples:
    """Facts in forward direction."""
    return Quadruples.of(np.array([forwards(one, vocabulary) for one in facts], dtype=np.int64))


def _keys(facts: Quadruples, vocabulary: Vocabulary) -> Ids:
    sizes = (vocabulary.entities, vocabulary.relations, vocabulary.entities, vocabulary.times)
    return pack((facts.head, facts.relation, facts.tail, facts.time), sizes)
