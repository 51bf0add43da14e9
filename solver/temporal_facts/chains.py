"""Chains: the facts of one subject and one relation that starts and ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from solver.temporal_facts.case import Case
from solver.temporal_facts.dated import Bound, DatedFact
from solver.temporal_facts.names import is_empty
from solver.tkg.proof import Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class Chains:
    """How many chains judged facts make, of those with a subject.

    Attributes:
        all: of any length; ``long``: of two facts or more.
        incoherent: those that some finding is about.
    """

    all: int
    long: int
    incoherent: int


def chains_of(case: Case, found: Iterable[Finding]) -> Chains:
    """Count chains; each finding names its fact first.

    Args:
        case: the facts.
        found: findings about facts that start or end.
    """
    lengths = Counter(
        _chain(fact)
        for fact, past in zip(case.facts, case.past, strict=True)
        if not past and fact.bound is not Bound.POINT and not is_empty(fact.subject)
    )
    return Chains(
        all=len(lengths),
        long=sum(length > 1 for length in lengths.values()),
        incoherent=len({_chain(case.facts[one.numbers[0]]) for one in found}),
    )


def _chain(fact: DatedFact) -> tuple[str, str]:
    return (fact.subject, fact.relation)
