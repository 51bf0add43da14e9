"""Replays certificates of facts that rules expect: is each grounding one, by the logic alone?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from solver.rules.grounding import Fact, groundings
from solver.rules.history import History
from solver.rules.notation import forwards
from solver.rules.queries import Queries
from solver.rules.rule import Rule
from solver.tkg.dataset import Vocabulary
from solver.tkg.index import Index, pack
from solver.tkg.quadruples import Ids, Quadruples

AT_ONCE = 64
"""Certificates that clingo is asked about together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """Why a fact is expected.

    Attributes:
        fact: the head of the rule.
        grounding: of its body, in its order; a relation is an inverse where the body reads a fact
            backwards.
    """

    fact: Fact
    rule: Rule
    grounding: tuple[Fact, ...]


def unfounded(
    certificates: Sequence[Certificate], known: Quadruples, vocabulary: Vocabulary
) -> list[int]:
    """The numbers of the certificates that do not hold; decided by ``tkg/groundings.lp``.

    Args:
        certificates: to replay.
        known: all facts that may be cited; those of one certificate have to be before its fact.
        vocabulary: of all of them.
    """
    held = Index.of(_keys(known, vocabulary))
    cited = [_own(one.grounding, vocabulary) for one in certificates]
    wrong = {
        number
        for number, facts in enumerate(cited)
        if not held.contains(_keys(facts, vocabulary)).all()
    }
    for begin in range(0, len(certificates), AT_ONCE):
        batch = range(begin, min(begin + AT_ONCE, len(certificates)))
        found = _replayed([certificates[number] for number in batch], vocabulary)
        wrong |= {number for number in batch if number - begin not in found}
    return sorted(wrong)


def _replayed(certificates: Sequence[Certificate], vocabulary: Vocabulary) -> set[int]:
    """Which certificates clingo finds among the groundings over what they cite."""
    cited = [fact for one in certificates for fact in one.grounding]
    facts = _own(cited, vocabulary)
    rules = sorted({one.rule for one in certificates})
    rows = np.array([one.fact for one in certificates], dtype=np.int64)
    queries = Queries(head=rows[:, 0], relation=rows[:, 1], time=rows[:, 3])
    found = {
        (one.query, one.rule, one.candidate, one.facts)
        for one in groundings(History.of(facts, vocabulary), queries, rules)
    }
    numbers = {rule: number for number, rule in enumerate(rules)}
    return {
        number
        for number, one in enumerate(certificates)
        if (number, numbers[one.rule], one.fact[2], one.grounding) in found
    }


def _own(facts: Sequence[Fact], vocabulary: Vocabulary) -> Quadruples:
    """Facts in their own direction."""
    return Quadruples.of(np.array([forwards(one, vocabulary) for one in facts], dtype=np.int64))


def _keys(facts: Quadruples, vocabulary: Vocabulary) -> Ids:
    sizes = (vocabulary.entities, vocabulary.relations, vocabulary.entities, vocabulary.times)
    return pack((facts.head, facts.relation, facts.tail, facts.time), sizes)
